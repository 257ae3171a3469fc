"""Detection of a blank sheet in a photograph, and of the pictures in its cells."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.kvilt.defining.tables import A5_MM
from vision import reductions
from vision.sheet.blank import BlankSheet, place_blank
from vision.sheet.page import FLAT_PX_PER_MM, page_corners_mm, paper_outlines

# The limits of a sheet's file (`layout_files.py`).
_PAGE_MM: Final = (50.0, 450.0)


def page_size(tables: Mapping[str, Any]) -> tuple[float, float]:
    """Return the page's width and height, in millimetres; those of A5 if the entered values are unusable."""
    page = tables.get("page") or {}
    values = (page.get("width"), page.get("height"))
    low, high = _PAGE_MM
    good = [float(value) for value in values if isinstance(value, int | float) and low <= value <= high]
    return (good[0], good[1]) if len(good) == 2 else A5_MM


def likely_corners(
    photo: NDArray[np.uint8], flat: NDArray[np.uint8] | None, size_mm: tuple[float, float]
) -> NDArray[np.float64]:
    """Estimate a sheet's corners, shape (4, 2), in pixels, clockwise from its top left one.

    Args:
        photo: shape (height, width, 3), uint8, BGR.
        flat: the rectified blank sheet, by whose print it is found again, or None if there is none yet.
        size_mm: the page's width and height.

    Returns:
        The corners by the print, else by the paper's outline, else default ones.
    """
    if flat is not None:
        placed = place_blank(photo, BlankSheet(flat, size_mm))
        if placed is not None and placed.is_sure:
            return placed.page.place(page_corners_mm(size_mm))
    for quad in paper_outlines(photo):
        sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
        lying = (sides[0] + sides[2] >= sides[1] + sides[3]) == (size_mm[0] >= size_mm[1])
        return quad if lying else np.roll(quad, -1, axis=0)
    height, width = photo.shape[:2]
    return np.array([[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]) * (width, height)


# Inset that excludes the cell's own outline, and a rectangle that was not drawn exactly.
_INSET_MM: Final = 0.9
# Stroke width below which numbers and marks are drawn, and pictures are not.
_THIN_MM: Final = 1.3
# Grey levels by which a pixel must differ from the cell's paper.
_OTHER: Final = 22.0
_LEAST_SHARE: Final = 0.08
_MOST_SHARE: Final = 0.8
_EXACT_MM: Final = 0.25


def picture_in(flat: NDArray[np.uint8], cell_mm: Sequence[float]) -> list[list[float]] | None:
    """Return the outline of the picture in a cell.

    Args:
        flat: the blank sheet in flat space, shape (rows, columns, 3), uint8, BGR.
        cell_mm: the cell, (x, y, width, height).

    Returns:
        Corners (x, y) in millimetres of the page, or None if no picture stands out.
    """
    x, y, width, height = cell_mm
    inset = min(_INSET_MM, width / 8, height / 8)
    left, top, right, bottom = (
        round(value * FLAT_PX_PER_MM) for value in (x + inset, y + inset, x + width - inset, y + height - inset)
    )
    part = flat[max(top, 0) : bottom, max(left, 0) : right]
    if min(part.shape[:2]) < 4 * FLAT_PX_PER_MM / 2:
        return None
    outline = _largest(_enclosed(_stands_out(part)))
    if outline is None:
        return None
    points = (outline + 0.5 + (max(left, 0), max(top, 0))) / FLAT_PX_PER_MM
    return [[round(float(px), 2), round(float(py), 2)] for px, py in points]


def _stands_out(part: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a mask, 255 where a cell differs from its paper (the commonest value on its border), else 0."""
    calm = cv2.GaussianBlur(part, (0, 0), 1.0).astype(np.float32)
    border = np.concatenate([calm[:4].reshape(-1, 3), calm[-4:].reshape(-1, 3),
                             calm[:, :4].reshape(-1, 3), calm[:, -4:].reshape(-1, 3)])  # fmt: skip
    paper = np.median(border, axis=0)
    return np.asarray((reductions.brightest(np.abs(calm - paper)) > _OTHER) * 255, np.uint8)


def _enclosed(other: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a mask of the area enclosed by lines, which is not reachable from the cell's border, less thin strokes."""
    walls = cv2.morphologyEx(other, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    room = cv2.copyMakeBorder(walls, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=(0,))
    cv2.floodFill(room, None, (0, 0), (128,))
    inside = np.where(room[1:-1, 1:-1] == 128, 0, 255).astype(np.uint8)
    side = 2 * round(_THIN_MM * FLAT_PX_PER_MM / 2) + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    return np.asarray(cv2.morphologyEx(inside, cv2.MORPH_OPEN, disc), np.uint8)


def _largest(inside: NDArray[np.uint8]) -> NDArray[np.float64] | None:
    contours, _ = cv2.findContours(inside, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    contour = max(contours, key=cv2.contourArea)
    if not _LEAST_SHARE <= cv2.contourArea(contour) / inside.size <= _MOST_SHARE:
        return None
    corners = cv2.approxPolyDP(contour, _EXACT_MM * FLAT_PX_PER_MM, True).reshape(-1, 2)
    return np.asarray(corners, np.float64) if len(corners) >= 3 else None
