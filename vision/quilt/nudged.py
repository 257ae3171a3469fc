"""Recognition of a patch's print a little beside its previous place."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.rectify import cell_window
from vision.quilt.look import Look

REACH_PX: Final = 11
"""Largest nudge, in view pixels, of a patch that counts as unmoved: a third of a cell."""

# Margin excluded along a cell's edge, in view pixels: what lies beside it may not have moved along.
_INSET_PX: Final = 5
# The least correlation with the expected print in its place.
_RECOGNISED: Final = 0.75
# Additional correlation required per pixel beside the place: another print, or a part of it, matches somewhere if the
# search goes far enough.
_PER_PX: Final = 0.01


def _needed() -> NDArray[np.float64]:
    """Return the correlation required at each shift, shape (2 * REACH_PX + 1,) * 2; infinite beyond the reach."""
    shifts = np.arange(-REACH_PX, REACH_PX + 1.0)
    away_px = np.hypot(shifts[:, None], shifts)
    return np.where(away_px <= REACH_PX, _RECOGNISED + _PER_PX * away_px, np.inf)


_NEEDED: Final = _needed()


def is_recognised_nearby(current: Look, expected: Look, row: int, column: int) -> bool:
    """Return whether the expected print of a cell (row, column from 0) is seen within reach of its place."""
    rows, columns = cell_window(row, column, _INSET_PX)
    around = current.structure[
        rows.start - REACH_PX : rows.stop + REACH_PX, columns.start - REACH_PX : columns.stop + REACH_PX
    ]
    scores = cv2.matchTemplate(around, expected.structure[rows, columns], cv2.TM_CCOEFF_NORMED)
    return bool((scores >= _NEEDED).any())
