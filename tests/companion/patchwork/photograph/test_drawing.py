"""Test the picture of a reading that a person checks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.patchwork.photograph.hands import SeenHand
from companion.patchwork.photograph.reading import QuiltPiece
from companion.patchwork.photograph.sheet import count_score, draw_score

if TYPE_CHECKING:
    from numpy.typing import NDArray

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


def test_a_title_has_room_even_where_a_board_fills_the_picture(seen: SureOf) -> None:
    picture = draw_score(_photo(660, 380), count_score([seen(1, ROWS), seen(2, ROWS)], (1, 2)))
    assert picture.shape[1] == 1600


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
