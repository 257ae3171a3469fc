"""The identity of each seat: an emblem, its sign in text, and a colour.

Mats and labels are printed before players choose a colour, so they carry the emblem in the seat's usual colour. Page,
strip and terminal follow the colours that players choose; the emblem stays.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import cos, pi, sin
from types import MappingProxyType
from typing import Final

from hardware.ports import RGB

Point = tuple[float, float]
# Distance of a quilter's star's inner corners from its middle, relative to the outer ones.
_INNER: Final = 0.68
_POINTS: Final = 8


@dataclass(frozen=True, slots=True)
class Tone:
    """A colour on each medium.

    Attributes:
        page: CSS colour, for light and dark grounds.
        strip: red, green and blue of a pixel at full level.
        terminal: lighter than on the page, because most terminals are dark; "default" is the colour of their text,
            which is seen on a light ground, too.
    """

    page: str
    strip: RGB
    terminal: str


TONES: Final[Mapping[str, Tone]] = MappingProxyType(
    {
        "yellow": Tone("#e8b64c", (255, 190, 0), "#ffd75f"),
        "green": Tone("#3f8f6b", (0, 190, 60), "#5fd787"),
        "blue": Tone("#3f74b8", (20, 90, 255), "#5fafff"),
        "orange": Tone("#d9772f", (255, 120, 0), "#ffaf00"),
        "violet": Tone("#8a63b8", (150, 40, 255), "#af87ff"),
        "rose": Tone("#c9618a", (230, 50, 170), "#ff87af"),
        "teal": Tone("#35aaa6", (0, 180, 170), "#5fd7d7"),
        "slate": Tone("#6b7280", (70, 110, 150), "#a8b2c0"),
        # A pixel cannot be black: dim violet, at a third of the violet that players may choose. White is warm, and far
        # brighter than the marks of income beside it.
        "black": Tone("#2b262e", (60, 0, 95), "#878787"),
        "white": Tone("#f4f1ea", (255, 205, 150), "default"),
    }
)
"""The colours to choose from, by name; those of the pieces of every printing are among them."""

USUAL: Final = ("blue", "orange", "green", "rose")
"""The colours of seats 1 to 4 unless players choose others: blue and orange are told apart in every common colour
blindness (Okabe and Ito, Color Universal Design, 2008)."""
SIGNS: Final = ("◎", "✸", "▲", "◆")
"""The emblems as characters."""
INKS: Final[tuple[tuple[float, float, float], ...]] = ((0.0, 0.36, 0.68), (0.84, 0.37, 0.0))
"""The colours of seats 1 and 2 on paper, red, green and blue from 0 to 1: their usual colours, darker than on the page.
"""


def star(centre: Point, radius: float) -> list[Point]:
    """Return the corners of seat 2's star around a centre."""
    corners = []
    for index in range(2 * _POINTS):
        reach = radius if index % 2 == 0 else radius * _INNER
        angle = pi * index / _POINTS - pi / 2
        corners.append((centre[0] + reach * cos(angle), centre[1] + reach * sin(angle)))
    return corners
