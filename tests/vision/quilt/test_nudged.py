"""Test recognising a print at its place or slightly beside it, and nothing else as it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.quilt.look import look_at
from vision.quilt.nudged import REACH_PX, is_recognised_nearby

if TYPE_CHECKING:
    from tests.vision.conftest import Scenes

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
