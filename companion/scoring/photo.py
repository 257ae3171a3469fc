"""From a photograph to the two quilts that are seen in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from calibration.locator import SEATS, MatLocator
from calibration.mat import load_mat, load_mats
from companion.errors import CompanionError
from companion.games.patchwork import cell_name
from companion.languages import any_of, said, system_says
from companion.scoring.reading import read_quilt
from vision.boards import find_boards
from vision.coveredgrid import fit_covered_grid
from vision.homography import Homography, through_corners
from vision.rectify import GRID_CORNERS, SIDE, rectify

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import ArrayLike, NDArray

SURE: Final = 0.99
"""A cell that is less likely right than this is doubtful."""
SURE_WHEN_FULL: Final = 0.995
"""Likewise on a quilt with so few empty cells that the board's ground is hardly known."""
_NO_QUILT: Final = 40
"""More doubtful cells than this are half of a quilt; eight photographs of quilts had 16 at the most."""
_FEW_EMPTY: Final = 5
_CELL_PX: Final = 44.0
"""Sharper pictures are made smaller first: fine threads would turn into noise when the view is taken."""


class PhotoError(CompanionError):
    """A picture cannot be read, or the boards are not found in it; the message says what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenQuilt:
    """One quilt as it was read.

    Attributes:
        seat: whose it is.
        place: maps cell space to pixels of the photograph.
        likely: how likely each cell is covered, shape (9, 9), float64.
        guessed: whether nothing but the board's own outline said where it lies, and whose it is.
    """

    seat: int
    place: Homography
    likely: NDArray[np.float64]
    guessed: bool = False

    @property
    def covered(self) -> NDArray[np.bool_]:
        """The likelier reading of each cell, shape (9, 9)."""
        return np.asarray(self.likely >= 0.5)

    @property
    def rows(self) -> tuple[str, ...]:
        """Nine strings of X (covered) and . (empty)."""
        return tuple("".join(".X"[int(cell)] for cell in row) for row in self.covered)

    @property
    def empty(self) -> int:
        """How many cells are empty."""
        return int(np.count_nonzero(~self.covered))

    @property
    def confidence(self) -> float:
        """The share of cells that is likely read right, 0..1."""
        return float(np.maximum(self.likely, 1 - self.likely).mean())

    @property
    def doubtful(self) -> tuple[str, ...]:
        """The cells that somebody should look at, by name, row by row."""
        sure = np.maximum(self.likely, 1 - self.likely).reshape(-1)
        needed = SURE_WHEN_FULL if self.empty <= _FEW_EMPTY else SURE
        return tuple(cell_name(int(cell)) for cell in np.flatnonzero(sure < needed))


def load_photo(path: Path) -> NDArray[np.uint8]:
    """Read a picture, shape (height, width, 3), uint8, BGR.

    Raises:
        PhotoError: there is none, or it is no picture.
    """
    try:
        content = np.frombuffer(path.read_bytes(), np.uint8)
    except (OSError, ValueError) as error:
        raise PhotoError(said("{path}: cannot be read: {fault}", path=str(path), fault=system_says(error))) from error
    try:
        image = cv2.imdecode(content, cv2.IMREAD_COLOR) if content.size else None
    except cv2.error:  # a picture larger than OpenCV takes
        image = None
    if image is None or min(image.shape[:2]) < 2 * SIDE:
        raise PhotoError(
            said(
                "{path}: is no picture that can be read; give a photograph as {kinds}",
                path=str(path),
                kinds=any_of(["JPEG", "PNG"]),
            )
        )
    return np.asarray(image, np.uint8)


def read_photo(image: NDArray[np.uint8], corners: Sequence[ArrayLike] | None = None) -> tuple[SeenQuilt, ...]:
    """Find both quilts and read them.

    Args:
        image: the photograph, shape (height, width, 3), uint8, BGR.
        corners: for each seat in order, the outer corners A1, I1, I9, A9 of its grid in pixels, a few pixels off;
            None where the mats lie under the boards, or the boards are to be found by themselves.

    Raises:
        PhotoError: fewer than two boards are found, or corners lie outside the picture.
    """
    told = _by_fiducials(image) if corners is None else _by_corners(image, corners)
    places = told or _by_outline(image)
    quilts = tuple(
        SeenQuilt(seat, place, _read(image, place), guessed=not told) for seat, place in sorted(places.items())
    )
    if not told and any(len(quilt.doubtful) > _NO_QUILT for quilt in quilts):
        # A time board, say: what is read there is worth nothing, and people would have to check it all.
        raise _too_few(1)
    return quilts


def _by_corners(image: NDArray[np.uint8], corners: Sequence[ArrayLike]) -> Mapping[int, Homography]:
    height, width = image.shape[:2]
    points = np.asarray(corners, np.float64).reshape(-1, 2)
    if ((points < -width // 10) | (points > [1.1 * width, 1.1 * height])).any():
        raise PhotoError(
            said("the corners lie outside the picture, which is {width} x {height} pixels", width=width, height=height)
        )
    return {
        seat: fit_covered_grid(image, through_corners(GRID_CORNERS, quad))[0]
        for seat, quad in zip(SEATS, corners, strict=True)
    }


def _by_fiducials(image: NDArray[np.uint8]) -> Mapping[int, Homography]:
    """By the mats; empty where none is seen."""
    found = MatLocator(*load_mats()).locate(image)
    if len(found) == 1:
        (seat,) = found
        raise PhotoError(
            said(
                "only seat {seat}'s mat is found: show two markers or more of seat {other}'s mat too, or give {option}",
                seat=seat,
                other=3 - seat,
                option="--corners",
            )
        )
    return {seat: fit_covered_grid(image, place)[0] for seat, place in found.items()}


def _by_outline(image: NDArray[np.uint8]) -> Mapping[int, Homography]:
    mat = load_mat()
    found = find_boards(image, mat.board_size_mm / mat.cell_mm)
    if len(found) < len(SEATS):
        raise _too_few(len(found))
    return dict(zip(SEATS, found, strict=True))


def _too_few(found: int) -> PhotoError:
    one = said(
        "only one quilt board is found in the picture: take it from above with both in full view, or give {option}",
        option="--corners",
    )
    none = said(
        "no quilt boards are found in the picture: take it from above with both in full view, or give {option}",
        option="--corners",
    )
    return PhotoError(one if found else none)


def _read(image: NDArray[np.uint8], place: Homography) -> NDArray[np.float64]:
    edges_px = np.roll(place(GRID_CORNERS), -1, axis=0) - place(GRID_CORNERS)
    scale = min(1.0, _CELL_PX * SIDE / float(np.hypot(*edges_px.T).mean()))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    # Whole pixels' centres move by half a pixel more than their edges do.
    shrink = Homography(np.array([[scale, 0, (scale - 1) / 2], [0, scale, (scale - 1) / 2], [0, 0, 1.0]]))
    return read_quilt(rectify(np.asarray(small, np.uint8), shrink.after(place)))
