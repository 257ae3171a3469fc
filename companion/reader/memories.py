"""How both quilts are expected to look, now and before the latest decisions: a wrong one must leave no trace."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from vision.quilt.memory import QuiltMemory

_TAKEN_BACK: Final = 2
"""So many decisions can be taken back without a trace; each costs four megabytes."""


class Memories:
    """By seat, what its quilt is expected to look like."""

    def __init__(self) -> None:
        self._now: dict[int, QuiltMemory] = {}
        self._earlier: deque[dict[int, QuiltMemory]] = deque(maxlen=_TAKEN_BACK)

    def __len__(self) -> int:
        """Of how many quilts something is known."""
        return len(self._now)

    def __getitem__(self, seat: int) -> QuiltMemory:
        """A seat's.

        Raises:
            KeyError: its empty board was never seen.
        """
        return self._now[seat]

    def __setitem__(self, seat: int, memory: QuiltMemory) -> None:
        """Begin anew with a quilt: how it looked earlier counts no more."""
        self._now[seat] = memory
        self._earlier.clear()

    def keep(self) -> None:
        """Keep what is known, before what came of a decision is added to it."""
        self._earlier.append({seat: memory.copy() for seat, memory in self._now.items()})

    def take_back(self) -> None:
        """Know what was known before the latest decision; if that is too long ago, things stay as they are."""
        if self._earlier:
            self._now = self._earlier.pop()
