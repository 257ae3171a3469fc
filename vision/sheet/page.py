"""A sheet of paper in a picture: its outline, its place, and the page rectified.

Page space: millimetres from the page's top left corner, x to the right, y down. Flat space: pixels of the flat picture,
`FLAT_PX_PER_MM` to a millimetre; a pixel's centre lies half a pixel inside of its edge.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import reductions
from vision.geometry import FailedFit, Homography, clockwise, fit_homography

FLAT_PX_PER_MM: Final = 8.0
"""Fine enough for the white between two strokes of a pencil."""
# Tolerance so large that all corners take part in the fit: a page that is not flat must show in the residuals.
_FAR_OFF_PX: Final = 1e6
# Pictures finer than flat space by less than this factor are not scaled down, which would blur more than it denoises.
_LEAST_SHRINK: Final = 1.25
# Step in pixels at which a bulge, which is smooth, is evaluated.
_SMOOTH_PX: Final = 16


class Shifts(Protocol):
    """The departure of a page from a plane."""

    def shifts(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the shift of the print at these points, shape (..., 2), in millimetres."""


@dataclass(frozen=True, slots=True, eq=False)
class Page:
    """The place of a page in a picture.

    Attributes:
        place: maps page space to pixels of the picture.
        misfit_mm: the largest residual of a marker's corner, on the page.
        px_per_mm: the lowest resolution of the page in the picture.
    """

    place: Homography
    misfit_mm: float
    px_per_mm: float


def locate_page(seen: Mapping[int, NDArray[np.float64]], printed: Mapping[int, NDArray[np.float64]]) -> Page | None:
    """Return the page that carries the markers.

    Args:
        seen: by id, the corners of each marker in pixels, shape (4, 2), clockwise from the printed top left.
        printed: by id, the same corners in millimetres on the page.

    Returns:
        The page, or None if fewer than two of the printed markers are seen, or no plane explains them.
    """
    both = sorted(printed.keys() & seen.keys())
    if len(both) < 2:
        return None
    page_mm = np.concatenate([printed[number] for number in both])
    picture_px = np.concatenate([seen[number] for number in both])
    place = fit_homography(page_mm, picture_px, _FAR_OFF_PX)
    if isinstance(place, FailedFit):
        return None
    misfit_mm = float(place.inverse.residuals(picture_px, page_mm).max())
    return Page(place, misfit_mm, coarsest_px_per_mm(place, page_mm))


def page_corners_mm(size_mm: tuple[float, float]) -> NDArray[np.float64]:
    """Return the corners of a page of this width and height, shape (4, 2), clockwise from the top left."""
    width, height = size_mm
    return np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]])


def coarsest_px_per_mm(place: Homography, page_mm: NDArray[np.float64]) -> float:
    """Return the least number of pixels to a millimetre at any of the points, in any direction along the page."""
    across = place(page_mm + np.array([1.0, 0.0])) - place(page_mm)
    down = place(page_mm + np.array([0.0, 1.0])) - place(page_mm)
    return float(min(np.hypot(*across.T).min(), np.hypot(*down.T).min()))


