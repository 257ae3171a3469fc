"""The memories of both quilts, now and before the latest decisions, so that a wrong decision leaves no trace."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from calibration.locator import SEATS

if TYPE_CHECKING:
    from vision.quilt.memory import QuiltMemory

_TAKEN_BACK: Final = 2
"""The number of decisions that can be undone without a trace; each costs four megabytes."""


class Memories:
    """The expected looks of the quilts.

    Attributes:
        now: the memories, by seat; without the quilts whose empty board was never seen.
        complete: whether both quilts have a memory.
    """

    def __init__(self) -> None:
        self.now: dict[int, QuiltMemory] = {}
        self.complete = False
        self._earlier: deque[dict[int, QuiltMemory]] = deque(maxlen=_TAKEN_BACK)

    def begin(self, seat: int, memory: QuiltMemory) -> None:
        """Replace the memory of a quilt, and forget its history."""
        self.now[seat] = memory
        self.complete = len(self.now) == len(SEATS)
        self._earlier.clear()

    def keep(self) -> None:
        """Save the memories before the effects of a decision are added."""
        self._earlier.append({seat: memory.copy() for seat, memory in self.now.items()})

    def take_back(self) -> None:
        """Restore the memories saved before the latest decision, if they are still available."""
        if self._earlier:
            self.now = self._earlier.pop()
