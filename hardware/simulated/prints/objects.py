"""Other objects on the table: hands, cups, a plate of biscuits, a telephone, paper, the game's box.

A hand's sprite has its middle where the fingertips hold a patch; the arm extends to the sprite's lower edge.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

import cv2
import numpy as np

from hardware.simulated.drawing import Field, Image, clipped, floats_of
from hardware.simulated.drawing.fabrics import woven
from hardware.simulated.drawing.sprites import Sprite
from hardware.simulated.prints.cloths import cloth, colour, threaded

WIDE_MM: Final = 190.0
REACH_MM: Final = 520.0
"""Distance from the fingertips to the end of the sleeve, outside of every picture."""

# Blue-green-red of skin in full light.
SKINS: Final = ((150, 178, 226), (120, 156, 210), (92, 130, 190), (70, 104, 160), (52, 76, 120), (40, 56, 92))
SLEEVES: Final = ((110, 70, 50), (50, 120, 140), (60, 60, 60), (70, 60, 150), (96, 120, 70), (190, 190, 186))


@dataclass(frozen=True, slots=True)
class Limb:
    """A tapering limb from one point to another, (x, y, height) in millimetres, with a radius at both ends."""

    start: tuple[float, float, float]
    end: tuple[float, float, float]
    start_radius_mm: float
    end_radius_mm: float


def _right_hand() -> tuple[Limb, ...]:
    """Return a right hand pressing a patch down with four fingers and the thumb."""
    knuckles = ((-27.0, 52.0), (-9.0, 44.0), (9.0, 46.0), (26.0, 56.0))
    tips = ((-34.0, -4.0), (-12.0, -18.0), (12.0, -14.0), (36.0, 6.0))
    fingers = []
    for (kx, ky), (tx, ty) in zip(knuckles, tips, strict=True):
        mx, my = (kx + tx) / 2 * 1.06, (ky + ty) / 2
        fingers += [Limb((kx, ky, 18), (mx, my, 17), 9.6, 8.4), Limb((mx, my, 17), (tx, ty, 5), 8.4, 6.9)]
    thumb = (Limb((-24, 96, 15), (-50, 64, 14), 14.0, 10.5), Limb((-50, 64, 14), (-57, 28, 6), 10.5, 7.8))
    palm = (
        Limb((-24, 56, 16), (-14, 104, 18), 15, 20),
        Limb((-4, 50, 19), (0, 110, 19), 16, 22),
        Limb((22, 60, 16), (14, 106, 18), 15, 19),
    )
    arm = (Limb((0, 112, 18), (2, 160, 20), 26, 25), Limb((2, 160, 20), (6, 330, 26), 25, 36))
    return (*fingers, *thumb, *palm, *arm)


SLEEVE: Final = (Limb((3, 196, 24), (10, 540, 36), 35, 50), Limb((3, 190, 25), (3.5, 199, 25), 37.5, 37.5))


@cache
def hand_sprite(person: int, left: bool) -> Sprite:
    """Return one person's right or left hand; `person` selects the skin and the sleeve."""
    x, y = _axes()
    skin, skin_inside = _relief(_right_hand(), x, y)
    sleeve, sleeve_inside = _relief(SLEEVE, x, y)
    picture = _shade(skin, _skin_tone(person, x, y))
    cloth = _shade(sleeve, _cloth(person, x.shape))
    over = np.clip(sleeve_inside, 0, 1)[..., None]
    picture = picture * (1 - over) + cloth * over
    mask = (np.clip(np.maximum(skin_inside, sleeve_inside), 0, 1) * 255).astype(np.uint8)
    result = np.clip(picture, 0, 255).astype(np.uint8)
    if left:
        result, mask = np.ascontiguousarray(result[:, ::-1]), np.ascontiguousarray(mask[:, ::-1])
    return Sprite(result, mask, PX_PER_MM, 6.0, (50, 70, 110))


def _axes() -> tuple[Field, Field]:
    across = np.arange(-WIDE_MM / 2, WIDE_MM / 2, 1 / PX_PER_MM, dtype=np.float32)
    along = np.arange(-REACH_MM, REACH_MM, 1 / PX_PER_MM, dtype=np.float32)
    x, y = np.meshgrid(across, along)
    return x, y


def _relief(limbs: tuple[Limb, ...], x: Field, y: Field) -> tuple[Field, Field]:
    """Return the height of the limbs' surface (mm), blended where they meet, and each pixel's depth inside (px)."""
    height = np.full(x.shape, -40.0, np.float32)
    inside = np.full(x.shape, -9.0, np.float32)
    for limb in limbs:
        there = _around(limb, x, y)
        surface, depth = _limb(limb, x[there], y[there])
        # A smooth maximum: skin stretches over the knuckles.
        difference = np.clip((surface - height[there]) / 8, -1, 1)
        blend = np.maximum(surface, height[there]) + 2.0 * (1 - np.abs(difference)) ** 2
        # Outside of all limbs, at -40, blending would raise the height.
        height[there] = np.where((surface > -30) | (height[there] > -30), blend, -40)
        inside[there] = np.maximum(inside[there], depth)
    return height, inside


