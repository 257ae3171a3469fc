"""A camera's lens: its distortion, fitted from pictures of the chart, and the undistortion of pictures.

Coordinate spaces: *camera space*, pixels of the camera's picture; *straight space*, pixels of the undistorted picture,
which has the same scale in its middle and is enlarged so that nothing is cut off.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.languages import said

TERMS: Final = 5
"""The terms of the distortion, as OpenCV orders them: k1, k2, p1, p2, k3."""
# Greatest ratio of an undistorted picture's size to the original's: a fit that exceeds it is invalid.
_LARGEST: Final = 1.6
_EDGE_POINTS: Final = 33
_CLOSE_PX: Final = 1e-6
# Steps of the inversion: each at least halves the error, for a realistic lens.
_STEPS: Final = 60


class LensError(Exception):
    """A lens does not fit a picture; the message says why."""


# Without slots, which cached properties cannot have.
@dataclass(frozen=True, eq=False)
class Lens:
    """A camera's lens.

    Attributes:
        size_px: (width, height) of the pictures that it was fitted to.
        focal_px: focal length along x and y.
        centre_px: principal point (x, y) in camera space.
        distortion: `TERMS` coefficients.
    """

    size_px: tuple[int, int]
    focal_px: tuple[float, float]
    centre_px: tuple[float, float]
    distortion: tuple[float, ...]

    @property
    def matrix(self) -> NDArray[np.float64]:
        """OpenCV's camera matrix, shape (3, 3)."""
        return np.array(
            [[self.focal_px[0], 0.0, self.centre_px[0]], [0.0, self.focal_px[1], self.centre_px[1]], [0.0, 0.0, 1.0]]
        )

    @property
    def straight_size_px(self) -> tuple[int, int]:
        """(width, height) of an undistorted picture."""
        low, high = self._reach
        width, height = (high - low).astype(int)
        return int(width), int(height)

    @property
    def straight_origin_px(self) -> tuple[float, float]:
        """(x, y) from the picture's upper left corner to the undistorted one's, both at most 0."""
        low, _ = self._reach
        return float(low[0]), float(low[1])

    def straighten(self, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return a picture without the lens' distortion; areas outside of the camera's view are black.

        Args:
            image: the camera's picture, shape (height, width, 3), uint8.

        Returns:
            Of the size `straight_size_px`, uint8.

        Raises:
            LensError: the picture's size differs from that of the lens' fit.
        """
        height, width = image.shape[:2]
        if (width, height) != self.size_px:
            fitted = "{} x {}".format(*self.size_px)
            raise LensError(
                said(
                    "the picture has {size} pixels, but the lens was calibrated at {fitted}",
                    size=f"{width} x {height}",
                    fitted=fitted,
                )
            )
        return np.asarray(cv2.remap(image, *self._map, cv2.INTER_LINEAR), np.uint8)

    def to_straight(self, points_px: ArrayLike) -> NDArray[np.float64]:
        """Return points (n, 2) of camera space in straight space."""
        return self._unbent(np.asarray(points_px, np.float64).reshape(-1, 2)) - self._reach[0]

    def to_camera(self, points_px: ArrayLike) -> NDArray[np.float64]:
        """Return points (n, 2) of straight space in camera space."""
        return self._bent(np.asarray(points_px, np.float64).reshape(-1, 2) + self._reach[0])

    def _bent(self, points_px: NDArray[np.float64]) -> NDArray[np.float64]:
        rays = np.column_stack([(points_px - self.centre_px) / self.focal_px, np.ones(len(points_px))])
        bent, _ = cv2.projectPoints(rays, np.zeros(3), np.zeros(3), self.matrix, np.array(self.distortion))
        return np.asarray(bent, np.float64).reshape(-1, 2)

    def _unbent(self, points_px: NDArray[np.float64]) -> NDArray[np.float64]:
        # Own steps: OpenCV's `undistortPoints` stops after five, up to a pixel off in the corners of a wide lens.
        straight = points_px
        for _ in range(_STEPS):
            missing = points_px - self._bent(straight)
            straight = straight + missing
            # In this form NaN ends it, too, to which a wild fit leads.
            if not np.abs(missing).max(initial=0.0) > _CLOSE_PX:
                break
        return straight

    @cached_property
    def _map(self) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
        """OpenCV's fixed-point map, which is faster than one of floats."""
        matrix = self.matrix
        matrix[:2, 2] -= self._reach[0]
        maps = cv2.initUndistortRectifyMap(
            self.matrix, np.array(self.distortion), np.eye(3), matrix, self.straight_size_px, cv2.CV_16SC2
        )
        return np.asarray(maps[0], np.int16), np.asarray(maps[1], np.uint16)

    @cached_property
    def _reach(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The upper left corner, and the one beyond the lower right, of the undistorted view."""
        size = np.array(self.size_px, np.float64)
        along = np.linspace(0, 1, _EDGE_POINTS)
        # Not the corners alone: a barrel's straightened edges reach farthest there, a pincushion's in between.
        around = np.array([(x, y) for at in along for x, y in ((at, 0), (at, 1), (0, at), (1, at))])
        flat = self._unbent(around * (size - 1))
        margin = size * (_LARGEST - 1) / 2
        if not np.isfinite(flat).all():
            return -margin, size + margin
        low, high = np.floor(flat.min(axis=0)), np.ceil(flat.max(axis=0)) + 1
        return np.floor(np.clip(low, -margin, 0)), np.ceil(np.clip(high, size, size + margin))
