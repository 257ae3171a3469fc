"""Test that two patches laid since the last confirm are read in the order that the rules allow."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import Advance, PlaceLeather, TakePatch
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup, State
from companion.patchwork.reading.missed import laid_first, laid_too_early, pairs_laid
from companion.patchwork.reading.verdict import Complaint, Question, Reading, Reason
from companion.patchwork.watching.watch import lattice_of
from vision.quilt.changes import SHIFTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from tests.companion.patchwork.conftest import Scene

SETUP = Setup(players=("Anna", "Boris"))
TALL = ["A1", "B1", "C1", "B2", "B3"]
# Boris is four spaces ahead, so that Anna has two turns.
BEFORE = (Advance(1), TakePatch(2, "tall-tee", mask_of(TALL)))
BAR = TakePatch(1, "bar3", mask_of(["A1", "B1", "C1"]))
DOMINO = TakePatch(1, "domino", mask_of(["E5", "F5"]))
CORNER = mask_of(["E5", "F5", "F6"])


def _after(setup: Setup) -> History:
    history = History(setup)
    for decision in BEFORE:
        history.apply(decision)
    return history


@pytest.fixture
def history() -> History:
    return _after(SETUP)


def _seen(covered: int) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return evidence that only these cells have changed."""
    changed = lattice_of(covered)
    return np.repeat(np.where(changed, 6.0, -6.0)[None], len(SHIFTS), axis=0), changed


def _first(covered: int, state: State) -> list[TakePatch | PlaceLeather]:
    return laid_first(pairs_laid(*_seen(covered), state), state)


def test_either_may_have_been_first_if_the_rules_allow_both_orders(history: History) -> None:
    assert set(_first(BAR.cells | DOMINO.cells, history.state)) == {BAR, DOMINO}


def test_only_the_order_that_the_rules_allow_is_offered() -> None:
    first = ("tall-tee", "bar3", "aitch", "arrow", "corner-b3")
    others = [patch for patch in PATCHES if patch not in (*first, "domino")]
    ordered = _after(Setup(players=SETUP.players, market=(*first, *others, "domino")))
    assert _first(BAR.cells | CORNER, ordered.state) == [BAR], "the corner was not on offer before"


def test_one_patch_is_no_pair_and_other_shapes_are_none(history: History) -> None:
    assert _first(BAR.cells, history.state) == []
    assert _first(mask_of(["A1", "C3", "E5", "G7"]), history.state) == []


def test_a_player_with_one_turn_has_laid_no_two() -> None:
    assert _first(BAR.cells | DOMINO.cells, History(SETUP).state) == []


def _dealt(*first: str) -> Setup:
    """Return a game whose circle begins with these patches."""
    rest = [patch for patch in PATCHES if patch not in (*first, "domino")]
    return Setup(players=SETUP.players, market=(*first, *rest, "domino"))


def test_a_second_patch_is_only_seen_in_what_is_one() -> None:
    state = History(_dealt("bar3", "aitch", "arrow")).state

    def early(covered: int) -> list[tuple[TakePatch, int]]:
        return laid_too_early(pairs_laid(*_seen(covered), state), state)

    assert early(BAR.cells | CORNER) == [(BAR, CORNER)]
    assert early(BAR.cells | mask_of(["E5"])) == [], "a button is no patch"
    assert early(BAR.cells) == []


@pytest.mark.parametrize(
    ("market", "says", "cells"),
    [
        (("bar3", "aitch", "arrow"), "can be taken now. Take off the one on E5, F5 and F6", ("E5", "F5", "F6")),
        (("bar3", "corner-b3", "arrow"), "Take off the one that was laid later", None),
    ],
)
def test_a_player_with_two_patches_in_one_turn_is_told_which_one_has_to_wait(
    scene: Callable[[int, Setup], Scene], market: tuple[str, ...], says: str, cells: tuple[str, ...] | None
) -> None:
    table = scene(3, _dealt(*market))
    table.show(6)
    table.lay(1, "bar3", ["A1", "B1", "C1"])
    table.lay(1, "corner-b3", ["E5", "F5", "F6"])
    refused = table.read()
    assert isinstance(refused, Complaint), refused
    assert says in str(refused.says)
    assert cells in (None, refused.cells)


def test_a_forgotten_confirm_is_asked_about_and_both_patches_are_taken_in_turn(
    scene: Callable[[int, Setup], Scene],
) -> None:
    table = scene(3, SETUP)
    table.show(6)
    table.history.apply(BEFORE[0])
    table.lay(2, "tall-tee", TALL)
    table.show(3)
    table.observer.observe_all(table.state)
    table.take(BEFORE[1])
    table.lay(1, "bar3", ["A1", "B1", "C1"])
    table.lay(1, "domino", ["E5", "F5"])
    asked = table.read()
    assert isinstance(asked, Question), asked
    assert set(asked.options) == {BAR, DOMINO}
    assert isinstance(asked.else_wrong, Complaint)
    assert asked.else_wrong.reason in (Reason.OBJECT, Reason.UNCLEAR)
    table.take(BAR)
    after = table.read()
    assert isinstance(after, Reading), after
    assert after.decision == DOMINO
