"""Search for quilt boards in a picture: four-sided outlines, judged by the grid of nine by nine inside.

A time board has eight by eight spaces of several colours, a table-cloth's squares have no lines between them, and
paper, mats and books have no grid.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.candidates import MAX_SIZE_RATIO_EMPTY, grids_in_plane, outlines, overlap, separate_pair
from vision.board.grid import CoveredGrid, GridFit, fit_covered_grid, fit_grid
from vision.geometry import GRID_CORNERS, SIDE, Homography, through_corners, translation

# The greatest variation of colour between cells, in log units, per unit of support beyond 0.1: simulated empty boards
# have up to 0.03, in glare 0.045, real ones with the whole grid in view 0.07; a time board or a chequered cloth has 0.1
# and more.
_MOST_MOTLEY: Final = 0.12
# The least share of the printed grid's segments: boards in focus and good light have 0.8 and more, at the limit of both
# 0.57.
_LEAST_EMPTY_SUPPORT: Final = 0.55
# Weight of the colour variation against the support: a grid fitted one line beside its place takes in some of the
# table.
_MIXED: Final = 3.0
# Clarity from which a board is not searched for beside its place; 0.88 was measured one line beside a board.
_CLEARLY: Final = 0.93
# In cells; a board whose grid is fitted further off is not the one that was at that place.
_THERE: Final = 0.2
# A cell's edge in the small view whose colours are compared; a cell needs only its median.
_CELL_PX: Final = 10
# Margin excluded along a cell's edge, in pixels of the small view, because of the printed lines.
_INSET_PX: Final = 2
# Grey levels added before logarithms are taken, so that noise in the dark counts little.
_DARK: Final = 8.0
# The share of cells that must have one colour: a button token or a highlight may lie on the others.
_OFTEN: Final = 0.9
# Columns and rows from the middle, for the plane of colour that uneven light may add to a board.
_ACROSS: Final = np.linspace(-1.0, 1.0, SIDE)
# Terms of a linear change across the board, for each cell, shape (81, 3).
_EVEN: Final = np.column_stack([np.ones(SIDE * SIDE), np.tile(_ACROSS, SIDE), np.repeat(_ACROSS, SIDE)])


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """A fitted empty board: its clarity (support less colour variation, at most 1) and its place."""

    clarity: float
    place: Homography


def find_empty_boards(image: NDArray[np.uint8], board_cells: float) -> Sequence[Homography]:
    """Find the empty boards in a picture.

    Args:
        image: shape (height, width, 3), uint8, BGR.
        board_cells: a board's outer edge, in cells of its grid.

    Returns:
        At most two maps from cell space to pixels of the picture, cell (0, 0) at the upper left; the clearer one first.
    """
    found = _best(image, _empty_fits(image, _outline_guesses(image, board_cells)))
    if len(_two(found)) == 1:
        # A board in the table's own colour has no outline; but its grid lies in the plane of the other.
        found = _best(image, [*found, *_empty_fits(image, grids_in_plane(image, found[0].place))])
    return _two(found)


def _two(found: list[_Fit]) -> list[Homography]:
    return separate_pair([each.place for each in found], MAX_SIZE_RATIO_EMPTY)


def is_empty_board(image: NDArray[np.uint8], place: Homography) -> bool:
    """Return whether an empty board lies at this place, within a fifth of a cell.

    Args:
        image: shape (height, width, 3), uint8, BGR.
        place: maps cell space to pixels of the picture.
    """
    fit = _fit(image, place)
    return fit is not None and _distance_cells(place, fit.place) < _THERE


def colour_variety(image: NDArray[np.uint8], place: Homography) -> float:
    """Return the variation of colour between a grid's cells: the 0.9 quantile, in log units.

    Brightness is ignored, and so is a colour that changes linearly across the board.

    Args:
        image: shape (height, width, 3), uint8, BGR.
        place: maps cell space to pixels of the picture.
    """
    to_small = Homography(np.array([[_CELL_PX, 0, -0.5], [0, _CELL_PX, -0.5], [0, 0, 1.0]])).after(place.inverse)
    size = (SIDE * _CELL_PX, SIDE * _CELL_PX)
    small = cv2.warpPerspective(image, to_small.matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    blue, green, red = np.moveaxis(np.log(cv2.GaussianBlur(small, (0, 0), 1.0).astype(np.float64) + _DARK), 2, 0)
    colours = np.stack([red - green, blue - green], axis=2)
    tiles = colours.reshape(SIDE, _CELL_PX, SIDE, _CELL_PX, 2)[:, _INSET_PX:-_INSET_PX, :, _INSET_PX:-_INSET_PX]
    cells = np.median(tiles.transpose(0, 2, 1, 3, 4).reshape(SIDE * SIDE, -1, 2), axis=1)
    off = np.abs(cells - _EVEN @ np.linalg.lstsq(_EVEN, cells, rcond=None)[0])
    return float(np.quantile(off, _OFTEN, axis=0).max())


def _outline_guesses(image: NDArray[np.uint8], board_cells: float) -> Iterator[Homography]:
    return (guess for quad in outlines(image) for guess in _guesses(quad, board_cells))


def _empty_fits(image: NDArray[np.uint8], guesses: Iterable[Homography]) -> Iterator[_Fit]:
    for guess in guesses:
        fit = _fit(image, guess)
        if fit is not None:
            yield fit


def _fit(image: NDArray[np.uint8], guess: Homography) -> _Fit | None:
    """Return the empty board at a guess that is off by at most a quarter of a cell."""
    if colour_variety(image, guess) > _MOST_MOTLEY:
        return None  # This check takes a tenth of the time of a fit.
    fitted = fit_grid(image, guess)
    if not isinstance(fitted, GridFit) or fitted.support < _LEAST_EMPTY_SUPPORT:
        return None
    place = fitted.cells_to_image
    mixed = colour_variety(image, place)
    plain = mixed <= _MOST_MOTLEY * (fitted.support - 0.1)
    return _Fit(fitted.support - _MIXED * mixed, place) if plain else None


def _best(image: NDArray[np.uint8], fits: Iterable[_Fit]) -> list[_Fit]:
    """Return the clearest of each group of overlapping fits, clearest first."""
    return _clearest(_beside(image, fit) for fit in _clearest(fits))


def _clearest(fits: Iterable[_Fit]) -> list[_Fit]:
    kept: list[_Fit] = []
    for fit in sorted(fits, key=lambda each: -each.clarity):
        if not any(overlap(fit.place, other.place) for other in kept):
            kept.append(fit)
    return kept


def _beside(image: NDArray[np.uint8], fit: _Fit) -> _Fit:
    """Return a grid moved by a line or two if it fits better there: one line off, most lines still match."""
    if fit.clarity >= _CLEARLY:
        return fit
    shifts = [translation(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
    around = [*_empty_fits(image, (fit.place.after(shift) for shift in shifts)), fit]
    best = max(around, key=lambda each: each.clarity)
    return fit if best.clarity <= fit.clarity else _beside(image, best)


# `freedom` of guesses from outlines, which are less exact than those by hand.
_FREEDOM: Final = 1.5
# The least share of the grid's 180 segments: noise and the time board stay below; a quilt that is nearly full has 0.6.
_LEAST_SUPPORT: Final = 0.5

# Support from which a guess is accepted as a board without comparing further outlines in its place; the search ends
# with two of them.
_BEYOND_DOUBT: Final = 0.9
# Rounds of fitting after which hopeless guesses are dropped, before the rest are fitted to the end.
_QUICK_ROUNDS: Final = 2
# The least support after two rounds; a lower one does not reach `_LEAST_SUPPORT`, because four more rounds rarely add
# more than 0.1.
_HOPEFUL_SUPPORT: Final = 0.36
# The least support after two rounds of a likely place; real boards have 0.29 and more.
_LIKELY_SUPPORT: Final = 0.28
# Places whose corners differ by less than this are of the same board.
_APART_CELLS: Final = 0.2
# Guesses in a known board's plane that are fitted: each costs as much as an outline.
_MOST_IN_PLANE: Final = 40
# The greatest number of places returned.
_MOST_LIKELY: Final = 12


def find_boards(image: NDArray[np.uint8], board_cells: float) -> Sequence[Homography]:
    """Find the two boards in a picture.

    Args:
        image: shape (height, width, 3), uint8, BGR.
        board_cells: a board's outer edge, in cells of its grid.

    Returns:
        At most two maps from cell space to pixels of the picture. Cell (0, 0) is the one at the picture's upper left.
        The first board is the left one; of two that lie one above the other, the lower (nearer) one.
    """
    judged: list[tuple[float, Homography]] = []
    grey = _grey(image)
    for quad in outlines(image):
        sure = [place for support, place in judged if support >= _BEYOND_DOUBT]
        if len(found := separate_pair(sure)) == 2:
            return in_order(found)
        judged += _judged(grey, quad, board_cells, sure)
    judged.sort(key=lambda each: -each[0])
    return in_order(separate_pair([place for _, place in judged]))


class PlaceSearch:
    """A search of a picture for places where boards may lie, empty or not, for a caller that can recognise its board.

    Args:
        image: shape (height, width, 3), uint8, BGR.
        board_cells: a board's outer edge, in cells of its grid.
    """

    def __init__(self, image: NDArray[np.uint8], board_cells: float) -> None:
        self._image, self._grey = image, _grey(image)
        self._outlined = [
            fit for quad in outlines(image) for fit in _fits(self._grey, quad, board_cells, _QUICK_ROUNDS)
        ]

    def places(self, beside: Homography | None = None) -> Sequence[Homography]:
        """Return the places found by outlines and, if a board is known, grids without an outline in its plane.

        Args:
            beside: the place of the known board, or None.

        Returns:
            Maps from cell space to pixels of the picture, accurate to a tenth of a cell, likeliest first; most are not
            boards. Cell (0, 0) is the upper left one. A place that is found again is the same object.
        """
        fits = list(self._outlined)
        if beside is not None:
            plane = grids_in_plane(self._image, beside)[:_MOST_IN_PLANE]
            fits += [fit_covered_grid(self._grey, guess, _FREEDOM, _QUICK_ROUNDS)[::-1] for guess in plane]
        kept: list[Homography] = []
        for support, place in sorted(fits, key=lambda each: -each[0]):
            if support >= _LIKELY_SUPPORT and all(_distance_cells(place, other) > _APART_CELLS for other in kept):
                kept.append(place)
                # The caller examines each of them more closely.
                if len(kept) == _MOST_LIKELY:
                    break
        return kept


def _distance_cells(one: Homography, other: Homography) -> float:
    """Return the greatest distance between corresponding corners of two grids, in cells."""
    return float(one.inverse.after(other).residuals(GRID_CORNERS, GRID_CORNERS).max())


def _fits(
    grey: NDArray[np.uint8], quad: NDArray[np.float64], board_cells: float, rounds: int
) -> Iterator[tuple[float, Homography]]:
    for guess in _guesses(quad, board_cells):
        place, support = fit_covered_grid(grey, guess, _FREEDOM, rounds)
        yield support, place


def _guesses(quad: NDArray[np.float64], board_cells: float) -> Iterator[Homography]:
    """Yield guesses at the grid from an outline, which may be that of the grid or that of the board."""
    for edge_cells in (float(SIDE), board_cells):
        outline = SIDE / 2 + (GRID_CORNERS - SIDE / 2) * edge_cells / SIDE
        yield through_corners(outline, quad)


def _judged(
    grey: NDArray[np.uint8], quad: NDArray[np.float64], board_cells: float, known: Sequence[Homography]
) -> Iterator[tuple[float, Homography]]:
    """Yield (support, place) of boards that match an outline, without known boards and those below `_LEAST_SUPPORT`."""
    for guess in _guesses(quad, board_cells):
        if _is_one_of(known, guess):
            continue
        quick = CoveredGrid(guess, _FREEDOM).looked_at(grey, _QUICK_ROUNDS)
        if quick.support < _HOPEFUL_SUPPORT or _is_one_of(known, quick.place):
            continue
        board = quick.looked_at(grey)
        if board.support >= _LEAST_SUPPORT:
            yield board.support, board.place


def _is_one_of(known: Sequence[Homography], place: Homography) -> bool:
    return any(_distance_cells(place, other) < _APART_CELLS for other in known)


def _grey(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the picture in grey, which is enough for lines and is rectified in half the time."""
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def in_order(places: list[Homography]) -> list[Homography]:
    """Return two boards with the left one first; of two that lie one above the other, the lower (nearer) one."""
    middles = [place([SIDE / 2, SIDE / 2]) for place in places]
    if len(places) == 2:
        across, down = np.abs(middles[1] - middles[0])
        key = 0 if across >= down else 1
        swapped = (middles[1][key] < middles[0][key]) != (key == 1)
        return places[::-1] if swapped else places
    return places
