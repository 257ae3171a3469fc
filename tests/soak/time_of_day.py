"""The time of day of a simulated machine."""

from datetime import UTC, datetime, timedelta
from typing import Final

from hardware.simulated.devices import SimulatedClock

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
