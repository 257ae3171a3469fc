"""The prints of the 33 patches: small fabric-like pictures with stitches and labels, the same in every box.

A print is a square picture, (side, side, 3), uint8, blue-green-red, at `PX_PER_MM`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypeAlias

import cv2
import numpy as np

from companion.games.patchwork.components import PATCHES
from hardware.simulated.drawing import Field, Image, Mask, bytes_of, clipped, floats_of

CREAM: Final = (196, 222, 234)
INK: Final = (46, 52, 62)
BUTTON_BLUE: Final = (196, 128, 42)


def stitch_border(picture: Image, mask: Mask, inset_px: float, pitch_px: float) -> None:
    """Draw a dashed seam along the inside of the mask's outline, in place; lighter on dark cloth, darker on light."""
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3)
    inner = (depth >= inset_px).astype(np.uint8)
    outlines, _ = cv2.findContours(inner, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    dark = float(picture[mask > 0].mean()) < 120
    thread = (205, 215, 220) if dark else (58, 60, 66)
    for outline in outlines:
        points = outline[:, 0]
        dashes = np.split(points, np.arange(int(pitch_px), len(points), int(pitch_px)))
        for dash in dashes[::2]:
            cv2.polylines(picture, [dash.reshape(-1, 1, 2)], False, thread, 1, cv2.LINE_AA)
    edge = np.clip(1 - depth / (inset_px * 0.6), 0, 1)[..., None] * (mask > 0)[..., None]
    picture[:] = (picture * (1 - 0.25 * edge)).astype(np.uint8)


def label(cost: int, time: int, px_per_mm: float) -> tuple[Image, Mask]:
    """Return a cream label with a button icon, the cost, an hourglass and the time: its picture and mask."""
    # A cost of two digits needs more room.
    width, height = round(25.0 * px_per_mm * (1.14 if cost > 9 else 1)), round(8.6 * px_per_mm)
    # Supersampling factor: the mask is drawn without antialiasing.
    fine = 4
    picture = np.full((height * fine, width * fine, 3), CREAM, np.uint8)
    mask = np.zeros((height * fine, width * fine), np.uint8)
    radius = height * fine // 2
    cv2.circle(mask, (radius, radius), radius - 1, 255, -1)
    cv2.circle(mask, (width * fine - radius - 1, radius), radius - 1, 255, -1)
    cv2.rectangle(mask, (radius, 1), (width * fine - radius - 1, height * fine - 2), 255, -1)
    cv2.circle(picture, (radius, radius), int(radius * 0.68), BUTTON_BLUE, -1, cv2.LINE_AA)
    _digits(picture, str(cost), (int(radius * 1.85), radius), radius)
    glass_x = int(width * fine * (0.64 if cost > 9 else 0.6))
    _hourglass(picture, (glass_x, radius), int(radius * 0.62))
    _digits(picture, str(time), (glass_x + int(radius * 0.75), radius), radius)
    size = (width, height)
    return shrunk(picture, size), shrunk(mask, size)


def title(text: str, px_per_mm: float) -> tuple[Image, Mask]:
    """Return a cream label with a word in large letters, without a button: its picture and mask."""
    width, height, fine = round(26.0 * px_per_mm), round(14.0 * px_per_mm), 4
    picture = np.full((height * fine, width * fine, 3), CREAM, np.uint8)
    scale, weight = height * fine / 46, height * fine // 10
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, weight)
    at = ((width * fine - wide) // 2, (height * fine + high) // 2)
    cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, INK, weight, cv2.LINE_AA)
    return shrunk(picture, (width, height)), np.full((height, width), 255, np.uint8)


def _digits(picture: Image, text: str, at: tuple[int, int], radius: int) -> None:
    scale, weight = radius / 21, max(2, radius // 7)
    (_, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, weight)
    position = (at[0], at[1] + height // 2)
    cv2.putText(picture, text, position, cv2.FONT_HERSHEY_SIMPLEX, scale, INK, weight, cv2.LINE_AA)


def _hourglass(picture: Image, at: tuple[int, int], half: int) -> None:
    x, y = at
    wide = half * 2 // 3
    upper = np.array([[x - wide, y - half], [x + wide, y - half], [x, y]])
    lower = np.array([[x - wide, y + half], [x + wide, y + half], [x, y]])
    cv2.fillPoly(picture, [upper.astype(np.int32), lower.astype(np.int32)], INK, cv2.LINE_AA)


def button_disc(diameter_px: int, colour: tuple[int, int, int]) -> tuple[Image, Mask]:
    """Return a sewing button seen from above: a square picture and its round mask."""
    fine = 4
    side = diameter_px * fine
    picture = np.full((side, side, 3), colour, np.uint8)
    centre = (side // 2, side // 2)
    rim = tuple(min(255, int(channel * 1.28) + 16) for channel in colour)
    deep = tuple(int(channel * 0.66) for channel in colour)
    cv2.circle(picture, centre, int(side * 0.42), rim, max(1, side // 14), cv2.LINE_AA)
    cv2.circle(picture, centre, int(side * 0.33), deep, max(1, side // 26), cv2.LINE_AA)
    for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        hole = (centre[0] + dx * side // 9, centre[1] + dy * side // 9)
        cv2.circle(picture, hole, max(1, side // 19), tuple(int(channel * 0.35) for channel in colour), -1, cv2.LINE_AA)
    mask = np.zeros((side, side), np.uint8)
    cv2.circle(mask, centre, side // 2 - 1, 255, -1)
    size = (diameter_px, diameter_px)
    return shrunk(picture, size), shrunk(mask, size)


def paste(picture: Image, stamp: Image, mask: Mask, centre_px: tuple[float, float]) -> None:
    """Print a stamp onto a picture, in place, clipped to the picture."""
    height, width = stamp.shape[:2]
    left, top = round(centre_px[0] - width / 2), round(centre_px[1] - height / 2)
    x0, y0 = max(0, left), max(0, top)
    x1, y1 = min(picture.shape[1], left + width), min(picture.shape[0], top + height)
    if x0 >= x1 or y0 >= y1:
        return
    inside = (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
    opaque = mask[inside][..., None] / 255
    region = picture[y0:y1, x0:x1]
    region[:] = (region * (1 - opaque) + stamp[inside] * opaque + 0.5).astype(np.uint8)


def shrunk(picture: Image, size: tuple[int, int]) -> Image:
    """Return a picture at a smaller size, (width, height)."""
    return bytes_of(cv2.resize(picture, size, interpolation=cv2.INTER_AREA))


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
