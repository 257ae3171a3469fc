"""A printed sheet without markers, known by a picture of it while it was blank, and found again by its print.

Wherever the sheet's paper has an outline, or features of its print are recognised, it may lie; each such place is
tried: the print, piece by piece, must be where the blank sheet has it. What is printed several times over, as the cells
of a grid are, leads to wrong places too, and these fail.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.geometry.homography import FailedFit, Homography, fit_homography, through_corners
from vision.sheet.bulge import Pieces, dark_lines, find_pieces
from vision.sheet.features import Features, features_of, matched_places
from vision.sheet.outline import paper_outlines
from vision.sheet.page import FLAT_PX_PER_MM, Page, coarsest_px_per_mm, flatten

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

_ROUNDS_MM: Final = ((4.0, 3.0), (4.0, 2.0), (3.0, 1.0), (3.0, 0.6), (1.5, 0.6))
"""How far off pieces are looked for, and may lie from what the others say: first guesses are some millimetres off."""
_SETTLED_MM: Final = 0.1
"""The page lies where it is when 9 in 10 of its pieces are off by less."""
_ASTRAY_MM: Final = 1.0
"""A place where pieces are so far off may be a wrong one, on the way to which some fit: others are tried, too."""
_LEAST_PIECES: Final = 8
"""Pieces of print without which a place cannot be judged."""
_SURE: Final = 0.6
"""Simulated sheets at their places match the blank one by 0.85 and more; beside their places, by 0.45 at the most."""
_MAYBE: Final = 0.4
"""Least match of print for what may be this sheet."""
ALIKE: Final = 0.35
"""Wholly coloured sheets are like their blank one by 0.52 and more, one with other pictures by 0.16 at the most."""
_LIKENESS_MM: Final = 6.0
"""Edge of the squares in which prints are compared."""
_LIKENESS_BLUR_PX: Final = 0.8
"""Sigma, in pixels of `dark_lines`, that forgives small shifts."""
_LEAST_ALIKE: Final = 0.05
"""Share of the print that may be less alike than the value returned."""
_LEAST_INK: Final = 0.015
"""Share of a square that must be printed to be compared."""
_FEATURE_PX_PER_MM: Final = 4.0
"""Resolution of the blank picture in which features are found: half of flat space's."""
_LONG_SIDE_PX: Final = 1600
"""Larger pictures are made smaller before features are looked for."""


