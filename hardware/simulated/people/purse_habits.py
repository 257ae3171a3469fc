"""People's ways with button tokens: they pay and take in, change, stack, and miscount at times."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.simulated.people.temperaments import Slip
from hardware.simulated.scene.coins import settled

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from companion.games.patchwork import State
    from hardware.simulated.scene.coins import Purse
    from hardware.simulated.scene.table import SimulatedTable


class PurseHabits:
    """Both players' tokens, and what they have paid or taken too much or too little.

    Args:
        table: on which the tokens lie.
        rng: of what goes wrong.
    """

    def __init__(self, table: SimulatedTable, rng: np.random.Generator) -> None:
        self._table, self._rng = table, rng
        self._surplus = [0, 0]

    @property
    def are_wrong(self) -> bool:
        """True if a player has more or fewer buttons than they should."""
        return any(self._surplus)

    def settled(self, state: State) -> tuple[Purse, Purse]:
        """Return both players' tokens once they have paid, or taken in, what the game says; slips stay."""
        return paid(self._table, state, (self._surplus[0], self._surplus[1]))

    def err(self, seat: int, slips: Mapping[Slip, float]) -> bool:
        """Perhaps let a player pay or take one too few from now on, and return whether that happens.

        Args:
            seat: who pays, or takes in.
            slips: how likely each slip is.
        """
        for slip, likely in slips.items():
            if self._rng.random() < likely:
                self._surplus[seat - 1] += 1 if slip is Slip.PAID_TOO_FEW else -1
                return True
        return False

    def put_right(self) -> None:
        """Let both players have what the game says."""
        self._surplus = [0, 0]


def paid(table: SimulatedTable, state: State, surplus: tuple[int, int] = (0, 0)) -> tuple[Purse, Purse]:
    """Return both players' tokens once they have paid, or taken in, what the game says, and so much more."""
    purses = list(table.books.purses)
    for index, seat in enumerate(state.seats):
        due = max(0, seat.buttons + surplus[index])
        purses[index] = settled(purses[index], purses[1 - index], due, stacks=table.stacks[index])
    return purses[0], purses[1]
