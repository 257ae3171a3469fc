"""The motion of the whole table in the picture, by both boards: a nudge of the camera moves everything as one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.geometry.homography import Homography
from vision.geometry.rectify import SIDE

if TYPE_CHECKING:
    from collections.abc import Mapping

STILL_PX: Final = 2.0
"""Corners that moved less have not moved: they are found that well."""
_AS_ONE_PX: Final = 2.0
"""Corners further than this from where one map puts them were moved by hand."""
_CORNERS: Final = np.array([[0.0, 0.0], [SIDE, 0.0], [SIDE, SIDE], [0.0, SIDE]])


def table_shift(before: Mapping[int, Homography], now: Mapping[int, Homography]) -> Homography | None:
    """Return the map from an earlier picture's pixels to a later one's, for what lies on the table.

    Args:
        before: by seat, the maps from cell space to the earlier picture's pixels.
        now: by seat, the maps from cell space to the later picture's pixels.

    Returns:
        No motion if a board has stayed: then the camera has, too. One map for all if both have moved as one;
        None if they have not, or it cannot be determined.
    """
    seats = [seat for seat in before if seat in now]
    was = {seat: before[seat](_CORNERS) for seat in seats}
    is_ = {seat: now[seat](_CORNERS) for seat in seats}
    if any(np.hypot(*(is_[seat] - was[seat]).T).max() < STILL_PX for seat in seats):
        return Homography(np.eye(3))
    if len(seats) < 2:
        return None
    source, target = np.concatenate([was[seat] for seat in seats]), np.concatenate([is_[seat] for seat in seats])
    # Eight corners of two squares always have a map; its residuals show whether it is any good.
    shift = Homography(np.asarray(cv2.findHomography(source, target)[0], np.float64))
    return shift if shift.residuals(source, target).max() < _AS_ONE_PX else None
