"""Detection of a printed sheet without markers, by its print, given a picture of the blank sheet.

Candidates are places where the sheet's paper has an outline, or where features of its print are recognised. Each is
verified: the print, piece by piece, must be where the blank sheet has it. Repeated prints, such as the cells of a grid,
lead to wrong candidates too, which fail.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import FailedFit, Homography, fit_homography, through_corners
from vision.sheet.bulge import PagePrint, Pieces, dark_lines, find_pieces
from vision.sheet.page import FLAT_PX_PER_MM, Page, coarsest_px_per_mm, flatten, page_corners_mm, paper_outlines

# The greatest number of features of a picture.
_MOST_FEATURES: Final = 3000
# Ratio test: a match must be nearer than the second best by this factor, which rejects repeated prints.
_CLEARER: Final = 0.86
# Tolerance of a map, in pixels of the scaled picture.
_TOLERANCE: Final = 4.0
# The least number of matches; fewer may be chance.
_LEAST_MATCHES: Final = 14
# The greatest number of maps searched for.
_TRIES: Final = 3


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """Features of a picture.

    Attributes:
        places: shape (n, 2), in the caller's units.
        looks: the SIFT descriptor of each, shape (n, 128), float32.
        scale: pixels of the picture per unit.
    """

    places: NDArray[np.float64]
    looks: NDArray[np.float32]
    scale: float


def features_of(image: NDArray[np.uint8], scale: float) -> Features:
    """Return the features of a picture, shape (height, width, 3), uint8, BGR.

    Their places are in units of `scale` pixels.
    """
    grey = cv2.createCLAHE(2.0, (8, 8)).apply(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    points, looks = cv2.SIFT.create(_MOST_FEATURES).detectAndCompute(grey, None)
    if not points:
        return Features(np.zeros((0, 2)), np.zeros((0, 128), np.float32), scale)
    places = (np.array([point.pt for point in points]) + 0.5) / scale
    return Features(places, np.asarray(looks, np.float32), scale)


def matched_places(sheet: Features, picture: Features) -> Iterator[Homography]:
    """Yield maps from the sheet's units to the picture's pixels, the best supported first.

    The matches of one map are removed before the next is searched for, because a grid also fits beside its place.
    """
    if min(len(sheet.looks), len(picture.looks)) < _LEAST_MATCHES:
        return
    pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(sheet.looks, picture.looks, k=2)
    clear = [pair[0] for pair in pairs if len(pair) == 2 and pair[0].distance < _CLEARER * pair[1].distance]
    source = np.array([sheet.places[match.queryIdx] for match in clear]).reshape(-1, 2)
    target = np.array([picture.places[match.trainIdx] for match in clear]).reshape(-1, 2) - 0.5
    for _ in range(_TRIES):
        if len(source) < _LEAST_MATCHES:
            return
        tolerance = _TOLERANCE / picture.scale
        place = fit_homography(source, target, tolerance)
        if isinstance(place, FailedFit):
            return
        near = place.residuals(source, target) < 2 * tolerance
        if near.sum() < _LEAST_MATCHES:
            return
        yield place
        source, target = source[~near], target[~near]


# (search distance, tolerance of the fit) by round: first guesses are some millimetres off.
_ROUNDS_MM: Final = ((4.0, 3.0), (4.0, 2.0), (3.0, 1.0), (3.0, 0.6), (1.5, 0.6))
# The first round where people have shown the corners, which a finger misses by some millimetres.
_SHOWN_ROUND_MM: Final = (8.0, 4.0)
# The search has converged when 9 in 10 of the pieces are off by less.
_SETTLED_MM: Final = 0.1
# Misfit from which a place may be wrong, although some pieces match: others are tried, too.
_ASTRAY_MM: Final = 1.0
# The least number of pieces of print for a place to be judged.
_LEAST_PIECES: Final = 8
# The least match of a sure sheet: simulated ones match by 0.85 and more at their places, beside them by 0.45 at most.
_SURE: Final = 0.6
# The least match of a possible sheet.
_MAYBE: Final = 0.4
ALIKE: Final = 0.35
"""The least likeness: fully coloured sheets have 0.52 and more, one with other pictures 0.16 at most."""
# Edge of the squares in which prints are compared.
_LIKENESS_MM: Final = 6.0
# Sigma, in pixels of `dark_lines`, that makes the comparison tolerant of small shifts.
_LIKENESS_BLUR_PX: Final = 0.8
# Quantile of the squares' correlations that is returned as the likeness.
_LEAST_ALIKE: Final = 0.05
# The least printed share of a square that is compared.
_LEAST_INK: Final = 0.015
# Resolution of the blank picture for features: half of flat space's.
_FEATURE_PX_PER_MM: Final = 4.0
# Larger pictures are scaled down before features are searched for.
_LONG_SIDE_PX: Final = 1600


@dataclass(frozen=True)
class BlankSheet:
    """A sheet before any colouring.

    Attributes:
        flat: the blank sheet in flat space, shape (rows, columns, 3), uint8, BGR.
        size_mm: its width and height.
    """

    flat: NDArray[np.uint8]
    size_mm: tuple[float, float]

    @cached_property
    def lines(self) -> NDArray[np.float32]:
        """The print's thin dark lines, the result of `dark_lines`."""
        return dark_lines(self.flat)

    @cached_property
    def print(self) -> PagePrint:
        """Those lines, in pieces."""
        return PagePrint(self.lines, self.size_mm)

    @cached_property
    def corners_mm(self) -> NDArray[np.float64]:
        """The page's corners, shape (4, 2), clockwise from the top left."""
        return page_corners_mm(self.size_mm)

    @cached_property
    def features(self) -> Features:
        """The features of its print, at places in millimetres."""
        scale = _FEATURE_PX_PER_MM / FLAT_PX_PER_MM
        small = cv2.resize(self.flat, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        return features_of(np.asarray(small, np.uint8), _FEATURE_PX_PER_MM)


@dataclass(frozen=True, slots=True, eq=False)
class BlankMatch:
    """A sheet that was found, with the quality of the match.

    Attributes:
        page: its place; the misfit is the 0.9 quantile over the print's pieces.
        match: match of its print with the blank sheet's, 0..1.
        alike: `likeness` of the print; lower if the sheet is bent.
    """

    page: Page
    match: float
    alike: float

    @property
    def is_sure(self) -> bool:
        """True if it is certainly this sheet."""
        return self.match >= _SURE

    @property
    def is_likely(self) -> bool:
        """True if it may be this sheet, strongly bent, or another one that looks similar."""
        return self.match >= _MAYBE


def place_blank(image: NDArray[np.uint8], blank: BlankSheet) -> BlankMatch | None:
    """Find the sheet in a picture.

    Args:
        image: the picture, shape (height, width, 3), uint8, BGR.
        blank: the sheet to find; it may be coloured now.

    Returns:
        The best match, or None if there is no candidate.
    """
    best: BlankMatch | None = None
    for start in _starts(image, blank):
        placed = _settled(image, blank, start)
        if placed is not None and (best is None or placed.match + placed.alike > best.match + best.alike):
            best = placed
            # A sheet may also match upside down, except for the contents of its cells.
            if best.is_sure and best.alike >= ALIKE and best.page.misfit_mm < _ASTRAY_MM:
                break
    return best


def likeness(lines: NDArray[np.float32], blank: BlankSheet) -> float:
    """Return the likeness of the least similar part of the print: 1 for the same print, about 0 if some of it differs.

    Args:
        lines: the result of `dark_lines` for the rectified sheet.
        blank: the sheet to compare with.
    """
    here, there = (
        np.asarray(cv2.GaussianBlur(each, (0, 0), _LIKENESS_BLUR_PX), np.float32) for each in (lines, blank.lines)
    )
    mean_here, mean_there = _mean(here), _mean(there)
    common = _mean(here * there) - mean_here * mean_there
    spread_here, spread_there = _mean(here * here) - mean_here**2, _mean(there * there) - mean_there**2
    spread = np.sqrt(np.maximum(spread_here, 1e-7) * np.maximum(spread_there, 1e-7))
    alike = np.asarray(common / spread)[mean_there > _LEAST_INK]
    return float(np.quantile(alike, _LEAST_ALIKE)) if alike.size else 0.0


def _mean(values: NDArray[np.float32]) -> NDArray[np.float32]:
    side = round(_LIKENESS_MM * FLAT_PX_PER_MM / 2) | 1
    return np.asarray(cv2.blur(values, (side, side)), np.float32)


def _starts(image: NDArray[np.uint8], blank: BlankSheet) -> Iterator[Homography]:
    """Yield candidate places of the sheet: outlines of paper, in either orientation, then matches of features."""
    for quad in paper_outlines(image):
        for turn in _turns(quad, blank.size_mm):
            yield through_corners(blank.corners_mm, np.roll(quad, -turn, axis=0))
    scale = min(1.0, _LONG_SIDE_PX / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    yield from matched_places(blank.features, features_of(np.asarray(small, np.uint8), scale))


def _turns(quad: NDArray[np.float64], size_mm: tuple[float, float]) -> tuple[int, ...]:
    """Return the rotations of a page, in corners: its longer side is the outline's, unless the view is oblique."""
    sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    across, down = sides[0] + sides[2], sides[1] + sides[3]
    lying, page_lying = across >= down, size_mm[0] >= size_mm[1]
    first = (0, 2) if lying == page_lying else (1, 3)
    return first if max(across, down) > 1.2 * min(across, down) else (*first, *((1, 3) if first == (0, 2) else (0, 2)))


def _settled(image: NDArray[np.uint8], blank: BlankSheet, start: Homography) -> BlankMatch | None:
    """Return the place to which a first guess converges by the print's pieces, or None if it fails."""
    settled = _converged(image, blank.print, start)
    if settled is None:
        return None
    lines, page, match = settled
    return BlankMatch(page, match, likeness(lines, blank))


def place_print(image: NDArray[np.uint8], printed: PagePrint, corners_px: NDArray[np.float64]) -> Page | None:
    """Find a page by its print, given roughly the corners of its paper, in any rotation.

    Args:
        image: the picture, shape (height, width, 3), uint8, BGR.
        printed: the page's print.
        corners_px: the corners, shape (4, 2), clockwise.

    Returns:
        The page, or None if its print is not there.
    """
    corners_mm = page_corners_mm(printed.size_mm)
    starts = (through_corners(corners_mm, np.roll(corners_px, turn, axis=0)) for turn in range(len(corners_mm)))
    rounds = (_SHOWN_ROUND_MM, *_ROUNDS_MM)
    settled = [found for start in starts if (found := _converged(image, printed, start, rounds)) is not None]
    _, page, match = max(settled, key=lambda each: each[2], default=(None, None, 0.0))
    return page if match >= _MAYBE else None


def _converged(
    image: NDArray[np.uint8],
    printed: PagePrint,
    start: Homography,
    rounds: Sequence[tuple[float, float]] = _ROUNDS_MM,
) -> tuple[NDArray[np.float32], Page, float] | None:
    """Return the lines and the page to which a first guess converges, and the match of its print; None if it fails."""
    place: Homography = start
    for reach_mm, tolerance_mm in rounds:
        if not _is_sound(place, printed.size_mm):
            return None
        lines = _seen_lines(image, place, printed.size_mm)
        pieces = find_pieces(lines, printed, reach_mm)
        if len(pieces.places_mm) < _LEAST_PIECES:
            return None
        if _off_mm(pieces) < _SETTLED_MM:
            return _judged(lines, printed, place)
        moved_px = place(pieces.places_mm + pieces.shifts_mm)
        fitted = fit_homography(pieces.places_mm, moved_px, tolerance_mm * _scale(place, printed.size_mm))
        if isinstance(fitted, FailedFit):
            return None
        place = fitted
    if not _is_sound(place, printed.size_mm):
        return None
    return _judged(_seen_lines(image, place, printed.size_mm), printed, place)


def _judged(
    lines: NDArray[np.float32], printed: PagePrint, place: Homography
) -> tuple[NDArray[np.float32], Page, float] | None:
    """Return the page at a place and its match, given the result of `dark_lines` there; None if no print is seen."""
    pieces = find_pieces(lines, printed, _ROUNDS_MM[-1][0])
    if not len(pieces.matches):
        return None
    match = float(pieces.matches.sum() / max(pieces.looked_for, 1))
    return lines, Page(place, _off_mm(pieces), _scale(place, printed.size_mm)), match


def _off_mm(pieces: Pieces) -> float:
    """Return the 0.9 quantile of the pieces' shifts."""
    return float(np.quantile(np.hypot(*pieces.shifts_mm.T), 0.9))


def _seen_lines(image: NDArray[np.uint8], place: Homography, size_mm: tuple[float, float]) -> NDArray[np.float32]:
    return dark_lines(flatten(image, Page(place, 0.0, _scale(place, size_mm)), size_mm))


def _scale(place: Homography, size_mm: tuple[float, float]) -> float:
    return coarsest_px_per_mm(place, page_corners_mm(size_mm))


def _is_sound(place: Homography, size_mm: tuple[float, float]) -> bool:
    """Return whether a page's place is physically possible: front side up, large enough, not edge-on."""
    corners_px = place(page_corners_mm(size_mm))
    if not np.isfinite(corners_px).all():
        return False
    sides = np.roll(corners_px, -1, axis=0) - corners_px
    after = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]
    return bool(turns.min() > 0 and _scale(place, size_mm) > 1.0)
