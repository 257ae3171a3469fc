"""Finds quilt boards in a picture by themselves: four-sided outlines, judged by the grid of nine by nine inside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.coveredgrid import fit_covered_grid
from vision.homography import Homography, through_corners
from vision.rectify import GRID_CORNERS, SIDE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

_LONG_SIDE_PX: Final = 1200
_LEAST_AREA: Final = 0.008
"""Share of the picture; cells of a smaller board are too small to be read."""
_LEAST_SIDES_RATIO: Final = 0.6
_LEAST_SINE: Final = 0.8
"""Of the angle at a corner: a square seen from 35 degrees aslant keeps this."""
_SAME: Final = 0.02
"""Outlines whose corners are nearer than this share of their diagonal are one."""
_FREEDOM: Final = 1.5
"""An outline tells less exactly than a hand where the grid is."""
_LEAST_SUPPORT: Final = 0.5
"""Of the 180 segments of the grid: noise and the time board stay below, a quilt that is nearly full has 0.6."""
_MOST_AREA_RATIO: Final = 2.5
"""Of both boards in one picture: the nearer one looks larger, but not by more."""


def find_boards(image: NDArray[np.uint8], board_cells: float) -> Sequence[Homography]:
    """Find the two boards that lie in a picture.

    Args:
        image: shape (height, width, 3), uint8, BGR.
        board_cells: a board's outer edge, in cells of its grid.

    Returns:
        At most two maps from cell space to pixels of the picture. Cell (0, 0) is the one at the picture's upper left.
        The first board is the left one; of two that lie one above the other, the lower (nearer) one.
    """
    scale = min(1.0, _LONG_SIDE_PX / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    judged = [
        (support, place)
        for quad in _distinct(_outlines(np.asarray(small, np.uint8)))
        for support, place in _fits(image, quad / scale, board_cells)
        if support >= _LEAST_SUPPORT
    ]
    judged.sort(key=lambda each: -each[0])
    return _in_order(_two_apart([place for _, place in judged]))


def _outlines(image: NDArray[np.uint8]) -> Iterator[NDArray[np.float64]]:
    """Four-sided outlines, corners (4, 2) clockwise from the upper left, of whatever stands out in the picture."""
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
    """What stands out in brightness or in either colour: by its edges, against its surroundings, against the rest."""
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
    """The corners clockwise as they are seen, from the upper left one."""
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


def _distinct(quads: Iterator[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
    kept: list[NDArray[np.float64]] = []
    for quad in quads:
        near = _SAME * float(np.hypot(*(quad[2] - quad[0])))
        if not any(np.abs(other - quad).max() < near for other in kept):
            kept.append(quad)
    return kept


def _fits(
    image: NDArray[np.uint8], quad: NDArray[np.float64], board_cells: float
) -> Iterator[tuple[float, Homography]]:
    """The outline may be the grid's or the board's own."""
    for edge_cells in (float(SIDE), board_cells):
        outline = SIDE / 2 + (GRID_CORNERS - SIDE / 2) * edge_cells / SIDE
        place, support = fit_covered_grid(image, through_corners(outline, quad), _FREEDOM)
        yield support, place


def _two_apart(places: list[Homography]) -> list[Homography]:
    """The first, and the next that lies beside it and is about as large."""
    if not places:
        return []
    first = places[0]
    for other in places[1:]:
        ratio = _area_px2(first) / _area_px2(other)
        if not _overlap(first, other) and 1 / _MOST_AREA_RATIO < ratio < _MOST_AREA_RATIO:
            return [first, other]
    return [first]


def _area_px2(place: Homography) -> float:
    return float(cv2.contourArea(place(GRID_CORNERS).astype(np.float32)))


def _overlap(one: Homography, other: Homography) -> bool:
    shared, _ = cv2.intersectConvexConvex(
        one(GRID_CORNERS).astype(np.float32), other(GRID_CORNERS).astype(np.float32)
    )
    return shared > 0.02 * _area_px2(one)


def _in_order(places: list[Homography]) -> list[Homography]:
    middles = [place([SIDE / 2, SIDE / 2]) for place in places]
    if len(places) == 2:
        across, down = np.abs(middles[1] - middles[0])
        key = 0 if across >= down else 1
        swapped = (middles[1][key] < middles[0][key]) != (key == 1)
        return places[::-1] if swapped else places
    return places
