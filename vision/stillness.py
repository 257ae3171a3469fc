"""Detection of movement between two frames, at a small part of the cost of finding the boards in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BLOCK_PX: Final = 16
"""Edge of the blocks that are averaged: the smallest patch, of 17 pixels at least, changes one of them by a quarter."""
_STIRRED: Final = 3.0
"""Grey levels by which a block's mean must change: ten times a dim sensor's noise in it, and less than a quarter of a
block of a patch that differs from its ground by 12 levels."""
MOST_SKIPPED: Final = 9
"""Still frames in a row: then one is looked at in full whatever it shows, for a board may creep unnoticed."""


class Stillness:
    """A comparison of each frame with the latest one that was looked at in full, so that slow changes add up.

    Args:
        most_skipped: after so many still frames one is looked at in full whatever it shows; None: none is.
    """

    def __init__(self, most_skipped: int | None = MOST_SKIPPED) -> None:
        self._most_skipped = most_skipped
        self._known: NDArray[np.float32] | None = None
        self._skipped = 0

    def holds(self, image: NDArray[np.uint8]) -> bool:
        """Return whether a frame, shape (height, width, 3), uint8, need not be looked at because nothing has moved."""
        height_px, width_px = image.shape[:2]
        size = (max(1, width_px // _BLOCK_PX), max(1, height_px // _BLOCK_PX))
        blocks = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.float32)
        if (self._most_skipped is None or self._skipped < self._most_skipped) and self._is_known(blocks):
            self._skipped += 1
            return True
        self._known, self._skipped = blocks, 0
        return False

    def _is_known(self, blocks: NDArray[np.float32]) -> bool:
        known = self._known
        if known is None or known.shape != blocks.shape:
            return False
        return float(np.abs(blocks - known).max()) <= _STIRRED

    def end(self) -> None:
        """Make the next frame be looked at in full."""
        self._known = None
