"""Fit of a quilt's grid by the printed lines that patches leave visible, and by the patches' seams.

Covered lines yield no evidence, and a print may have lines of its own. The correction is therefore a maximum a
posteriori estimate: segments are weighted robustly against outliers, and the prior is the known error of a guess (a
board lies a few millimetres beside its frame, but it is hardly rotated, and never bent).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.grid_lines import line_peaks, line_profiles, projective_terms, small_homography
from vision.geometry.homography import Homography
from vision.geometry.rectify import SIDE, rectify

# Largest distance from its expected place at which a segment is searched for, in view pixels, by round.
_REACHES_PX: Final = (8, 8, 6, 5, 4, 4)
# Half of a profile's length, in view pixels: more than the widest reach.
_PROFILE_PX: Final = 10
# Scatter of the grid's own segments about their lines, in cells.
_SCATTER: Final = 0.02
# Change of the solution below which the iteration has converged: no corner of the grid moves by a thousandth of a cell.
_STILL: Final = 1e-5
# The error that each parameter of `projective_terms` may have in a guess: a shift by 0.15 cells, corners by 0.04.
_FREEDOM: Final = np.array([0.15, 0.006, 0.006, 0.15, 0.006, 0.006, 0.0006, 0.0006])


def fit_covered_grid(
    image: NDArray[np.uint8], guess: Homography, freedom: float = 1.0, rounds: int = len(_REACHES_PX)
) -> tuple[Homography, float]:
    """Refine a guess by the visible segments of the grid.

    Args:
        image: a picture, shape (height, width, 3), uint8, BGR, or (height, width), grey.
        guess: maps cell space to the picture, off by at most a quarter of a cell.
        freedom: factor on the expected error of the guess; 1 for a guess by fiducials or by hand.
        rounds: number of iterations; after two the grid is within a tenth of a cell of its final place.

    Returns:
        The refined map, and the share of the 180 segments that lie on its lines, 0..1.
    """
    refined = CoveredGrid(guess, freedom).looked_at(image, rounds)
    return refined.place, refined.support


@dataclass(frozen=True, slots=True, eq=False)
class CoveredGrid:
    """A fit of a grid in progress, refined by repeated looks at a picture.

    Attributes:
        guess: as for `fit_covered_grid`.
        freedom: as for `fit_covered_grid`.
        rounds: number of looks so far.
        solution: the correction of the guess as parameters of `projective_terms`, shape (8,).
        support: the share of the 180 segments that lie on its lines, 0..1.
    """

    guess: Homography
    freedom: float
    rounds: int = 0
    solution: NDArray[np.float64] = field(default_factory=lambda: np.zeros(8))
    support: float = 0.0

    @property
    def place(self) -> Homography:
        """The refined map from cell space to pixels."""
        return self.guess.after(small_homography(self.solution)) if self.rounds else self.guess

    def looked_at(self, image: NDArray[np.uint8], rounds: int = len(_REACHES_PX)) -> CoveredGrid:
        """Return the fit after a total of `rounds` looks; `image` is as for `fit_covered_grid`."""
        current = self
        for number in range(self.rounds, rounds):
            segments = _segments(rectify(image, current.place), _REACHES_PX[number])
            solution, support = _likeliest(segments, current.solution, _FREEDOM * self.freedom)
            current = CoveredGrid(self.guess, self.freedom, number + 1, solution, support)
        return current


def line_responses(view: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the response of each pixel to a thin vertical and to a thin horizontal line.

    Positive values are bright lines, negative ones dark.
    """
    light = view if view.ndim == 2 else cv2.cvtColor(view, cv2.COLOR_BGR2GRAY)
    grey = cv2.GaussianBlur(light.astype(np.float32), (0, 0), 1.0)
    kernel = np.array([[-1.0, 0.0, 2.0, 0.0, -1.0]], np.float32)
    vertical, horizontal = (cv2.filter2D(grey, cv2.CV_32F, turned) for turned in (kernel, kernel.T))
    return np.asarray(vertical, np.float32), np.asarray(horizontal, np.float32)


def _segments(view: NDArray[np.uint8], reach_px: int) -> NDArray[np.float64]:
    """Return rows of (axis, x, y, offset) in cells, one for each segment detected within reach of its place."""
    responses = line_responses(view)
    found = []
    for axis, response in enumerate((responses[0], responses[1].T)):
        profiles = line_profiles(response, _PROFILE_PX)
        # Seams are dark wherever printed lines are light, so both signs are searched for.
        found += [line_peaks(profiles * sign, axis, reach_px) for sign in (1.0, -1.0)]
    return np.concatenate(found)


def _likeliest(
    segments: NDArray[np.float64], before: NDArray[np.float64], freedom: NDArray[np.float64]
) -> tuple[NDArray[np.float64], float]:
    """Return the most likely parameters given segments of a view corrected by `before`, and the share of inliers."""
    terms = projective_terms(segments[:, 0] == 0, segments[:, 1] - SIDE / 2, segments[:, 2] - SIDE / 2)
    offsets = segments[:, 3] + terms @ before
    solution = before
    fixed = np.diag(freedom**-2)
    for _ in range(15):
        # Cauchy weights: a print's own pattern pulls no harder than a line that agrees.
        precision = 1.0 / (_SCATTER**2 + (terms @ solution - offsets) ** 2)
        weighted = terms * precision[:, None]
        solved = np.linalg.solve(weighted.T @ terms + fixed, weighted.T @ offsets)
        moved, solution = np.abs(solved - solution).max(), np.asarray(solved, np.float64)
        if moved < _STILL:
            break
    on_line = np.abs(terms @ solution - offsets) < 3 * _SCATTER
    return solution, float(on_line.sum()) / (2 * SIDE * (SIDE + 1))
