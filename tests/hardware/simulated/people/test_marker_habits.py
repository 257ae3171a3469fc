from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hardware.simulated.people.bookkeeping import MarkerHabits
from hardware.simulated.people.temperaments import Slip
from hardware.simulated.scene.table import SimulatedTable


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


def test_who_does_not_slip_leaves_them_as_they_are() -> None:
    table = SimulatedTable(1)
    table.books = replace(table.books, times=(6, 5))
    habits = MarkerHabits(table, np.random.default_rng(1))

    assert not habits.err(1, (2, 5), {})
    assert not habits.err(1, (2, 5), {Slip.MARKER_LEFT: 0.0})
    assert table.books.times == (6, 5)
    assert not habits.are_wrong
