"""Test finding labels in a map of their log-odds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from hardware.simulated.conditions import Conditions
from hardware.simulated.evening import SimulatedEvening
from vision.geometry import GRID_CORNERS, through_corners
from vision.pieces.maps import (
    CELL_PX,
    MAP_PX,
    LabelPlace,
    PieceMaps,
    label_places,
    normalised,
    see_pieces,
    stretch,
)
from vision.table.plane import view_table

if TYPE_CHECKING:
    from numpy.typing import NDArray


def test_a_part_tells_its_share_of_the_whole() -> None:
    heard: list[float] = []
    inner = stretch(stretch(heard.append, 0.5, 1.0), 0.2, 0.4)
    for share in (0.0, 0.5, 1.0):
        inner(share)
    assert heard == pytest.approx([0.6, 0.65, 0.7])


@dataclass(frozen=True)
class Table:
    """The maps of a table, masks of the pieces and of surely empty places, in the maps' shape, and the picture."""

    maps: PieceMaps
    pieces: NDArray[np.bool_]
    bare: NDArray[np.bool_]
    picture: NDArray[np.uint8]


@pytest.fixture(scope="module")
def table() -> Table:
    evening = SimulatedEvening(2, Conditions())
    image = evening.camera.capture().image
    boards = [through_corners(GRID_CORNERS, quad) for quad in evening.table.grid_corners_px()]
    view = view_table(image, boards, CELL_PX)
    maps = see_pieces(view.picture, view.seen)
    mask = np.zeros(maps.piece.shape, np.uint8)
    for piece in evening.table.circle_pieces():
        corners = view.to_image.inverse(piece.outline_px) * CELL_PX / 2 - 0.5
        cv2.fillPoly(mask, [np.rint(corners).astype(np.int32)], 1)
    near = cv2.dilate(mask, np.ones((9, 9), np.uint8))
    return Table(maps, cv2.erode(mask, np.ones((3, 3), np.uint8)) > 0, near == 0, view.picture)


def test_pieces_are_seen_where_they_lie(table: Table) -> None:
    assert (table.maps.piece[table.pieces] > 0).mean() > 0.85


def test_nothing_is_seen_where_none_lies(table: Table) -> None:
    assert (table.maps.piece[table.bare] > 0).mean() < 0.05
    assert (table.maps.label[table.bare] > 0).mean() < 0.02


def test_rims_run_around_pieces_and_not_through_them(table: Table) -> None:
    inner = cv2.erode(table.pieces.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    around = cv2.dilate(table.pieces.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    rim = around & ~table.pieces
    assert table.maps.rim[rim].mean() > table.maps.rim[inner].mean() + 3


def test_labels_lie_on_pieces(table: Table) -> None:
    labels, _ = cv2.connectedComponents((table.maps.label > 1).astype(np.uint8))
    assert 20 <= labels - 1 <= 45


def test_masked_pixels_become_unknown(table: Table) -> None:
    without = table.maps.without(table.pieces)
    assert (without.piece[table.pieces] < -3).all()
    assert (without.piece[table.bare] == table.maps.piece[table.bare]).all()


@pytest.mark.parametrize("size", [(48, 64), (49, 66), (51, 67)])
def test_maps_are_half_as_large_as_any_picture(size: tuple[int, int]) -> None:
    maps = see_pieces(np.full((*size, 3), 120, np.uint8))
    assert maps.piece.shape == maps.rim.shape == ((size[0] + 1) // 2, (size[1] + 1) // 2)


def test_brightness_and_colour_of_the_light_are_taken_off() -> None:
    rng = np.random.default_rng(3)
    picture = rng.uniform(60, 200, (40, 40, 3))
    dim = np.clip(picture * (0.5, 0.6, 0.4), 0, 255).astype(np.uint8)
    assert np.abs(normalised(picture.astype(np.uint8)) - normalised(dim)).mean() < 0.12


SIDE = 8


def seen(*spots: tuple[float, float, float, float, float]) -> tuple[LabelPlace, ...]:
    """Return the labels found for boxes of the map: left, top, length and width in cells, and log-odds."""
    label = np.full((SIDE * MAP_PX, SIDE * MAP_PX), -4, np.float32)
    for left, top, length, width, odds in spots:
        rows, columns = (slice(round(a * MAP_PX), round((a + b) * MAP_PX)) for a, b in ((top, width), (left, length)))
        label[rows, columns] = odds
    nothing = np.full(label.shape, -4, np.float32)
    return label_places(PieceMaps(nothing, nothing, label, nothing, nothing))


def test_a_label_lies_where_it_is_printed_and_runs_along_its_longer_side() -> None:
    (across,) = seen((2.0, 3.0, 1.5, 0.5, 3.0))
    assert across.at == pytest.approx([2.75, 3.25], abs=0.1)
    assert (across.length, across.width) == pytest.approx((1.5, 0.5), abs=0.01)
    (down,) = seen((2.0, 3.0, 0.5, 1.5, 3.0))
    assert (across.angle_deg - down.angle_deg) % 180 == pytest.approx(90.0)
    assert across.plainness == down.plainness == 1.0


def test_both_halves_of_one_label_are_one() -> None:
    (whole,) = seen((2.0, 3.0, 0.5, 0.5, 3.0), (2.67, 3.0, 0.5, 0.5, 2.0))
    assert 2.0 < whole.x < 2.67 + 0.5
    assert whole.length > 1.0


def test_labels_of_two_pieces_that_touch_are_two() -> None:
    assert len(seen((2.0, 3.0, 1.3, 0.5, 3.0), (2.0, 4.0, 1.3, 0.5, 3.0))) == 2


def test_the_plainest_comes_first_and_a_faint_one_is_hardly_one() -> None:
    plain, faint = seen((1.0, 1.0, 0.5, 0.33, 0.0), (1.0, 5.0, 1.3, 0.5, 2.0))
    assert (round(plain.y), round(faint.y)) == (5, 1)
    assert plain.plainness == 1.0
    assert faint.plainness < 0.2


def test_a_speck_is_no_label() -> None:
    assert seen((2.0, 3.0, 0.33, 0.33, 4.0)) == ()


def test_a_box_around_a_label_has_room_on_all_sides() -> None:
    place = LabelPlace(3.0, 4.0, 90.0, 1.4, 0.6)
    corners = place.box(0.2)
    assert corners.min(axis=0) == pytest.approx([2.5, 3.1])
    assert corners.max(axis=0) == pytest.approx([3.5, 4.9])
