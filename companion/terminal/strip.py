"""The strip of lights, drawn in a terminal."""

from collections.abc import Sequence

from rich.style import Style
from rich.text import Text

from hardware.ports import RGB

_GAMMA = 2.2


def strip_picture(pixels: Sequence[RGB], width: int) -> Text:
    """Return the strip of lights in rows of at most `width` pixels."""
    picture = Text()
    for index, pixel in enumerate(pixels):
        if index and index % width == 0:
            picture.append("\n")
        picture.append("█", style=Style(color="#" + "".join(map(_as_seen, pixel))))
    return picture


def _as_seen(channel: int) -> str:
    """Return a light's level for a screen as two hex digits; faint light is brightened, and dark is not quite black."""
    return f"{max(34, round(255 * (channel / 255) ** (1 / _GAMMA))):02x}"
