from __future__ import annotations

from dataclasses import replace

import numpy as np

from hardware.simulated.people.circle_habits import CircleHabits
from hardware.simulated.people.temperaments import Slip
from hardware.simulated.scene.table import SimulatedTable


def _places(table: SimulatedTable) -> dict[str, tuple[float, float] | None]:
    return {name: table.circle_spot_mm(name) for name in table.market}


def test_who_forgets_the_token_leaves_it_where_it_stood() -> None:
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


def test_who_does_not_slip_leaves_all_as_it_is() -> None:
    table = SimulatedTable(1)
    before = _places(table)
    habits = CircleHabits(table, np.random.default_rng(1))
    assert habits.err(table.market[0], {}) is None
    assert habits.err(table.market[0], {Slip.ELBOW: 0.0}) is None
    assert _places(table) == before
