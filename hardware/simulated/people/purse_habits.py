"""Players' handling of button tokens: paying, taking, changing, stacking, and miscounting."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hardware.simulated.people.temperaments import Slip
from hardware.simulated.scene.coins import Purse, settled

if TYPE_CHECKING:
    import numpy as np

    from companion.games.patchwork import State
    from hardware.simulated.scene.table import SimulatedTable


class PurseHabits:
    """Both players' tokens, and their errors of payment.

    Args:
        table: the table with the tokens.
        rng: source of mistakes.
    """

    def __init__(self, table: SimulatedTable, rng: np.random.Generator) -> None:
        self._table, self._rng = table, rng
        self._surplus = [0, 0]

    @property
    def are_wrong(self) -> bool:
        """True if a player has a wrong number of buttons."""
        return any(self._surplus)

    def settled(self, state: State) -> tuple[Purse, Purse]:
        """Return both players' tokens after payments due by the game; earlier mistakes persist."""
        return paid(self._table, state, (self._surplus[0], self._surplus[1]))

    def err(self, seat: int, slips: Mapping[Slip, float]) -> bool:
        """Let a player pay or take one button too few, with the given probabilities; return whether it happens.

        Args:
            seat: seat that pays, or takes.
            slips: probability of each mistake.
        """
        for slip, likely in slips.items():
            if self._rng.random() < likely:
                self._surplus[seat - 1] += 1 if slip is Slip.PAID_TOO_FEW else -1
                return True
        return False

    def put_right(self) -> None:
        """Correct both players' tokens."""
        self._surplus = [0, 0]


def paid(table: SimulatedTable, state: State, surplus: tuple[int, int] = (0, 0)) -> tuple[Purse, Purse]:
    """Return both players' tokens after payments due by the game, plus a surplus for each."""
    purses = list(table.books.purses)
    for index, seat in enumerate(state.seats):
        due = max(0, seat.buttons + surplus[index])
        purses[index] = settled(purses[index], purses[1 - index], due, stacks=table.stacks[index])
    return purses[0], purses[1]
