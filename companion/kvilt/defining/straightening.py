"""The place of the sheet in its photograph: a first estimate of its corners, and the page between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from companion.kvilt.defining.tables import A5_MM
from vision.sheet.blank import BlankSheet, place_blank
from vision.sheet.outline import paper_outlines

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

_PAGE_MM: Final = (50.0, 450.0)
"""The limits of a sheet's file (`layout_files.py`)."""


def page_size(tables: Mapping[str, Any]) -> tuple[float, float]:
    """Return the page's width and height, in millimetres; those of A5 if the entered values are unusable."""
    page = tables.get("page") or {}
    values = (page.get("width"), page.get("height"))
    low, high = _PAGE_MM
    good = [float(value) for value in values if isinstance(value, int | float) and low <= value <= high]
    return (good[0], good[1]) if len(good) == 2 else A5_MM


def page_corners_mm(size_mm: tuple[float, float]) -> NDArray[np.float64]:
    """Return the page's corners, shape (4, 2), clockwise from the top left."""
    width, height = size_mm
    return np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]])


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


def may_be_page(quad: NDArray[np.float64]) -> bool:
    """Return whether these may be a page's corners in a photograph: clockwise, and large enough."""
    sides = np.roll(quad, -1, axis=0) - quad
    after = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]
    return bool(turns.min() > 1 and cv2.contourArea(quad.astype(np.float32)) > 10_000)
