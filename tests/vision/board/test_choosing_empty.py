"""Test the decisions of the search for empty boards, on made-up fits in place of pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pytest

from vision.board import finding
from vision.board.finding import colour_variety, find_empty_boards, is_empty_board
from vision.board.grid import GridFit
from vision.geometry import GRID_CORNERS, SIDE, Homography, through_corners, translation

if TYPE_CHECKING:
    from numpy.typing import NDArray

IMAGE = np.zeros((1, 1, 3), np.uint8)
CELL_PX = 20
BOARD_CELLS = 9.5
HERE = through_corners(GRID_CORNERS, GRID_CORNERS * CELL_PX)
FAR = HERE.after(translation(20.0, 0.0))
FARTHER = HERE.after(translation(40.0, 0.0))
LARGE = through_corners(GRID_CORNERS, GRID_CORNERS * 2 * CELL_PX + [20 * CELL_PX, 0])
OUTLINE = "outline"
"""The guess by an outline, as opposed to one in another board's plane."""

Support = Callable[[float, float], float]
"""A grid's support by its place, in cells from `HERE`."""


def offset(place: Homography) -> tuple[float, float]:
    """Return the place of a grid's upper left corner, in cells from `HERE`."""
    x, y = HERE.inverse.after(place)([[0.0, 0.0]])[0]
    return round(float(x), 6), round(float(y), 6)


