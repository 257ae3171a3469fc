"""."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.games.patchwork import Advance, Setup, apply, new_game
from hardware.simulated.people.bookkeeping import CircleHabits, MarkerHabits, PurseHabits
from hardware.simulated.people.slips import Slip
from hardware.simulated.scene.placing import worth
from hardware.simulated.scene.table import SimulatedTable

STATE = apply(new_game(Setup(players=("Anna", "Boris"))), Advance(1)).state


def lie(habits: PurseHabits) -> tuple[int, int]:
    one, two = habits.settled(STATE)
    return worth(one), worth(two)


def test_players_have_what_the_game_says_until_one_of_them_slips() -> None:
    habits = PurseHabits(SimulatedTable(1), np.random.default_rng(1))
    assert lie(habits) == (6, 5)
    assert not habits.err(2, {Slip.PAID_TOO_FEW: 0.0})

    assert habits.err(2, {Slip.PAID_TOO_FEW: 1.0})
    assert lie(habits) == (6, 6)
    assert habits.err(1, {Slip.TOOK_TOO_FEW: 1.0})
    assert lie(habits) == (5, 6)
    assert habits.are_wrong

    habits.put_right()
    assert lie(habits) == (6, 5)
    assert not habits.are_wrong


@pytest.mark.parametrize(
    ("slip", "stand"),
    [(Slip.MARKER_LEFT, (2, 5)), (Slip.MARKER_TOO_FAR, (7, 5)), (Slip.MARKER_OF_OTHER, (2, 9))],
)
def test_a_slip_leaves_the_markers_so(slip: Slip, stand: tuple[int, int]) -> None:
    table = SimulatedTable(1)
    table.books = replace(table.books, times=(6, 5))
    habits = MarkerHabits(table, np.random.default_rng(1))

    assert habits.err(1, (2, 5), {slip: 1.0})
    assert table.books.times == stand
    assert habits.are_wrong


def test_a_careful_player_leaves_the_markers_as_they_are() -> None:
    table = SimulatedTable(1)
    table.books = replace(table.books, times=(6, 5))
    habits = MarkerHabits(table, np.random.default_rng(1))

    assert not habits.err(1, (2, 5), {})
    assert not habits.err(1, (2, 5), {Slip.MARKER_LEFT: 0.0})
    assert table.books.times == (6, 5)
    assert not habits.are_wrong


def _places(table: SimulatedTable) -> dict[str, tuple[float, float] | None]:
    return {name: table.circle_spot_mm(name) for name in table.market}


def test_a_forgotten_neutral_token_stays_in_its_place() -> None:
    table = SimulatedTable(1)
    before, now = table.market[0], table.market[2]
    table.books = replace(table.books, first=now)
    habits = CircleHabits(table, np.random.default_rng(1))
    assert habits.err(before, {Slip.PAWN_LEFT: 1.0}) is Slip.PAWN_LEFT
    assert table.books.first == before
    assert habits.are_wrong


def test_a_token_that_need_not_move_cannot_be_forgotten() -> None:
    table = SimulatedTable(1)
    habits = CircleHabits(table, np.random.default_rng(1))
    assert habits.err(table.books.first, {Slip.PAWN_LEFT: 1.0}) is None
    assert not habits.are_wrong


def test_an_elbow_pushes_a_few_patches_and_people_lay_them_back() -> None:
    table = SimulatedTable(1)
    before = _places(table)
    habits = CircleHabits(table, np.random.default_rng(1))
    assert habits.err(None, {Slip.ELBOW: 1.0}) is Slip.ELBOW
    pushed = [name for name, place in _places(table).items() if place != before[name]]
    assert 1 <= len(pushed) <= 4
    assert habits.is_pushed
    habits.mend()
    assert _places(table) == before
    assert not habits.are_wrong


def test_a_careful_player_leaves_the_circle_as_it_is() -> None:
    table = SimulatedTable(1)
    before = _places(table)
    habits = CircleHabits(table, np.random.default_rng(1))
    assert habits.err(table.market[0], {}) is None
    assert habits.err(table.market[0], {Slip.ELBOW: 0.0}) is None
    assert _places(table) == before
