"""Footprints of objects on the table: unions of rotated rectangles, and the distances between them."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.drawing import Points, Pose
from hardware.simulated.drawing.sprites import CELL_MM, Cells, extent, shape_of
from vision.pieces.fit import outline_of

# Extent of the map of free room from the middle of the table.
_MAP_MM: Final = 700
# The greatest distance that is measured: no gap has to be larger.
_FAR_MM: Final = 60
# Number of sample points along a cell's side: only objects narrower than a quarter of a cell can be missed.
_STEPS: Final = 4


# Arrays cannot be compared as a whole.
@dataclass(frozen=True, slots=True, eq=False)
class Footprint:
    """Rotated rectangles in table space.

    Attributes:
        centres_mm: (n, 2).
        halves_mm: (n, 2), half of each one's width and height.
        turns: (n, 2, 2), from table space to each one's own axes.
        rim_mm: (m, 2), closely spaced points on the rectangles' borders.
    """

    centres_mm: Points
    halves_mm: Points
    turns: NDArray[np.float64]
    rim_mm: Points

    def corners_mm(self) -> Points:
        """Return the corners of each rectangle in turn, (n, 4, 2)."""
        signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        own = signs[None] * self.halves_mm[:, None, :]
        corners: Points = own @ self.turns + self.centres_mm[:, None, :]
        return corners

    def distance_mm(self, points_mm: Points) -> float:
        """Return the distance of the nearest of the points (k, 2); negative if one lies inside."""
        apart = points_mm[:, None, :] - self.centres_mm[None, :, :]
        own = np.abs(np.einsum("nij,knj->kni", self.turns, apart)) - self.halves_mm
        outside = np.hypot(np.maximum(own[..., 0], 0), np.maximum(own[..., 1], 0))
        return float((outside + np.minimum(own.max(axis=2), 0)).min())

    def clearance_mm(self, other: "Footprint") -> float:
        """Return the gap between two objects; negative if they overlap."""
        return min(self.distance_mm(other.rim_mm), other.distance_mm(self.rim_mm))


class Room:
    """A map of the distance from every millimetre of the table to the nearest object."""

    def __init__(self) -> None:
        self._far_mm = np.full((2 * _MAP_MM, 2 * _MAP_MM), _FAR_MM, np.float32)

    def copy(self) -> "Room":
        """Return a copy, to which more objects can be added."""
        # `__init__` would fill a map that is replaced at once.
        room = Room.__new__(Room)
        room._far_mm = self._far_mm.copy()
        return room

    def put(self, thing: Footprint) -> None:
        """Add an object."""
        corners = thing.corners_mm() + _MAP_MM
        # The object affects no distance outside of this window.
        low = np.clip(np.floor(corners.min(axis=(0, 1)) - _FAR_MM), 0, 2 * _MAP_MM - 1).astype(int)
        high = np.clip(np.ceil(corners.max(axis=(0, 1)) + _FAR_MM), 1, 2 * _MAP_MM).astype(int)
        free = np.full((high[1] - low[1], high[0] - low[0]), 255, np.uint8)
        for square in corners:
            cv2.fillConvexPoly(free, (square - low).round().astype(np.int32), (0,))
        far_mm = cv2.distanceTransform(free, cv2.DIST_L2, 3)
        window = self._far_mm[low[1] : high[1], low[0] : high[0]]
        np.minimum(window, far_mm, out=window)

    def around_mm(self, rims_mm: Points) -> NDArray[np.float32]:
        """Return for each object the distance to the nearest other, (k,), to about a millimetre; 0..60.

        Args:
            rims_mm: points on each one's border, (k, m, 2).
        """
        nearest: NDArray[np.float32] = self._far_mm.take(_squares(rims_mm), mode="clip").min(axis=1)
        return nearest

    def at_squares_mm(self, squares: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return the result of `around_mm` for squares (m, k) from `patch_squares`, which several rooms can share."""
        nearest: NDArray[np.float32] = self._far_mm.take(squares, mode="clip").min(axis=0)
        return nearest


def _squares(points_mm: Points) -> NDArray[np.intp]:
    """Return the squares of a room's map, numbered row by row, that contain points (..., 2)."""
    at = (points_mm + (_MAP_MM + 0.5)).astype(np.intp)
    squares: NDArray[np.intp] = at[..., 1] * (2 * _MAP_MM) + at[..., 0]
    return squares


