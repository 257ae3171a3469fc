"""The frame rate at rest: while nothing moves at the table, fewer pictures are taken and memory is released."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.play.memory import give_back_memory
from vision.stillness import Stillness

if TYPE_CHECKING:
    from hardware.ports import Clock, Frame

REST_S: Final = 10.0
"""The stillness before the rate is reduced: all that a hands-free table announces, asks or takes comes earlier."""
BETWEEN_S: Final = 0.5
"""The time between two pictures at rest: a hand takes longer to reach for a patch and lay it."""
TICK_S: Final = 0.1
"""The interval at which buttons, commands and lights are served in between, the same as at ten pictures per second."""


class FramePace:
    """The decision when the next picture is due.

    Args:
        clock: the frames' clock.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._stillness = Stillness(most_skipped=None)
        self._moved_s = self._taken_s = clock.now()
        self._has_rested = False

    def see(self, frame: Frame) -> None:
        """Note that a picture was taken."""
        self._taken_s = self._clock.now()
        if not self._stillness.holds(frame.image):
            self.speed_up()
        # Once per rest: there is nothing more to release until something moves.
        elif self.is_at_rest and not self._has_rested:
            self._has_rested = True
            give_back_memory()

    def speed_up(self) -> None:
        """Return to the full frame rate."""
        self._moved_s, self._has_rested = self._clock.now(), False

    @property
    def is_at_rest(self) -> bool:
        """True if nothing has moved for `REST_S`."""
        return self._clock.now() - self._moved_s >= REST_S

    def wait(self) -> float | None:
        """Sleep for `TICK_S` and return the time if no picture is due; return None at once if one is due."""
        if not self.is_at_rest or self._clock.now() - self._taken_s >= BETWEEN_S:
            return None
        self._clock.sleep(TICK_S)
        return self._clock.now()
