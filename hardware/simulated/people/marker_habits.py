"""Players' mistakes with the markers on the time board."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hardware.simulated.people.temperaments import Slip

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from hardware.simulated.scene.table import SimulatedTable

_LAST_SPACE: Final = 53
"""The time board's centre."""


class MarkerHabits:
    """Mistakes with the markers.

    Args:
        table: the table.
        rng: source of mistakes.

    Attributes:
        are_wrong: whether a marker is on a wrong space.
    """

    def __init__(self, table: SimulatedTable, rng: np.random.Generator) -> None:
        self._table, self._rng = table, rng
        self.are_wrong = False

    def err(self, seat: int, before: tuple[int, int], slips: Mapping[Slip, float]) -> bool:
        """Leave a marker on a wrong space after a move, with the given probabilities; return whether it was.

        Args:
            seat: seat that has moved.
            before: the markers' spaces before the move; they are correct now.
            slips: probability of each mistake.
        """
        for slip, likely in slips.items():
            if self._rng.random() < likely:
                wrong = _wrong(slip, seat, before, self._table.books.times)
                self.are_wrong = wrong != self._table.books.times
                self._table.books = replace(self._table.books, times=wrong)
                return self.are_wrong
        return False


def _wrong(slip: Slip, seat: int, before: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
    """Return the markers' spaces after a mistake."""
    # A marker that was too far before has moved back.
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
