"""A strip of lights that records what it shows."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence

from companion.languages import said
from hardware.ports import RGB, HardwareError

HISTORY = 1000
"""A limit, so that a long evening does not fill the memory."""


class SimulatedLightStrip:
    """A strip that stores its current pixels, and those of the last `HISTORY` updates.

    Args:
        pixel_count: number of pixels.
        dead: indices of pixels that never light.
    """

    def __init__(self, pixel_count: int, dead: Iterable[int] = ()) -> None:
        if pixel_count < 1:
            raise ValueError(f"a strip needs at least one pixel, not {pixel_count}")
        self._pixels: tuple[RGB, ...] = ((0, 0, 0),) * pixel_count
        self._dead = frozenset(dead)
        self._closed = False
        self._unplugged = ""
        self._delay: Callable[[], None] = lambda: None
        self.history: deque[tuple[RGB, ...]] = deque(maxlen=HISTORY)

    @property
    def pixel_count(self) -> int:
        """The number of pixels."""
        return len(self._pixels)

    @property
    def pixels(self) -> tuple[RGB, ...]:
        """The colours shown now."""
        return self._pixels

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
        if len(pixels) != self.pixel_count:
            raise ValueError(f"the strip has {self.pixel_count} pixels, not {len(pixels)}")
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
        self._pixels = tuple((0, 0, 0) if place in self._dead else pixel for place, pixel in enumerate(pixels))
        self.history.append(self._pixels)
