"""Test the players' bookkeeping on the table, and their mistakes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.games.patchwork.decisions import Advance
from companion.games.patchwork.rules import apply, new_game
from companion.games.patchwork.state import Setup
from hardware.simulated.people.bookkeeping import Bookkeeping, CircleHabits, Counts, misplaced
from hardware.simulated.people.gestures import Arm, Pace
from hardware.simulated.people.slips import Slip, Temper
from hardware.simulated.scene.table import SimulatedTable

STATE = apply(new_game(Setup(players=("Anna", "Boris"))), Advance(1)).state


def bookkeeping(table: SimulatedTable, temper: Temper) -> tuple[Bookkeeping, Counts]:
    counts, pace = Counts(), Pace.fast(5.0)
    arms = (Arm(table, 1, pace), Arm(table, 2, pace))
    rng = np.random.default_rng(1)
    return Bookkeeping(table, (temper, temper), arms, pace, counts, rng, markers=True, circle=False), counts


def test_a_careful_player_keeps_the_books() -> None:
    table = SimulatedTable(1)
    books, counts = bookkeeping(table, Temper(1.0, 0.0, purse_slips={Slip.PAID_TOO_FEW: 0.0}))
    list(books.pay(1, STATE))
    assert table.books.buttons == (6, 5)
    assert table.books.times == (1, 0)
    assert counts == Counts()


@pytest.mark.parametrize(("slip", "seat", "buttons"), [(Slip.PAID_TOO_FEW, 2, (6, 6)), (Slip.TOOK_TOO_FEW, 1, (5, 5))])
def test_a_wrong_payment_lasts_until_the_buttons_are_counted(slip: Slip, seat: int, buttons: tuple[int, int]) -> None:
    table = SimulatedTable(1)
    books, counts = bookkeeping(table, Temper(1.0, 0.0, purse_slips={slip: 1.0}))
    list(books.pay(seat, STATE))
    assert table.books.buttons == buttons
    assert counts.purses_wrong == 1
    books.show(STATE)
    assert table.books.buttons == buttons
    books.count_again(STATE)
    assert table.books.buttons == (6, 5)


def test_a_marker_left_behind_is_moved_on_notice() -> None:
    table = SimulatedTable(1)
    books, counts = bookkeeping(table, Temper(1.0, 0.0, marker_slips={Slip.MARKER_LEFT: 1.0}))
    list(books.pay(1, STATE))
    assert table.books.times == (0, 0)
    assert counts.markers_wrong == 1
    books.on_notice(STATE)
    assert table.books.times == (1, 0)
    assert counts.markers_mended == 1


@pytest.mark.parametrize(
    ("slip", "spaces"),
    [(Slip.MARKER_LEFT, (2, 5)), (Slip.MARKER_TOO_FAR, (7, 5)), (Slip.MARKER_OF_OTHER, (2, 9))],
)
def test_a_slip_misplaces_a_marker(slip: Slip, spaces: tuple[int, int]) -> None:
    assert misplaced(slip, 1, (2, 5), (6, 5)) == spaces


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
