"""The prints of the 33 patches: small fabric-like pictures, the same in every box.

A print is a square picture, (side, side, 3), uint8, blue-green-red, at `PX_PER_MM`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypeAlias

import cv2
import numpy as np

from companion.games.patchwork import PATCHES
from hardware.simulated.drawing.images import Field, Image, clipped, floats_of

Colour: TypeAlias = tuple[int, int, int]

PX_PER_MM: Final = 2.5
"""Sharper than any frame: a frame has 1.5 to 2 pixels a millimetre."""


_STAMEN: Final[Colour] = (60, 190, 235)
_THREAD: Final[Colour] = (225, 232, 235)


def _axes(side_px: int) -> tuple[Field, Field]:
    axis = (np.arange(side_px, dtype=np.float32) + 0.5) / np.float32(PX_PER_MM)
    x, y = np.meshgrid(axis, axis)
    return x, y


def _mix(low: Colour, high: Colour, weight: Any) -> Field:
    soft = np.clip(weight, 0, 1)[..., None]
    return floats_of(np.array(low, np.float32) * (1 - soft) + np.array(high, np.float32) * soft)


def _soft(edge: Any) -> Field:
    """Return a printed edge half a millimetre wide, at the zeros of `edge` (mm)."""
    return floats_of(np.clip(edge * 2 + 0.5, 0, 1))


def _plain(side_px: int, a: Colour, b: Colour, pitch_mm: float) -> Field:
    x, y = _axes(side_px)
    slub = np.sin(x * 2.1 + np.sin(y * 0.37 / pitch_mm * 4)) * np.sin(y * 2.3)
    return _mix(a, b, 0.25 + 0.25 * slub)


def _check(side_px: int, a: Colour, b: Colour, pitch_mm: float) -> Field:
    x, y = _axes(side_px)
    across, down = _soft(np.sin(x * np.pi / pitch_mm) * 2), _soft(np.sin(y * np.pi / pitch_mm) * 2)
    return _mix(a, b, (across + down) / 2)


def _stripes(side_px: int, a: Colour, b: Colour, pitch_mm: float) -> Field:
    x, _ = _axes(side_px)
    return _mix(a, b, _soft(np.sin(x * np.pi / pitch_mm) * pitch_mm / 2 + 0.3))


def _diagonal(side_px: int, a: Colour, b: Colour, pitch_mm: float) -> Field:
    x, y = _axes(side_px)
    return _mix(a, b, _soft(np.sin((x + y) * np.pi / pitch_mm / 1.4) * pitch_mm / 2))


def _dots(side_px: int, a: Colour, b: Colour, pitch_mm: float) -> Field:
    x, y = _axes(side_px)
    row = np.floor(y / pitch_mm)
    dx = (x + (row % 2) * pitch_mm / 2) % pitch_mm - pitch_mm / 2
    dy = y % pitch_mm - pitch_mm / 2
    return _mix(a, b, _soft(pitch_mm * 0.27 - np.hypot(dx, dy)))


def _herringbone(side_px: int, a: Colour, b: Colour, pitch_mm: float) -> Field:
    x, y = _axes(side_px)
    zig = np.abs(x % (2 * pitch_mm) - pitch_mm)
    return _mix(a, b, _soft(np.sin((y + zig) * 2 * np.pi / pitch_mm) * 0.8))


def _floral(side_px: int, a: Colour, b: Colour, pitch_mm: float) -> Field:
    x, y = _axes(side_px)
    row = np.floor(y / pitch_mm)
    dx = (x + (row % 2) * pitch_mm / 2) % pitch_mm - pitch_mm / 2
    dy = y % pitch_mm - pitch_mm / 2
    radius, angle = np.hypot(dx, dy), np.arctan2(dy, dx)
    petals = _soft(pitch_mm * (0.24 + 0.1 * np.cos(5 * angle + row)) - radius)
    cloth = _mix(a, b, petals)
    return _mix_over(cloth, _STAMEN, _soft(pitch_mm * 0.1 - radius))


def _plaid(side_px: int, a: Colour, b: Colour, pitch_mm: float) -> Field:
    x, y = _axes(side_px)
    wide = (_soft(np.sin(x * np.pi / pitch_mm)) + _soft(np.sin(y * np.pi / pitch_mm))) / 2
    cloth = _mix(a, b, wide * 0.8)
    lines = np.maximum(_soft(0.35 - np.abs(x % pitch_mm - 1.5)), _soft(0.35 - np.abs(y % pitch_mm - 1.5)))
    return _mix_over(cloth, _THREAD, lines * 0.6)


def _triangles(side_px: int, a: Colour, b: Colour, pitch_mm: float) -> Field:
    x, y = _axes(side_px)
    upper = _soft((x % pitch_mm) - (y % pitch_mm))
    cell = (np.floor(x / pitch_mm) + 2 * np.floor(y / pitch_mm)) % 3
    return _mix_over(_mix(a, b, upper), _third(a, b), (cell == 1) * (1 - upper))


def _third(a: Colour, b: Colour) -> Colour:
    return min(a[0], b[0]) // 2 + 60, (a[1] + b[1]) // 2 + 30, max(a[2], b[2]) // 2 + 70


def _sprigs(side_px: int, a: Colour, b: Colour, pitch_mm: float) -> Field:
    x, y = _axes(side_px)
    row = np.floor(y / pitch_mm * 1.6)
    dx = (x + (row % 2) * pitch_mm / 2) % pitch_mm - pitch_mm / 2
    dy = (y % (pitch_mm / 1.6)) - pitch_mm / 3.2
    lean = np.where(row % 2 > 0, 1, -1)
    stem = _soft(0.55 - np.abs(dx * 0.7 + lean * dy * 0.7)) * _soft(pitch_mm * 0.3 - np.hypot(dx, dy))
    return _mix(a, b, stem)


def _mix_over(cloth: Field, colour: Colour, weight: Any) -> Field:
    cover = weight[..., None]
    return floats_of(cloth * (1 - cover) + np.array(colour, np.float32) * cover)


_Weave: TypeAlias = Callable[[int, Colour, Colour, float], Field]

# One a patch, in the order of the box. Colours are blue-green-red. Some come close to the boards' grounds on purpose:
# browns, an olive, a sand and a sage are among them.
_PRINTS: Final[tuple[tuple[_Weave, Colour, Colour, float], ...]] = (
    (_check, (60, 120, 70), (150, 70, 170), 7.0),
    (_plain, (60, 40, 170), (40, 20, 140), 1.0),
    (_check, (190, 215, 225), (60, 60, 190), 3.2),
    (_stripes, (150, 190, 210), (120, 90, 60), 4.0),
    (_floral, (70, 130, 90), (190, 210, 240), 9.0),
    (_plain, (170, 150, 90), (190, 170, 110), 1.2),
    (_diagonal, (170, 200, 215), (70, 110, 160), 2.6),
    (_dots, (120, 70, 40), (220, 220, 220), 6.0),
    (_herringbone, (205, 160, 190), (240, 225, 235), 4.2),
    (_plaid, (60, 90, 140), (100, 60, 60), 10.0),
    (_triangles, (120, 170, 70), (220, 215, 200), 9.0),
    (_plain, (120, 150, 178), (135, 165, 192), 1.0),
    (_stripes, (70, 60, 150), (60, 150, 220), 5.5),
    (_sprigs, (210, 225, 230), (80, 80, 110), 5.0),
    (_check, (200, 120, 60), (235, 225, 215), 4.0),
    (_floral, (70, 60, 50), (200, 205, 225), 8.0),
    (_diagonal, (70, 130, 60), (120, 200, 225), 6.0),
    (_plain, (160, 120, 200), (175, 140, 215), 1.4),
    (_herringbone, (75, 100, 125), (95, 125, 150), 3.0),
    (_dots, (90, 160, 165), (60, 100, 110), 4.5),
    (_plaid, (150, 120, 70), (200, 190, 120), 8.0),
    (_sprigs, (95, 150, 130), (60, 90, 60), 6.0),
    (_stripes, (130, 90, 150), (215, 205, 225), 2.2),
    (_triangles, (150, 80, 60), (90, 150, 200), 11.0),
    (_plain, (45, 42, 45), (60, 56, 60), 1.0),
    (_check, (90, 140, 90), (180, 200, 190), 9.0),
    (_floral, (150, 90, 210), (230, 220, 240), 7.0),
    (_diagonal, (190, 160, 110), (225, 215, 205), 3.4),
    (_herringbone, (80, 70, 160), (120, 130, 200), 5.0),
    (_dots, (70, 165, 215), (50, 70, 180), 7.5),
    (_plaid, (90, 80, 90), (140, 150, 150), 6.0),
    (_sprigs, (175, 120, 80), (230, 215, 190), 7.0),
    (_plain, (150, 168, 150), (165, 182, 166), 1.1),
)


@dataclass(frozen=True, slots=True)
class Design:
    """A description of a patch's print, for drawing it by other means.

    Attributes:
        weave: its kind: "plain", "check", "stripes", "diagonal", "dots", "herringbone", "floral", "plaid", "triangles"
            or "sprigs".
        ground, figure, accent: its colours in CSS notation; plain weaves have no accent, and repeat the figure.
        pitch_mm: length of a repeat; checks and stripes alternate at it.
    """

    weave: str
    ground: str
    figure: str
    accent: str
    pitch_mm: float


def design_of(patch_id: str) -> Design:
    """Return the design of a patch's print.

    Raises:
        ValueError: there is no such patch.
    """
    weave, ground, figure, pitch_mm = _PRINTS[list(PATCHES).index(patch_id)]
    accents: dict[_Weave, Colour] = {_floral: _STAMEN, _plaid: _THREAD, _triangles: _third(ground, figure)}
    accent = accents.get(weave, figure)
    return Design(weave.__name__.strip("_"), _written(ground), _written(figure), _written(accent), pitch_mm)


def _written(colour: Colour) -> str:
    blue, green, red = colour
    return f"#{red:02x}{green:02x}{blue:02x}"


@cache
def print_of(patch_id: str, side_px: int) -> Image:
    """Return the print of a patch, `side_px` square, not cut to the patch's shape.

    Raises:
        ValueError: there is no such patch.
    """
    index = list(PATCHES).index(patch_id)
    weave, low, high, pitch_mm = _PRINTS[index]
    return woven(weave(side_px, low, high, pitch_mm), seed=index)


def woven(picture: Field, seed: int, strength: float = 6.0) -> Image:
    """Return the picture with the threads and the uneven dye of cloth added; uint8."""
    rng = np.random.default_rng(seed)
    height, width = picture.shape[:2]
    threads = rng.normal(0, strength * 0.5, (height, 1, 1)) + rng.normal(0, strength * 0.5, (1, width, 1))
    grain = rng.normal(0, strength * 0.6, (height, width, 1)).astype(np.float32)
    blots = cv2.resize(floats_of(rng.normal(0, strength, (6, 6))), (width, height), interpolation=cv2.INTER_CUBIC)
    return clipped(picture + threads + grain + blots[..., None])
