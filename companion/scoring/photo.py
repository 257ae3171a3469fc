"""From a photograph to the quilts that are seen in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from companion.games.patchwork import cell_name
from companion.languages import any_of, said, system_says
from companion.scoring.finding import PhotoError, find_quilts, nothing_found, quilt_view
from companion.scoring.naming import SeenPiece, name_pieces
from companion.scoring.reading import read_together, see_quilt
from vision.rectify import SIDE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import ArrayLike, NDArray

    from companion.scoring.reading import QuiltSight
    from vision.homography import Homography

SURE: Final = 0.98
"""A cell that is less likely right than this is doubtful: of 0.95 to 0.99 the least that left no wrong cell of 44
quilts unmarked; it marks 2.4 % of all."""
_NO_QUILT: Final = 20
"""More doubtful cells than this and it is no quilt: 44 quilts had 10 at the most, a time board and cloths 24 to 62."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenQuilt:
    """One quilt as it was read.

    Attributes:
        seat: whose it is.
        place: maps cell space to pixels of the photograph.
        likely: how likely each cell is covered, shape (9, 9), float64.
        guessed: true if nothing but the board's own looks said where it lies, and whose it is.
        pieces: what lies on it.
        income: buttons printed on its patches.
    """

    seat: int
    place: Homography
    likely: NDArray[np.float64]
    guessed: bool = False
    pieces: tuple[SeenPiece, ...] = ()
    income: int = 0

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
        """The cells to look at, by name, row by row."""
        sure = np.maximum(self.likely, 1 - self.likely).reshape(-1)
        return tuple(cell_name(int(cell)) for cell in np.flatnonzero(sure < SURE))


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
    """Find the quilts of one game and read them: both, or the one that is in the picture.

    Args:
        image: the photograph, shape (height, width, 3), uint8, BGR.
        corners: for each seat in order, the outer corners A1, I1, I9, A9 of its grid in pixels, a few pixels off; of
            one grid, seat 1's. None where mats lie under the boards, or the boards are to be found by themselves.

    Raises:
        PhotoError: no board is found, or corners lie outside the picture.
    """
    found = find_quilts(image, corners)
    places = dict(sorted(found.places.items()))
    sights = {seat: see_quilt(quilt_view(image, place)) for seat, place in places.items()}
    if found.guessed:
        quilts = [seat for seat, sight in sights.items() if _is_quilt(sight)]
        if not quilts:
            raise nothing_found()
        # A seat is a place in a pair: what is left alone is the first one's.
        places = {number: places[seat] for number, seat in enumerate(quilts, start=1)}
        sights = {number: sights[seat] for number, seat in enumerate(quilts, start=1)}
    readings = dict(zip(sights, read_together(list(sights.values())), strict=True))
    names = name_pieces(image, places, readings)
    return tuple(
        SeenQuilt(seat, places[seat], reading.likely, found.guessed, names[seat], reading.income)
        for seat, reading in readings.items()
    )


def _is_quilt(sight: QuiltSight) -> bool:
    """False of a time board, say: nothing that is read there is sure."""
    likely = read_together([sight])[0].likely
    return int((np.maximum(likely, 1 - likely) < SURE).sum()) <= _NO_QUILT
