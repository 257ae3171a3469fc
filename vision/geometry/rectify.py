"""Rectification: one warp for each board, from the camera's frame to a straight-on view of the quilt.

Two coordinate spaces are used here. *Cell space*: x counts columns and y rows from the outer corner of A1, so the grid
spans (0, 0) to (9, 9). *View space*: pixels of the rectified view, `CELL_PX` a cell, with `MARGIN_CELLS` around the
grid, so that a patch that overhangs the edge is visible too.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.homography import Homography

SIDE: Final = 9
"""Cells along a quilt board's side, by the rules of the game."""
CELL_PX: Final = 32
"""Edge of a cell in a view, in pixels."""
MARGIN_CELLS: Final = 1.5
"""Margin around the grid in a view: the ring of cells that an overhanging patch covers, and half a cell for shifts."""
VIEW_PX: Final = round((SIDE + 2 * MARGIN_CELLS) * CELL_PX)
"""Edge of a view."""
GRID_CORNERS: Final = np.array([[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]])
"""Outer corners of the grid in cell space: A1, I1, I9, A9; shape (4, 2)."""

_MARGIN_PX: Final = MARGIN_CELLS * CELL_PX
CELLS_TO_VIEW: Final = Homography(
    # Pixel centres lie on whole numbers, hence the half pixel.
    np.array([[CELL_PX, 0.0, _MARGIN_PX - 0.5], [0.0, CELL_PX, _MARGIN_PX - 0.5], [0.0, 0.0, 1.0]])
)


def rectify(image: NDArray[np.uint8], cells_to_image: Homography) -> NDArray[np.uint8]:
    """Return the straight-on view of one quilt.

    Args:
        image: a frame, shape (height, width, 3), uint8, BGR.
        cells_to_image: maps cell space to pixels of the frame.

    Returns:
        Shape (VIEW_PX, VIEW_PX, 3), uint8, BGR. Beyond the frame its edge pixels are repeated.
    """
    image_to_view = CELLS_TO_VIEW.after(cells_to_image.inverse)
    view = cv2.warpPerspective(
        image, image_to_view.matrix, (VIEW_PX, VIEW_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(view, np.uint8)


def cells_in_frame(cells_to_image: Homography, width_px: int, height_px: int) -> NDArray[np.bool_]:
    """Return which cells are entirely in a frame of this size, shape (SIDE + 2, SIDE + 2), bool, the ring included."""
    lines = np.arange(-1.0, SIDE + 2)
    corners = cells_to_image(np.stack(np.meshgrid(lines, lines), axis=-1).reshape(-1, 2))
    inside = ((corners >= 0) & (corners <= (width_px - 1, height_px - 1))).all(axis=1).reshape(SIDE + 3, SIDE + 3)
    return np.asarray(inside[:-1, :-1] & inside[:-1, 1:] & inside[1:, :-1] & inside[1:, 1:])


def cell_window(row: int, column: int, inset_px: int) -> tuple[slice, slice]:
    """Return the slices (rows, columns) of a view that hold one cell, less `inset_px` at each side.

    Rows and columns -1 and 9 name the ring around the grid.
    """
    top = round((row + MARGIN_CELLS) * CELL_PX)
    left = round((column + MARGIN_CELLS) * CELL_PX)
    return slice(top + inset_px, top + CELL_PX - inset_px), slice(left + inset_px, left + CELL_PX - inset_px)
