"""The part of a sheet that a question or a complaint concerns, as the camera saw it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from companion.games.kvilt import PageLayout
    from vision.sheet.page import Page

WIDTH_PX: Final = 480
_LEAST_MM: Final = (54.0, 40.0)
_MARGIN_MM: Final = 9.0
_FRAME: Final = ((7, (250, 250, 250)), (3, (40, 20, 20)))
"""Widths in pixels, and colours, of a region's frame: dark within light, because it lies on any pencil's colour."""
_SHIFT: Final = 4
"""The number of fractional bits in OpenCV's fixed-point coordinates."""


def draw_regions(image: NDArray[np.uint8], page: Page, layout: PageLayout, regions: Sequence[str]) -> NDArray[np.uint8]:
    """Draw a rectified view of some regions and their surroundings, with a frame around each region.

    Args:
        image: the picture, shape (height, width, 3), uint8, BGR.
        page: the sheet's place in it.
        layout: the sheet's layout.
        regions: names of its regions; at least one.

    Returns:
        Shape (height, `WIDTH_PX`, 3), uint8, BGR.
    """
    outlines = [np.array(outline) for name in regions for outline in layout.regions()[name].outlines]
    left, top, right, bottom = _view(np.concatenate(outlines), layout)
    scale = WIDTH_PX / (right - left)
    size = (WIDTH_PX, round((bottom - top) * scale))
    corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    flat = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32)
    matrix = cv2.getPerspectiveTransform(page.place(corners).astype(np.float32), flat)
    picture = np.asarray(cv2.warpPerspective(image, matrix, size, flags=cv2.INTER_LINEAR), np.uint8)
    for outline in outlines:
        points = np.round((outline - (left, top)) * scale * (1 << _SHIFT)).astype(np.int32)
        for width_px, paint in _FRAME:
            cv2.polylines(picture, [points], True, paint, width_px, cv2.LINE_AA, _SHIFT)
    return picture


def _view(points: NDArray[np.float64], layout: PageLayout) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom of the view in millimetres, inside the page if that is large enough."""
    low, high = points.min(axis=0) - _MARGIN_MM, points.max(axis=0) + _MARGIN_MM
    lacking = np.maximum(np.array(_LEAST_MM) - (high - low), 0) / 2
    low, high = low - lacking, high + lacking
    shift = np.maximum(-low, 0) - np.maximum(high - np.array(layout.size), 0)
    (left, top), (right, bottom) = (low + shift).tolist(), (high + shift).tolist()
    return left, top, right, bottom
