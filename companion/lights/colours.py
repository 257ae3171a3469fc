"""Colours, and the current that they draw from the supply."""

from collections.abc import Iterable, Sequence

from calibration.identity import TONES, USUAL
from hardware.ports import RGB

FULL_CHANNEL_MA = 20.0
"""The current of one channel of one pixel at 255, in mA (WS2812B: 60 mA for a white pixel)."""

SEAT_COLOURS: tuple[RGB, ...] = tuple(TONES[name].strip for name in USUAL)
"""The colours of seats 1 to 4, unless players choose others."""
LEATHER: RGB = (200, 50, 110)
INCOME: RGB = (180, 180, 150)
COMPLAINT: RGB = (255, 30, 0)
BONUS: RGB = (230, 220, 60)
NOTICE: RGB = (140, 140, 140)
NEUTRAL: RGB = (120, 120, 120)
"""The strip's colour while the camera looks: even, steady and without a tint."""
BLACK: RGB = (0, 0, 0)


def seat_colour(seat: int) -> RGB:
    """Return the default colour of a seat, 1 to 4."""
    return SEAT_COLOURS[seat - 1]


def scaled(colour: RGB, level: float) -> RGB:
    """Return the colour at a level from 0 to 1, rounded down."""
    red, green, blue = colour
    return int(red * level), int(green * level), int(blue * level)


def all_scaled(pixels: Sequence[RGB], level: float) -> list[RGB]:
    """Return the pixels, each `scaled`."""
    # A strip shows few different colours at a time.
    shown = {colour: scaled(colour, level) for colour in set(pixels)}
    return [shown[pixel] for pixel in pixels]


def estimated_ma(pixels: Iterable[RGB]) -> float:
    """Return the estimated current of the pixels, in mA."""
    return sum(map(sum, pixels)) * FULL_CHANNEL_MA / 255


def limited(pixels: Sequence[RGB], brightness: float, max_ma: float | None) -> list[RGB]:
    """Return the pixels at a brightness from 0 to 1, evenly darkened if they would draw more than `max_ma`."""
    # All pixels alike, so that each colour keeps its hue.
    level = brightness
    if max_ma is not None and (wanted_ma := estimated_ma(pixels) * brightness) > max_ma:
        level = brightness * max_ma / wanted_ma
    return all_scaled(pixels, level)