def flatten(
    image: NDArray[np.uint8], page: Page, size_mm: tuple[float, float], bulge: Shifts | None = None
) -> NDArray[np.uint8]:
    """Return the rectified page.

    Args:
        image: the picture, shape (height, width, 3), uint8, BGR.
        page: its place in the picture.
        size_mm: the page's width and height.
        bulge: shifts of the print at points in page space; None for a flat page.

    Returns:
        Flat space, shape (rows, columns, 3), uint8, BGR; black outside of the picture.
    """
    image, place = _shrunk(image, page)
    step = 1 / FLAT_PX_PER_MM
    to_page = Homography(np.array([[step, 0, step / 2], [0, step, step / 2], [0, 0, 1.0]]))
    centres = Homography(np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1.0]]))
    matrix = centres.after(place.after(to_page)).matrix
    size_px = (round(size_mm[0] * FLAT_PX_PER_MM), round(size_mm[1] * FLAT_PX_PER_MM))
    if bulge is not None:
        return _remapped(image, centres.after(place), size_px, bulge)
    flat = cv2.warpPerspective(image, matrix, size_px, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return np.asarray(flat, np.uint8)


def _remapped(
    image: NDArray[np.uint8], place: Homography, size_px: tuple[int, int], bulge: Shifts
) -> NDArray[np.uint8]:
    """Return flat space with each pixel's position corrected by the bulge."""
    few = (size_px[0] // _SMOOTH_PX + 2, size_px[1] // _SMOOTH_PX + 2)
    x, y = np.meshgrid(np.arange(few[0]), np.arange(few[1]))
    points = np.asarray((np.stack([x, y], axis=2) * _SMOOTH_PX + 0.5) / FLAT_PX_PER_MM, np.float64)
    looked = place(points + bulge.shifts(points)).astype(np.float32)
    columns, rows = np.meshgrid(np.arange(size_px[0]), np.arange(size_px[1]))
    fine = (columns.astype(np.float32) / _SMOOTH_PX, rows.astype(np.float32) / _SMOOTH_PX)
    maps = [cv2.remap(np.ascontiguousarray(looked[..., axis]), *fine, cv2.INTER_LINEAR) for axis in (0, 1)]
    return np.asarray(cv2.remap(image, maps[0], maps[1], cv2.INTER_LINEAR), np.uint8)


def _shrunk(image: NDArray[np.uint8], page: Page) -> tuple[NDArray[np.uint8], Homography]:
    """Return the picture scaled down if it is finer than flat space, because its grain would turn into noise.

    The map returned counts pixels by their edges.
    """
    # The detector returns corners by pixels' centres; from here on pixels are counted by their edges.
    by_edges = Homography(np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])).after(page.place)
    shrink = FLAT_PX_PER_MM / page.px_per_mm
    if shrink * _LEAST_SHRINK >= 1:
        return image, by_edges
    smaller = cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    factors = (smaller.shape[1] / image.shape[1], smaller.shape[0] / image.shape[0])
    return np.asarray(smaller, np.uint8), Homography(np.diag([*factors, 1.0])).after(by_edges)


def page_mask(
    polygons: Sequence[NDArray[np.float64]], size_px: tuple[int, int], corner_px: tuple[int, int] = (0, 0)
) -> NDArray[np.uint8]:
    """Return the inside of polygons in page space as a mask in a part of flat space: 255 inside, 0 outside.

    Args:
        polygons: each shape (n, 2).
        size_px: width and height of the part.
        corner_px: column and row of flat space at which the part begins.

    Returns:
        Shape (height, width), uint8.
    """
    mask = np.zeros(size_px[::-1], np.uint8)
    for polygon in polygons:
        points_px = np.asarray(polygon, np.float64) * FLAT_PX_PER_MM - 0.5 - corner_px
        cv2.fillPoly(mask, [np.round(points_px * 16).astype(np.int32)], (255,), shift=4)
    return mask


# Larger pictures are scaled down; the corners are determined by lines through many points of a side.
_LONG_SIDE_PX: Final = 1000
# The least share of the picture; a smaller sheet could not be read.
_LEAST_AREA: Final = 0.08
# The least share of its four-sided outline that a sheet fills: less if a hand lies over its edge.
_LEAST_FULL: Final = 0.93
# Range of a side that is used to fit it, because corners may be rounded or bent up.
_SIDE_PART: Final = (0.08, 0.92)
# Points of the outline within this share of the picture's length from a side belong to it.
_NEAR_SIDE: Final = 0.012
# Outlines whose corners are nearer than this share of their diagonal count as one.
_SAME: Final = 0.03
# The greatest number of sheets returned.
_MOST: Final = 6


