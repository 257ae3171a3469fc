"""People's mistakes with the circle of patches: the neutral token is forgotten, and an elbow pushes patches about."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hardware.simulated.people.temperaments import Slip

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from hardware.simulated.scene.table import SimulatedTable


class CircleHabits:
    """Slips with the circle.

    Args:
        table: on which it lies.
        rng: of what goes wrong.

    Attributes:
        is_token_wrong: whether the neutral token was left where it stood before.
        is_pushed: whether patches lie where an elbow has pushed them.
    """

    def __init__(self, table: SimulatedTable, rng: np.random.Generator) -> None:
        self._table, self._rng = table, rng
        self.is_token_wrong = self.is_pushed = False

    @property
    def are_wrong(self) -> bool:
        """True if something is to be mended."""
        return self.is_token_wrong or self.is_pushed

    def err(self, before: str | None, slips: Mapping[Slip, float]) -> Slip | None:
        """Perhaps do something wrong after a move, and return what that was.

        Args:
            before: the patch that the neutral token stood before until then; it stands right now.
            slips: how likely each slip is.
        """
        for slip, likely in slips.items():
            if self._rng.random() < likely and self._done(slip, before):
                return slip
        return None

    def mend(self) -> None:
        """Lay the circle as it lay; the token is moved with all that shows the books."""
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