def _around(limb: Limb, x: Field, y: Field) -> tuple[slice, slice]:
    """Return the rows and columns that a limb may reach; it contributes nothing elsewhere."""
    reach = max(limb.start_radius_mm, limb.end_radius_mm)
    ends = ((limb.start[0], limb.end[0], x[0]), (limb.start[1], limb.end[1], y[:, 0]))
    columns, rows = (slice(*np.searchsorted(at, (min(a, b) - reach, max(a, b) + reach))) for a, b, at in ends)
    return rows, columns


def _limb(limb: Limb, x: Field, y: Field) -> tuple[Field, Field]:
    ax, ay, az = limb.start
    bx, by, bz = limb.end
    along = np.clip(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2), 0, 1)
    radius = limb.start_radius_mm + (limb.end_radius_mm - limb.start_radius_mm) * along
    away = np.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay))
    dome = np.sqrt(np.clip(radius**2 - away**2, 0, None))
    surface = np.where(away < radius, az + (bz - az) * along + dome, -40)
    return surface.astype(np.float32), ((radius - away) * PX_PER_MM).astype(np.float32)


def _shade(height: Field, colour: Field) -> Field:
    smooth = cv2.GaussianBlur(np.clip(height, -6, None), (0, 0), 2.2)
    # The response of a Sobel kernel to a slope of 1 is 8.
    dx = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=PX_PER_MM / 8)
    dy = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=PX_PER_MM / 8)
    length = np.sqrt(dx**2 + dy**2 + 1)
    facing = (0.34 * dx + 0.30 * dy + 1) / (length * 1.1)
    light = np.clip(0.34 + 0.72 * facing, 0.2, 1.15)[..., None]
    # Light scattered in skin or cloth is warmer where the surface is inclined.
    warm = np.array([0.90, 0.96, 1.04], np.float32) ** (2 * (1 - light))
    shaded: Field = (colour * light * warm).astype(np.float32)
    return shaded


def _skin_tone(person: int, x: Field, y: Field) -> Field:
    base = np.array(SKINS[person % len(SKINS)], np.float32)
    rng = np.random.default_rng(500 + person)
    colour = base + _bumps(rng, 5.0, (90, 16), x.shape)
    ruddy = np.exp(-(((y - 48) / 16) ** 2)) * 0.10 + np.exp(-(((y + 6) / 12) ** 2)) * 0.16
    colour = colour * (1 - ruddy[..., None] * np.array([1.0, 0.85, 0.1], np.float32))
    # The outer joints of the four fingers.
    for limb in _right_hand()[1:8:2]:
        tx, ty, _ = limb.end
        nail = np.clip(1.4 - np.hypot((x - tx) / 4.2, (y - ty + 1.0) / 5.2) * 1.1, 0, 0.45)[..., None]
        colour = colour * (1 - nail) + (base * 0.82 + np.array([40, 38, 44], np.float32)) * nail
    result: Field = colour.astype(np.float32)
    return result


def _cloth(person: int, shape: tuple[int, ...]) -> Field:
    base = np.full((shape[0], shape[1], 3), SLEEVES[(person * 5 + 1) % len(SLEEVES)], np.float32)
    rng = np.random.default_rng(600 + person)
    return woven(base + _bumps(rng, 14.0, (40, 5), shape), seed=700 + person, strength=5.0).astype(np.float32)


def _bumps(rng: np.random.Generator, strength: float, cells: tuple[int, int], shape: tuple[int, ...]) -> Field:
    """Return smooth noise for a picture, shape (height, width, 1)."""
    small = floats_of(rng.normal(0, strength, cells))
    return floats_of(cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC))[..., None]


PX_PER_MM: Final = 1.6


@dataclass(frozen=True, slots=True)
class Thing:
    """One kind of object.

    Attributes:
        size_mm: width and height.
        thick_mm: height.
        draw: function that returns its picture, (height, width, 3), and its mask, 0..1, for (height, width) in pixels.
    """

    size_mm: tuple[float, float]
    thick_mm: float
    draw: Callable[[np.random.Generator, tuple[int, int]], tuple[Field, Field]]


