"""Sets of button tokens, with an appearance for each value and its number on it."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import cv2
import numpy as np

from hardware.simulated.drawing.images import Image, Mask, bytes_of

ORDINARY: Final = "buttons"
"""The set whose tokens are sewing buttons, blue, green, red and yellow."""
_FINE: Final = 4


@dataclass(frozen=True, slots=True)
class TokenLook:
    """The appearance of a token from above.

    Attributes:
        colour_bgr: of its face.
        diameter_mm: diameter.
        ink_bgr: of its number, and of the line around the face.
    """

    colour_bgr: tuple[int, int, int]
    diameter_mm: float
    ink_bgr: tuple[int, int, int]


_DARK, _PALE = (40, 44, 52), (225, 232, 236)

TOKEN_SETS: Final[Mapping[str, Mapping[int, TokenLook]]] = MappingProxyType(
    {
        "chips": {
            1: TokenLook((214, 222, 226), 18.0, _DARK),
            5: TokenLook((44, 40, 176), 18.0, _PALE),
            10: TokenLook((150, 84, 38), 18.0, _PALE),
            20: TokenLook((52, 46, 44), 18.0, _PALE),
        },
        "wood": {
            1: TokenLook((120, 172, 206), 13.0, _DARK),
            5: TokenLook((120, 172, 206), 16.0, _DARK),
            10: TokenLook((62, 96, 140), 16.0, _PALE),
            20: TokenLook((62, 96, 140), 19.5, _PALE),
        },
        "candy": {
            1: TokenLook((168, 92, 186), 14.0, _PALE),
            5: TokenLook((60, 150, 232), 16.0, _DARK),
            10: TokenLook((150, 190, 80), 18.0, _DARK),
            20: TokenLook((150, 70, 96), 20.0, _PALE),
        },
    }
)
"""The sets by name and value: of one size in four colours, of two woods in two sizes each, and all different."""


def token_disc(look: TokenLook, number: int, px_per_mm: float) -> tuple[Image, Mask]:
    """Return a flat token with its number, seen from above: a square picture and its round mask."""
    side = round(look.diameter_mm * px_per_mm) * _FINE
    picture, centre = np.full((side, side, 3), look.colour_bgr, np.uint8), (side // 2, side // 2)
    cv2.circle(picture, centre, int(side * 0.41), look.ink_bgr, max(1, side // 30), cv2.LINE_AA)
    text, scale, weight = str(number), side / (58 if number < 10 else 76), max(2, side // 22)
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, weight)
    at = (centre[0] - wide // 2, centre[1] + high // 2)
    cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, look.ink_bgr, weight, cv2.LINE_AA)
    mask = np.zeros((side, side), np.uint8)
    cv2.circle(mask, centre, side // 2 - 1, 255, -1)
    size = (side // _FINE, side // _FINE)
    small, opaque = (cv2.resize(each, size, interpolation=cv2.INTER_AREA) for each in (picture, mask))
    return bytes_of(small), bytes_of(opaque)
