"""The history of a game, as far as all games share it."""

from __future__ import annotations

from typing import Any, Protocol


class History(Protocol):
    """The state now and the decisions that led there.

    A state of any game has `turn` (the seat to move, or None), `finished` and `setup.players`.
    """

    @property
    def decisions(self) -> tuple[Any, ...]:
        """The decisions, from the start."""

    @property
    def state(self) -> Any:
        """The rules' state now."""
