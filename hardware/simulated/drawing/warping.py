"""Boards that do not lie flat: tilted by an object below, or bowed like old cardboard."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing.images import bytes_of, floats_of
from hardware.simulated.drawing.pinhole import Pinhole, Points
from hardware.simulated.drawing.pose import Pose
from hardware.simulated.drawing.sprites import Sprite

HALF_MM: Final = 95.5
"""Distance from a board's middle to its edge."""


@dataclass(frozen=True, slots=True)
class Warp:
    """The height of a board's underside above the table, all in board space.

    Attributes:
        slope: millimetres of height for each millimetre in x and in y.
        bow_mm: height of the middle above the plane through the corners.
    """

    slope: tuple[float, float] = (0.0, 0.0)
    bow_mm: float = 0.0

    @property
    def lift_mm(self) -> float:
        """Height of the middle of the plane through the corners: the lowest corner lies on the table."""
        return (abs(self.slope[0]) + abs(self.slope[1])) * HALF_MM

    def bulge_mm(self, points_mm: Points) -> Points:
        """Return the heights of points (n, 2) above the plane through the corners."""
        within = (points_mm / HALF_MM).clip(-1, 1)
        bulge: Points = self.bow_mm * (1 - (within**2).sum(axis=1) / 2)
        return bulge

    def height_mm(self, x_mm: float, y_mm: float) -> float:
        """Return the height of a point above the table."""
        bulge = float(self.bulge_mm(np.array([[x_mm, y_mm]]))[0])
        return self.lift_mm + self.slope[0] * x_mm + self.slope[1] * y_mm + bulge

    def slope_at(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """Return the slope of the board at a point."""
        share = self.bow_mm / HALF_MM**2
        return self.slope[0] - share * x_mm, self.slope[1] - share * y_mm


FLAT: Final = Warp()


def warp_for(conditions: Conditions, rng: np.random.Generator) -> Warp:
    """Return the random warp of one board for these conditions."""
    angle, share, bow = rng.uniform(0, 2 * np.pi), rng.uniform(0.6, 1), rng.choice([-1, 1]) * rng.uniform(0.6, 1)
    steep = conditions.board_tilt_mm * float(share) / (2 * HALF_MM)
    return Warp((float(steep * np.cos(angle)), float(steep * np.sin(angle))), float(bow) * conditions.board_bow_mm)


def turned(slope: tuple[float, float], ground: Pose) -> tuple[float, float]:
    """Return a slope in the space of an object's ground, given in the object's own space."""
    x, y = ground.matrix[:2, :2] @ np.asarray(slope)
    return float(x), float(y)


def bowed(sprite: Sprite, pose: Pose, warp: Warp, camera: Pinhole) -> Sprite:
    """Return a flat board's sprite distorted so that it looks like the bowed one.

    Args:
        sprite: of the flat board.
        pose: in table space.
        warp: of the board.
        camera: the camera.
    """
    height, width = sprite.mask.shape
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    pixels = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 2)
    board_mm = (pixels - middle) / sprite.px_per_mm
    away_mm = pose.place(board_mm) - np.asarray(camera.centre_mm[:2])
    shift_mm = away_mm * (warp.bulge_mm(board_mm) / camera.centre_mm[2])[:, None]
    # A bulge towards the camera moves points outwards: each pixel shows a point nearer to the middle.
    seen = pixels - (shift_mm @ pose.matrix[:2, :2]) * sprite.px_per_mm
    x, y = (floats_of(axis.reshape(height, width)) for axis in seen.T)
    picture, mask = (bytes_of(cv2.remap(layer, x, y, cv2.INTER_LINEAR)) for layer in (sprite.picture, sprite.mask))
    return Sprite(picture, mask, sprite.px_per_mm, sprite.thick_mm, sprite.side_bgr)
