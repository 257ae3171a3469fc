"""The look of an empty board: the mean of the first frames at rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from vision.quilt.averaging import shows_the_same

if TYPE_CHECKING:
    from numpy.typing import NDArray

REFERENCE_FRAMES: Final = 5
"""The most frames of the empty boards to average; their noise is in every later comparison."""


class EmptyReference:
    """The mean of the first frames at rest; it ends with the first motion, because a patch may follow.

    Attributes:
        taken: whether a reference exists.
        complete: whether no further frames are wanted.
    """

    def __init__(self) -> None:
        self._views: list[NDArray[np.uint8]] = []
        self.taken = False
        self.complete = False

    def offer(self, view: NDArray[np.uint8], settled: bool) -> None:
        """Add the next view, unless the board has moved.

        A patch laid between two frames may change so little of a view that it counts as settled, so views are compared
        too.
        """
        if not settled or (self._views and not shows_the_same(self._views[-1], view)):
            self.complete = self.taken
            if not self.complete:
                self._views.clear()
        if not self.complete:
            self._views.append(view)
            self.taken = self.taken or settled
            self.complete = len(self._views) >= REFERENCE_FRAMES

    @property
    def mean(self) -> NDArray[np.uint8]:
        """The mean of the views, of their shape, uint8."""
        return np.asarray(np.rint(np.mean(np.stack(self._views), axis=0)), np.uint8)
