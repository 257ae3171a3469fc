"""Gamma correction, for pixels whose light is proportional to their values."""

from collections.abc import Sequence

from hardware.ports import RGB, LightStrip


class GammaStrip:
    """A strip that takes colours as screens do: half of 255 looks half as bright.

    Args:
        strip: the strip to correct, whose pixels give half the light at 128, as WS2812B do.
        gamma: the exponent; 1 for no correction, about 2.2 for screens.
    """

    def __init__(self, strip: LightStrip, gamma: float) -> None:
        self._strip = strip
        # Values above 0 stay above 0, so that faint pixels are not switched off.
        self._light = [0, *(max(1, round(255 * (value / 255) ** gamma)) for value in range(1, 256))]

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
        light = self._light
        self._strip.show([(light[red], light[green], light[blue]) for red, green, blue in pixels])

    def close(self) -> None:
        """Close the wrapped strip."""
        self._strip.close()