def rectangle(pose: Pose, width_mm: float, height_mm: float) -> Footprint:
    """Return one rectangle centred on a pose."""
    return _placed(pose, np.zeros((1, 2)), np.array([[width_mm / 2, height_mm / 2]]), _rim(width_mm, height_mm))


def patch_footprint(patch: str, pose: Pose) -> Footprint:
    """Return the footprint of an unflipped patch, the middle of its bounding box at the pose."""
    middles, rim = _patch_places(patch)
    return _placed(pose, middles, np.full(middles.shape, CELL_MM / 2), rim)


def patch_squares(patch: str, poses: Points) -> NDArray[np.intp]:
    """Return the squares of a room's map, numbered row by row, that contain points on a patch's cells' borders.

    Args:
        patch: its ID.
        poses: (k, 3), x, y and rotation in degrees.

    Returns:
        (m, k), for m points.
    """
    turns, count = np.radians(poses[:, 2]), len(poses)
    # One product for all poses is several times quicker than one for each.
    maps = np.empty((3, 2, count))
    maps[0, 0] = maps[1, 1] = np.cos(turns)
    maps[0, 1] = np.sin(turns)
    maps[1, 0] = -maps[0, 1]
    maps[2] = poses[:, :2].T + (_MAP_MM + 0.5)
    at = (_patch_rim(patch) @ maps.reshape(3, -1)).astype(np.intp)
    squares: NDArray[np.intp] = at[:, count:] * (2 * _MAP_MM) + at[:, :count]
    return squares


def joined(parts: Iterable[Footprint]) -> Footprint:
    """Return the union of footprints.

    Raises:
        ValueError: there is none.
    """
    all_parts = tuple(parts)
    return Footprint(
        np.concatenate([part.centres_mm for part in all_parts]),
        np.concatenate([part.halves_mm for part in all_parts]),
        np.concatenate([part.turns for part in all_parts]),
        np.concatenate([part.rim_mm for part in all_parts]),
    )


def outline_mm(cells: Cells) -> Points:
    """Return the corners of joined cells in order, (n, 2), in millimetres from the middle of their bounding box."""
    high, wide = extent(cells)
    return (outline_of(cells) - (wide / 2, high / 2)) * CELL_MM


@cache
def _patch_places(patch: str) -> tuple[Points, Points]:
    """Return a patch's cells' middles (n, 2) and points on their borders (m, 2), in its own millimetres."""
    cells = shape_of(patch, flipped=False)
    high, wide = extent(cells)
    middles = np.array([[column + 0.5 - wide / 2, row + 0.5 - high / 2] for row, column in cells]) * CELL_MM
    rim = (middles[:, None, :] + _rim(CELL_MM, CELL_MM)[None]).reshape(-1, 2)
    # Neighbouring cells share points.
    return middles, np.unique(rim.round(6), axis=0)


@cache
def _patch_rim(patch: str) -> Points:
    """Return the points on the borders of a patch's cells, (m, 3), the third coordinate 1."""
    rim_mm = _patch_places(patch)[1]
    return np.column_stack((rim_mm, np.ones(len(rim_mm))))


def _rim(width_mm: float, height_mm: float) -> Points:
    steps_x = max(_STEPS, round(width_mm / CELL_MM * _STEPS))
    steps_y = max(_STEPS, round(height_mm / CELL_MM * _STEPS))
    across = np.linspace(-width_mm / 2, width_mm / 2, steps_x + 1)
    down = np.linspace(-height_mm / 2, height_mm / 2, steps_y + 1)
    level = [np.column_stack((across, np.full(len(across), y))) for y in (-height_mm / 2, height_mm / 2)]
    upright = [np.column_stack((np.full(len(down), x), down)) for x in (-width_mm / 2, width_mm / 2)]
    return np.concatenate((*level, *upright))


def _placed(pose: Pose, middles_mm: Points, halves_mm: Points, rim_mm: Points) -> Footprint:
    turns = np.broadcast_to(pose.matrix[:2, :2].T, (len(middles_mm), 2, 2))
    return Footprint(pose.place(middles_mm), halves_mm, turns, pose.place(rim_mm))
