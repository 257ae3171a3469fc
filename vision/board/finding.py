"""Search for quilt boards in a picture: four-sided outlines, judged by the grid of nine by nine inside."""

from collections.abc import Iterator, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.covered_grid import CoveredGrid, fit_covered_grid
from vision.board.outlines import outlines
from vision.board.pairing import separate_pair
from vision.board.plane_search import grids_in_plane
from vision.geometry.homography import Homography, through_corners
from vision.geometry.rectify import GRID_CORNERS, SIDE

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
# The greatest number of places returned: the caller examines each of them more closely.
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


def likely_places(
    image: NDArray[np.uint8], board_cells: float, beside: Homography | None = None
) -> Sequence[Homography]:
    """Return places in a picture where boards may lie, empty or not, for a caller that can recognise its board.

    Args:
        image: shape (height, width, 3), uint8, BGR.
        board_cells: a board's outer edge, in cells of its grid.
        beside: the place of another board, or None; grids without an outline are found in its plane.

    Returns:
        Maps from cell space to pixels of the picture, accurate to a tenth of a cell, likeliest first; most are not
        boards.
        Cell (0, 0) is the upper left one.
    """
    grey = _grey(image)
    fits = [fit for quad in outlines(image) for fit in _fits(grey, quad, board_cells, _QUICK_ROUNDS)]
    if beside is not None:
        plane = grids_in_plane(image, beside)[:_MOST_IN_PLANE]
        fits += [fit_covered_grid(grey, guess, _FREEDOM, _QUICK_ROUNDS)[::-1] for guess in plane]
    kept: list[Homography] = []
    for support, place in sorted(fits, key=lambda each: -each[0]):
        if support >= _LIKELY_SUPPORT and all(_distance_cells(place, other) > _APART_CELLS for other in kept):
            kept.append(place)
    return kept[:_MOST_LIKELY]


def _distance_cells(one: Homography, other: Homography) -> float:
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
