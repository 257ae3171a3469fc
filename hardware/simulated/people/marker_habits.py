"""People's mistakes with the markers on the time board."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hardware.simulated.people.temperaments import Slip

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from hardware.simulated.scene.table import SimulatedTable

_LAST_SPACE: Final = 53


class MarkerHabits:
    """Slips with the markers.

    Args:
        table: on which they stand.
        rng: of what goes wrong.

    Attributes:
        are_wrong: whether a slip has left a marker on a wrong space.
    """

    def __init__(self, table: SimulatedTable, rng: np.random.Generator) -> None:
        self._table, self._rng = table, rng
        self.are_wrong = False

    def err(self, seat: int, before: tuple[int, int], slips: Mapping[Slip, float]) -> bool:
        """Perhaps leave a marker on a wrong space after a move of this seat, and return whether that was done.

        Args:
            seat: who has moved.
            before: where the markers stood before; they stand right now.
            slips: how likely each slip is.
        """
        for slip, likely in slips.items():
            if self._rng.random() < likely:
                wrong = _wrong(slip, seat, before, self._table.books.times)
                self.are_wrong = wrong != self._table.books.times
                self._table.books = replace(self._table.books, times=wrong)
                return self.are_wrong
        return False


def _wrong(slip: Slip, seat: int, before: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
    """Return where the markers stand after a slip."""
    # Who stood too far before has come back.
    steps = max(0, right[seat - 1] - before[seat - 1])
    spaces = list(right)
    if slip is Slip.MARKER_LEFT:
        spaces[seat - 1] = before[seat - 1]
    elif slip is Slip.MARKER_TOO_FAR:
        spaces[seat - 1] = min(_LAST_SPACE, right[seat - 1] + (1 if steps else 0))
    else:
        spaces[seat - 1] = before[seat - 1]
        spaces[2 - seat] = min(_LAST_SPACE, before[2 - seat] + steps)
    return spaces[0], spaces[1]
