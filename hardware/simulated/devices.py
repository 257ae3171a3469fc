"""The simulated clock, push-buttons and strip of lights, which can be driven, questioned and made to fail."""

import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence

from companion.languages import said
from hardware.clock import Tempo
from hardware.ports import RGB, Button, Clock, HardwareError, Press
from hardware.pushbuttons import button_word
from hardware.strips import CountedStrip


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


# How often a paused clock lets its caller look whether anything else is wanted, in real seconds.
_PAUSED_S = 0.2


class PacedClock(SimulatedClock):
    """Simulated time that never runs ahead of the wall clock, and stands still while it is paused.

    Args:
        tempo: the tempo; None for real time.
        wall: the wall clock; monotonic.
        wait: function that sleeps for real seconds.
    """

    def __init__(
        self,
        tempo: Tempo | None = None,
        wall: Callable[[], float] = time.monotonic,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__()
        self._tempo, self._wall, self._wait = tempo or Tempo(), wall, wait
        self._due_s = wall()

    def sleep(self, seconds: float) -> None:
        """Wait until the wall clock has caught up with the simulated one, then return.

        Raises:
            ValueError: `seconds` is negative.
        """
        if self._tempo.paused:
            self._wait(_PAUSED_S)
            self._due_s = self._wall()
            return
        super().sleep(seconds)
        self._due_s += seconds / self._tempo.speed
        ahead_s = self._due_s - self._wall()
        if ahead_s > 0:
            self._wait(ahead_s)
        else:
            # Rendering was slower than the evening: the delay is accepted, or frames would come in bursts later.
            self._due_s = self._wall()


class SimulatedControls:
    """A queue of presses by simulated players, a test or a keyboard."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._queue: list[Press] = []
        self._notices: list[str] = []
        self._stuck: set[Button] = set()
        self._closed = self._unplugged = False

    def press(self, button: Button, seat: int | None = None) -> None:
        """Press a button now; without effect if it is stuck or not connected."""
        if not (self._closed or self._unplugged or button in self._stuck):
            self._queue.append(Press(button, self._clock.now(), seat=seat))

    def storm(self, presses: Iterable[Button]) -> None:
        """Press buttons faster than people can, like a loose contact or a child; two at once are two presses."""
        for button in presses:
            self.press(button)

    def unplug(self) -> None:
        """Cut the wires of all buttons."""
        self._unplugged = True

    def plug_in(self) -> None:
        """Connect them again."""
        self._unplugged = False

    def stick(self, button: Button) -> None:
        """Hold a button down permanently; it is reported once."""
        if button not in self._stuck:
            self._stuck.add(button)
            self._notices.append(
                said(
                    "The {button} has been down for a long time: remove anything lying on it.",
                    button=said("{button} button", button=button_word(button)),
                )
            )

    def free(self, button: Button) -> None:
        """Release it."""
        self._stuck.discard(button)

    @property
    def stuck(self) -> tuple[tuple[Button, int | None], ...]:
        """The stuck buttons, of every seat."""
        return tuple((button, seat) for button in self._stuck for seat in (None, 1, 2))

    def notices(self) -> tuple[str, ...]:
        """Return new problems with buttons, a sentence each."""
        reported = tuple(self._notices)
        self._notices.clear()
        return reported

    def presses(self) -> Sequence[Press]:
        """Return the presses since the last call, in order."""
        fetched, self._queue = tuple(self._queue), []
        return fetched

    def close(self) -> None:
        """Disconnect the buttons; may be called more than once."""
        self._closed = True
        self._queue.clear()


HISTORY = 1000
"""A limit, so that a long evening does not fill the memory."""


class SimulatedLightStrip(CountedStrip):
    """A strip that stores its current pixels, and those of the last `HISTORY` updates.

    Args:
        pixel_count: number of pixels.
        dead: indices of pixels that never light.

    Attributes:
        pixels: the colours shown now.
    """

    def __init__(self, pixel_count: int, dead: Iterable[int] = ()) -> None:
        super().__init__(pixel_count)
        self.pixels: tuple[RGB, ...] = ((0, 0, 0),) * pixel_count
        self._dead = frozenset(dead)
        self._closed = False
        self._unplugged = ""
        self._delay: Callable[[], None] = lambda: None
        self.history: deque[tuple[RGB, ...]] = deque(maxlen=HISTORY)

    def unplug(self, reason: str = "the wire is loose") -> None:
        """Let every `show` raise HardwareError from now on; the pixels are unchanged."""
        self._unplugged = reason

    def slow_down(self, delay: Callable[[], None] = lambda: None) -> None:
        """Call `delay`, such as a clock's sleep, in every `show`; without an argument, remove the delay."""
        self._delay = delay

    def plug_in(self) -> None:
        """Let the strip accept pixels again; they have been switched off meanwhile."""
        self._unplugged = ""
        self._light(((0, 0, 0),) * self.pixel_count)

    def show(self, pixels: Sequence[RGB]) -> None:
        """Show pixels.

        Raises:
            ValueError: another number of pixels than the strip has, or a value outside 0..255.
            HardwareError: the strip was closed, or is unplugged.
        """
        self.check(pixels)
        if not all(0 <= value <= 255 for pixel in pixels for value in pixel):
            raise ValueError("a pixel's red, green and blue are 0..255")
        if self._closed:
            raise HardwareError(said("the simulated strip was closed"))
        self._delay()
        if self._unplugged:
            raise HardwareError(said("simulated strip: {fault}", fault=self._unplugged))
        self._light(tuple((red, green, blue) for red, green, blue in pixels))

    def close(self) -> None:
        """Switch all pixels off; may be called more than once."""
        if not self._closed:
            self._light(((0, 0, 0),) * self.pixel_count)
        self._closed = True

    def _light(self, pixels: tuple[RGB, ...]) -> None:
        self.pixels = tuple((0, 0, 0) if place in self._dead else pixel for place, pixel in enumerate(pixels))
        self.history.append(self.pixels)
