"""Search for four-sided outlines that may be a quilt board seen from above, or obliquely by up to 35 degrees."""

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

# Larger pictures are scaled down to this: outlines are guesses, to be refined in the full picture.
_LONG_SIDE_PX: Final = 1200
# Share of the picture; cells of a smaller board are too small to be read.
_LEAST_AREA: Final = 0.008
# The least ratio of the shortest side to the longest: slant and perspective leave a square more than this.
_LEAST_SIDES_RATIO: Final = 0.6
# The least sine of the angle at a corner: a square seen at 35 degrees stays above this.
_LEAST_SINE: Final = 0.8
# Outlines whose corners are nearer than this share of their diagonal count as one.
_SAME: Final = 0.02


def outlines(image: NDArray[np.uint8]) -> Iterator[NDArray[np.float64]]:
    """Find the distinct four-sided outlines in a picture, lazily.

    Args:
        image: shape (height, width, 3), uint8, BGR.

    Yields:
        The corners of each in pixels of the picture, shape (4, 2), clockwise from the upper left one.
    """
    scale = min(1.0, _LONG_SIDE_PX / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    for quad in _distinct(_outlines(np.asarray(small, np.uint8))):
        yield quad / scale


def _outlines(image: NDArray[np.uint8]) -> Iterator[NDArray[np.float64]]:
    """Yield the four-sided outlines of all contours in the masks of a picture."""
    for mask in _masks(image):
        contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            _, _, width, height = cv2.boundingRect(contour)
            if width * height < _LEAST_AREA * mask.size or max(width / mask.shape[1], height / mask.shape[0]) > 0.95:
                continue
            quad = _four_sided(np.asarray(cv2.convexHull(contour), np.int32))
            if quad is not None and cv2.contourArea(quad.astype(np.float32)) >= _LEAST_AREA * mask.size:
                yield quad


def _masks(image: NDArray[np.uint8]) -> Iterator[NDArray[np.uint8]]:
    """Yield masks by brightness and colour: edges, adaptive thresholds and Otsu's threshold, each also inverted."""
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB)
    for channel in range(3):
        calm = cv2.GaussianBlur(lab[..., channel], (0, 0), 1.2)
        for threshold in (15, 30, 60) if channel == 0 else (8, 16, 30):
            edges = cv2.Canny(calm, threshold, 2 * threshold)
            for size in (1, 3, 5):
                yield np.asarray(cv2.dilate(edges, np.ones((size, size), np.uint8)), np.uint8)
        parts = [
            cv2.adaptiveThreshold(calm, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, size, 0)
            for size in (51, 151)
        ]
        parts.append(cv2.threshold(calm, 0, 255, cv2.THRESH_OTSU)[1])
        for part in parts:
            yield np.asarray(part, np.uint8)
            yield np.asarray(255 - part, np.uint8)


def _four_sided(hull: NDArray[np.int32]) -> NDArray[np.float64] | None:
    around = cv2.arcLength(hull, True)
    for tolerance in (0.02, 0.04, 0.07):
        corners = cv2.approxPolyDP(hull, tolerance * around, True)
        if len(corners) == 4:
            quad = _clockwise(corners.reshape(4, 2).astype(np.float64))
            return quad if _may_be_square(quad) else None
    return None


def _clockwise(quad: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the corners clockwise in the picture, from the upper left one."""
    off = quad - quad.mean(axis=0)
    turned = quad[np.argsort(np.arctan2(off[:, 1], off[:, 0]))]
    return np.roll(turned, -int(turned.sum(axis=1).argmin()), axis=0)


def _may_be_square(quad: NDArray[np.float64]) -> bool:
    sides = np.roll(quad, -1, axis=0) - quad
    lengths = np.hypot(*sides.T)
    if lengths.min() < _LEAST_SIDES_RATIO * lengths.max():
        return False
    along = sides / lengths[:, None]
    after = np.roll(along, -1, axis=0)
    return bool((along[:, 0] * after[:, 1] - along[:, 1] * after[:, 0]).min() > _LEAST_SINE)


def _distinct(quads: Iterator[NDArray[np.float64]]) -> Iterator[NDArray[np.float64]]:
    known: list[NDArray[np.float64]] = []
    for quad in quads:
        near = _SAME * float(np.hypot(*(quad[2] - quad[0])))
        if not any(np.abs(other - quad).max() < near for other in known):
            known.append(quad)
            yield quad
