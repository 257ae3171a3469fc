"""The printed grid's line segments in a view, and the small homographies that a grid may be off by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from vision.geometry.homography import Homography, through_corners
from vision.geometry.rectify import CELL_PX, GRID_CORNERS, MARGIN_CELLS, SIDE

if TYPE_CHECKING:
    from numpy.typing import NDArray

_INSET_PX: Final = 5
"""Left out at each end of a segment, in view pixels, where the crossing line blurs it."""
_LEAST_CONTRAST: Final = 1.6
"""A segment's peak over the spread of its profile; below, it says nothing (a dashed line's gap, a print's dot).

A lone line has about 2.5. The spread is taken over the whole profile at every reach: of a short one, the line itself is
most, and its peak would hardly stand out.
"""


def line_profiles(response: NDArray[np.float32], half_px: int) -> NDArray[np.float64]:
    """Return the mean response across each vertical segment.

    Args:
        response: how much each pixel of a view looks like a vertical line, shape (VIEW_PX, VIEW_PX), float32.
        half_px: how far a profile reaches to each side of the segment's place.

    Returns:
        Shape (10 lines, 9 rows, 2 * half_px + 1).
    """
    first_px = round(MARGIN_CELLS * CELL_PX)
    left, top = first_px - half_px, first_px + _INSET_PX
    strips = sliding_window_view(response, (CELL_PX - 2 * _INSET_PX, 2 * half_px + 1))
    within = strips[top::CELL_PX, left::CELL_PX][:SIDE, : SIDE + 1]
    return np.asarray(within.mean(axis=2).swapaxes(0, 1), np.float64)


def line_peaks(profiles: NDArray[np.float64], axis: int, reach_px: int) -> NDArray[np.float64]:
    """Return the strongest place of each profile within reach, refined by a parabola.

    Args:
        profiles: as `line_profiles` gives them, bright lines positive.
        axis: 0 for vertical lines, 1 for the horizontal ones of a transposed response.
        reach_px: how far from its place a segment is looked for.

    Returns:
        Rows of (axis, x, y, offset) in cells, one for each segment that stands out.
    """
    middle = profiles.shape[2] // 2
    within = profiles[:, :, middle - reach_px : middle + reach_px + 1]
    peaks = within.argmax(axis=2)
    stands_out = within.max(axis=2) >= _LEAST_CONTRAST * profiles.std(axis=2)
    lines, rows = np.nonzero(stands_out & (peaks > 0) & (peaks < within.shape[2] - 1))
    peak = peaks[lines, rows]
    before, here, after = (within[lines, rows, peak + beside] for beside in (-1, 0, 1))
    # A line on a whole pixel of the view lies half a pixel beside a cell's edge.
    places_px = peak + 0.5 * (before - after) / (before - 2 * here + after) - reach_px + 0.5
    along, across = rows + 0.5, lines.astype(np.float64)
    x, y = (across, along) if axis == 0 else (along, across)
    return np.column_stack([np.full(len(x), float(axis)), x, y, places_px / CELL_PX])


def projective_terms(along_x: NDArray[np.bool_], x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how a point's x (or y, unless `along_x`) moves by a small homography's eight parameters, shape (n, 8)."""
    here = np.where(along_x, x, y)
    affine = np.column_stack([np.ones_like(x), x, y])
    return np.column_stack([affine * along_x[:, None], affine * ~along_x[:, None], here * x, here * y])


def small_homography(solution: NDArray[np.float64]) -> Homography:
    """Return the homography of cell space whose eight parameters, by `projective_terms`, are given."""
    corners_x, corners_y = (GRID_CORNERS - SIDE / 2).T
    shifts = [projective_terms(np.full(4, along_x), corners_x, corners_y) @ solution for along_x in (True, False)]
    return through_corners(GRID_CORNERS, GRID_CORNERS + np.column_stack(shifts))
