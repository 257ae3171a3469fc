"""Drawings of other objects on the table: cups, a plate of biscuits, a telephone, paper, the game's box."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np

from hardware.simulated.drawing.images import Field, Image, clipped, floats_of
from hardware.simulated.drawing.sprites import Sprite
from hardware.simulated.prints.cloths import cloth, colour, woven

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
    picture = floats_of(woven(rng, np.broadcast_to(tone, (*shape, 3)).copy(), 6.0))
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
