from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.components import placements
from companion.games.patchwork.decisions import Advance, PlaceLeather, TakePatch
from companion.games.patchwork.rules import new_game
from companion.games.patchwork.state import Setup
from hardware.simulated.conditions import LEATHER
from hardware.simulated.people.conversation import (
    HOLD_S,
    LIKELY,
    TRIAL_S,
    Hesitant,
    Hesitation,
    drawn_hesitation,
    hesitate,
)
from hardware.simulated.people.gestures import Arm, Pace, Wait
from hardware.simulated.scene.table import SimulatedTable, cells_of

STATE = new_game(Setup())
BAR = TakePatch(1, "bar3", mask_of(["B2", "C2", "D2"]))


def _drawn(decision: TakePatch | PlaceLeather | Advance, times: int = 400) -> list[Hesitant | None]:
    rng = np.random.default_rng(5)
    return [drawn_hesitation(STATE, decision, rng) for _ in range(times)]


def test_nobody_hesitates_with_empty_hands() -> None:
    assert _drawn(Advance(1)) == [None] * 400


@pytest.mark.parametrize("decision", [BAR, PlaceLeather(1, mask_of(["E5"]))])
def test_people_hesitate_as_often_as_is_said_and_in_both_ways(decision: TakePatch | PlaceLeather) -> None:
    count = Counter(each.how for each in _drawn(decision) if each is not None)
    for how, likely in LIKELY.items():
        assert count[how] / 400 == pytest.approx(likely, abs=0.06)


def test_a_patch_is_held_where_it_will_lie_and_tried_where_it_will_not() -> None:
    for each in _drawn(BAR):
        if each is None:
            continue
        assert each.name == "bar3"
        assert (each.cells == cells_of(BAR.cells)) == (each.how is Hesitation.HOVER)
        assert sum(1 << row * 9 + column for row, column in each.cells) in placements("bar3")


def test_leather_is_tried_on_one_empty_cell() -> None:
    tried = [each for each in _drawn(PlaceLeather(1, 1)) if each is not None and each.how is Hesitation.TRIAL]
    assert {(each.name, len(each.cells)) for each in tried} == {(LEATHER, 1)}
    assert len({each.cells for each in tried}) > 10


@pytest.mark.parametrize(("how", "wait_s", "lies"), [(Hesitation.HOVER, HOLD_S, 0), (Hesitation.TRIAL, TRIAL_S, 1)])
def test_afterwards_the_board_is_as_before(how: Hesitation, wait_s: float, lies: int) -> None:
    table, waits = SimulatedTable(1), []
    hesitant = Hesitant(how, "bar3", cells_of(BAR.cells))
    for request in hesitate(Arm(table, 1, Pace.fast(5)), 1, hesitant, 1.0):
        assert isinstance(request, Wait)
        waits.append((request.seconds, len(table.pieces(1)), len(table.hands)))
    assert (wait_s, lies, 1 - lies) in waits
    assert (table.pieces(1), table.hands) == ((), ())
    assert "bar3" in table.circle
