"""Random digits and icons of a patch's tag, as masks to print in any ink."""

from __future__ import annotations

from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

Mask: TypeAlias = NDArray[np.float32]

GLYPH_PX: Final = 64
"""The height of a digit's mask, before it is scaled to the tag."""
_STROKED: Final = (
    cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_PLAIN,
)  # fmt: skip
_HOLES: Final = ((-1, -1), (1, -1), (1, 1), (-1, 1))


def fonts_in(folders: Sequence[Path]) -> tuple[Path, ...]:
    """Return the TrueType and OpenType fonts below some folders that have all digits."""
    found = chain.from_iterable(folder.rglob("*.[to]tf") for folder in folders)
    return tuple(sorted(path for path in found if _has_digits(path)))


def _has_digits(path: Path) -> bool:
    font = ImageFont.truetype(str(path), GLYPH_PX)
    drawn = [font.getmask(digit).getbbox() for digit in "0123456789"]
    return len({bytes(font.getmask(digit)) for digit in "0123456789"}) == 10 and all(drawn)


def number(rng: np.random.Generator, text: str, fonts: Sequence[Path]) -> Mask:
    """Return a number in a random font, randomly slanted, widened and thickened, shape (height, width), 0..1."""
    choice = int(rng.integers(len(fonts) + len(_STROKED)))
    if choice < len(fonts):
        mask = _typeset(text, str(fonts[choice]))
    else:
        mask = _stroked(text, _STROKED[choice - len(fonts)], int(rng.integers(3, 12)))
    heavier = int(rng.integers(-1, 5))
    if heavier > 0:
        round_ = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (heavier + 1, heavier + 1))
        mask = np.asarray(cv2.dilate(mask, round_), np.float32)
    slant = float(rng.normal(0, 0.12))
    wide = float(rng.uniform(0.75, 1.25))
    height, width = mask.shape
    across = round(wide * (width + abs(slant) * height))
    shear = np.array([[wide, -slant * wide, max(slant, 0.0) * height * wide], [0.0, 1.0, 0.0]])
    return np.asarray(cv2.warpAffine(mask, shear, (max(across, 1), height), flags=cv2.INTER_LINEAR), np.float32)


@cache
def _typeset(text: str, font: str) -> Mask:
    face = ImageFont.truetype(font, round(1.4 * GLYPH_PX))
    left, top, right, bottom = (round(side) for side in face.getbbox(text))
    picture = Image.new("L", (right - left + 4, bottom - top + 4))
    ImageDraw.Draw(picture).text((2 - left, 2 - top), text, 255, font=face)
    return _shares(np.asarray(picture))


@cache
def _stroked(text: str, font: int, weight: int) -> Mask:
    scale = GLYPH_PX / cv2.getTextSize("8", font, 1.0, 1)[0][1]
    (width, height), _ = cv2.getTextSize(text, font, scale, weight)
    picture = np.zeros((height + 2 * weight + 8, width + 2 * weight + 8), np.uint8)
    cv2.putText(picture, text, (weight + 4, height + weight + 4), font, scale, 255, weight, cv2.LINE_AA)
    left, top, wide, high = cv2.boundingRect(picture)
    return _shares(picture[top : top + high, left : left + wide])


def _shares(picture: NDArray[np.integer]) -> Mask:
    return np.asarray(picture / 255, np.float32)


def button(rng: np.random.Generator) -> Mask:
    """Return a random button: a disc or a ring, with two, four or no holes."""
    side = 2 * GLYPH_PX
    picture = np.zeros((side, side), np.uint8)
    middle, radius = (side // 2, side // 2), side // 2 - 6
    filled = rng.random() < 0.4
    if filled:
        cv2.circle(picture, middle, radius, 255, -1, cv2.LINE_AA)
    else:
        cv2.circle(picture, middle, radius - 4, 255, int(rng.integers(5, 16)), cv2.LINE_AA)
        if rng.random() < 0.2:
            cv2.circle(picture, middle, round(0.6 * radius), 255, 3, cv2.LINE_AA)
    apart, hole = rng.uniform(0.17, 0.3) * radius, round(rng.uniform(0.07, 0.17) * radius)
    holes = _HOLES[: int(rng.choice((0, 2, 4), p=(0.2, 0.2, 0.6)))]
    for across, down in holes:
        at = (round(middle[0] + across * apart), round(middle[1] + down * apart))
        cv2.circle(picture, at, hole, 0 if filled else 255, -1 if rng.random() < 0.8 else 2, cv2.LINE_AA)
    return _shares(picture)


def hourglass(rng: np.random.Generator) -> Mask:
    """Return a random hourglass: filled, or drawn in lines with some sand, with or without a frame."""
    high, wide = 2 * GLYPH_PX, round(2 * GLYPH_PX * rng.uniform(0.45, 0.85))
    picture = np.zeros((high, wide), np.uint8)
    inset, waist = round(wide * rng.uniform(0.05, 0.2)), round(wide * rng.uniform(0.0, 0.08))
    middle, foot = wide // 2, high - 6
    bulbs = [
        np.array([[inset, 5], [wide - inset, 5], [middle + waist, high // 2], [middle - waist, high // 2]]),
        np.array([[inset, foot], [wide - inset, foot], [middle + waist, high // 2], [middle - waist, high // 2]]),
    ]
    if rng.random() < 0.5:
        for bulb in bulbs:
            cv2.fillPoly(picture, [bulb], 255, cv2.LINE_AA)
    else:
        weight = int(rng.integers(4, 12))
        for bulb in bulbs:
            cv2.polylines(picture, [bulb], True, 255, weight, cv2.LINE_AA)
        sand = round(high * rng.uniform(0.2, 0.4))
        cv2.fillPoly(picture, [np.array([[inset + 6, foot], [wide - inset - 6, foot], [middle, foot - sand]])], 255)
    if rng.random() < 0.6:
        thick = int(rng.integers(6, 18))
        picture[:thick], picture[-thick:] = 255, 255
    return _shares(picture)


ICONS: Final[dict[str, Callable[[np.random.Generator], Mask]]] = {"button": button, "hourglass": hourglass}
