"""Random tags on random patches, the training data of the tag reader (`vision/pieces/tag.py`); none is of a printing.

A tag is a strip of light paper across the edge between two cells, with a cost beside a button and a time beside an
hourglass. Its cut, bend, typesetting, colours and light, and its surroundings, are random.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.pieces.textures import cloth, random_colour, smooth_noise
from bench.tags.glyphs import ICONS, number

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bench.pieces.textures import Colour, Field
    from bench.tags.glyphs import Mask

FINE_PX: Final = 64
"""The resolution of drawings, in pixels per cell."""
SIDE_CELLS: Final = 3.0
_SIDE_PX: Final = round(FINE_PX * SIDE_CELLS)
# The resolution of a tag before it is laid on a patch, in pixels per cell.
_STRIP_PX: Final = 96
# The items on a tag from left to right, with the probability of each order.
_ORDERS: Final = (
    (("cost", "button", "time", "hourglass"), 0.5),
    (("button", "cost", "hourglass", "time"), 0.27),
    (("cost", "button", "hourglass", "time"), 0.1),
    (("button", "cost", "time", "hourglass"), 0.1),
    (("cost", "time"), 0.03),
)
# The probability that the tag of a free patch has neither a number nor a button.
_FREE: Final = 0.6

Layer: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Lies:
    """The pose of a tag: (x, y) of its centre in pixels of the scene, and its angle in degrees."""

    x: float
    y: float
    angle_deg: float


def scene(rng: np.random.Generator, cost: int, time: int, fonts: Sequence[Path]) -> tuple[Field, Lies]:
    """Return a picture of a patch with a tag near its middle, `FINE_PX` per cell, 0..255, and the tag's pose."""
    picture = bare_patch(rng)
    middle = _SIDE_PX / 2 + rng.normal(0, 0.05, 2) * FINE_PX
    lies = Lies(float(middle[0]), float(middle[1]), float(rng.normal(0, 4)))
    strip, opaque = _strip(rng, cost, time, fonts)
    _lay(picture, strip, opaque, lies, rng)
    return picture, lies


