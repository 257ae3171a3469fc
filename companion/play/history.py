"""The interface that the histories of all games share."""

from __future__ import annotations

from typing import Any, Protocol


class History(Protocol):
    """The current state and the decisions that led to it.

    A state of any game has `turn` (the seat to move, or None), `finished` and `setup.players`.
    """

    @property
    def decisions(self) -> tuple[Any, ...]:
        """The decisions, from the start."""

    @property
    def state(self) -> Any:
        """The current state of the rules."""
