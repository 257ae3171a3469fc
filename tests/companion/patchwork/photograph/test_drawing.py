"""Test the picture of a reading that a person checks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.patchwork.photograph.drawing import draw_score
from companion.patchwork.photograph.hands import SeenHand
from companion.patchwork.photograph.reading import QuiltPiece
from companion.patchwork.photograph.sheet import count_score
from vision.geometry import GRID_CORNERS, through_corners

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from companion.patchwork.photograph.photo import SeenQuilt
    from tests.companion.patchwork.photograph.conftest import SureOf

ROWS = ["XXXXXXXXX"] * 4 + ["........."] * 5
GREY = 120


def _photo(width: int = 1600, height: int = 900) -> NDArray[np.uint8]:
    return np.full((height, width, 3), GREY, np.uint8)


def _colour(picture: NDArray[np.uint8], quilt_place: NDArray[np.float64], scale: float = 1.0) -> NDArray[np.int_]:
    x, y = np.rint(quilt_place * scale).astype(int)
    return np.asarray(picture[y, x], np.int_)


def test_covered_cells_carry_a_green_dot_and_empty_ones_a_ring(seen: SureOf) -> None:
    quilt = seen(1, ROWS)
    picture = draw_score(_photo(), count_score([quilt, seen(2, ROWS)], (1, 2)))
    blue, green, red = _colour(picture, quilt.place([2.5, 1.5]))
    assert green > blue + 40
    assert green > red + 40
    middle = _colour(picture, quilt.place([2.5, 6.5]))
    assert np.abs(middle - GREY).max() < 10, "a ring leaves the cell's middle to be seen"


def test_a_doubtful_cell_has_an_orange_frame_and_its_neighbours_have_none(seen: SureOf) -> None:
    quilt = seen(1, ROWS, {(6, 4): 0.3})
    picture = draw_score(_photo(), count_score([quilt, seen(2, ROWS)], (1, 2)))
    blue, _, red = _colour(picture, quilt.place([4.5, 6.08]))
    assert red > blue + 100
    blue, _, red = _colour(picture, quilt.place([6.5, 6.08]))
    assert red < blue + 30


def test_a_line_runs_around_a_piece_and_not_through_it(seen: SureOf) -> None:
    quilt = replace(seen(1, ROWS), pieces=(QuiltPiece("bar3", ("B2", "C2", "D2"), 1.0),))
    picture = draw_score(_photo(), count_score([quilt, seen(2, ROWS)], (1, 2)))
    blue, green, _ = _colour(picture, quilt.place([2.3, 1.0]))
    assert green > blue + 40
    blue, green, _ = _colour(picture, quilt.place([2.0, 1.3]))
    assert abs(green - blue) < 20


@pytest.mark.parametrize("size", [(800, 450), (1600, 900)])
def test_small_photographs_are_enlarged_large_ones_keep_their_size(seen: SureOf, size: tuple[int, int]) -> None:
    photo = _photo(*size)
    picture = draw_score(photo, count_score([seen(1, ROWS), seen(2, ROWS)]))
    assert picture.shape == (900, 1600, 3)
    assert picture.dtype == np.uint8
    assert (photo == GREY).all(), "the photograph itself is left alone"


def _at(seat: int, corners: Sequence[tuple[float, float]], seen: SureOf) -> SeenQuilt:
    doubts = {(8, 8): 0.3, (0, 0): 0.8}
    return replace(seen(seat, ROWS, doubts), place=through_corners(GRID_CORNERS, corners))


ALONE = [[(10, 8), (640, 8), (640, 640), (10, 640)]]
SIDE_BY_SIDE = [[(5, 5), (320, 5), (320, 320), (5, 320)], [(340, 5), (655, 5), (655, 320), (340, 320)]]
ONE_ABOVE_THE_OTHER = [[(5, 330), (320, 330), (320, 645), (5, 645)], [(5, 5), (320, 5), (320, 320), (5, 320)]]


@pytest.mark.parametrize("boards", [ALONE, SIDE_BY_SIDE, ONE_ABOVE_THE_OTHER])
def test_every_cell_and_score_is_seen_although_boards_fill_the_picture(
    seen: SureOf, boards: list[list[tuple[float, float]]]
) -> None:
    quilts = [_at(seat, corners, seen) for seat, corners in enumerate(boards, start=1)]
    width = int(max(x for corners in boards for x, _ in corners)) + 5
    height = int(max(y for corners in boards for _, y in corners)) + 5
    picture = draw_score(_photo(width, height), count_score(quilts))
    scale = picture.shape[1] / width
    for quilt in quilts:
        for row, column in np.ndindex(9, 9):
            is_covered = quilt.covered[row, column]
            blue, green, red = _colour(picture, quilt.place([column + 0.5, row + (0.5 if is_covered else 0.3)]), scale)
            lit = green > blue + 40 if is_covered else min(blue, green, red) > 200
            assert lit, f"seat {quilt.seat}, row {row}, column {column}"
    beneath = picture[round(height * scale) :]
    assert beneath.shape[0] > 0
    written = np.flatnonzero((beneath.min(axis=2) > 200).any(axis=0))
    assert written[0] > 0
    assert written[-1] < picture.shape[1] - 5, "the last word is not cut off"


@pytest.mark.parametrize(("doubts", "channel"), [((), 1), (("stacked",), 2)])
def test_a_ring_around_each_token_tells_whether_the_count_is_sure(
    seen: SureOf, doubts: tuple[str, ...], channel: int
) -> None:
    hand = SeenHand(1, {1: 1}, doubts, ((370.0, 420.0, 10.0),))
    photo = _photo()
    score = count_score([seen(1, ROWS), seen(2, ROWS)], hands={1: hand})
    picture = draw_score(photo, score)
    scale = picture.shape[1] / photo.shape[1]
    colour = _colour(picture, np.array([370.0 + 12.0, 420.0]), scale)
    assert int(colour.argmax()) == channel
    assert colour.max() > 200
