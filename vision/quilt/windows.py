"""The lattice of small windows for evidence: sixteen to a cell, over the grid and a ring around it."""

from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.geometry.rectify import CELL_PX, MARGIN_CELLS, SIDE, VIEW_PX

_Number = TypeVar("_Number", bound=np.generic)

RING: Final = SIDE + 2
"""Cells a side of the lattice of evidence: the grid and one ring around it."""

WINDOW_PX: Final = 8
"""Edge of a window: a quarter of a cell, so that a patch laid a quarter of a cell beside the grid covers whole ones."""
PER_CELL: Final = CELL_PX // WINDOW_PX
"""Windows along a cell's edge."""
WINDOWS: Final = VIEW_PX // WINDOW_PX
"""Windows along a view's edge."""

_FIRST: Final = round(MARGIN_CELLS * PER_CELL)
_GRID: Final = slice(_FIRST, _FIRST + SIDE * PER_CELL)


def own_windows(values: NDArray[_Number]) -> NDArray[_Number]:
    """Return the windows of the quilt itself, without those around it, shape (SIDE * PER_CELL, SIDE * PER_CELL)."""
    return values[_GRID, _GRID]


def by_cell(values: NDArray[_Number], down: int = 0, right: int = 0) -> NDArray[_Number]:
    """Return the windows of each cell of the lattice, shape (PER_CELL, PER_CELL, RING, RING).

    Args:
        values: one a window, shape (WINDOWS, WINDOWS).
        down: shift of the lattice downwards, in windows, -2..2.
        right: shift of the lattice to the right, in windows, -2..2.
    """
    top, left = _FIRST - PER_CELL + down, _FIRST - PER_CELL + right
    part = values[top : top + RING * PER_CELL, left : left + RING * PER_CELL]
    return part.reshape(RING, PER_CELL, RING, PER_CELL).transpose(1, 3, 0, 2)
