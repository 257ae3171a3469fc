"""Memory of a quilt's appearance: its empty board, and every patch when it was laid.

Neither is refreshed by later views: that would mix the light of other moments into it cell by cell, and each
registration would depend on the one before. Cells that players insisted on, and crept patches, are stored separately.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.geometry.rectify import cell_window
from vision.quilt.look import Look, look_at
from vision.quilt.windows import RING


class QuiltMemory:
    """The expected appearance of one quilt.

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
