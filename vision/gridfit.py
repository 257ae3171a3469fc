"""Fits the printed 9x9 grid of an empty quilt board, to a fraction of a pixel.

The mats say roughly where a board lies (people put it down a millimetre or two off, and cardboard has a thickness); a
person who clicks corners is no better. The printed lines themselves say it exactly: each of the 180 line segments
is looked for across its expected place, and one projective correction that most of them agree on is applied.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.homography import FailedFit, Homography, through_corners
from vision.rectify import CELL_PX, GRID_CORNERS, MARGIN_CELLS, SIDE, rectify

if TYPE_CHECKING:
    from numpy.typing import NDArray

_REACHES_PX: Final = (9, 9, 6, 4, 3)
"""How far from its place a line is looked for, round by round; twice as far as can be, for a guess at its worst."""
_INSET_PX: Final = 5
_PROFILE_PX: Final = _REACHES_PX[0]
_LEAST_CONTRAST: Final = 1.6
"""A segment's peak over the spread of its profile; below, it says nothing (a dashed line's gap, a print's dot).

A lone line has about 2.5. The spread is taken over the whole profile at every reach: of a short one, the line itself is
most, and its peak would hardly stand out.
"""
_LEAST_SEGMENTS: Final = 60
_LEAST_SUPPORT: Final = 0.4
"""Below, chance put the segments in line: a board without a grid was seen to reach 0.34, one with faint lines 0.57."""


@dataclass(frozen=True, slots=True, eq=False)
class GridFit:
    """Where the printed grid is.

    Attributes:
        cells_to_image: maps cell space to pixels of the image.
        residual_cells: median distance of the segments found from the fitted lines, in cells.
        support: share of the 180 line segments that were found on the fitted lines.
    """

    cells_to_image: Homography
    residual_cells: float
    support: float


def fit_grid(image: NDArray[np.uint8], guess: Homography) -> GridFit | FailedFit:
    """Refine a guess by the printed lines of an empty board.

    Args:
        image: a frame, shape (height, width, 3), uint8, BGR.
        guess: maps cell space to the frame, off by at most a quarter of a cell.

    Returns:
        The fit, or why there is none (lines that cannot be seen).
    """
    current = guess
    residual, support = 0.0, 0.0
    for reach_px in _REACHES_PX:
        response = _line_responses(rectify(image, current))
        segments = _segments(response, reach_px)
        if len(segments) < _LEAST_SEGMENTS:
            return FailedFit(f"only {len(segments)} of 180 segments of the printed grid can be seen")
        correction, residual, support = _correct(segments)
        current = current.after(correction)
    if support < _LEAST_SUPPORT:
        return FailedFit(f"only {support:.0%} of the printed grid lie on straight lines")
    return GridFit(current, residual, support)


def _line_responses(view: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """How much each pixel looks like a vertical and like a horizontal line, positive for a bright one."""
    grey = cv2.GaussianBlur(cv2.cvtColor(view, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), 1.0)
    # The second derivative over 2 px is the response of a thin line, whatever the light's gradient.
    kernel = np.array([[-1.0, 0.0, 2.0, 0.0, -1.0]], np.float32)
    vertical = cv2.filter2D(grey, cv2.CV_32F, kernel)
    horizontal = cv2.filter2D(grey, cv2.CV_32F, kernel.T)
    return np.asarray(vertical, np.float32), np.asarray(horizontal, np.float32)


def _segments(
    responses: tuple[NDArray[np.float32], NDArray[np.float32]], reach_px: int
) -> NDArray[np.float64]:
    """Rows of (axis, x, y, offset) in cells, one for each line segment that is seen within reach of its place."""
    profiles = [_profiles(response) for response in (responses[0], responses[1].T)]
    both = np.stack(profiles)
    # A line's middle answers louder than its two flanks. This is asked of each segment by itself, for the places of
    # all of them, as far as a bad guess spreads them, average out to nothing.
    bright = np.median(both.max(axis=-1)) >= np.median(-both.min(axis=-1))
    return np.concatenate(
        [_peaks(each if bright else -each, axis, reach_px) for axis, each in enumerate(profiles)]
    )


def _profiles(response: NDArray[np.float32]) -> NDArray[np.float64]:
    """Mean response across each vertical segment, shape (10 lines, 9 rows, 2 * _PROFILE_PX + 1)."""
    margin_px = round(MARGIN_CELLS * CELL_PX)
    profiles = np.empty((SIDE + 1, SIDE, 2 * _PROFILE_PX + 1))
    for line in range(SIDE + 1):
        left = margin_px + line * CELL_PX - _PROFILE_PX
        for row in range(SIDE):
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


def _correct(segments: NDArray[np.float64]) -> tuple[Homography, float, float]:
    """The projective correction in cell space that most segments agree on, its median residual and its support."""
    vertical, x, y, offsets = segments[:, 0] == 0, segments[:, 1], segments[:, 2], segments[:, 3]
    terms = _projective_terms(vertical, x - SIDE / 2, y - SIDE / 2)
    weights = np.ones(len(segments))
    for _ in range(12):
        solution = np.linalg.lstsq(terms * weights[:, None], offsets * weights, rcond=None)[0]
        errors = np.abs(terms @ solution - offsets)
        # Cauchy weights: a print's own pattern pulls no harder than a line that agrees.
        weights = 1.0 / np.sqrt(1.0 + (errors / 0.02) ** 2)
    corners_x, corners_y = (GRID_CORNERS - SIDE / 2).T
    shifts = [
        _projective_terms(np.full(4, axis_is_x), corners_x, corners_y) @ solution for axis_is_x in (True, False)
    ]
    on_line = errors < 0.06
    typical = float(np.median(errors[on_line])) if on_line.any() else float("inf")
    support = float(on_line.sum()) / (2 * SIDE * (SIDE + 1))
    return through_corners(GRID_CORNERS, GRID_CORNERS + np.column_stack(shifts)), typical, support


def _projective_terms(
    along_x: NDArray[np.bool_], x: NDArray[np.float64], y: NDArray[np.float64]
) -> NDArray[np.float64]:
    """How a point's x (or y, where not `along_x`) moves by the eight parameters of a small homography, shape (n, 8)."""
    here = np.where(along_x, x, y)
    affine = np.column_stack([np.ones_like(x), x, y])
    return np.column_stack([affine * along_x[:, None], affine * ~along_x[:, None], here * x, here * y])
