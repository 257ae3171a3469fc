"""Clocks of the simulated table: one without waiting, one at the wall clock's pace, and the time of day."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

_NEVER_SET: Final = datetime(1970, 1, 1, tzinfo=UTC)


class SimulatedTimeOfDay:
    """The time of day of a machine without a battery-backed clock: wrong until it is set.

    Args:
        clock: clock that it advances with.
        at_first: the time of day at the beginning.
    """

    def __init__(self, clock: SimulatedClock, at_first: datetime) -> None:
        self._clock, self._base = clock, at_first - timedelta(seconds=clock.now())

    def __call__(self) -> datetime:
        """Return the time of day, in UTC, to the second."""
        return (self._base + timedelta(seconds=self._clock.now())).replace(microsecond=0)

    def go_by(self, clock: SimulatedClock) -> None:
        """Switch to another clock, without a jump."""
        self._base += timedelta(seconds=self._clock.now() - clock.now())
        self._clock = clock

    def jump(self, seconds: float) -> None:
        """Change it by a number of seconds, which may be negative."""
        self._base += timedelta(seconds=seconds)

    def forget(self) -> None:
        """Restart it in 1970, as after a power cut without a network."""
        self._base = _NEVER_SET - timedelta(seconds=self._clock.now())


class SimulatedClock:
    """A clock whose time passes only when `sleep` is called."""

    def __init__(self, start_s: float = 0.0) -> None:
        self._now_s = start_s

    def now(self) -> float:
        """Return simulated seconds."""
        return self._now_s

    def sleep(self, seconds: float) -> None:
        """Advance the clock by `seconds` without waiting.

        Raises:
            ValueError: `seconds` is negative.
        """
        if seconds < 0:
            raise ValueError(f"time does not run backwards: {seconds} s")
        self._now_s += seconds


class PacedClock(SimulatedClock):
    """Simulated time that never runs ahead of the wall clock.

    Args:
        speed: simulated seconds per real second.
        wall: the wall clock; monotonic.
        wait: function that sleeps for real seconds.
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
            # Rendering was slower than the evening: the delay is accepted, or frames would come in bursts later.
            self._began_s -= ahead_s
