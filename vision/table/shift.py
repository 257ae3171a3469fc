"""The motion of the whole table in the picture, by both boards: a nudge of the camera moves everything together."""

from collections.abc import Mapping
from typing import Final

import cv2
import numpy as np

from vision.geometry.homography import Homography
from vision.geometry.rectify import SIDE

STILL_PX: Final = 2.0
"""Motion of a corner below which it counts as still, by the accuracy of detection."""
# Residual of a corner from which a board was moved by hand.
_AS_ONE_PX: Final = 2.0
_CORNERS: Final = np.array([[0.0, 0.0], [SIDE, 0.0], [SIDE, SIDE], [0.0, SIDE]])


def table_shift(before: Mapping[int, Homography], now: Mapping[int, Homography]) -> Homography | None:
    """Return the map from an earlier picture's pixels to a later one's, for objects on the table.

    Args:
        before: by seat, the maps from cell space to the earlier picture's pixels.
        now: by seat, the maps from cell space to the later picture's pixels.

    Returns:
        The identity if a board has stayed, and therefore the camera; one map if both have moved together; None if they
        have not, or it cannot be determined.
    """
    seats = [seat for seat in before if seat in now]
    was = {seat: before[seat](_CORNERS) for seat in seats}
    is_ = {seat: now[seat](_CORNERS) for seat in seats}
    if any(np.hypot(*(is_[seat] - was[seat]).T).max() < STILL_PX for seat in seats):
        return Homography(np.eye(3))
    if len(seats) < 2:
        return None
    source, target = np.concatenate([was[seat] for seat in seats]), np.concatenate([is_[seat] for seat in seats])
    # A map through eight corners of two squares always exists; its residuals show whether it is valid.
    shift = Homography(np.asarray(cv2.findHomography(source, target)[0], np.float64))
    return shift if shift.residuals(source, target).max() < _AS_ONE_PX else None