def bare_patch(rng: np.random.Generator) -> Field:
    """Return a picture of a patch's cells and their surroundings, with printed buttons on some."""
    picture = _cloth(rng, ground=rng.random() < 0.5)
    own = _cloth(rng, ground=False)
    mask = np.zeros((_SIDE_PX, _SIDE_PX), np.uint8)
    left, top = _SIDE_PX / 2 - 2 * FINE_PX, _SIDE_PX / 2 - 1.5 * FINE_PX
    for row, column in np.argwhere(_about_middle(rng)):
        first = np.rint([left + column * FINE_PX, top + row * FINE_PX]).astype(int)
        cv2.rectangle(mask, first.tolist(), (first + FINE_PX).tolist(), 255, -1)
    edge = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.7, 2.0)).astype(np.float32)[..., None] / 255
    picture += (own - picture) * edge
    if rng.random() < 0.7:
        rim = cv2.morphologyEx(mask, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
        picture[rim] *= np.float32(rng.uniform(0.3, 1.0))
    _printed_buttons(rng, picture, left, top)
    return picture


def _about_middle(rng: np.random.Generator) -> NDArray[np.bool_]:
    """Return the mask of the patch's cells, shape (3, 4); the two under the tag are always set."""
    cells = rng.random((3, 4)) < 0.45
    cells[1, 1:3] = True
    return cells


def _printed_buttons(rng: np.random.Generator, picture: Field, left: float, top: float) -> None:
    colour = np.array([rng.uniform(130, 240), rng.uniform(80, 185), rng.uniform(10, 120)], np.float32)
    for row in range(3):
        for column in range(4):
            if (row != 1 or column not in (1, 2) or rng.random() < 0.2) and rng.random() < 0.22:
                off = rng.normal(0, 0.08, 2)
                at = (left + (column + 0.5 + off[0]) * FINE_PX, top + (row + 0.5 + off[1]) * FINE_PX)
                _button(rng, picture, at, colour)


def _button(rng: np.random.Generator, picture: Field, at: tuple[float, float], colour: Colour) -> None:
    radius = rng.uniform(0.22, 0.36) * FINE_PX
    centre = (round(at[0]), round(at[1]))
    for share, shade in ((1.0, 0.5), (0.95, 1.0), (0.85, 1.25), (0.62, 0.8)):
        ink = np.clip(colour * shade, 0, 255).tolist()
        cv2.circle(picture, centre, round(share * radius), ink, -1, cv2.LINE_AA)
    for across, down in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        hole = (round(at[0] + across * 0.2 * radius), round(at[1] + down * 0.2 * radius))
        cv2.circle(picture, hole, max(1, round(0.1 * radius)), (colour * 0.3).tolist(), -1, cv2.LINE_AA)


def _cloth(rng: np.random.Generator, *, ground: bool) -> Field:
    half = cloth(rng, (_SIDE_PX // 2, _SIDE_PX // 2), FINE_PX // 2, ground=ground)
    return np.asarray(cv2.resize(half, (_SIDE_PX, _SIDE_PX), interpolation=cv2.INTER_CUBIC), np.float32)


def _strip(rng: np.random.Generator, cost: int, time: int, fonts: Sequence[Path]) -> tuple[Field, Mask]:
    """Return picture and opacity of a tag alone, `_STRIP_PX` per cell."""
    length, width = rng.uniform(1.0, 1.5), rng.uniform(0.36, 0.56)
    high, wide = round(width * _STRIP_PX), round(length * _STRIP_PX)
    picture, opaque = _paper(rng, high, wide)
    _set(rng, picture, cost, time, fonts)
    return _bent(rng, picture, opaque)


def _paper(rng: np.random.Generator, high: int, wide: int) -> tuple[Field, Mask]:
    light = np.array([rng.uniform(150, 250), rng.uniform(195, 250), rng.uniform(205, 255)], np.float32)
    if rng.random() < 0.08:
        light = np.clip(random_colour(rng) * 0.4 + 150, 0, 255)
    picture = np.full((high, wide, 3), light, np.float32)
    shade = smooth_noise(rng, (high, wide), 2, 3)[..., None] * np.float32(rng.uniform(0, 14))
    slope = np.linspace(-1, 1, wide, dtype=np.float32)[None, :, None] * np.float32(rng.normal(0, 12))
    picture += shade + slope
    return picture, _cut(rng, high, wide)


def _cut(rng: np.random.Generator, high: int, wide: int) -> Mask:
    """Return a random shape of a tag: square, rounded or clipped at either end."""
    opaque = np.zeros((high, wide), np.uint8)
    if rng.random() < 0.35:
        round_ = round(rng.uniform(0.1, 0.5) * high)
        cv2.rectangle(opaque, (round_, 0), (wide - 1 - round_, high - 1), 1, -1)
        cv2.rectangle(opaque, (0, round_), (wide - 1, high - 1 - round_), 1, -1)
        for x in (round_, wide - 1 - round_):
            for y in (round_, high - 1 - round_):
                cv2.circle(opaque, (x, y), round_, 1, -1)
    else:
        clip, other = (rng.uniform(0, 0.45) * high * float(rng.random() < share) for share in (0.8, 0.15))
        corners = [
            [clip, 0], [wide - other, 0], [wide, other], [wide, high - other], [wide - other, high], [clip, high],
            [0, high - clip], [0, clip],
        ]  # fmt: skip
        cv2.fillPoly(opaque, [np.rint(corners).astype(np.int32)], 1)
        if rng.random() < 0.6:
            cv2.circle(opaque, (round(0.08 * _STRIP_PX), high // 2), round(rng.uniform(0.01, 0.04) * _STRIP_PX), 0, -1)
    return opaque.astype(np.float32)


def _set(rng: np.random.Generator, picture: Field, cost: int, time: int, fonts: Sequence[Path]) -> None:
    """Print the items on a tag."""
    high, wide = picture.shape[:2]
    shares = np.array([share for _, share in _ORDERS])
    order = _ORDERS[int(rng.choice(len(_ORDERS), p=shares / shares.sum()))][0]
    left_out = ("cost", "button") if cost == 0 and rng.random() < _FREE else ()
    inks = _inks(rng)
    size = float(rng.uniform(0.17, 0.3)) * _STRIP_PX
    parts = [_part(rng, name, {"cost": cost, "time": time}, size, fonts) for name in order]
    tight = rng.uniform(0.0, 0.35) if rng.random() < 0.5 else 1.0
    margin = rng.uniform(0.03, 0.14) * _STRIP_PX
    gaps = rng.uniform(0.3, 1.0, len(parts) + 1) + 0.02
    gaps[0] = gaps[-1] = 0.0
    gaps[1::2] *= tight
    if rng.random() < 0.5 or tight < 1:
        gaps[len(parts) // 2] += rng.uniform(0.5, 2.5)
    taken = sum(part.shape[1] for part in parts)
    room = wide - 2 * margin - taken
    shrink = 1.0
    if room < 0.05 * _STRIP_PX:
        shrink = max(0.3, (wide - 2 * margin - 0.05 * _STRIP_PX) / taken)
        room = 0.05 * _STRIP_PX
    gaps *= min(room, 0.9 * _STRIP_PX) / gaps.sum()
    x = margin + (wide - 2 * margin - shrink * taken - gaps.sum()) * rng.uniform(0, 1)
    down = rng.normal(0, 0.02) * _STRIP_PX
    for name, part, gap in zip(order, parts, gaps, strict=False):
        x += gap
        small = np.asarray(cv2.resize(part, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.float32)
        y = (high - small.shape[0]) / 2 + down + rng.normal(0, 0.01) * _STRIP_PX
        if name not in left_out:
            _stamp(picture, small, inks[name], (x, y))
        x += small.shape[1]


def _inks(rng: np.random.Generator) -> dict[str, Colour]:
    dark = np.array([rng.uniform(5, 80), rng.uniform(10, 80), rng.uniform(15, 95)], np.float32)
    blue = np.array([rng.uniform(120, 235), rng.uniform(70, 165), rng.uniform(10, 110)], np.float32)
    brown = np.array([rng.uniform(5, 60), rng.uniform(20, 70), rng.uniform(40, 110)], np.float32)
    cost = blue if rng.random() < 0.55 else dark
    time = (dark, brown, random_colour(rng) * np.float32(0.6))[int(rng.choice(3, p=(0.45, 0.45, 0.1)))]
    return {"cost": cost, "button": blue if rng.random() < 0.8 else cost, "time": time,
            "hourglass": time if rng.random() < 0.8 else dark}  # fmt: skip


def _part(rng: np.random.Generator, name: str, values: dict[str, int], size: float, fonts: Sequence[Path]) -> Mask:
    """Return the mask of an item on a tag, at its size; numbers may be rotated by a quarter turn."""
    if name in values:
        text = str(values[name])
        mask = number(rng, text, fonts)
        turned = rng.random() < (0.4 if len(text) > 1 else 0.08)
        mask = np.ascontiguousarray(np.rot90(mask, int(rng.choice((1, 3))))) if turned else mask
        height = size * rng.uniform(0.9, 1.1) * (rng.uniform(1.0, 1.5) if turned and len(text) > 1 else 1.0)
        if len(text) > 1 and not turned and rng.random() < 0.5:
            height *= rng.uniform(0.7, 1.0)
    else:
        mask, height = ICONS[name](rng), size * rng.uniform(0.95, 1.9)
        if name == "button" and rng.random() < 0.5:
            height = min(height * 1.2, 0.34 * _STRIP_PX)
    scale = height / mask.shape[0]
    small = cv2.resize(mask, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def _stamp(picture: Field, mask: Mask, ink: Colour, at: tuple[float, float]) -> None:
    left, top = round(at[0]), round(at[1])
    first = max(left, 0), max(top, 0)
    last = min(left + mask.shape[1], picture.shape[1]), min(top + mask.shape[0], picture.shape[0])
    if first[0] >= last[0] or first[1] >= last[1]:
        return
    part = mask[first[1] - top : last[1] - top, first[0] - left : last[0] - left, None]
    region = picture[first[1] : last[1], first[0] : last[0]]
    region += (ink - region) * part


def _bent(rng: np.random.Generator, picture: Field, opaque: Mask) -> tuple[Field, Mask]:
    """Return a strip folded across, both parts slightly tilted and one darker, or the same strip."""
    if rng.random() < 0.45:
        return picture, opaque
    high, wide = opaque.shape
    across = np.arange(wide) / wide
    fold = rng.uniform(0.35, 0.7)
    slopes = rng.normal(0, 0.12, 2) * wide
    shift = np.where(across < fold, slopes[0] * (across - fold), slopes[1] * (across - fold))
    taller = 1 + np.where(across < fold, rng.normal(0, 0.08), rng.normal(0, 0.12)) * np.abs(across - fold) * 2
    more = int(np.ceil(np.abs(shift).max())) + 6
    rows = np.arange(-more, high + more, dtype=np.float32)[:, None]
    source = ((rows - high / 2 - shift) / taller + high / 2).astype(np.float32)
    columns = np.broadcast_to(np.arange(wide, dtype=np.float32), source.shape).copy()
    shade = np.where(across < fold, 1.0, rng.normal(1.0, 0.06)).astype(np.float32)[None, :, None]
    bent = cv2.remap(picture * shade, columns, source, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(bent, np.float32), np.asarray(cv2.remap(opaque, columns, source, cv2.INTER_LINEAR), np.float32)


def _lay(picture: Field, strip: Field, opaque: Mask, lies: Lies, rng: np.random.Generator) -> None:
    """Draw a tag on a picture, perhaps with a shadow or an outline."""
    scale = FINE_PX / _STRIP_PX
    high, wide = opaque.shape
    angle = np.radians(lies.angle_deg)
    cos, sin = np.cos(angle) * scale, np.sin(angle) * scale
    place = np.array([[cos, -sin, lies.x - cos * wide / 2 + sin * high / 2],
                      [sin, cos, lies.y - sin * wide / 2 - cos * high / 2]])  # fmt: skip
    size = (picture.shape[1], picture.shape[0])
    soft = cv2.GaussianBlur(strip, (0, 0), 0.6)
    on = cv2.warpAffine(soft, place, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    where = cv2.warpAffine(cv2.GaussianBlur(opaque, (0, 0), 0.6), place, size, flags=cv2.INTER_LINEAR)[..., None]
    if rng.random() < 0.6:
        cast = place.copy()
        cast[:, 2] += rng.normal(0, 0.07, 2) * FINE_PX
        dark = cv2.warpAffine(opaque, cast, size, flags=cv2.INTER_LINEAR)
        dark = cv2.GaussianBlur(dark, (0, 0), rng.uniform(0.5, 4.0))[..., None]
        picture *= 1 - np.float32(rng.uniform(0.2, 0.8)) * dark
    if rng.random() < 0.3:
        around = cv2.dilate(where[..., 0], np.ones((3, 3), np.uint8))[..., None]
        picture *= 1 - np.float32(rng.uniform(0.2, 0.8)) * around
    picture += (on - picture) * where
