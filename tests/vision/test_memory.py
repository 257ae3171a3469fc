from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.evidence import RING, Look, look_at
from vision.memory import QuiltMemory
from vision.rectify import cell_window

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tests.vision.conftest import Scenes

NOWHERE = np.zeros((RING, RING), np.bool_)
EVERYWHERE = np.ones((RING, RING), np.bool_)


def _cells(*cells: tuple[int, int]) -> NDArray[np.bool_]:
    """The lattice with these cells (row, column) of the grid marked; -1 and 9 are the ring."""
    lattice = NOWHERE.copy()
    for row, column in cells:
        lattice[row + 1, column + 1] = True
    return lattice


def _where_equal(one: Look, other: Look) -> NDArray[np.bool_]:
    """For each cell whether two looks show the same in the whole of it."""
    return np.array(
        [
            [np.array_equal(one.log[cell_window(row, column, 0)], other.log[cell_window(row, column, 0)])
             for column in range(-1, RING - 1)]
            for row in range(-1, RING - 1)
        ]
    )  # fmt: skip


def test_an_empty_board_is_expected_as_it_was_seen(scenes: type[Scenes]) -> None:
    empty = look_at(scenes.board())
    expected = QuiltMemory(empty).expected(NOWHERE)
    np.testing.assert_array_equal(expected.log, empty.log)
    np.testing.assert_array_equal(expected.luminance, empty.luminance)
    np.testing.assert_array_equal(expected.structure, empty.structure)


lattices = st.integers(0, 2**32 - 1).map(lambda seed: np.random.default_rng(seed).random((RING, RING)) < 0.4)


@settings(max_examples=15, deadline=None, derandomize=True)
@given(covered=lattices, trusted=lattices)
def test_only_trusted_cells_change_and_each_in_its_own_look(
    scenes: type[Scenes], covered: NDArray[np.bool_], trusted: NDArray[np.bool_]
) -> None:
    old, new = look_at(scenes.board(1)), look_at(scenes.board(2))
    memory = QuiltMemory(old)
    memory.refresh(new, covered, trusted)
    np.testing.assert_array_equal(_where_equal(memory.expected(covered), new), trusted)
    np.testing.assert_array_equal(_where_equal(memory.expected(covered), old), ~trusted)
    # What is bare now tells nothing of how it looks covered, and the other way round.
    np.testing.assert_array_equal(_where_equal(memory.expected(NOWHERE), new), trusted & ~covered)
    np.testing.assert_array_equal(_where_equal(memory.expected(EVERYWHERE), new), trusted & covered)


def test_a_patch_taken_back_uncovers_the_board_as_it_was(scenes: type[Scenes]) -> None:
    board = scenes.board()
    cells = [(3, 4), (3, 5), (4, 5)]
    laid, here = look_at(scenes.lay(board, cells)), _cells(*cells)
    memory = QuiltMemory(look_at(board))
    memory.refresh(laid, here, EVERYWHERE)
    assert _where_equal(memory.expected(here), laid)[here].all()
    assert _where_equal(memory.expected(NOWHERE), look_at(board))[here].all()


def test_the_ring_around_the_grid_is_remembered_too(scenes: type[Scenes]) -> None:
    memory, new = QuiltMemory(look_at(scenes.board(1))), look_at(scenes.board(2))
    ring = _cells((-1, -1), (9, 9), (-1, 4), (9, 0))
    memory.refresh(new, NOWHERE, ring)
    np.testing.assert_array_equal(_where_equal(memory.expected(NOWHERE), new), ring)


def test_what_is_expected_belongs_to_who_asked(scenes: type[Scenes]) -> None:
    empty = look_at(scenes.board())
    untouched = empty.log.copy()
    memory = QuiltMemory(empty)
    memory.expected(NOWHERE).log[:] = 0
    memory.refresh(look_at(scenes.board(2)), NOWHERE, EVERYWHERE)
    np.testing.assert_array_equal(empty.log, untouched)
    assert memory.expected(NOWHERE).log.min() > 0


def test_what_was_laid_stays_known_while_its_look_is_refreshed(scenes: type[Scenes]) -> None:
    laid, later, again = (look_at(scenes.board(seed)) for seed in (2, 3, 4))
    memory, here = QuiltMemory(look_at(scenes.board(1))), _cells((4, 4))
    memory.refresh(laid, here, EVERYWHERE)
    memory.refresh(later, here, EVERYWHERE)
    assert _where_equal(memory.expected(here), later)[5, 5]
    assert _where_equal(memory.as_laid(here), laid)[5, 5]
    memory.refresh(later, NOWHERE, EVERYWHERE)
    memory.refresh(again, here, EVERYWHERE)
    assert _where_equal(memory.as_laid(here), again)[5, 5], "it was taken off and laid anew"
