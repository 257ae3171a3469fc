"""Averaging of views of one unchanged scene, against the sensor's noise."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

# Edge of the compared squares: half a cell, so that the smallest patch fills four.
_SQUARE_PX: Final = 16
_MEAN: Final = np.full((1, 3), 1 / 3, np.float32)
# Ratio of a square's difference to the median square's from which it shows a change: between two frames of one scene,
# noise is equal all over the view; a patch in the board's own colour differs in its weave.
_OTHERWISE: Final = 2.0
# Grey levels of difference that are attributed to vibration of the camera.
_LEAST: Final = 1.5
# Largest difference, in grey levels, of a square's mean from the median change; or `_OTHERWISE` times the median
# square's difference if that is more, because a dim sensor's noise is coarse-grained. Beyond it a shadow has moved.
_LEVEL: Final = 4.0


def averaged(views: Sequence[NDArray[np.uint8]]) -> NDArray[np.uint8]:
    """Return the mean of the latest view and those immediately before it that show the same.

    Args:
        views: views of one quilt, latest last; at least one, each of shape (VIEW_PX, VIEW_PX, 3), uint8, BGR.
    """
    latest = views[-1]
    total, count = latest.astype(np.float32), 1
    for view in reversed(views[:-1]):
        if not shows_the_same(view, latest):
            break
        total += view
        count += 1
    return np.asarray(np.rint(total / count), np.uint8) if count > 1 else latest


def shows_the_same(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> bool:
    """Return whether two views differ by noise alone; False in doubt."""
    difference = cv2.GaussianBlur(one, (3, 3), 0.8).astype(np.float32) - cv2.GaussianBlur(other, (3, 3), 0.8)
    grey = np.asarray(cv2.transform(difference, _MEAN), np.float32)
    level = _of_squares(grey)
    spread = np.sqrt(np.maximum(_of_squares(grey * grey) - level * level, 0.0))
    usual = _OTHERWISE * float(np.median(spread))
    even = np.abs(level - np.median(level)).max() <= max(_LEVEL, usual)
    return bool(even and spread.max() <= max(_LEAST, usual))


def _of_squares(grey: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the mean of each square."""
    count = grey.shape[0] // _SQUARE_PX
    return np.asarray(cv2.resize(grey, (count, count), interpolation=cv2.INTER_AREA), np.float32)
