"""Detection of the quilts in a photograph: by the mats, by given corners, or by their appearance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from calibration.locator import SEATS, MatLocator, board_cells
from calibration.mat import load_mats
from companion.errors import CompanionError
from companion.languages import said
from companion.patchwork.photograph.grid_offset import put_right, quilt_view
from vision.board.covered_grid import fit_covered_grid
from vision.board.finding import in_order, likely_places
from vision.board.pairing import separate_pair
from vision.geometry.homography import Homography, through_corners
from vision.geometry.rectify import GRID_CORNERS
from vision.quilt.network import look_at_quilt

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

_FREEDOM: Final = 1.5
"""Freedom of the fit, because an outline locates the grid less exactly than a user does."""
_LEAST_RATING: Final = 0.45
"""The least rating of a board: in 20 pictures, boards had 0.5 and more; a time board, cloths and grids one line beside
their place up to 0.44."""
_SQUARE: Final = 1.2
"""The greatest ratio of the sides of a picture that may be a single quilt's."""
_OUTSIDE: Final = 0.1
"""Distance outside the picture, in its sides, up to which a corner is accepted: a board may be cut off at the edge."""


class PhotoError(CompanionError):
    """Raised for a picture that cannot be read, or shows no board; the message says what to do."""


@dataclass(frozen=True, slots=True)
class FoundBoards:
    """The boards in a photograph.

    Attributes:
        places: by seat, the map from cell space to pixels of the photograph.
        guessed: true if places and seats were derived from the boards' appearance alone.
        unclear: the seats whose boards' places may be off by one grid line.
    """

    places: Mapping[int, Homography]
    guessed: bool
    unclear: frozenset[int] = frozenset()


def find_quilts(image: NDArray[np.uint8], corners: Sequence[ArrayLike] | None = None) -> FoundBoards:
    """Find one quilt or both.

    Args:
        image: the photograph, shape (height, width, 3), uint8, BGR.
        corners: for each seat in order, the outer corners A1, I1, I9, A9 of its grid in pixels, a few pixels off;
            those of a single grid are seat 1's. None to find the boards.

    Raises:
        PhotoError: no quilt is found, or corners lie outside the picture.
    """
    if corners is not None:
        return FoundBoards(_by_corners(image, corners), guessed=False)
    matted = MatLocator(*load_mats()).locate(image)
    if matted:
        return FoundBoards({seat: fit_covered_grid(image, place)[0] for seat, place in matted.items()}, guessed=False)
    found = _by_looks(image)
    if not found:
        raise nothing_found()
    # Only an outline can be a whole grid line off: mats and people's corners are nearer than that.
    right = dict(zip(SEATS, (put_right(image, place) for place in found), strict=False))
    unclear = frozenset(seat for seat, each in right.items() if not each.clear)
    return FoundBoards({seat: each.place for seat, each in right.items()}, guessed=True, unclear=unclear)


def _by_looks(image: NDArray[np.uint8]) -> Sequence[Homography]:
    """Find boards that look like quilts, seat 1's first; once one is found, the other is sought in its plane."""
    rated = _rated(image, [*likely_places(image, board_cells()), *_whole_picture(image)])
    pair = separate_pair([place for _, place in rated])
    if len(pair) == 1:
        rated += _rated(image, likely_places(image, board_cells(), pair[0]))
        pair = separate_pair([place for _, place in sorted(rated, key=lambda each: -each[0])])
    return in_order(pair)


def _rated(image: NDArray[np.uint8], places: Sequence[Homography]) -> list[tuple[float, Homography]]:
    """Return possible places of quilts, the surest first, rated by the position of lines and the certainty of edges."""
    rated = []
    for guess in places:
        place, support = fit_covered_grid(image, guess, _FREEDOM)
        if support >= _LEAST_RATING:
            look = look_at_quilt(quilt_view(image, place), ways=1)
            edges = np.concatenate([look.beside.reshape(-1, 4), look.below.reshape(-1, 4)])
            rated.append((support * float(np.exp(edges.max(axis=1)).mean()), place))
    return sorted((each for each in rated if each[0] >= _LEAST_RATING), key=lambda each: -each[0])


def _whole_picture(image: NDArray[np.uint8]) -> Sequence[Homography]:
    """Return the grid that fills a picture of a single quilt, if the picture is about square."""
    height, width = image.shape[:2]
    if max(height, width) > _SQUARE * min(height, width):
        return []
    return [through_corners(GRID_CORNERS, [[0, 0], [width, 0], [width, height], [0, height]])]


def _by_corners(image: NDArray[np.uint8], corners: Sequence[ArrayLike]) -> Mapping[int, Homography]:
    height, width = image.shape[:2]
    points = np.asarray(corners, np.float64).reshape(-1, 2)
    outside = np.maximum(-points, points - [width, height])
    if (outside > [_OUTSIDE * width, _OUTSIDE * height]).any():
        raise PhotoError(
            said("the corners lie outside the picture, which is {width} x {height} pixels", width=width, height=height)
        )
    return {
        seat: fit_covered_grid(image, through_corners(GRID_CORNERS, quad))[0]
        for seat, quad in zip(SEATS, corners, strict=False)
    }


def nothing_found() -> PhotoError:
    """Return the error of a picture without a quilt board."""
    return PhotoError(
        said(
            "no quilt board is found in the picture: take it from above with the whole board in view, or give {option}",
            option="--corners",
        )
    )
