"""Colours as the eye sees them on a screen, on pixels whose light grows evenly with their values."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardware.ports import RGB, LightStrip


class GammaStrip:
    """A strip that is shown colours as screens take them: half of 255 is half as bright to the eye.

    Args:
        strip: the other one, whose pixels give half the light at half of 255, as WS2812B do.
        gamma: the exponent; 1 changes nothing, screens have about 2.2.
    """

    def __init__(self, strip: LightStrip, gamma: float) -> None:
        self._strip = strip
        # What glows faintly stays alight.
        self._light = [0, *(max(1, round(255 * (value / 255) ** gamma)) for value in range(1, 256))]

    @property
    def pixel_count(self) -> int:
        """The number of pixels."""
        return self._strip.pixel_count

    def show(self, pixels: Sequence[RGB]) -> None:
        """Show pixels.

        Raises:
            ValueError: another number of pixels.
            HardwareError: as the other strip's.
        """
        light = self._light
        self._strip.show([(light[red], light[green], light[blue]) for red, green, blue in pixels])

    def close(self) -> None:
        """Close the other strip."""
        self._strip.close()
