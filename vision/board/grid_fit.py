"""Fit of the printed 9x9 grid of an empty quilt board, to a fraction of a pixel.

The mats give a board's place roughly (people put it down a millimetre or two off, and cardboard has a thickness);
corners clicked by hand are no better. The printed lines give it exactly: each of the 180 line segments is searched for
across its expected place, and the projective correction that fits most of them is applied.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.grid_lines import line_peaks, line_profiles, projective_terms, small_homography
from vision.geometry.homography import FailedFit, Homography
from vision.geometry.rectify import SIDE, rectify

# Largest distance from its expected place at which a line is searched for, in view pixels, by round; the first is twice
# the greatest error of a guess.
_REACHES_PX: Final = (9, 9, 6, 4, 3)
_PROFILE_PX: Final = _REACHES_PX[0]
# The least number of the grid's 180 segments: a fit of eight parameters to fewer would follow chance.
_LEAST_SEGMENTS: Final = 60
# Below this, segments align by chance: a board without a grid reached 0.34, one with faint lines 0.57.
_LEAST_SUPPORT: Final = 0.4


@dataclass(frozen=True, slots=True, eq=False)
class GridFit:
    """The place of the printed grid.

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
        The fit, or the reason for its failure (lines that cannot be seen).
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
    """Return the response of each pixel to a vertical and to a horizontal line, positive for a bright one."""
    grey = cv2.GaussianBlur(cv2.cvtColor(view, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), 1.0)
    # The second derivative over 2 px is the response of a thin line, whatever the light's gradient.
    kernel = np.array([[-1.0, 0.0, 2.0, 0.0, -1.0]], np.float32)
    vertical = cv2.filter2D(grey, cv2.CV_32F, kernel)
    horizontal = cv2.filter2D(grey, cv2.CV_32F, kernel.T)
    return np.asarray(vertical, np.float32), np.asarray(horizontal, np.float32)


def _segments(responses: tuple[NDArray[np.float32], NDArray[np.float32]], reach_px: int) -> NDArray[np.float64]:
    """Return rows of (axis, x, y, offset) in cells, one for each line segment detected within reach of its place."""
    profiles = [line_profiles(response, _PROFILE_PX) for response in (responses[0], responses[1].T)]
    both = np.stack(profiles)
    # A line's middle has a stronger response than its two flanks. The sign is decided per segment: averaged over
    # segments that a bad guess has spread, the responses cancel out.
    bright = np.median(both.max(axis=-1)) >= np.median(-both.min(axis=-1))
    return np.concatenate([line_peaks(each if bright else -each, axis, reach_px) for axis, each in enumerate(profiles)])


def _correct(segments: NDArray[np.float64]) -> tuple[Homography, float, float]:
    """Return the correction in cell space that fits most segments, its median residual and its support."""
    vertical, x, y, offsets = segments[:, 0] == 0, segments[:, 1], segments[:, 2], segments[:, 3]
    terms = projective_terms(vertical, x - SIDE / 2, y - SIDE / 2)
    weights = np.ones(len(segments))
    for _ in range(12):
        solution = np.linalg.lstsq(terms * weights[:, None], offsets * weights, rcond=None)[0]
        errors = np.abs(terms @ solution - offsets)
        # Cauchy weights: a print's own pattern pulls no harder than a line that agrees.
        weights = 1.0 / np.sqrt(1.0 + (errors / 0.02) ** 2)
    on_line = errors < 0.06
    typical = float(np.median(errors[on_line])) if on_line.any() else float("inf")
    support = float(on_line.sum()) / (2 * SIDE * (SIDE + 1))
    return small_homography(np.asarray(solution, np.float64)), typical, support