class Made:
    """A picture of which only the fits are known."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.guesses: dict[str, Sequence[Homography]] = {OUTLINE: (), "plane": ()}
        self.support: Support = lambda _x, _y: 0.95
        self.variety: Support = lambda _x, _y: 0.0
        self.moved = translation(0.0, 0.0)
        self.fitted = 0
        monkeypatch.setattr(finding, "_outline_guesses", lambda *_: self.guesses[OUTLINE])
        monkeypatch.setattr(finding, "grids_in_plane", lambda *_: self.guesses["plane"])
        monkeypatch.setattr(finding, "fit_grid", self._fit)
        monkeypatch.setattr(finding, "colour_variety", lambda _, place: self.variety(*offset(place)))

    def _fit(self, _: object, guess: Homography) -> GridFit:
        self.fitted += 1
        return GridFit(guess.after(self.moved), 0.0, self.support(*offset(guess)))

    def found(self, *outlines: Homography, plane: Sequence[Homography] = ()) -> list[tuple[float, float]]:
        self.guesses = {OUTLINE: outlines, "plane": plane}
        return [offset(place) for place in find_empty_boards(IMAGE, BOARD_CELLS)]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Made:
    return Made(monkeypatch)


@pytest.mark.parametrize(
    ("support", "variety", "there"),
    [(0.56, 0.0, True), (0.54, 0.0, False), (0.8, 0.083, True), (0.8, 0.085, False), (0.56, 0.06, False)],
)
def test_a_board_has_most_of_its_lines_and_one_colour(made: Made, support: float, variety: float, there: bool) -> None:
    made.support, made.variety = lambda _x, _y: support, lambda _x, _y: variety
    assert is_empty_board(IMAGE, HERE) is there


def test_a_motley_guess_is_not_even_fitted(made: Made) -> None:
    made.variety = lambda _x, _y: 0.13
    assert not is_empty_board(IMAGE, HERE)
    assert made.fitted == 0


def test_the_clearest_of_overlapping_boards_is_kept(made: Made) -> None:
    made.support = lambda x, _y: {0.0: 0.94, 0.25: 0.96, 20.0: 0.95}.get(x, 0.0)
    beside = HERE.after(translation(0.25, 0.0))
    assert made.found(HERE, beside, FAR) == [(0.25, 0.0), (20.0, 0.0)]


def test_of_three_boards_the_two_clearest_are_the_pair(made: Made) -> None:
    made.support = lambda x, _y: {0.0: 0.94, 20.0: 0.98, 40.0: 0.96}.get(x, 0.0)
    assert made.found(HERE, FAR, FARTHER) == [(20.0, 0.0), (40.0, 0.0)]


def test_a_motley_grid_is_less_clear_than_one_with_fewer_lines(made: Made) -> None:
    made.support = lambda x, _y: {0.0: 0.99, 0.25: 0.95}.get(x, 0.0)
    made.variety = lambda x, _y: 0.03 if x == 0.0 else 0.0
    assert made.found(HERE, HERE.after(translation(0.25, 0.0))) == [(0.25, 0.0)]


def test_a_board_found_two_lines_beside_its_place_is_put_right(made: Made) -> None:
    made.support = lambda x, y: 0.9 - 0.1 * max(abs(x), abs(y))
    assert made.found(HERE.after(translation(2.0, -1.0))) == [(0.0, 0.0)]


def test_boards_that_are_put_right_to_the_same_place_are_one(made: Made) -> None:
    made.support = lambda x, y: 0.92 - 0.005 * max(abs(x), abs(y))
    assert made.found(HERE.after(translation(5.0, 5.0)), HERE.after(translation(-4.0, -4.0))) == [(0.0, 0.0)]


def test_a_clear_board_is_not_searched_for_beside_its_place(made: Made) -> None:
    made.support = lambda x, _y: 0.95 if x == 0.0 else 0.99
    assert made.found(HERE, plane=()) == [(0.0, 0.0)]
    assert made.fitted == 1


def test_the_second_board_is_searched_for_in_the_plane_of_the_first_alone(made: Made) -> None:
    assert made.found(HERE, plane=[FAR]) == [(0.0, 0.0), (20.0, 0.0)]
    assert made.found(HERE, FAR, plane=[FARTHER]) == [(0.0, 0.0), (20.0, 0.0)]


def test_a_board_of_another_size_is_no_second_one(made: Made) -> None:
    assert made.found(HERE, LARGE) == [(0.0, 0.0)]


def test_a_board_that_is_fitted_elsewhere_is_not_there(made: Made) -> None:
    for cells, there in ((0.15, True), (0.25, False)):
        made.moved = translation(cells, 0.0)
        assert is_empty_board(IMAGE, HERE) is there


def test_an_outline_is_the_grids_or_the_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "outlines", lambda _: [GRID_CORNERS * 10.0])
    of_grid, of_board = finding._outline_guesses(IMAGE, BOARD_CELLS)
    np.testing.assert_allclose(of_grid(GRID_CORNERS), GRID_CORNERS * 10.0, atol=1e-6)
    board = SIDE / 2 + (GRID_CORNERS - SIDE / 2) * BOARD_CELLS / SIDE
    np.testing.assert_allclose(of_board(board), GRID_CORNERS * 10.0, atol=1e-6)


def _tinted(blue: NDArray[np.float64], red: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return a picture of `HERE` whose cells have these factors of blue and red."""
    cells = np.stack([100 * blue, np.full((SIDE, SIDE), 100.0), 100 * red], axis=2)
    return np.kron(cells, np.ones((CELL_PX, CELL_PX, 1))).round().astype(np.uint8)


def test_colours_count_that_differ_in_blue_or_in_red_alone() -> None:
    even = np.ones((SIDE, SIDE))
    chequered = 1 + 0.4 * (np.indices((SIDE, SIDE)).sum(axis=0) % 2)
    assert colour_variety(_tinted(even, even), HERE) < 0.001
    assert colour_variety(_tinted(chequered, even), HERE) > 0.1
    assert colour_variety(_tinted(even, chequered), HERE) > 0.1


def test_coloured_light_from_the_side_and_a_token_do_not_count() -> None:
    even, across = np.ones((SIDE, SIDE)), np.exp(np.linspace(-0.4, 0.4, SIDE))
    token = even.copy()
    token[4, 4:7] = 2.0
    assert colour_variety(_tinted(even * across, even * across[:, None]), HERE) < 0.03
    assert colour_variety(_tinted(even, token), HERE) < 0.09