@dataclass(frozen=True)
class BlankSheet:
    """A sheet before it was coloured.

    Attributes:
        flat: the blank sheet in flat space, shape (rows, columns, 3), uint8, BGR.
        size_mm: its width and height.
    """

    flat: NDArray[np.uint8]
    size_mm: tuple[float, float]

    @cached_property
    def lines(self) -> NDArray[np.float32]:
        """The print's thin dark lines, as `dark_lines` gives them."""
        return dark_lines(self.flat)

    @cached_property
    def corners_mm(self) -> NDArray[np.float64]:
        """The page's corners, shape (4, 2), clockwise from the top left."""
        width, height = self.size_mm
        return np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]])

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
        page: where it lies; its misfit is that of the print's pieces, 9 in 10 of them.
        match: how well its print is that of the blank sheet, 0..1.
        alike: how alike the print is where it is least alike, see `likeness`; less where the sheet is bent.
    """

    page: Page
    match: float
    alike: float

    @property
    def is_sure(self) -> bool:
        """True if it is this sheet, beyond doubt."""
        return self.match >= _SURE

    @property
    def is_likely(self) -> bool:
        """True if it may be this sheet, much bent; or another one that looks much like it."""
        return self.match >= _MAYBE


def place_blank(image: NDArray[np.uint8], blank: BlankSheet) -> BlankMatch | None:
    """Find the sheet in a picture.

    Args:
        image: the picture, shape (height, width, 3), uint8, BGR.
        blank: the sheet to find; it may be coloured now.

    Returns:
        The place that matches best, or None if there is none to be tried.
    """
    best: BlankMatch | None = None
    for start in _starts(image, blank):
        placed = _settled(image, blank, start)
        if placed is not None and (best is None or placed.match + placed.alike > best.match + best.alike):
            best = placed
            # A sheet may fit the wrong way round as well, but for what its cells hold.
            if best.is_sure and best.alike >= ALIKE and best.page.misfit_mm < _ASTRAY_MM:
                break
    return best


def likeness(lines: NDArray[np.float32], blank: BlankSheet) -> float:
    """Return how alike the print is where it is least alike: 1 for the same print, about 0 where some of it differs.

    Args:
        lines: of the sheet laid flat, as `dark_lines` gives them.
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
    """Yield where the sheet may lie: what paper there is, either way up, then by what is recognised of the print."""
    for quad in paper_outlines(image):
        for turn in _turns(quad, blank.size_mm):
            yield through_corners(blank.corners_mm, np.roll(quad, -turn, axis=0))
    scale = min(1.0, _LONG_SIDE_PX / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    yield from matched_places(blank.features, features_of(np.asarray(small, np.uint8), scale))


def _turns(quad: NDArray[np.float64], size_mm: tuple[float, float]) -> tuple[int, ...]:
    """Return by how many corners a page may be turned: its longer side is the outline's, unless seen aslant."""
    sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    across, down = sides[0] + sides[2], sides[1] + sides[3]
    lying, page_lying = across >= down, size_mm[0] >= size_mm[1]
    first = (0, 2) if lying == page_lying else (1, 3)
    return first if max(across, down) > 1.2 * min(across, down) else (*first, *((1, 3) if first == (0, 2) else (0, 2)))


def _settled(image: NDArray[np.uint8], blank: BlankSheet, start: Homography) -> BlankMatch | None:
    """Return the place to which the print's pieces draw a first guess, or None if it leads nowhere."""
    place: Homography = start
    for reach_mm, tolerance_mm in _ROUNDS_MM:
        if not _is_sound(place, blank):
            return None
        pieces = find_pieces(_seen_lines(image, blank, place), blank.lines, blank.size_mm, reach_mm)
        if len(pieces.places_mm) < _LEAST_PIECES:
            return None
        if _off_mm(pieces) < _SETTLED_MM:
            break
        moved_px = place(pieces.places_mm + pieces.shifts_mm)
        fitted = fit_homography(pieces.places_mm, moved_px, tolerance_mm * _scale(place, blank))
        if isinstance(fitted, FailedFit):
            return None
        place = fitted
    return _judged(image, blank, place) if _is_sound(place, blank) else None


def _judged(image: NDArray[np.uint8], blank: BlankSheet, place: Homography) -> BlankMatch | None:
    lines = _seen_lines(image, blank, place)
    pieces = find_pieces(lines, blank.lines, blank.size_mm, _ROUNDS_MM[-1][0])
    if not len(pieces.matches):
        return None
    match = float(pieces.matches.sum() / max(pieces.looked_for, 1))
    return BlankMatch(Page(place, _off_mm(pieces), _scale(place, blank)), match, likeness(lines, blank))


def _off_mm(pieces: Pieces) -> float:
    """Return within what distance 9 in 10 of the pieces lie from their places."""
    return float(np.quantile(np.hypot(*pieces.shifts_mm.T), 0.9))


def _seen_lines(image: NDArray[np.uint8], blank: BlankSheet, place: Homography) -> NDArray[np.float32]:
    return dark_lines(flatten(image, Page(place, 0.0, _scale(place, blank)), blank.size_mm))


def _scale(place: Homography, blank: BlankSheet) -> float:
    return coarsest_px_per_mm(place, blank.corners_mm)


def _is_sound(place: Homography, blank: BlankSheet) -> bool:
    """Return whether a camera could see a page like this: with its front up, of some size, not from its edge."""
    corners_px = place(blank.corners_mm)
    if not np.isfinite(corners_px).all():
        return False
    sides = np.roll(corners_px, -1, axis=0) - corners_px
    after = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]
    return bool(turns.min() > 0 and _scale(place, blank) > 1.0)
