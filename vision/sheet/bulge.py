"""The bulge of a page that is not quite flat, by comparison of its printed outlines with those of a flat page.

Four markers provide no information between them. The outlines are searched for piece by piece; a smooth field of
shifts, fitted to the pieces and the markers, corrects a slight curl and a lens' distortion.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sheet.page import FLAT_PX_PER_MM

Outline: TypeAlias = Sequence[tuple[float, float]]

# Downsampling factor of the search for shifts, which are interpolated to subpixels.
_COARSE: Final = 2
_PX_PER_MM: Final = FLAT_PX_PER_MM / _COARSE
# Width of the printed outlines.
_LINE_MM: Final = 0.35
# Dark areas wider than this are not outlines.
_WIDEST_LINE_MM: Final = 1.2
# Edge of a piece of print.
_PIECE_MM: Final = 30.0
# Distance between the middles of adjacent pieces; they overlap by half.
_STEP_MM: Final = 15.0
# Largest distance from its place at which a piece is searched for.
_REACH_MM: Final = 3.0
# The least printed share of a piece.
_LEAST_INK: Final = 0.015
# Correlation below which a piece is not found.
_LEAST_MATCH: Final = 0.25
# Weight of a point known to be in place, against a piece that matches fully.
_ANCHOR_WEIGHT: Final = 2.0
# Iterations of reweighting, in which outliers lose weight.
_ROUNDS: Final = 5
# Distance from the field at which a piece has half its weight.
_OFF_MM: Final = 0.2
# The greatest number of prints that are remembered: a sheet in some themes.
_MOST_PRINTS: Final = 8


@dataclass(frozen=True, slots=True, eq=False)
class Bulge:
    """A smooth field of shifts over a page.

    Attributes:
        size_mm: width and height of the page.
        terms: coefficients of a third-order surface in each direction, shape (10, 2), in millimetres.
        largest_mm: the greatest shift of any piece.
        misfit_mm: the median deviation of pieces from the field.
    """

    size_mm: tuple[float, float]
    terms: NDArray[np.float64]
    largest_mm: float
    misfit_mm: float

    def shifts(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the shift of the print at these points, shape (..., 2), in millimetres."""
        return np.asarray(_basis(points_mm, self.size_mm) @ self.terms)


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    """A piece of print: the pixel at its middle, (column, row), its picture, and the middle of its ink on the page."""

    centre_px: tuple[int, int]
    picture: NDArray[np.float32]
    middle_mm: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PagePrint:
    """The print of a page, which is cut into pieces once.

    Attributes:
        lines: the print, as `dark_lines` returns it.
        size_mm: width and height of the page.
    """

    lines: NDArray[np.float32]
    size_mm: tuple[float, float]
    _pieces: dict[float, list[_Piece]] = field(default_factory=dict, init=False)

    def pieces(self, reach_mm: float) -> list[_Piece]:
        """Return the pieces with enough print that have a margin of `reach_mm` around them on the page."""
        if reach_mm not in self._pieces:
            cut = (_cut(self.lines, centre) for centre in _centres(self.size_mm, reach_mm))
            self._pieces[reach_mm] = [piece for piece in cut if piece is not None]
        return self._pieces[reach_mm]


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """Pieces of a page's print that were found again.

    Attributes:
        places_mm: the centre of each on the page, shape (n, 2).
        shifts_mm: the shift of each, shape (n, 2).
        matches: the quality of each match, 0..1, shape (n,).
        looked_for: number of pieces with enough print to be searched for; n of them were found.
    """

    places_mm: NDArray[np.float64]
    shifts_mm: NDArray[np.float64]
    matches: NDArray[np.float64]
    looked_for: int


