"""Plane-to-plane transforms that can be called, inverted and checked by residuals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

# Condition number above which a map has no usable inverse; a camera's, from millimetres to pixels, has 1e5.
_WORST_CONDITION: Final = 1e12


@dataclass(frozen=True, slots=True, eq=False)
class Homography:
    """A projective map from one plane to another.

    Attributes:
        matrix: shape (3, 3), float64; maps (x, y, 1) of the source plane to the target plane.
    """

    matrix: NDArray[np.float64]

    def __call__(self, points: ArrayLike) -> NDArray[np.float64]:
        """Map points of shape (..., 2), (x, y) in the source plane, to the target plane."""
        source = np.asarray(points, np.float64)
        if source.size == 0:  # OpenCV returns another shape for no points
            return source
        mapped = cv2.perspectiveTransform(source.reshape(-1, 1, 2), self.matrix)
        return np.asarray(mapped, np.float64).reshape(source.shape)

    @property
    def inverse(self) -> Homography:
        """The inverse map."""
        return Homography(np.asarray(np.linalg.inv(self.matrix), np.float64))

    def after(self, first: Homography) -> Homography:
        """Return the map that applies `first` and then this one."""
        return Homography(self.matrix @ first.matrix)

    def residuals(self, source: ArrayLike, target: ArrayLike) -> NDArray[np.float64]:
        """Return distances between mapped source points and target points, shape (n,), in target units."""
        offsets = self(source) - np.asarray(target, np.float64)
        return np.asarray(np.hypot(offsets[..., 0], offsets[..., 1]))


@dataclass(frozen=True, slots=True)
class FailedFit:
    """A fit that did not succeed; falsy, with the reason."""

    reason: str

    def __bool__(self) -> bool:
        return False


def through_corners(source: ArrayLike, target: ArrayLike) -> Homography:
    """Return the homography that maps four points exactly onto four others, each of shape (4, 2)."""
    matrix = cv2.getPerspectiveTransform(np.asarray(source, np.float32), np.asarray(target, np.float32))
    return Homography(np.asarray(matrix, np.float64))


def fit_homography(source: ArrayLike, target: ArrayLike, tolerance: float) -> Homography | FailedFit:
    """Fit a homography to point pairs of shape (n, 2), ignoring outliers beyond `tolerance` (target units).

    If all points fit within the tolerance, all of them are used: RANSAC would drop different ones in each frame whose
    residuals are close to the tolerance, as on a curled sheet, and the fit would jump. RANSAC runs with OpenCV's fixed
    seed, so equal points give an equal fit.
    """
    source_points, target_points = np.asarray(source, np.float64), np.asarray(target, np.float64)
    if len(source_points) < 4:
        return FailedFit(f"{len(source_points)} point pairs, at least 4 are needed")
    everything = _fitted(source_points, target_points, 0, tolerance)
    if isinstance(everything, Homography) and everything.residuals(source_points, target_points).max() <= tolerance:
        return everything
    return _fitted(source_points, target_points, cv2.RANSAC, tolerance)


def _fitted(
    source: NDArray[np.float64], target: NDArray[np.float64], method: int, tolerance: float
) -> Homography | FailedFit:
    # OpenCV's type stubs do not say that it may return None.
    fitted: tuple[Any, Any] = cv2.findHomography(source, target, method, tolerance)
    matrix = fitted[0]
    # A plane collapsed to a line has no inverse; OpenCV returns such a matrix for collinear points.
    if matrix is None or not np.isfinite(matrix).all() or np.linalg.cond(matrix) > _WORST_CONDITION:
        return FailedFit("no homography explains the points")
    return Homography(np.asarray(matrix, np.float64))


def translation(x: float, y: float) -> Homography:
    """Return the map that shifts by (x, y)."""
    return Homography(np.array([[1.0, 0.0, x], [0.0, 1.0, y], [0.0, 0.0, 1.0]]))
