"""The printed grid's line segments in a view, and the small homographies that a grid may be off by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from vision.homography import Homography, through_corners
from vision.rectify import CELL_PX, GRID_CORNERS, MARGIN_CELLS, SIDE

if TYPE_CHECKING:
    from numpy.typing import NDArray

_INSET_PX: Final = 5
_LEAST_CONTRAST: Final = 1.6
"""A segment's peak over the spread of its profile; below, it says nothing (a dashed line's gap, a print's dot).

A lone line has about 2.5. The spread is taken over the whole profile at every reach: of a short one, the line itself is
most, and its peak would hardly stand out.
"""


def line_profiles(response: NDArray[np.float32], half_px: int) -> NDArray[np.float64]:
    """Mean response across each vertical segment.

    Args:
        response: how much each pixel of a view looks like a vertical line, shape (VIEW_PX, VIEW_PX), float32.
        half_px: how far a profile reaches to each side of the segment's place.

    Returns:
        Shape (10 lines, 9 rows, 2 * half_px + 1).
    """
    margin_px = round(MARGIN_CELLS * CELL_PX)
    profiles = np.empty((SIDE + 1, SIDE, 2 * half_px + 1))
    for line, row in np.ndindex(SIDE + 1, SIDE):
        left = margin_px + line * CELL_PX - half_px
        top = margin_px + row * CELL_PX + _INSET_PX
        strip = response[top : top + CELL_PX - 2 * _INSET_PX, left : left + 2 * half_px + 1]
        profiles[line, row] = strip.mean(axis=0)
    return profiles


def line_peaks(profiles: NDArray[np.float64], axis: int, reach_px: int) -> NDArray[np.float64]:
    """The strongest place of each profile within reach, refined by a parabola.

    Args:
        profiles: as `line_profiles` gives them, bright lines positive.
        axis: 0 for vertical lines, 1 for the horizontal ones of a transposed response.
        reach_px: how far from its place a segment is looked for.

    Returns:
        Rows of (axis, x, y, offset) in cells, one for each segment that stands out.
    """
    rows = []
    middle = profiles.shape[2] // 2
    within = profiles[:, :, middle - reach_px : middle + reach_px + 1]
    spreads = profiles.std(axis=2)
    for line, row in np.ndindex(profiles.shape[:2]):
        profile = within[line, row]
        peak = int(profile.argmax())
        if not 0 < peak < len(profile) - 1 or profile[peak] < _LEAST_CONTRAST * spreads[line, row]:
            continue
        before, here, after = profile[peak - 1 : peak + 2]
        # A line on a whole pixel of the view lies half a pixel beside a cell's edge.
        place_px = peak + 0.5 * (before - after) / (before - 2 * here + after) - reach_px + 0.5
        along, across = row + 0.5, float(line)
        x, y = (across, along) if axis == 0 else (along, across)
        rows.append((axis, x, y, place_px / CELL_PX))
    return np.array(rows, np.float64).reshape(-1, 4)


def projective_terms(along_x: NDArray[np.bool_], x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """How a point's x (or y, where not `along_x`) moves by the eight parameters of a small homography, shape (n, 8)."""
    here = np.where(along_x, x, y)
    affine = np.column_stack([np.ones_like(x), x, y])
    return np.column_stack([affine * along_x[:, None], affine * ~along_x[:, None], here * x, here * y])


def small_homography(solution: NDArray[np.float64]) -> Homography:
    """The homography of cell space whose eight parameters, by `projective_terms`, are given."""
    corners_x, corners_y = (GRID_CORNERS - SIDE / 2).T
    shifts = [projective_terms(np.full(4, along_x), corners_x, corners_y) @ solution for along_x in (True, False)]
    return through_corners(GRID_CORNERS, GRID_CORNERS + np.column_stack(shifts))
