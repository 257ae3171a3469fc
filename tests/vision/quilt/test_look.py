"""Test recognising a print at its place or slightly beside it, and nothing else as it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.geometry import SIDE, VIEW_PX, cell_window
from vision.quilt.look import (
    PER_CELL,
    REACH_PX,
    RING,
    WINDOWS,
    QuiltMemory,
    by_cell,
    is_recognised_nearby,
    look_at,
    own_windows,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tests.vision.conftest import Scenes


def test_a_look_holds_what_its_docstring_says(scenes: type[Scenes]) -> None:
    look = look_at(scenes.board())
    assert look.log.shape == (VIEW_PX, VIEW_PX, 3)
    assert look.luminance.shape == look.structure.shape == (VIEW_PX, VIEW_PX)
    assert {each.dtype for each in (look.log, look.luminance, look.structure)} == {np.dtype(np.float32)}
    np.testing.assert_allclose(look.luminance, look.log.mean(axis=2), atol=1e-5)


def test_black_and_white_views_have_a_finite_look() -> None:
    for grey in (0, 255):
        look = look_at(np.full((VIEW_PX, VIEW_PX, 3), grey, np.uint8))
        assert np.isfinite(look.log).all()
        assert np.abs(look.structure).max() < 1e-4


@pytest.mark.parametrize("gain", [0.6, 1.3])
def test_exposure_leaves_the_structure_alone(scenes: type[Scenes], gain: float) -> None:
    board = scenes.board()
    change = np.abs(look_at(scenes.lit(board, gain)).structure - look_at(board).structure)
    assert change.mean() < 0.004


def test_windows_belong_to_the_cells_that_they_lie_in() -> None:
    numbers = np.arange(WINDOWS * WINDOWS).reshape(WINDOWS, WINDOWS)
    cells = by_cell(numbers)
    assert cells.shape == (PER_CELL, PER_CELL, RING, RING)
    assert own_windows(numbers).shape == (SIDE * PER_CELL, SIDE * PER_CELL)
    assert cells[0, 0, 1, 1] == own_windows(numbers)[0, 0]
    assert cells[3, 3, 9, 9] == own_windows(numbers)[-1, -1]
    np.testing.assert_array_equal(by_cell(numbers, down=1)[0, :, 4, 4], cells[1, :, 4, 4])
    np.testing.assert_array_equal(by_cell(numbers, right=-1)[:, 0, 4, 4], cells[:, 3, 4, 3])


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
    memory = memory.lay(early, first)
    memory = memory.lay(late, first | second)
    view = memory.expected(first | second).view
    np.testing.assert_array_equal(_where_equal(view, early), first)
    np.testing.assert_array_equal(_where_equal(view, late), second & ~first)
    np.testing.assert_array_equal(memory.expected(NOWHERE).view, empty)
    assert not memory.differs(first | second).any()


def test_a_patch_taken_off_and_laid_anew_is_expected_as_it_lies_now(scenes: type[Scenes]) -> None:
    once, again, here = scenes.board(2), scenes.board(3), _cells((4, 4))
    memory = QuiltMemory(scenes.board(1))
    memory = memory.lay(once, here)
    memory = memory.lay(again, NOWHERE)
    memory = memory.lay(again, here)
    assert _where_equal(memory.expected(here).view, again)[5, 5]


def test_a_patch_that_has_crept_is_known_by_both_its_looks(scenes: type[Scenes]) -> None:
    laid, crept, here = scenes.board(2), scenes.board(3), _cells((4, 4), (4, 5))
    memory = QuiltMemory(scenes.board(1))
    memory = memory.lay(laid, here)
    memory = memory.follow(crept, _cells((4, 5), (7, 7)))
    assert _where_equal(memory.expected(here).view, crept)[5, 6]
    assert _where_equal(memory.otherwise(here).view, laid)[5, 6]
    np.testing.assert_array_equal(memory.differs(here), _cells((4, 5)))
    np.testing.assert_array_equal(memory.expected(NOWHERE).view, scenes.board(1))


def test_a_believed_look_of_a_bare_cell_is_an_alternative(scenes: type[Scenes]) -> None:
    empty, odd = scenes.board(1), scenes.board(2)
    memory = QuiltMemory(empty)
    memory = memory.believe(odd, _cells((2, 2)))
    np.testing.assert_array_equal(memory.expected(NOWHERE).view, empty)
    np.testing.assert_array_equal(_where_equal(memory.otherwise(NOWHERE).view, odd), _cells((2, 2)))
    np.testing.assert_array_equal(memory.differs(NOWHERE), _cells((2, 2)))


def test_a_board_in_another_place_has_other_surroundings(scenes: type[Scenes]) -> None:
    empty, there = scenes.board(1), scenes.board(2)
    memory = QuiltMemory(empty)
    memory = memory.surround(there)
    np.testing.assert_array_equal(_where_equal(memory.expected(NOWHERE).view, there), ~GRID)


def test_an_expected_look_is_the_callers_own(scenes: type[Scenes]) -> None:
    empty = scenes.board()
    memory = QuiltMemory(empty)
    memory.expected(NOWHERE).view[:] = 0
    memory.lay(scenes.board(2), GRID)
    np.testing.assert_array_equal(memory.expected(GRID).view, empty)


def test_undone_decisions_take_what_was_learnt_with_them(scenes: type[Scenes]) -> None:
    empty, early, late = (scenes.board(seed) for seed in range(3))
    before = QuiltMemory(empty).lay(early, _cells((0, 0)))
    after = before.lay(late, _cells((0, 0), (4, 4))).follow(late, _cells((0, 0))).believe(late, _cells((8, 8)))
    back = after.back_to(before, _cells((0, 0)))
    np.testing.assert_array_equal(_where_equal(back.expected(GRID).view, early), _cells((0, 0)))
    assert not back.differs(GRID).any()
    assert not back.differs(NOWHERE).any()


def test_an_undo_leaves_the_surroundings_and_patches_that_were_seen_late(scenes: type[Scenes]) -> None:
    empty, late = scenes.board(0), scenes.board(1)
    entered, here = QuiltMemory(empty), _cells((0, 0))
    back = entered.lay(late, here).surround(late).back_to(entered, here)
    np.testing.assert_array_equal(_where_equal(back.expected(here).view, late), ~GRID | here)


CELLS = [(3, 3), (3, 4), (4, 4), (5, 4)]


@settings(max_examples=25, deadline=None, derandomize=True)
@given(down=st.integers(-14, 14), right=st.integers(-14, 14), seed=st.integers(0, 3))
def test_a_print_is_known_within_a_third_of_a_cell_and_no_further(
    scenes: type[Scenes], down: int, right: int, seed: int
) -> None:
    laid = scenes.lay(scenes.board(1), CELLS, seed)
    nudged = scenes.noisy(np.roll(laid, (down, right), (0, 1)), 5)
    known = is_recognised_nearby(look_at(nudged), look_at(laid), 3, 4)
    if np.hypot(down, right) <= REACH_PX - 1:
        assert known
    if np.hypot(down, right) >= REACH_PX + 2:
        assert not known


@pytest.mark.parametrize("seed", range(1, 9))
def test_another_print_is_not_taken_for_it(scenes: type[Scenes], seed: int) -> None:
    board = scenes.board(1)
    one, other = scenes.lay(board, CELLS, 0), scenes.lay(board, CELLS, seed)
    for row, column in CELLS:
        assert not is_recognised_nearby(look_at(scenes.noisy(other, seed)), look_at(one), row, column)


def test_the_end_of_a_print_that_peeps_out_is_not_enough(scenes: type[Scenes]) -> None:
    """A patch laid on another leaves a strip of it visible: the cell counts as covered."""
    laid = scenes.lay(scenes.board(1), CELLS, 0)
    piled = laid.copy()
    over = scenes.lay(scenes.board(1), [(3, 4)], 5)
    top = round((3 + 1.5) * 32)
    piled[top : top + 23, 176:208] = over[top : top + 23, 176:208]
    assert not is_recognised_nearby(look_at(piled), look_at(laid), 3, 4)
