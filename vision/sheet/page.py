"""Location of a printed page by its markers, and its rectification.

Page space: millimetres from the page's top left corner, x to the right, y down. Flat space: pixels of the flat picture,
`FLAT_PX_PER_MM` to a millimetre; a pixel's centre lies half a pixel inside of its edge.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.homography import FailedFit, Homography, fit_homography

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