def find_bulge(
    flat: NDArray[np.uint8],
    outlines: Sequence[Outline],
    anchors_mm: NDArray[np.float64],
    size_mm: tuple[float, float],
) -> Bulge | None:
    """Compare a page with its print, and fit the bulge that explains the difference.

    Args:
        flat: the page rectified by its markers, shape (rows, columns, 3), uint8, BGR.
        outlines: printed closed lines, polygons in page space.
        anchors_mm: points in page space that are known to be in place, shape (n, 2).
        size_mm: width and height of the page.

    Returns:
        The bulge, or None if too little of the print is found.
    """
    printed = print_of(outlines, size_mm)
    return bulge_through(find_pieces(dark_lines(flat), printed), anchors_mm, size_mm)


def bulge_through(pieces: Pieces, anchors_mm: NDArray[np.float64], size_mm: tuple[float, float]) -> Bulge | None:
    """Return the field fitted to pieces and to fixed points, shape (n, 2), or None with too few pieces."""
    if len(pieces.places_mm) < len(_basis(np.zeros(2), size_mm)):
        return None
    points = np.concatenate([pieces.places_mm, anchors_mm])
    targets = np.concatenate([pieces.shifts_mm, np.zeros_like(anchors_mm)])
    trust = np.concatenate([pieces.matches, np.full(len(anchors_mm), _ANCHOR_WEIGHT)])
    terms, off = _fit(_basis(points, size_mm), targets, trust)
    shifts = _basis(pieces.places_mm, size_mm) @ terms
    return Bulge(size_mm, terms, float(np.hypot(*shifts.T).max()), float(np.median(off[: len(pieces.places_mm)])))


def find_pieces(lines: NDArray[np.float32], printed: PagePrint, reach_mm: float = _REACH_MM) -> Pieces:
    """Search for each piece of the print near its place.

    Args:
        lines: the result of `dark_lines` for the rectified page.
        printed: the print, of the same shape.
        reach_mm: the largest distance at which each piece is searched for.
    """
    pieces = printed.pieces(reach_mm)
    found = [match for match in (_found(lines, piece, reach_mm) for piece in pieces) if match is not None]
    if not found:
        return Pieces(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0), len(pieces))
    places, moved, matches = (np.array(values) for values in zip(*found, strict=True))
    return Pieces(places, moved, matches, len(pieces))


