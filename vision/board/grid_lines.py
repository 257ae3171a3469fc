"""Detection of the printed grid's line segments in a view, and parameters of small homographies of a grid."""

from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision.geometry.homography import Homography, through_corners
from vision.geometry.rectify import CELL_PX, GRID_CORNERS, MARGIN_CELLS, SIDE

# Margin excluded at each end of a segment, in view pixels, where the crossing line blurs it.
_INSET_PX: Final = 5
# The least ratio of a segment's peak to the standard deviation of its profile; below, it is no evidence (a dashed
# line's gap, a print's dot). A lone line has about 2.5. The deviation is taken over the whole profile at every reach:
# of a short one, most is the line itself, and its peak would hardly stand out.
_LEAST_CONTRAST: Final = 1.6


def line_profiles(response: NDArray[np.float32], half_px: int) -> NDArray[np.float64]:
    """Return the mean response across each vertical segment.

    Args:
        response: of each pixel of a view to a vertical line, shape (VIEW_PX, VIEW_PX), float32.
        half_px: half the length of a profile, to each side of the segment's place.

    Returns:
        Shape (10 lines, 9 rows, 2 * half_px + 1).
    """
    first_px = round(MARGIN_CELLS * CELL_PX)
    left, top = first_px - half_px, first_px + _INSET_PX
    strips = sliding_window_view(response, (CELL_PX - 2 * _INSET_PX, 2 * half_px + 1))
    within = strips[top::CELL_PX, left::CELL_PX][:SIDE, : SIDE + 1]
    return np.asarray(within.mean(axis=2).swapaxes(0, 1), np.float64)


def line_peaks(profiles: NDArray[np.float64], axis: int, reach_px: int) -> NDArray[np.float64]:
    """Return the peak of each profile within reach, refined by a parabola.

    Args:
        profiles: the result of `line_profiles`, bright lines positive.
        axis: 0 for vertical lines, 1 for the horizontal ones of a transposed response.
        reach_px: the largest distance from its place at which a segment is searched for.

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
    """Return the terms of a point's x (or y, unless `along_x`) in a small homography's parameters, shape (n, 8)."""
    here = np.where(along_x, x, y)
    affine = np.column_stack([np.ones_like(x), x, y])
    return np.column_stack([affine * along_x[:, None], affine * ~along_x[:, None], here * x, here * y])


def small_homography(solution: NDArray[np.float64]) -> Homography:
    """Return the homography of cell space with the given eight parameters of `projective_terms`."""
    corners_x, corners_y = (GRID_CORNERS - SIDE / 2).T
    shifts = [projective_terms(np.full(4, along_x), corners_x, corners_y) @ solution for along_x in (True, False)]
    return through_corners(GRID_CORNERS, GRID_CORNERS + np.column_stack(shifts))
