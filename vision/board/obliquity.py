"""Viewing angle, scale and completeness of a board in a frame, computed from its place alone."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.geometry.homography import Homography
from vision.geometry.rectify import GRID_CORNERS

# Step of the finite differences for the map's slopes at the board's middle.
_STEP_CELLS: Final = 0.1


@dataclass(frozen=True, slots=True)
class BoardView:
    """A camera's view of a board.

    Attributes:
        cell_px: width of a cell at the board's middle, the geometric mean of its two directions.
        oblique_deg: the angle between the line of sight to the board's middle and straight down on it.
        outside: indices of the grid's corners A1, I1, I9, A9 that are outside the frame.
    """

    cell_px: float
    oblique_deg: float
    outside: tuple[int, ...]


def board_view(cells_to_image: Homography, size_px: tuple[int, int]) -> BoardView:
    """Return the view of a board in a frame of (width, height) pixels."""
    middle = np.full(2, GRID_CORNERS.mean())
    steps = np.array([[0.0, 0.0], [_STEP_CELLS, 0.0], [0.0, _STEP_CELLS]])
    origin, right, down = cells_to_image(middle + steps)
    long_px, short_px = np.linalg.svd(np.array([right - origin, down - origin]) / _STEP_CELLS, compute_uv=False)
    corners = cells_to_image(GRID_CORNERS)
    outside = ((corners < 0) | (corners > np.asarray(size_px) - 1)).any(axis=1)
    return BoardView(
        cell_px=float(np.sqrt(long_px * short_px)),
        # An oblique view foreshortens one direction by the cosine.
        oblique_deg=float(np.degrees(np.arccos(min(1.0, short_px / long_px)))),
        outside=tuple(int(index) for index in np.flatnonzero(outside)),
    )
