"""A limit on a strip's current, so that it never exceeds its supply."""

from collections.abc import Iterable, Sequence
from typing import Final

from hardware.ports import RGB, LightStrip

CHANNEL_MA: Final = 20.0
"""Current of one channel of one pixel at 255 (WS2812B: 60 mA a white pixel)."""


def drawn_ma(pixels: Iterable[RGB]) -> float:
    """Return the estimated current of the pixels, in mA."""
    return sum(sum(pixel) for pixel in pixels) * CHANNEL_MA / 255


class CappedStrip:
    """A strip whose pixels are dimmed uniformly if they would exceed a current.

    The light show keeps to the same limit and is not affected; this protects tests of single pixels, white light under
    the camera, and any other content.

    Args:
        strip: the strip to limit.
        max_ma: the greatest total current of its pixels, in mA.
    """

    def __init__(self, strip: LightStrip, max_ma: float) -> None:
        self._strip, self._max_ma = strip, max_ma

    @property
    def pixel_count(self) -> int:
        """The number of pixels."""
        return self._strip.pixel_count

    def show(self, pixels: Sequence[RGB]) -> None:
        """Show pixels.

        Raises:
            ValueError: another number of pixels.
            HardwareError: as raised by the wrapped strip.
        """
        wanted_ma = drawn_ma(pixels)
        if wanted_ma > self._max_ma:
            level = self._max_ma / wanted_ma
            pixels = [(int(red * level), int(green * level), int(blue * level)) for red, green, blue in pixels]
        self._strip.show(pixels)

    def close(self) -> None:
        """Close the wrapped strip."""
        self._strip.close()
