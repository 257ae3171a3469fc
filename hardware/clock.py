"""The clock of a real table."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class SystemClock:
    """The system's monotonic clock, which also stamps frames and edges.

    Args:
        wall: reads it.
        wait: sleeps for seconds.
    """

    def __init__(self, wall: Callable[[], float] = time.monotonic, wait: Callable[[float], None] = time.sleep) -> None:
        self._wall, self._wait = wall, wait

    def now(self) -> float:
        """Return seconds since some fixed moment."""
        return self._wall()

    def sleep(self, seconds: float) -> None:
        """Return `seconds` later.

        Raises:
            ValueError: `seconds` is negative.
        """
        if seconds < 0:
            raise ValueError(f"time does not run backwards: {seconds} s")
        self._wait(seconds)
