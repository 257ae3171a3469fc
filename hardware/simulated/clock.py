"""Clocks of the simulated table: one that jumps, and one that keeps the wall clock's pace for people who watch."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class SimulatedClock:
    """Time passes only when somebody sleeps."""

    def __init__(self, start_s: float = 0.0) -> None:
        self._now_s = start_s

    def now(self) -> float:
        """Simulated seconds."""
        return self._now_s

    def sleep(self, seconds: float) -> None:
        """Let `seconds` pass at once.

        Raises:
            ValueError: `seconds` is negative.
        """
        if seconds < 0:
            raise ValueError(f"time does not run backwards: {seconds} s")
        self._now_s += seconds


class PacedClock(SimulatedClock):
    """Simulated time that never runs ahead of the wall clock.

    Args:
        speed: simulated seconds in a real one.
        wall: the wall clock; monotonic.
        wait: sleeps for real seconds.
    """

    def __init__(
        self,
        speed: float = 1.0,
        wall: Callable[[], float] = time.monotonic,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__()
        self._speed, self._wall, self._wait = speed, wall, wait
        self._began_s = wall()

    def sleep(self, seconds: float) -> None:
        """Wait until the wall clock has caught up with the simulated one, then return.

        Raises:
            ValueError: `seconds` is negative.
        """
        super().sleep(seconds)
        ahead_s = self.now() / self._speed - (self._wall() - self._began_s)
        if ahead_s > 0:
            self._wait(ahead_s)
        else:
            # Rendering was slower than the evening: what is lost is lost, or frames would come in bursts later.
            self._began_s -= ahead_s
