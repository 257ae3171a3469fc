"""The memories of both quilts, now and before the latest decisions, so that a wrong decision leaves no trace."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from vision.quilt.memory import QuiltMemory

_TAKEN_BACK: Final = 2
"""The number of decisions that can be undone without a trace; each costs four megabytes."""


class Memories:
    """The expected looks of the quilts, by seat."""

    def __init__(self) -> None:
        self._now: dict[int, QuiltMemory] = {}
        self._earlier: deque[dict[int, QuiltMemory]] = deque(maxlen=_TAKEN_BACK)

    def __len__(self) -> int:
        """Return the number of quilts with a memory."""
        return len(self._now)

    def __getitem__(self, seat: int) -> QuiltMemory:
        """Return the memory of a seat's quilt.

        Raises:
            KeyError: its empty board was never seen.
        """
        return self._now[seat]

    def __setitem__(self, seat: int, memory: QuiltMemory) -> None:
        """Replace the memory of a quilt, and forget its history."""
        self._now[seat] = memory
        self._earlier.clear()

    def keep(self) -> None:
        """Save the memories before the effects of a decision are added."""
        self._earlier.append({seat: memory.copy() for seat, memory in self._now.items()})

    def take_back(self) -> None:
        """Restore the memories saved before the latest decision, if they are still available."""
        if self._earlier:
            self._now = self._earlier.pop()
