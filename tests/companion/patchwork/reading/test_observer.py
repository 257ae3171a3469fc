"""Test the expected looks of quilts whose decisions are entered by hand, and taken back, on pictures."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

import pytest

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.decisions import Advance, Decision, TakePatch
from companion.games.patchwork.state import Setup
from companion.patchwork.reading.verdict import Reading

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.simulated.scene.placing import Lying
    from tests.companion.patchwork.conftest import Scene

CELLS = ["D4", "D5", "E5"]
TAKEN = TakePatch(1, "corner-b3", mask_of(CELLS))


@pytest.fixture
def table(opening: Scene) -> Scene:
    return deepcopy(opening)


def enter(table: Scene, decision: Decision) -> None:
    """Take a decision as it is entered on the page: the quilts are looked at before."""
    table.observer.observe_all(table.state)
    table.take(decision)


def undo(table: Scene) -> None:
    table.history.undo()
    table.observer.take_back(table.state)


def looks_right(table: Scene, seat: int = 1) -> bool:
    """Return whether the quilt is seen to agree with the game."""
    table.watch.restart_rest()
    table.show(3)
    observation = table.observer.look(seat, table.state)
    return bool(observation.ratios[0, 1:-1, 1:-1].max() < 0)


def lay(table: Scene) -> Lying:
    return table.lay(1, TAKEN.patch, CELLS)


def test_a_patch_entered_before_it_is_laid_is_right_where_it_was_entered(table: Scene) -> None:
    enter(table, TAKEN)
    assert looks_right(table), "it may still be laid"
    laid = lay(table)
    assert looks_right(table)
    enter(table, Advance(2))
    assert looks_right(table)
    table.table.lift(1, laid)
    assert not looks_right(table), "it was seen to lie there"


def test_a_patch_entered_before_it_is_laid_may_be_laid_after_the_next_decision(table: Scene) -> None:
    enter(table, TAKEN)
    enter(table, Advance(2))
    lay(table)
    assert looks_right(table)


def test_a_patch_entered_while_its_quilt_is_out_of_view_is_right_as_it_looks_when_it_is_back(table: Scene) -> None:
    table.take(TAKEN)
    laid = lay(table)
    assert looks_right(table)
    enter(table, Advance(2))
    table.table.lift(1, laid)
    assert not looks_right(table)


def test_a_patch_seen_after_the_next_decision_is_known_once_that_is_taken_back(table: Scene) -> None:
    table.take(TAKEN)
    table.take(Advance(2))
    laid = lay(table)
    assert looks_right(table)
    enter(table, Advance(table.state.mover))
    undo(table)
    undo(table)
    assert looks_right(table)
    table.table.lift(1, laid)
    assert not looks_right(table)


def test_after_many_undos_a_patch_laid_on_the_same_cells_is_expected_as_it_lies(table: Scene) -> None:
    laid = lay(table)
    verdict = table.read()
    assert isinstance(verdict, Reading)
    table.take(verdict.decision)
    for _ in range(6):
        enter(table, Advance(table.state.mover))
    for _ in range(7):
        undo(table)
    table.table.lift(1, laid)
    assert looks_right(table)
    table.lay(1, "tee", ["D4", "D5", "D6", "E5"])
    assert not looks_right(table)
    enter(table, TakePatch(1, "tee", mask_of(["D4", "D5", "D6", "E5"])))
    assert looks_right(table)


def test_patches_of_a_resumed_game_that_are_taken_back_leave_bare_cells(table: Scene) -> None:
    table.begin_with([TAKEN])
    table.show(4)
    undo(table)
    for piece in table.table.pieces(1):
        table.table.lift(1, piece)
    assert looks_right(table)
    table.lay(1, "tee", ["D4", "D5", "D6", "E5"])
    assert not looks_right(table)
    enter(table, TakePatch(1, "tee", mask_of(["D4", "D5", "D6", "E5"])))
    assert looks_right(table)


@pytest.mark.parametrize("seed", [7, 11, 18])
def test_a_bare_board_is_not_called_changed_whatever_is_printed_on_it(
    scene: Callable[[int, Setup], Scene], seed: int
) -> None:
    table = scene(seed, Setup(players=("Anna", "Boris")))
    table.show(6)
    table.observer.observe_all(table.state)
    for seat in (1, 2):
        observation = table.observer.observed(seat)
        assert observation is not None
        assert observation.ratios.max() < -1
