"""Any game, as far as a table's devices go."""

from __future__ import annotations

from typing import Any, Protocol


class Played(Protocol):
    """A game's history; its state has `turn`, `finished` and `setup.players`, whichever game it is."""

    @property
    def decisions(self) -> tuple[Any, ...]:
        """What was decided, from the start."""

    @property
    def state(self) -> Any:
        """The rules' state now."""
