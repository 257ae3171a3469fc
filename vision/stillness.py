"""Detection of motion between two frames, at a fraction of the cost of finding the boards in them."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

# Edge of the averaged blocks: the smallest patch, of 17 pixels at least, changes one of them by a quarter.
_BLOCK_PX: Final = 16
# Change of a block's mean, in grey levels, that counts as motion: ten times a dim sensor's noise in it, and less than a
# quarter of a block of a patch that differs from its ground by 12 levels.
_STIRRED: Final = 3.0
MOST_SKIPPED: Final = 9
"""Consecutive still frames after which one is processed in any case, because a board may creep unnoticed."""


class Stillness:
    """A comparison of each frame with the latest one that was processed, so that slow changes add up.

    Args:
        most_skipped: number of still frames after which one is processed in any case; None for no limit.
    """

    def __init__(self, most_skipped: int | None = MOST_SKIPPED) -> None:
        self._most_skipped = most_skipped
        self._known: NDArray[np.float32] | None = None
        self._skipped = 0

    def holds(self, image: NDArray[np.uint8]) -> bool:
        """Return whether a frame, shape (height, width, 3), uint8, can be skipped because nothing has moved."""
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
        """Require the next frame to be processed."""
        self._known = None
