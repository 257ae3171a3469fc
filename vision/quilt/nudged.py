"""Recognition of a patch's print that lies a little beside where it lay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.geometry.rectify import cell_window

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.quilt.look import Look

REACH_PX: Final = 11
"""A patch nudged by less than a third of a cell, in view pixels, is still where it was."""

_INSET_PX: Final = 5
"""Left out along a cell's edge, in view pixels: what lies beside it may not have moved along."""
_RECOGNISED: Final = 0.75
"""Least correlation with the expected print in its place; away from it more is needed."""
_PER_PX: Final = 0.01
"""Correlation from which a print is recognised at its place, and by how much more it must be for each pixel beside it:
another print, or a part of it, looks alike somewhere if one looks far enough."""


def _needed() -> NDArray[np.float64]:
    """Return the correlation needed at each shift, shape (2 * REACH_PX + 1,) * 2; infinite beyond the reach."""
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
