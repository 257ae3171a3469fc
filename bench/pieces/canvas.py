"""The canvas of scenes and basic shapes, from above, with `FINE_PX` per cell."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bench.pieces.textures import Field

FINE_PX: Final = 24
SIDE_CELLS: Final = 24
SIDE_PX: Final = FINE_PX * SIDE_CELLS
TRUTHS: Final = ("piece", "rim", "label", "token", "track")

Mask: TypeAlias = NDArray[np.uint8]
Points: TypeAlias = NDArray[np.float64]


def blank() -> Mask:
    """Return an empty mask of the scene's size."""
    return np.zeros((SIDE_PX, SIDE_PX), np.uint8)


@dataclass(eq=False)
class Canvas:
    """A scene being drawn: the picture, float32, and a mask for each of `TRUTHS`, uint8, 0 or 255."""

    picture: Field
    truths: dict[str, Mask] = field(default_factory=lambda: {name: blank() for name in TRUTHS})
    taken: Mask = field(default_factory=blank)

    def lay(self, stamp: Field, mask: Mask, **truths: Mask | None) -> None:
        """Draw an object over all others.

        Args:
            stamp: its picture, of the scene's size, or its colour, shape (3,).
            mask: its shape.
            truths: the masks that it adds, by name; all other truths are cleared on it.
        """
        box = around(mask, 3)
        soft = (cv2.GaussianBlur(mask[box], (0, 0), 0.7).astype(np.float32) / 255)[..., None]
        under = self.picture[box]
        under += ((stamp if stamp.ndim == 1 else stamp[box]) - under) * soft
        hard = mask[box] > 127
        for name, truth in self.truths.items():
            own = truths.get(name)
            truth[box][hard] = 0
            if own is not None:
                truth[box][own[box] > 127] = 255

    def shade(self, mask: Mask, shift: tuple[float, float], blur_px: float, depth: float) -> None:
        """Darken the picture under a mask's shadow."""
        box = around(mask, round(3 * blur_px + max(map(abs, shift))) + 2)
        move = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float64)
        part = mask[box]
        cast = cv2.GaussianBlur(cv2.warpAffine(part, move, part.shape[::-1]), (0, 0), blur_px)
        self.picture[box] *= (1 - np.float32(depth) * cast.astype(np.float32) / 255)[..., None]


def around(mask: Mask, margin_px: int) -> tuple[slice, slice]:
    """Return the bounding rows and columns of a mask, with a margin; at least one pixel."""
    left, top, wide, high = cv2.boundingRect(mask)
    rows = slice(max(top - margin_px, 0), max(top + high + margin_px, 1))
    return rows, slice(max(left - margin_px, 0), max(left + wide + margin_px, 1))


def filled(points: Points) -> Mask:
    """Return the mask of a polygon, given in pixels."""
    mask = blank()
    cv2.fillPoly(mask, [np.rint(points * 16).astype(np.int32).reshape(-1, 1, 2)], 255, cv2.LINE_AA, 4)
    return mask


def turned(points: Points, degrees: float, at: Points, squeeze: tuple[float, float] = (1.0, 1.0)) -> Points:
    """Return points in cells as pixels, rotated about the origin, scaled by `squeeze` and moved to `at`."""
    angle = np.radians(degrees)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray((points @ turn.T) * np.array(squeeze) * FINE_PX + at, np.float64)


def box(wide: float, high: float, corner: float = 0.0) -> Points:
    """Return a rectangle around the origin, in cells; `corner` is the share of half the height cut off each corner."""
    x, y, c = wide / 2, high / 2, corner * high / 2
    upper, lower = [[c - x, -y], [x - c, -y], [x, c - y]], [[x, y - c], [x - c, y], [c - x, y]]
    return np.array([*upper, *lower, [-x, y - c], [-x, c - y]])


def disc(canvas: Canvas, rng: np.random.Generator, at: Points, radius_cells: float, colour: Field) -> None:
    """Draw a sewing button."""
    centre = tuple(np.rint(at * 16).astype(int).tolist())
    radius = radius_cells * FINE_PX
    shades = (1.0, rng.uniform(1.0, 1.4), rng.uniform(0.3, 0.7))
    base, bright, dark = (tuple(float(v) for v in np.clip(colour * shade, 0, 255)) for shade in shades)
    cv2.circle(canvas.picture, centre, round(radius * 16), base, -1, cv2.LINE_AA, 4)
    cv2.circle(canvas.picture, centre, round(radius * 13), bright, 2, cv2.LINE_AA, 4)
    for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        hole = dot((at[0] + dx * radius * 0.22, at[1] + dy * radius * 0.22))
        cv2.circle(canvas.picture, hole, max(1, round(radius * 0.11)), dark, -1, cv2.LINE_AA)


def rounded(at: Points, radius_cells: float, ratio: float = 1.0, turn: float = 0.0) -> Mask:
    """Return the mask of a disc or an ellipse."""
    mask = blank()
    axes = (round(radius_cells * FINE_PX * 16), round(radius_cells * ratio * FINE_PX * 16))
    centre = tuple(np.rint(at * 16).astype(int).tolist())
    cv2.ellipse(mask, centre, axes, turn, 0, 360, 255, -1, cv2.LINE_AA, 4)
    return mask


def button_blue(rng: np.random.Generator) -> Field:
    """Return a random blue of a printing's buttons."""
    return np.array([rng.uniform(150, 235), rng.uniform(95, 185), rng.uniform(20, 120)], np.float32)


def dot(point: Iterable[float]) -> tuple[int, int]:
    """Return a point as integers for OpenCV."""
    x, y = (round(float(value)) for value in point)
    return x, y
