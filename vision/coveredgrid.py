"""Refines where a quilt's grid lies by the printed lines that patches have left visible, and by the patches' seams.

Covered lines tell nothing, and a print may have lines of its own. So a correction is the likeliest one: it weighs the
segments seen, with little regard for those that disagree, against how far off a guess is known to be: a board lies a
few millimetres beside its frame, but it is hardly turned, and never bent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.homography import Homography, through_corners
from vision.rectify import CELL_PX, GRID_CORNERS, MARGIN_CELLS, SIDE, rectify

if TYPE_CHECKING:
    from numpy.typing import NDArray

_REACHES_PX: Final = (8, 8, 6, 5, 4, 4)
"""How far from its place a segment is looked for, round by round."""
_PROFILE_PX: Final = 10
_INSET_PX: Final = 5
_LEAST_CONTRAST: Final = 1.6
"""A segment's peak over the spread of its profile; below, it says nothing."""
_SCATTER: Final = 0.02
"""How far a segment lies off its line, in cells, when it is the grid's."""
_FREEDOM: Final = np.array([0.15, 0.006, 0.006, 0.15, 0.006, 0.006, 0.0006, 0.0006])
"""By how much each parameter of `_terms` is known to be off in a guess: a shift by 0.15 cells, corners by 0.04."""


def fit_covered_grid(
    image: NDArray[np.uint8], guess: Homography, freedom: float = 1.0
) -> tuple[Homography, float]:
    """Refine a guess by what is seen of the grid.

    Args:
        image: a picture, shape (height, width, 3), uint8, BGR.
        guess: maps cell space to the picture, off by at most a quarter of a cell.
        freedom: how much worse the guess is than one by fiducials or by hand.

    Returns:
        The refined map, and the share of the 180 segments that lie on its lines, 0..1.
    """
    support, current = 0.0, guess
    solution: NDArray[np.float64] = np.zeros(8)
    for reach_px in _REACHES_PX:
        segments = _segments(rectify(image, current), reach_px)
        solution, support = _likeliest(segments, solution, _FREEDOM * freedom)
        current = guess.after(_correction(solution))
    return current, support


def line_responses(view: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """How much each pixel looks like a vertical and like a horizontal thin line, positive for a bright one."""
    grey = cv2.GaussianBlur(cv2.cvtColor(view, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), 1.0)
    kernel = np.array([[-1.0, 0.0, 2.0, 0.0, -1.0]], np.float32)
    vertical, horizontal = (cv2.filter2D(grey, cv2.CV_32F, turned) for turned in (kernel, kernel.T))
    return np.asarray(vertical, np.float32), np.asarray(horizontal, np.float32)


def _segments(view: NDArray[np.uint8], reach_px: int) -> NDArray[np.float64]:
    """Rows of (axis, x, y, offset) in cells, one for each segment that is seen within reach of its place."""
    responses = line_responses(view)
    found = []
    for axis, response in enumerate((responses[0], responses[1].T)):
        profiles = _profiles(response)
        # Seams are dark wherever printed lines are light, so both are looked for.
        found += [_peaks(profiles * sign, axis, reach_px) for sign in (1.0, -1.0)]
    return np.concatenate(found)


def _profiles(response: NDArray[np.float32]) -> NDArray[np.float64]:
    """Mean response across each vertical segment, shape (10 lines, 9 rows, 2 * _PROFILE_PX + 1)."""
    margin_px = round(MARGIN_CELLS * CELL_PX)
    profiles = np.empty((SIDE + 1, SIDE, 2 * _PROFILE_PX + 1))
    for line, row in np.ndindex(SIDE + 1, SIDE):
        left = margin_px + line * CELL_PX - _PROFILE_PX
        top = margin_px + row * CELL_PX + _INSET_PX
        strip = response[top : top + CELL_PX - 2 * _INSET_PX, left : left + 2 * _PROFILE_PX + 1]
        profiles[line, row] = strip.mean(axis=0)
    return profiles


def _peaks(profiles: NDArray[np.float64], axis: int, reach_px: int) -> NDArray[np.float64]:
    """The strongest place of each profile within reach, refined by a parabola."""
    rows = []
    within = profiles[:, :, _PROFILE_PX - reach_px : _PROFILE_PX + reach_px + 1]
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


def _likeliest(
    segments: NDArray[np.float64], before: NDArray[np.float64], freedom: NDArray[np.float64]
) -> tuple[NDArray[np.float64], float]:
    """The likeliest parameters given segments seen in a view corrected by `before`, and the share that agrees."""
    terms = _terms(segments[:, 0] == 0, segments[:, 1] - SIDE / 2, segments[:, 2] - SIDE / 2)
    offsets = segments[:, 3] + terms @ before
    solution = before
    fixed = np.diag(freedom**-2)
    for _ in range(15):
        # Cauchy weights: a print's own pattern pulls no harder than a line that agrees.
        precision = 1.0 / (_SCATTER**2 + (terms @ solution - offsets) ** 2)
        weighted = terms * precision[:, None]
        solution = np.asarray(np.linalg.solve(weighted.T @ terms + fixed, weighted.T @ offsets), np.float64)
    on_line = np.abs(terms @ solution - offsets) < 3 * _SCATTER
    return solution, float(on_line.sum()) / (2 * SIDE * (SIDE + 1))


def _correction(solution: NDArray[np.float64]) -> Homography:
    corners_x, corners_y = (GRID_CORNERS - SIDE / 2).T
    shifts = [_terms(np.full(4, along_x), corners_x, corners_y) @ solution for along_x in (True, False)]
    return through_corners(GRID_CORNERS, GRID_CORNERS + np.column_stack(shifts))


def _terms(along_x: NDArray[np.bool_], x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """How a point's x (or y, where not `along_x`) moves by the eight parameters of a small homography, shape (n, 8)."""
    here = np.where(along_x, x, y)
    affine = np.column_stack([np.ones_like(x), x, y])
    return np.column_stack([affine * along_x[:, None], affine * ~along_x[:, None], here * x, here * y])
