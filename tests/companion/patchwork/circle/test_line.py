"""The order of pieces that were pushed about in a drawn circle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.patchwork.circle.canvas import CircleLine

if TYPE_CHECKING:
    from numpy.typing import NDArray

COUNT = 12


def at(place: float, radius: float = 8.0) -> NDArray[np.float64]:
    """Return the point of the circle at a place, counted from 0."""
    angle = 2 * np.pi * place / COUNT
    return radius * np.array([np.cos(angle), np.sin(angle)])


LINE = CircleLine([at(number) for number in range(COUNT)])


def lying(**moved: NDArray[np.float64]) -> dict[int, NDArray[np.float64]]:
    """Return the points of all pieces, in their places except some: `_3` is the piece of place 3."""
    return {number: at(number) for number in range(COUNT)} | {int(name[1:]): there for name, there in moved.items()}


def test_as_it_was_laid_it_is_in_order() -> None:
    assert LINE.out_of_order(lying()) == ()


@pytest.mark.parametrize("there", [at(3.4, 9.5), at(2.8, 6.0), at(3.0, 11.0)])
def test_a_piece_that_was_pushed_aside_between_its_neighbours_is_in_order(there: NDArray[np.float64]) -> None:
    assert LINE.out_of_order(lying(_3=there)) == ()


@pytest.mark.parametrize("place", [4.5, 5.5, 1.5, 0.5])
def test_beyond_a_neighbour_it_is_not(place: float) -> None:
    assert LINE.out_of_order(lying(_3=at(place))) == (3,)


@pytest.mark.parametrize(("number", "place"), [(0, 10.5), (11, 0.5), (0, 1.5)])
def test_the_line_has_no_end(number: int, place: float) -> None:
    assert LINE.out_of_order(lying(**{f"_{number}": at(place)})) == (number,)


def test_beyond_a_gap_where_a_piece_was_taken_it_is_in_order() -> None:
    left = lying(_3=at(4.5))
    del left[4]
    assert LINE.out_of_order(left) == ()


def test_neighbours_that_were_pushed_along_together_are_in_order() -> None:
    assert LINE.out_of_order(lying(_3=at(3.6), _4=at(4.6))) == ()


def test_neighbours_that_changed_places_are_not() -> None:
    assert LINE.out_of_order(lying(_3=at(4.0), _4=at(3.0))) == (3, 4)


def test_the_first_and_the_last_that_changed_places_are_not_whatever_else_was_moved() -> None:
    assert LINE.out_of_order(lying(_0=at(11), _11=at(0), _5=at(5, 10.0))) == (0, 11)


@pytest.mark.parametrize(("beyond_cells", "wrong"), [(0.5, ()), (1.5, (3, 4))])
def test_neighbours_hardly_beyond_one_another_are_in_order(beyond_cells: float, wrong: tuple[int, ...]) -> None:
    along = at(4) - at(3)
    middle, half = (at(3) + at(4)) / 2, along / np.hypot(*along) * beyond_cells / 2
    assert LINE.out_of_order(lying(_3=middle + half, _4=middle - half)) == wrong


def test_small_pieces_in_a_narrow_circle_change_places_too() -> None:
    narrow = CircleLine([at(number, 3.0) for number in range(COUNT)])
    there = {number: at(number, 3.0) for number in range(COUNT)} | {3: at(4, 3.0), 4: at(3, 3.0)}
    assert narrow.out_of_order(there) == (3, 4)


def test_five_pieces_have_an_order() -> None:
    places = [at(number * COUNT / 5) for number in range(5)]
    five = CircleLine(places)
    assert five.out_of_order(dict(enumerate(places)) | {1: (places[2] + places[3]) / 2}) == (1,)


@pytest.mark.parametrize(("number", "wrong"), [(3, ()), (8, (8,))])
def test_a_piece_whose_own_place_is_unclear_is_never_out_of_order(number: int, wrong: tuple[int, ...]) -> None:
    places = [*map(at, range(4)), at(3, 9.0), *map(at, range(4, COUNT))]
    crowded = CircleLine(places)
    assert crowded.out_of_order(dict(enumerate(places)) | {number: at(5.5)}) == wrong


def test_pieces_behind_one_another_are_not_reported() -> None:
    folded = CircleLine([at(0), at(1), at(1, 9.0), at(2), at(3)])
    assert folded.out_of_order({0: at(0), 1: at(1, 10.5), 2: at(1), 3: at(2), 4: at(3)}) == ()


def test_few_pieces_have_no_order() -> None:
    few = CircleLine([at(0), at(1), at(2)])
    assert few.out_of_order({0: at(2.5), 1: at(1), 2: at(2)}) == ()
