"""Remembers how a quilt looks: each cell when empty, under the patch that covers it now, and as that patch was laid."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vision.evidence import RING, Look, look_of_log
from vision.rectify import cell_window

if TYPE_CHECKING:
    from numpy.typing import NDArray


class QuiltMemory:
    """What one quilt is expected to look like.

    Cells that are known to look as before are refreshed from time to time, so that the day's slow drift of light never
    adds up; a cell that is in doubt keeps its old look.

    Args:
        empty: the look of the empty board.
    """

    def __init__(self, empty: Look) -> None:
        self._empty = empty.log.copy()
        self._covered = empty.log.copy()
        self._laid = empty.log.copy()
        self._was_covered = np.zeros((RING, RING), np.bool_)

    def copy(self) -> QuiltMemory:
        """The same, which stays as it is."""
        copied = QuiltMemory(look_of_log(self._empty))
        copied._covered, copied._laid = self._covered.copy(), self._laid.copy()
        copied._was_covered = self._was_covered.copy()
        return copied

    def expected(self, covered: NDArray[np.bool_]) -> Look:
        """The look to compare with.

        Args:
            covered: shape (RING, RING), bool: cells that a patch covers; the ring around the grid is false.
        """
        return self._with(self._covered, covered)

    def as_laid(self, covered: NDArray[np.bool_]) -> Look:
        """Likewise, with every patch as it lay when it was seen first, wherever it has crept since."""
        return self._with(self._laid, covered)

    def _with(self, patches: NDArray[np.float32], covered: NDArray[np.bool_]) -> Look:
        log = self._empty.copy()
        for row, column in np.argwhere(covered) - 1:
            window = cell_window(int(row), int(column), 0)
            log[window] = patches[window]
        return look_of_log(log)

    def refresh(self, look: Look, covered: NDArray[np.bool_], trusted: NDArray[np.bool_]) -> None:
        """Take over the look of the trusted cells.

        Args:
            look: the current look, registered like the remembered ones.
            covered: shape (RING, RING), bool: cells that a patch covers now.
            trusted: shape (RING, RING), bool: cells that are known to show what `covered` says.
        """
        for row, column in np.ndindex(RING, RING):
            if trusted[row, column]:
                target = self._covered if covered[row, column] else self._empty
                window = cell_window(row - 1, column - 1, 0)
                target[window] = look.log[window]
                if covered[row, column] and not self._was_covered[row, column]:
                    self._laid[window] = look.log[window]
        self._was_covered = covered.copy()
