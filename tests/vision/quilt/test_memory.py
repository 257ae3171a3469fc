from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.geometry.rectify import cell_window
from vision.quilt.memory import QuiltMemory
from vision.quilt.windows import RING

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tests.vision.conftest import Scenes

NOWHERE = np.zeros((RING, RING), np.bool_)
GRID = np.pad(np.ones((RING - 2, RING - 2), np.bool_), 1)


def _cells(*cells: tuple[int, int]) -> NDArray[np.bool_]:
    """Return the lattice with these cells (row, column) of the grid marked; -1 and 9 are the ring."""
    lattice = NOWHERE.copy()
    for row, column in cells:
        lattice[row + 1, column + 1] = True
    return lattice


def _where_equal(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return the cells of the lattice in which two views are identical."""
    return np.array(
        [
            [np.array_equal(one[cell_window(row, column, 0)], other[cell_window(row, column, 0)])
             for column in range(-1, RING - 1)]
            for row in range(-1, RING - 1)
        ]
    )  # fmt: skip


def test_an_empty_board_is_expected_as_it_was_seen(scenes: type[Scenes]) -> None:
    empty = scenes.board()
    np.testing.assert_array_equal(QuiltMemory(empty).expected(NOWHERE).view, empty)


lattices = st.integers(0, 2**32 - 1).map(lambda seed: GRID & (np.random.default_rng(seed).random((RING, RING)) < 0.4))


@settings(max_examples=15, deadline=None, derandomize=True)
@given(first=lattices, second=lattices)
def test_each_patch_is_expected_as_it_was_laid_and_the_rest_as_it_was_bare(
    scenes: type[Scenes], first: NDArray[np.bool_], second: NDArray[np.bool_]
) -> None:
    empty, early, late = (scenes.board(seed) for seed in range(3))
    memory = QuiltMemory(empty)
    memory.lay(early, first)
    memory.lay(late, first | second)
    view = memory.expected(first | second).view
    np.testing.assert_array_equal(_where_equal(view, early), first)
    np.testing.assert_array_equal(_where_equal(view, late), second & ~first)
    np.testing.assert_array_equal(memory.expected(NOWHERE).view, empty)
    assert not memory.differs(first | second).any()


def test_a_patch_taken_off_and_laid_anew_is_expected_as_it_lies_now(scenes: type[Scenes]) -> None:
    once, again, here = scenes.board(2), scenes.board(3), _cells((4, 4))
    memory = QuiltMemory(scenes.board(1))
    memory.lay(once, here)
    memory.lay(again, NOWHERE)
    memory.lay(again, here)
    assert _where_equal(memory.expected(here).view, again)[5, 5]


def test_a_patch_that_has_crept_is_known_by_both_its_looks(scenes: type[Scenes]) -> None:
    laid, crept, here = scenes.board(2), scenes.board(3), _cells((4, 4), (4, 5))
    memory = QuiltMemory(scenes.board(1))
    memory.lay(laid, here)
    memory.follow(crept, _cells((4, 5), (7, 7)))
    assert _where_equal(memory.expected(here).view, crept)[5, 6]
    assert _where_equal(memory.otherwise(here).view, laid)[5, 6]
    np.testing.assert_array_equal(memory.differs(here), _cells((4, 5)))
    np.testing.assert_array_equal(memory.expected(NOWHERE).view, scenes.board(1))


def test_what_is_believed_of_a_bare_cell_stands_beside_what_was_seen(scenes: type[Scenes]) -> None:
    empty, odd = scenes.board(1), scenes.board(2)
    memory = QuiltMemory(empty)
    memory.believe(odd, _cells((2, 2)))
    np.testing.assert_array_equal(memory.expected(NOWHERE).view, empty)
    np.testing.assert_array_equal(_where_equal(memory.otherwise(NOWHERE).view, odd), _cells((2, 2)))
    np.testing.assert_array_equal(memory.differs(NOWHERE), _cells((2, 2)))


def test_a_board_in_another_place_has_other_surroundings(scenes: type[Scenes]) -> None:
    empty, there = scenes.board(1), scenes.board(2)
    memory = QuiltMemory(empty)
    memory.surround(there)
    np.testing.assert_array_equal(_where_equal(memory.expected(NOWHERE).view, there), ~GRID)


def test_what_is_expected_belongs_to_who_asked(scenes: type[Scenes]) -> None:
    empty = scenes.board()
    memory = QuiltMemory(empty)
    memory.expected(NOWHERE).view[:] = 0
    copied = memory.copy()
    copied.lay(scenes.board(2), GRID)
    np.testing.assert_array_equal(memory.expected(GRID).view, empty)
