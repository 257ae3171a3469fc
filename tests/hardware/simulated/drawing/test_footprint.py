from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.patchwork.components import PATCHES
from hardware.simulated.drawing import Pose
from hardware.simulated.drawing.footprint import Room, joined, outline_mm, patch_footprint, patch_squares, rectangle
from hardware.simulated.drawing.sprites import CELL_MM, shape_of


def test_the_room_between_two_rectangles_is_measured_at_their_nearest_places() -> None:
    low = rectangle(Pose(0, 0), 20, 10)
    assert low.clearance_mm(rectangle(Pose(25, 0), 10, 30)) == pytest.approx(10.0)
    assert low.clearance_mm(rectangle(Pose(0, 20, 90), 20, 10)) == pytest.approx(5.0)
    assert low.clearance_mm(rectangle(Pose(13, 9), 20, 10)) < 0


def test_a_patch_reaches_into_the_corner_of_another_without_overlap() -> None:
    """The room is that of the shapes, not of their bounding boxes."""
    corner = patch_footprint("corner-b1", Pose(0, 0))
    cells = set(shape_of("corner-b1", flipped=False))
    empty = next((r, c) for r in range(2) for c in range(2) if (r, c) not in cells)
    into = Pose((empty[1] - 0.5) * CELL_MM, (empty[0] - 0.5) * CELL_MM)
    assert corner.clearance_mm(rectangle(into, CELL_MM - 4, CELL_MM - 4)) == pytest.approx(2.0)


@given(st.sampled_from(sorted(PATCHES)))
def test_an_outline_encloses_exactly_the_cells_of_its_patch(patch: str) -> None:
    cells = shape_of(patch, flipped=False)
    x, y = (outline_mm(cells) / CELL_MM).T
    area = (x * np.roll(y, -1) - y * np.roll(x, -1)).sum() / 2
    assert area == pytest.approx(len(cells)), "and it runs clockwise on a picture, whose y points down"
    assert np.allclose(np.minimum(np.abs(np.diff(x)), np.abs(np.diff(y))), 0)


def test_rooms_around_a_patch_at_several_poses_are_those_of_its_borders_there() -> None:
    room = Room()
    room.put(rectangle(Pose(30, 10, 20), 25, 40))
    poses = np.array([[3.0, -7.0, 30.0], [-40.0, 5.0, 200.0], [70.0, 30.0, 0.0], [31.0, 12.0, 90.0]])
    rooms = room.at_squares_mm(patch_squares("aitch", poses))
    rims = np.array([patch_footprint("aitch", Pose(x, y, turn)).rim_mm for x, y, turn in poses])
    np.testing.assert_array_equal(rooms, room.around_mm(rims))
    assert rooms[3] == 0 < rooms[1]


def test_a_room_knows_how_far_off_the_nearest_thing_is() -> None:
    room = Room()
    far, near = np.array([[[200.0, 0.0], [210.0, 3.0]]]), np.array([[[40.0, 0.0], [30.0, 5.0]]])
    assert room.around_mm(near)[0] == 60
    room.put(rectangle(Pose(0, 0, 90), 10, 40))
    assert room.around_mm(near)[0] == pytest.approx(10.0, abs=1.5)
    assert room.around_mm(far)[0] == 60
    assert room.around_mm(np.array([[[0.0, 0.0]]]))[0] == 0


def test_joined_things_are_as_near_as_the_nearest_of_them() -> None:
    both = joined([rectangle(Pose(0, 0), 10, 10), rectangle(Pose(50, 0), 10, 10)])
    assert both.clearance_mm(rectangle(Pose(70, 0), 10, 10)) == pytest.approx(10.0)
