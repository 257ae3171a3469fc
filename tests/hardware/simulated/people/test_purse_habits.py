from __future__ import annotations

import numpy as np

from companion.games.patchwork import Advance, Setup, apply, new_game
from hardware.simulated.people.purse_habits import PurseHabits
from hardware.simulated.people.temperaments import Slip
from hardware.simulated.scene.coins import worth
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