@lru_cache(maxsize=16)
def clutter_sprite(name: str) -> Sprite:
    """Return an object by its kind and number, as in "cup/7".

    Raises:
        KeyError: there is no such kind.
    """
    what, number = name.split("/")
    kind, rng = THINGS[what], np.random.default_rng([int(number), list(THINGS).index(what)])
    width, height = (round(side * PX_PER_MM) for side in kind.size_mm)
    picture, inside = kind.draw(rng, (height, width))
    mask = clipped(inside * 255)
    # An empty border keeps the outline smooth when warped.
    mask[[0, -1]], mask[:, [0, -1]] = 0, 0
    rim = picture[height // 2, 4]
    side_bgr = (int(rim[0] * 0.6), int(rim[1] * 0.6), int(rim[2] * 0.6))
    return Sprite(clipped(picture), mask, PX_PER_MM, kind.thick_mm, side_bgr)


def _radius(shape: tuple[int, int]) -> Field:
    """Return the distance from the middle, 1 at the rim."""
    axes = [(np.arange(side, dtype=np.float32) + 0.5) / side * 2 - 1 for side in shape[::-1]]
    return floats_of(np.hypot(*np.meshgrid(*axes)))


def _disc(radius: Field, reach: float = 0.97) -> Field:
    return floats_of(np.clip((reach - radius) * radius.shape[0] / 2, 0, 1))


def _cup(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[Field, Field]:
    radius = _radius(shape)
    glaze = colour(rng, (0, 360), float(rng.uniform(0, 0.7)), float(rng.uniform(0.3, 0.95)))
    drink = colour(rng, (15, 35), 0.7, float(rng.uniform(0.15, 0.5)))
    rim = glaze * (0.85 + 0.3 * np.exp(-(((radius - 0.88) / 0.05) ** 2)))[..., None]
    within = _disc(radius, 0.78)[..., None]
    return floats_of(rim * (1 - within) + drink * within), _disc(radius)


def _plate(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[Field, Field]:
    radius = _radius(shape)
    light = 0.93 + 0.06 * np.cos(radius * 9) - 0.12 * np.exp(-(((radius - 0.68) / 0.03) ** 2))
    picture = floats_of(np.array([226, 232, 236]) * light[..., None])
    for _ in range(int(rng.integers(1, 5))):
        spot = (rng.uniform(0.33, 0.67, 2) * shape[::-1]).astype(int)
        size = int(shape[0] * rng.uniform(0.12, 0.17))
        tone = colour(rng, (24, 34), 0.65, float(rng.uniform(0.55, 0.8)))
        for share in (1.0, 0.85):
            shade = tuple(float(each) for each in tone * np.float32(1.12 - 0.25 * share))
            cv2.circle(picture, (int(spot[0]), int(spot[1])), int(size * share), shade, -1, cv2.LINE_AA)
    return picture, _disc(radius)


def _telephone(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[Field, Field]:
    picture = floats_of(np.full((*shape, 3), rng.uniform(12, 40)))
    shine = np.linspace(-1, 1, shape[0])[:, None] + np.linspace(-0.5, 0.5, shape[1])[None, :]
    picture += floats_of(14 * (shine > rng.uniform(-0.5, 0.5)))[..., None]
    return picture, _rounded(shape, 14)


def _paper(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[Field, Field]:
    picture = floats_of(np.full((*shape, 3), (232, 238, 240)))
    for y in range(shape[0] // 9, shape[0] - shape[0] // 9, 9):
        end = int(shape[1] * rng.uniform(0.4, 0.88))
        cv2.line(picture, (shape[1] // 10, y), (end, y + int(rng.integers(-1, 2))), (96, 84, 80), 2, cv2.LINE_AA)
    return picture, np.ones(shape, np.float32)


def _box(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[Field, Field]:
    picture = cloth(rng, shape, PX_PER_MM)
    ink = tuple(float(each) for each in colour(rng, (30, 50), 0.2, 0.95))
    cv2.putText(picture, "QUILTS", (shape[1] // 9, shape[0] // 2), cv2.FONT_HERSHEY_TRIPLEX, 3.0, ink, 7, cv2.LINE_AA)
    return floats_of(picture), np.ones(shape, np.float32)


def _napkin(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[Field, Field]:
    tone = colour(rng, (0, 360), float(rng.uniform(0, 0.7)), float(rng.uniform(0.5, 0.95)))
    picture = floats_of(threaded(rng, np.broadcast_to(tone, (*shape, 3)).copy(), 6.0))
    fold = shape[0] // 2
    picture[fold - 2 : fold + 2] *= np.float32(0.82)
    return picture, np.ones(shape, np.float32)


def _rounded(shape: tuple[int, int], corner_px: int) -> Field:
    mask: Image = np.zeros(shape, np.uint8)
    within = (corner_px, corner_px), (shape[1] - corner_px - 1, shape[0] - corner_px - 1)
    # OpenCV rounds the corners of thick lines.
    cv2.rectangle(mask, *within, (255,), 2 * corner_px - 2)
    cv2.rectangle(mask, *within, (255,), -1)
    return floats_of(floats_of(mask) / 255)


THINGS: Final = {
    "cup": Thing((84.0, 84.0), 88.0, _cup),
    "plate": Thing((180.0, 180.0), 16.0, _plate),
    "telephone": Thing((74.0, 150.0), 8.0, _telephone),
    "paper": Thing((148.0, 210.0), 0.2, _paper),
    "box": Thing((250.0, 250.0), 58.0, _box),
    "napkin": Thing((120.0, 120.0), 1.0, _napkin),
}
"""The objects by name."""
