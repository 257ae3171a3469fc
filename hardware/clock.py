"""The system's clock, and the tempo of a simulated one."""

import time
from collections.abc import Callable
from dataclasses import dataclass


class SystemClock:
    """The system's monotonic clock, which also gives the times of frames and edges."""

    def __init__(self, wall: Callable[[], float] = time.monotonic, wait: Callable[[float], None] = time.sleep) -> None:
        self._wall, self._wait = wall, wait

    def now(self) -> float:
        """Return the seconds since a fixed but arbitrary moment."""
        return self._wall()

    def sleep(self, seconds: float) -> None:
        """Block for `seconds`.

        Raises:
            ValueError: `seconds` is negative.
        """
        # An injected function may not refuse it, as `time.sleep` does.
        if seconds < 0:
            raise ValueError(f"time does not run backwards: {seconds} s")
        self._wait(seconds)


@dataclass(slots=True)
class Tempo:
    """The tempo of a table that people watch; it may be changed from any thread.

    Attributes:
        speed: simulated seconds per real second.
        paused: whether simulated time stands still.
    """

    speed: float = 1.0
    paused: bool = False
