"""Players' mistakes with the circle of patches: the neutral token is forgotten, and an elbow pushes patches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from hardware.simulated.people.temperaments import Slip

if TYPE_CHECKING:
    import numpy as np

    from hardware.simulated.scene.table import SimulatedTable


class CircleHabits:
    """Mistakes with the circle.

    Args:
        table: the table.
        rng: source of mistakes.

    Attributes:
        is_token_wrong: whether the neutral token was left in its previous place.
        is_pushed: whether patches were pushed by an elbow.
    """

    def __init__(self, table: SimulatedTable, rng: np.random.Generator) -> None:
        self._table, self._rng = table, rng
        self.is_token_wrong = self.is_pushed = False

    @property
    def are_wrong(self) -> bool:
        """True if there is something to correct."""
        return self.is_token_wrong or self.is_pushed

    def err(self, before: str | None, slips: Mapping[Slip, float]) -> Slip | None:
        """Make a mistake after a move, with the given probabilities, and return it, or None.

        Args:
            before: the patch at which the neutral token stood before the move; it stands correctly now.
            slips: probability of each mistake.
        """
        for slip, likely in slips.items():
            if self._rng.random() < likely and self._done(slip, before):
                return slip
        return None

    def mend(self) -> None:
        """Restore the circle; the token is moved together with everything that shows the books."""
        self._table.straighten_circle()
        self.is_token_wrong = self.is_pushed = False

    def _done(self, slip: Slip, before: str | None) -> bool:
        if slip is Slip.ELBOW:
            self.is_pushed = self._table.push_circle(self._rng) or self.is_pushed
            return self.is_pushed
        if before is None or self._table.books.first in (None, before):
            return False
        self._table.books = replace(self._table.books, first=before)
        self.is_token_wrong = True
        return True
