from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.simulated.drawing import Pose
from hardware.simulated.drawing.painter import Painter, cut, merged
from hardware.simulated.drawing.pinhole import Pinhole
from hardware.simulated.drawing.sprites import disc_sprite, leather_sprite, patch_sprite, pawn_sprite

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardware.simulated.drawing import Image

CAMERA = Pinhole((400, 300), 400.0, 0.0, (0.0, 0.0, 400.0), 0.0, 0.0)
WHOLE = (0, 0, *CAMERA.canvas_px)
MIDDLE = (np.asarray(CAMERA.canvas_px) - 1) / 2


def _canvas() -> Image:
    width, height = CAMERA.canvas_px
    return np.full((height, width, 3), 200, np.uint8)


def _painted(pose: Pose, z_mm: float = 0.0, lamp: tuple[float, float] = (0.5, 0.4)) -> Image:
    canvas = _canvas()
    Painter(CAMERA, lamp).paint(canvas, leather_sprite(), pose, z_mm, WHOLE)
    return canvas


def _leather(canvas: Image) -> NDArray[np.bool_]:
    """Return the mask of leather: brown, far darker than any shadow on the light table."""
    return canvas[..., 0] < 70


def test_a_piece_is_painted_where_it_lies() -> None:
    rows, columns = np.nonzero(_leather(_painted(Pose(30, -20))))
    # Its top is 2.5 mm above the table: seen from 400 mm it is shifted from the middle by 400 / 397.5.
    assert columns.mean() - MIDDLE[0] == pytest.approx(30 * 400 / 397.5, abs=0.6)
    assert rows.mean() - MIDDLE[1] == pytest.approx(-20 * 400 / 397.5, abs=0.6)
    assert np.ptp(columns) == pytest.approx(20, abs=2)


def test_higher_pieces_are_seen_further_from_the_middle_and_larger() -> None:
    low, high = (np.nonzero(_leather(_painted(Pose(100, 0), z_mm))) for z_mm in (0.0, 40.0))
    assert high[1].mean() > low[1].mean() + 8
    assert high[0].size > low[0].size


def test_a_shadow_falls_away_from_the_lamp() -> None:
    canvas = _painted(Pose(0, 0), lamp=(3.0, 0.0)).astype(int)
    row = round(MIDDLE[1])
    right, left = (canvas[row, round(MIDDLE[0]) + side * 15].mean() for side in (1, -1))
    assert right < left - 10


def test_something_tall_throws_its_shadow_from_its_foot_on() -> None:
    canvas = _canvas()
    Painter(CAMERA, (3.0, 0.0)).paint(canvas, pawn_sprite(), Pose(0, 0), 0.0, WHOLE)
    row = canvas[round(MIDDLE[1]), round(MIDDLE[0]) + 9 : round(MIDDLE[0]) + 50].astype(int)
    assert (row.mean(axis=1) < 190).all()


def test_painting_stays_inside_the_clip_and_agrees_with_painting_all() -> None:
    pose, clip = Pose(10, 5, 30), (225, 150, 245, 170)
    whole, part = _canvas(), _canvas()
    painter = Painter(CAMERA, (0.5, 0.4))
    sprite = patch_sprite("boot", False)
    painter.paint(whole, sprite, pose, 2.5, WHOLE)
    painter.paint(part, sprite, pose, 2.5, clip)
    left, top, right, bottom = clip
    np.testing.assert_allclose(
        part[top:bottom, left:right].astype(int), whole[top:bottom, left:right].astype(int), atol=3
    )
    part[top:bottom, left:right] = 200
    assert (part == 200).all()


def test_the_box_covers_everything_that_painting_changes() -> None:
    painter = Painter(CAMERA, (0.5, 0.4))
    for sprite, z_mm in ((patch_sprite("aitch", True), 2.5), (disc_sprite("token1"), 0.0), (leather_sprite(), 14.0)):
        canvas, pose = _canvas(), Pose(-40, 30, 17)
        painter.paint(canvas, sprite, pose, z_mm, WHOLE)
        left, top, right, bottom = painter.box(sprite, pose, z_mm)
        rows, columns = np.nonzero((canvas != 200).any(axis=2))
        assert left <= columns.min()
        assert columns.max() < right
        assert top <= rows.min()
        assert rows.max() < bottom


def test_pieces_outside_the_picture_are_not_painted() -> None:
    assert (_painted(Pose(5000, 0)) == 200).all()


BOXES = st.tuples(*[st.integers(0, 40)] * 2, *[st.integers(1, 20)] * 2).map(
    lambda box: (box[0], box[1], box[0] + box[2], box[1] + box[3])
)


@given(st.lists(BOXES, max_size=8))
def test_merged_boxes_cover_all_that_the_boxes_covered(boxes: list[tuple[int, int, int, int]]) -> None:
    def covered(some: list[tuple[int, int, int, int]]) -> NDArray[np.bool_]:
        grid = np.zeros((64, 64), bool)
        for left, top, right, bottom in some:
            grid[top:bottom, left:right] = True
        return grid

    joined = merged(boxes)
    assert len(joined) <= len(boxes)
    assert (covered(joined) | ~covered(boxes)).all()


@given(BOXES, BOXES)
def test_the_intersection_of_two_boxes_is_inside_both(one: tuple[int, ...], other: tuple[int, ...]) -> None:
    shared = cut(one, other)  # type: ignore[arg-type]
    overlap = max(one[0], other[0]) < min(one[2], other[2]) and max(one[1], other[1]) < min(one[3], other[3])
    assert (shared is not None) == overlap