def _fit(
    basis: NDArray[np.float64], targets: NDArray[np.float64], trust: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the coefficients, and the deviation of each target; outliers have little weight."""
    weights = trust
    terms, off = np.zeros((basis.shape[1], 2)), np.zeros(len(targets))
    for _ in range(_ROUNDS):
        heavy = np.sqrt(weights)[:, None]
        terms = np.asarray(np.linalg.lstsq(heavy * basis, heavy * targets, rcond=None)[0], np.float64)
        off = np.hypot(*(basis @ terms - targets).T)
        weights = trust / (1 + (off / _OFF_MM) ** 2)
    return terms, np.asarray(off)


def _basis(points_mm: NDArray[np.float64], size_mm: tuple[float, float]) -> NDArray[np.float64]:
    middle = np.asarray(size_mm) / 2
    scaled = (np.asarray(points_mm, np.float64) - middle) / middle.max()
    x, y = scaled[..., 0], scaled[..., 1]
    return np.stack([x**i * y**j for i in range(4) for j in range(4 - i)], axis=-1)


def dark_lines(flat: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the response to thin lines that are dark in every channel: print, hardly any pencil.

    Args:
        flat: flat space, shape (rows, columns, 3), uint8, BGR.

    Returns:
        Darkness, 0..0.5, shape (rows / 2, columns / 2).
    """
    small = np.asarray(cv2.resize(flat, None, fx=1 / _COARSE, fy=1 / _COARSE, interpolation=cv2.INTER_AREA), np.uint8)
    blue, green, red = (_relative_to_white(small[..., channel]) for channel in range(3))
    brightest = np.asarray(cv2.max(cv2.max(blue, green), red), np.float32)
    side = round(_WIDEST_LINE_MM * _PX_PER_MM) | 1
    closed = cv2.morphologyEx(brightest, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
    return np.asarray(np.minimum((closed - brightest) / np.maximum(closed, 0.05), 0.5), np.float32)


def _relative_to_white(channel: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return a channel as a share of its white, the level below which nine tenths of the pixels are."""
    ends = np.cumsum(cv2.calcHist([channel], [0], None, [256], [0, 256]).astype(np.intp))
    place = 0.9 * (channel.size - 1)
    below, above = np.searchsorted(ends, [int(place), min(int(place) + 1, channel.size - 1)], side="right")
    white = max(below + (above - below) * (place - int(place)), 1.0)
    return np.asarray(cv2.LUT(channel, (np.arange(256) / white).astype(np.float32)), np.float32)


def print_of(outlines: Sequence[Outline], size_mm: tuple[float, float]) -> PagePrint:
    """Return the print of a page of this width and height, given its closed lines, polygons in page space."""
    return _printed(tuple(map(tuple, outlines)), size_mm)


@lru_cache(maxsize=_MOST_PRINTS)
def _printed(outlines: tuple[Outline, ...], size_mm: tuple[float, float]) -> PagePrint:
    size = (round(size_mm[1] * _PX_PER_MM), round(size_mm[0] * _PX_PER_MM))
    ink = np.zeros(size, np.uint8)
    for outline in outlines:
        points = np.round((np.asarray(outline, np.float64) * _PX_PER_MM - 0.5) * 16).astype(np.int32)
        cv2.polylines(ink, [points], True, (255,), max(1, round(_LINE_MM * _PX_PER_MM)), cv2.LINE_AA, 4)
    return PagePrint(np.asarray(cv2.GaussianBlur(ink, (0, 0), 0.7), np.float32) / np.float32(255), size_mm)


def _centres(size_mm: tuple[float, float], reach_mm: float) -> list[tuple[float, float]]:
    margin = _PIECE_MM / 2 + reach_mm
    across, down = (np.arange(margin, side - margin, _STEP_MM) for side in size_mm)
    return [(float(x), float(y)) for y in down for x in across]


def _cut(lines: NDArray[np.float32], centre_mm: tuple[float, float]) -> _Piece | None:
    """Return the piece of a print around a place, or None without enough print."""
    half = round(_PIECE_MM / 2 * _PX_PER_MM)
    column, row = (round(value * _PX_PER_MM) for value in centre_mm)
    picture = lines[row - half : row + half, column - half : column + half]
    if picture.mean() < _LEAST_INK:
        return None
    y, x = np.nonzero(picture > 0.3)
    middle = np.array([x.mean() + column - half, y.mean() + row - half]) / _PX_PER_MM
    return _Piece((column, row), picture, middle)


def _found(
    lines: NDArray[np.float32], piece: _Piece, reach_mm: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], float] | None:
    """Return the centre of a piece of print, its shift and its match, or None if it is not found."""
    reach = round(reach_mm * _PX_PER_MM)
    (column, row), wider = piece.centre_px, round(_PIECE_MM / 2 * _PX_PER_MM) + reach
    around = lines[row - wider : row + wider, column - wider : column + wider]
    match = np.asarray(cv2.matchTemplate(around, piece.picture, cv2.TM_CCOEFF_NORMED), np.float32)
    _, best, _, place = cv2.minMaxLoc(match)
    if best < _LEAST_MATCH:
        return None
    shift = (np.array([_between(match, place, 1), _between(match, place, 0)]) - reach) / _PX_PER_MM
    return piece.middle_mm, shift, float(best)


def _between(match: NDArray[np.float32], place: Sequence[int], axis: int) -> float:
    """Return the peak's position along an axis, to a fraction of a pixel, by a parabola through its neighbours."""
    column, row = place
    at, line = (row, match[:, column]) if axis == 0 else (column, match[row])
    if not 0 < at < len(line) - 1:
        return float(at)
    before, here, after = (float(value) for value in line[at - 1 : at + 2])
    bend = before - 2 * here + after
    return at + (0.5 * (before - after) / bend if bend < 0 else 0.0)
