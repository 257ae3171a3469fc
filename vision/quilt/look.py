"""The look of a quilt, as seen and as expected, on a lattice of small windows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import CELL_PX, MARGIN_CELLS, SIDE, VIEW_PX, cell_window

# Added to each channel before the logarithm: below it is sensor noise.
_DARK: Final = 6.0
# The logarithm of each grey level.
_LOGARITHMS: Final = np.log(np.arange(256, dtype=np.float32) + np.float32(_DARK))
_MEAN: Final = np.full((1, 3), 1 / 3, np.float32)
# Edge of the box whose mean is subtracted: about half a cell, which removes light and preserves a print.
_SURROUNDINGS_PX: Final = 15
# Limit of a single edge's contribution, as a log-ratio.
_STEEPEST: Final = 0.3


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A view with the derived images that comparisons need.

    Attributes:
        view: the rectified view, shape (VIEW_PX, VIEW_PX, 3), uint8, BGR.
        log: its logarithm, slightly blurred against noise, same shape, float32.
        luminance: mean of the three channels of `log`, shape (VIEW_PX, VIEW_PX), float32.
        detail: luminance less the mean of its surroundings, same shape.
        structure: detail, clipped so that no single edge dominates, same shape.
    """

    view: NDArray[np.uint8]
    log: NDArray[np.float32]
    luminance: NDArray[np.float32]
    detail: NDArray[np.float32]
    structure: NDArray[np.float32]


def look_at(view: NDArray[np.uint8]) -> Look:
    """Prepare a rectified view, shape (VIEW_PX, VIEW_PX, 3), uint8, BGR, for comparison."""
    log = np.asarray(cv2.LUT(cv2.GaussianBlur(view, (3, 3), 0.8), _LOGARITHMS), np.float32)
    luminance = np.asarray(cv2.transform(log, _MEAN), np.float32)
    detail = luminance - cv2.blur(luminance, (_SURROUNDINGS_PX, _SURROUNDINGS_PX))
    return Look(view, log, luminance, detail, np.clip(detail, -_STEEPEST, _STEEPEST))


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


class QuiltMemory:
    """The expected appearance of one quilt: its empty board, and every patch when it was laid.

    Neither is refreshed by later views: that would mix the light of other moments into it cell by cell, and each
    registration would depend on the one before. Cells that players insisted on, and crept patches, are stored
    separately.

    Args:
        empty: view of the empty board, shape (VIEW_PX, VIEW_PX, 3), uint8, BGR.
    """

    def __init__(self, empty: NDArray[np.uint8]) -> None:
        self._empty = empty.copy()
        self._laid = empty.copy()
        self._lately = empty.copy()
        self._believed = empty.copy()
        self._covered = np.zeros((RING, RING), np.bool_)
        self._crept = np.zeros((RING, RING), np.bool_)
        self._vouched = np.zeros((RING, RING), np.bool_)

    def copy(self) -> QuiltMemory:
        """Return an independent copy."""
        copied = QuiltMemory(self._empty)
        copied._laid, copied._lately = self._laid.copy(), self._lately.copy()
        copied._believed, copied._covered = self._believed.copy(), self._covered.copy()
        copied._crept, copied._vouched = self._crept.copy(), self._vouched.copy()
        return copied

    def expected(self, covered: NDArray[np.bool_]) -> Look:
        """Return the look to compare with.

        Args:
            covered: shape (RING, RING), bool: cells that a patch covers; false in the ring around the grid.
        """
        return look_at(_with(self._empty, self._lately, covered))

    def otherwise(self, covered: NDArray[np.bool_]) -> Look:
        """Return the alternative look: bare cells as players insisted on them, patches as they were first laid."""
        return look_at(_with(self._believed, self._laid, covered))

    def differs(self, covered: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return the cells, shape (RING, RING), whose look differs between `otherwise` and `expected`."""
        return np.where(covered, self._crept, self._vouched)

    def lay(self, view: NDArray[np.uint8], covered: NDArray[np.bool_]) -> None:
        """Store the look of the patches laid since the last call, and discard removed ones.

        Args:
            view: the current view, registered like the empty one.
            covered: shape (RING, RING), bool: the cells that patches cover now.
        """
        fresh = covered & ~self._covered
        _paint(self._laid, view, fresh)
        _paint(self._lately, view, fresh)
        self._crept &= ~fresh
        self._covered = covered.copy()

    def follow(self, view: NDArray[np.uint8], crept: NDArray[np.bool_]) -> None:
        """Store the look of cells whose patch has crept, shape (RING, RING), bool."""
        _paint(self._lately, view, crept & self._covered)
        self._crept |= crept & self._covered

    def believe(self, view: NDArray[np.uint8], cells: NDArray[np.bool_]) -> None:
        """Accept the current look of cells, shape (RING, RING), bool, as correct."""
        self.follow(view, cells)
        _paint(self._believed, view, cells & ~self._covered)
        self._vouched |= cells & ~self._covered

    def surround(self, view: NDArray[np.uint8]) -> None:
        """Store the surroundings of the grid, after the board has moved to another place on the table."""
        ring = np.ones((RING, RING), np.bool_)
        ring[1:-1, 1:-1] = False
        for kept in (self._empty, self._laid, self._lately, self._believed):
            _paint(kept, view, ring)


def _with(bare: NDArray[np.uint8], patches: NDArray[np.uint8], covered: NDArray[np.bool_]) -> NDArray[np.uint8]:
    view = bare.copy()
    _paint(view, patches, covered)
    return view


def _paint(onto: NDArray[np.uint8], view: NDArray[np.uint8], cells: NDArray[np.bool_]) -> None:
    for row, column in np.argwhere(cells) - 1:
        window = cell_window(int(row), int(column), 0)
        onto[window] = view[window]


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
