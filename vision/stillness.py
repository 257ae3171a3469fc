"""Tells whether anything stirs between two frames, at a small part of the cost of finding the boards in them."""

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
_MOST_SKIPPED: Final = 9
"""Still frames in a row: then one is looked at in full whatever it shows, for a board may creep unnoticed."""


class Stillness:
    """Compares each frame with the latest one that was looked at in full, so that slow changes add up."""

    def __init__(self) -> None:
        self._known: NDArray[np.float32] | None = None
        self._skipped = 0

    def holds(self, image: NDArray[np.uint8]) -> bool:
        """Return whether a frame, shape (height, width, 3), uint8, need not be looked at, for nothing has stirred."""
        height_px, width_px = image.shape[:2]
        size = (max(1, width_px // _BLOCK_PX), max(1, height_px // _BLOCK_PX))
        blocks = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.float32)
        known = self._known
        if known is not None and known.shape == blocks.shape and self._skipped < _MOST_SKIPPED:
            if float(np.abs(blocks - known).max()) <= _STIRRED:
                self._skipped += 1
                return True
        self._known, self._skipped = blocks, 0
        return False

    def end(self) -> None:
        """Have the next frame looked at in full."""
        self._known = None