def paper_outlines(image: NDArray[np.uint8]) -> list[NDArray[np.float64]]:
    """Find the sheets of paper that are entirely in a picture.

    Args:
        image: shape (height, width, 3), uint8, BGR.

    Returns:
        The corners of each in pixels, shape (4, 2), clockwise from the upper left one; largest first.
    """
    scale = min(1.0, _LONG_SIDE_PX / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    kept: list[NDArray[np.float64]] = []
    for quad in _quads(np.asarray(small, np.uint8)):
        near = _SAME * float(np.hypot(*(quad[2] - quad[0])))
        if not any(np.abs(other - quad).max() < near for other in kept):
            kept.append(quad)
    # Converts from edges of scaled pixels to middles of the picture's own.
    return [(quad + 0.5) / scale - 0.5 for quad in sorted(kept, key=_area, reverse=True)[:_MOST]]


def _quads(image: NDArray[np.uint8]) -> Iterator[NDArray[np.float64]]:
    for mask in _masks(image):
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        for contour in contours:
            hull = cv2.convexHull(contour)
            if cv2.contourArea(hull) < _LEAST_AREA * mask.size:
                continue
            rough = _four_corners(np.asarray(hull, np.int32))
            if rough is None or cv2.contourArea(contour) < _LEAST_FULL * _area(rough):
                continue
            quad = _by_sides(rough, np.asarray(contour.reshape(-1, 2), np.float64), _NEAR_SIDE * max(mask.shape))
            if _is_inside(quad, mask.shape):
                yield quad


def _masks(image: NDArray[np.uint8]) -> Iterator[NDArray[np.uint8]]:
    """Yield masks of light, colourless areas: wood is darker or yellower, cloth has threads."""
    calm = cv2.bilateralFilter(image, 5, 25, 5)
    darkest = reductions.darkest(np.asarray(calm, np.uint8))
    grey = cv2.cvtColor(calm, cv2.COLOR_BGR2GRAY)
    saturation = cv2.cvtColor(calm, cv2.COLOR_BGR2HSV)[..., 1]
    level, by_darkest = cv2.threshold(darkest, 0, 255, cv2.THRESH_OTSU)
    yield _closed(np.asarray(by_darkest, np.uint8))
    for share in (0.75, 1.2):
        yield _closed(np.asarray((darkest > share * level) * 255, np.uint8))
    yield _closed(np.asarray(cv2.threshold(grey, 0, 255, cv2.THRESH_OTSU)[1], np.uint8))
    yield _closed(np.asarray(cv2.threshold(saturation, 0, 255, cv2.THRESH_OTSU | cv2.THRESH_BINARY_INV)[1], np.uint8))
    for threshold in (20, 50):
        yield _inside_of(np.asarray(cv2.Canny(calm, threshold, 2.5 * threshold, L2gradient=True), np.uint8))


def _closed(mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a mask without holes from print and pencil, and without thin connections to its surroundings."""
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
    return np.asarray(cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8)), np.uint8)


def _inside_of(edges: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the mask of areas enclosed by edges: all that is not connected to the picture's border."""
    walls = cv2.dilate(edges, np.ones((3, 3), np.uint8))
    room = cv2.copyMakeBorder(255 - walls, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=(255,))
    cv2.floodFill(room, None, (0, 0), (128,))
    inside = np.where(room[1:-1, 1:-1] == 128, 0, 255).astype(np.uint8)
    thin = cv2.morphologyEx(inside, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8))
    return np.asarray(cv2.erode(thin, np.ones((3, 3), np.uint8)), np.uint8)


def _four_corners(hull: NDArray[np.int32]) -> NDArray[np.float64] | None:
    around = cv2.arcLength(hull, True)
    for tolerance in (0.015, 0.03, 0.05):
        corners = cv2.approxPolyDP(hull, tolerance * around, True)
        if len(corners) == 4:
            return clockwise(corners.reshape(4, 2).astype(np.float64))
    return None


def _by_sides(quad: NDArray[np.float64], outline: NDArray[np.float64], near_px: float) -> NDArray[np.float64]:
    """Return the intersections of lines fitted to the outline's sides, which are more exact than its corners."""
    lines = [_side(quad[at], quad[(at + 1) % 4], outline, near_px) for at in range(4)]
    return np.array([_meeting(lines[at - 1], lines[at]) for at in range(4)])


def _side(
    start: NDArray[np.float64], end: NDArray[np.float64], outline: NDArray[np.float64], near_px: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return a point of a side and its direction."""
    along = (end - start) / max(float(np.hypot(*(end - start))), 1e-9)
    off = outline - start
    share = (off @ along) / max(float(np.hypot(*(end - start))), 1e-9)
    across = np.abs(off @ np.array([-along[1], along[0]]))
    near = outline[(across < near_px) & (share > _SIDE_PART[0]) & (share < _SIDE_PART[1])]
    if len(near) < 2:
        return start, along
    vx, vy, x, y = cv2.fitLine(near.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
    return np.array([x, y], np.float64), np.array([vx, vy], np.float64)


def _meeting(
    one: tuple[NDArray[np.float64], NDArray[np.float64]], other: tuple[NDArray[np.float64], NDArray[np.float64]]
) -> NDArray[np.float64]:
    directions = np.stack([one[1], -other[1]], axis=1)
    if abs(float(np.linalg.det(directions))) < 1e-6:
        return other[0]
    far = np.linalg.solve(directions, other[0] - one[0])
    return np.asarray(one[0] + far[0] * one[1])


def _area(quad: NDArray[np.float64]) -> float:
    return float(cv2.contourArea(quad.astype(np.float32)))


def _is_inside(quad: NDArray[np.float64], shape: tuple[int, ...]) -> bool:
    """Return whether a sheet is entirely in the picture: an outline along its border may be the picture's own."""
    margin_px = 0.002 * max(shape)
    high = np.array([shape[1] - 1, shape[0] - 1]) - margin_px
    return bool((quad > margin_px).all() and (quad < high).all())
