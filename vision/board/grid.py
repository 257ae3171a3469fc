"""Fit of a quilt's grid, empty or covered, to its printed lines.

The mats give a board's place roughly (people put it down a millimetre or two off, and cardboard has a thickness);
corners clicked by hand are no better. The printed lines give it exactly: each of the 180 line segments is searched for
across its expected place, and the projective correction that fits most of them is applied.

On a board with patches, covered lines yield no evidence, seams count like lines, and a print may have lines of its own.
The correction is then a maximum a posteriori estimate: segments are weighted robustly against outliers, and the prior
is the known error of a guess (a board lies a few millimetres beside its frame, is hardly rotated, and never bent).
"""

from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision.geometry import (
    CELL_PX,
    GRID_CORNERS,
    MARGIN_CELLS,
    SIDE,
    FailedFit,
    Homography,
    rectify,
    through_corners,
)

# Margin excluded at each end of a segment, in view pixels, where the crossing line blurs it.
_INSET_PX: Final = 5
# The least ratio of a segment's peak to the standard deviation of its profile; below, it is no evidence (a dashed
# line's gap, a print's dot). A lone line has about 2.5. The deviation is taken over the whole profile at every reach:
# of a short one, most is the line itself, and its peak would hardly stand out.
_LEAST_CONTRAST: Final = 1.6


def line_responses(view: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the response of each pixel to a thin vertical and to a thin horizontal line.

    Positive values are bright lines, negative ones dark.
    """
    light = view if view.ndim == 2 else cv2.cvtColor(view, cv2.COLOR_BGR2GRAY)
    grey = cv2.GaussianBlur(light.astype(np.float32), (0, 0), 1.0)
    # The second derivative over 2 px is the response of a thin line, whatever the light's gradient.
    kernel = np.array([[-1.0, 0.0, 2.0, 0.0, -1.0]], np.float32)
    vertical, horizontal = (cv2.filter2D(grey, cv2.CV_32F, turned) for turned in (kernel, kernel.T))
    return np.asarray(vertical, np.float32), np.asarray(horizontal, np.float32)


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


# Largest distance from its place at which a line between two bare cells is searched for, and that at which it counts.
_BETWEEN_PX: Final = 4
_BETWEEN_CELLS: Final = 0.08


def lines_between(view: NDArray[np.uint8], bare: NDArray[np.bool_]) -> tuple[int, int]:
    """Return how many printed segments between two bare cells are seen in their places, and how many there are.

    Args:
        view: a rectified quilt, shape (VIEW_PX, VIEW_PX, 3), uint8, BGR.
        bare: the bare cells, shape (SIDE, SIDE), bool.
    """
    between = [each[:, 1:] & each[:, :-1] for each in (bare, bare.T)]
    seen = np.zeros(2, np.int64)
    for axis, response in enumerate(_turned(line_responses(view))):
        profiles = line_profiles(response, _PROFILE_PX)
        for number, sign in enumerate((1.0, -1.0)):
            _, x, y, offset = line_peaks(profiles * sign, axis, _BETWEEN_PX).T
            across, along = (x, y) if axis == 0 else (y, x)
            inner = (across > 0) & (across < SIDE) & (np.abs(offset) < _BETWEEN_CELLS)
            line, row = across[inner].astype(np.int64) - 1, along[inner].astype(np.int64)
            seen[number] += np.count_nonzero(between[axis][row, line])
    # All lines are brighter than the board, or all darker.
    return int(seen.max()), sum(int(np.count_nonzero(each)) for each in between)


def _turned(responses: tuple[NDArray[np.float32], NDArray[np.float32]]) -> tuple[NDArray[np.float32], ...]:
    """Return both responses with their lines vertical."""
    return responses[0], responses[1].T


# Largest distance from its expected place at which a line is searched for, in view pixels, by round; the first is twice
# the greatest error of a guess.
_EMPTY_REACHES_PX: Final = (9, 9, 6, 4, 3)
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
    for reach_px in _EMPTY_REACHES_PX:
        response = line_responses(rectify(image, current))
        segments = _empty_segments(response, reach_px)
        if len(segments) < _LEAST_SEGMENTS:
            return FailedFit(f"only {len(segments)} of 180 segments of the printed grid can be seen")
        correction, residual, support = _correct(segments)
        current = current.after(correction)
    if support < _LEAST_SUPPORT:
        return FailedFit(f"only {support:.0%} of the printed grid lie on straight lines")
    return GridFit(current, residual, support)


def _empty_segments(responses: tuple[NDArray[np.float32], NDArray[np.float32]], reach_px: int) -> NDArray[np.float64]:
    """Return rows of (axis, x, y, offset) in cells, one for each line segment detected within reach of its place."""
    profiles = [line_profiles(response, _EMPTY_REACHES_PX[0]) for response in _turned(responses)]
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


# Factor on the expected error of a grid with one corner moved.
_COARSE: Final = 2.0
# Distance by which each corner is moved in turn, in cells: with that of the fit, one more than a cell off is reached.
_ASTRAY_CELLS: Final = 0.75
# The lead in support from which a grid with one corner moved is the board's: of 22 boards in photographs, shown
# exactly, it was up to 0.09, where a print has lines of its own.
_ASTRAY_LEAD: Final = 0.1


def fit_shown_grid(image: NDArray[np.uint8], shown: Homography) -> Homography:
    """Return a grid that people show by its corners, refined; one of the corners may be a cell off.

    Of 42 boards in photographs with a corner 0.8 of a cell off, 28 were then right to 0.4 of a cell, instead of 3; with
    one 1.2 cells off 35, instead of none.

    Args:
        image: as for `fit_covered_grid`.
        shown: maps cell space to the picture.
    """
    directions = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
    starts = [shown]
    for corner in range(len(GRID_CORNERS)):
        for direction in directions:
            moved = np.array(GRID_CORNERS, np.float64)
            moved[corner] += _ASTRAY_CELLS * np.array(direction)
            starts.append(through_corners(GRID_CORNERS, shown(moved)))
    supports = [fit_covered_grid(image, start, rounds=2)[1] for start in starts]
    likeliest = int(np.argmax(supports))
    if supports[likeliest] - supports[0] <= _ASTRAY_LEAD:
        return fit_covered_grid(image, shown)[0]
    return fit_covered_grid(image, starts[likeliest], _COARSE)[0]


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

    def looked_at(self, image: NDArray[np.uint8], rounds: int = len(_REACHES_PX)) -> "CoveredGrid":
        """Return the fit after a total of `rounds` looks; `image` is as for `fit_covered_grid`."""
        current = self
        for number in range(self.rounds, rounds):
            segments = _segments(rectify(image, current.place), _REACHES_PX[number])
            solution, support = _likeliest(segments, current.solution, _FREEDOM * self.freedom)
            current = CoveredGrid(self.guess, self.freedom, number + 1, solution, support)
        return current


def _segments(view: NDArray[np.uint8], reach_px: int) -> NDArray[np.float64]:
    """Return rows of (axis, x, y, offset) in cells, one for each segment detected within reach of its place."""
    responses = line_responses(view)
    found = []
    for axis, response in enumerate(_turned(responses)):
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
