"""Conditions on two boards in one picture: they lie in one plane, do not overlap, and have one size."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.homography import Homography
from vision.geometry.rectify import GRID_CORNERS, SIDE

# The largest share of a grid's area that two boards may share: two boards that touch share less, and a grid that is
# fitted a line beside its place shares more.
_MOST_SHARED: Final = 0.02
MAX_SIZE_RATIO: Final = 1.3
"""The largest ratio of two boards' sizes after the first one's perspective is removed.
A fit to patches' seams has been seen to make it 1.2.
"""
MAX_SIZE_RATIO_EMPTY: Final = 1.12
"""The same ratio for empty boards, which are fitted better: a lens' distortion makes it up to 1.06."""


def separate_pair(places: Sequence[Homography], max_ratio: float = MAX_SIZE_RATIO) -> list[Homography]:
    """Return the first board and the next one that lies beside it and has the same size; without one, the first alone.

    Each is a map from cell space to pixels.
    """
    if not places:
        return []
    first = places[0]
    for other in places[1:]:
        if not overlap(first, other) and are_of_one_size(first, other, max_ratio):
            return [first, other]
    return [first]


def area_px2(place: Homography) -> float:
    """Return the area of a grid in the picture, in square pixels."""
    return float(cv2.contourArea(_corners(place)))


def overlap(one: Homography, other: Homography) -> bool:
    """Return whether two grids overlap."""
    shared, _ = cv2.intersectConvexConvex(_corners(one), _corners(other))
    return shared > _MOST_SHARED * min(area_px2(one), area_px2(other))


def are_of_one_size(one: Homography, other: Homography, max_ratio: float = MAX_SIZE_RATIO) -> bool:
    """Return whether two grids have the same size after the first one's perspective is removed."""
    stretches = _stretches(one.inverse.after(other)), _stretches(other.inverse.after(one))
    return all(1 / max_ratio < stretch < max_ratio for pair in stretches for stretch in pair)


def _stretches(motion: Homography) -> tuple[float, float]:
    """Return the stretch factors of a map of cell space at the grid's middle, along its two principal directions."""
    points = np.array([SIDE / 2, SIDE / 2]) + 0.5 * np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    right, left, down, up = motion(points)
    most, least = np.linalg.svd(np.column_stack([right - left, down - up]), compute_uv=False)
    return float(most), float(least)


def _corners(place: Homography) -> NDArray[np.float32]:
    return place(GRID_CORNERS).astype(np.float32)
