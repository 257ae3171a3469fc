"""Reading of the quilts in a photograph."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.games.patchwork import cell_name
from companion.languages import said
from companion.patchwork.photograph.finding import PhotoError, find_quilts, nothing_found, quilt_view
from companion.patchwork.photograph.reading import QuiltEvidence, QuiltPiece, name_pieces, read_together, see_quilt
from vision.arithmetic import NoNumbersError
from vision.geometry.homography import Homography

SURE: Final = 0.97
"""Probability below which a cell is doubtful. On 400 drawn quilts not used in training, cells of 0.97 to 0.98 were
wrong as often as predicted, in 2.4 %, and all of 0.97 and more in 0.25 %."""
# Number of doubtful cells beyond which it is no quilt: 44 quilts had up to 10, a time board and cloths 24 to 62.
_NO_QUILT: Final = 20


@dataclass(frozen=True, slots=True, eq=False)
class SeenQuilt:
    """One quilt as read.

    Attributes:
        seat: the quilt's seat.
        place: maps cell space to pixels of the photograph.
        likely: the probability that each cell is covered, shape (9, 9), float64.
        guessed: true if its place and seat were derived from the board's appearance alone.
        pieces: the pieces on it.
        income: the number of buttons printed on its patches.
        unclear: true if the place may be off by one grid line; then every cell is doubtful.
    """

    seat: int
    place: Homography
    likely: NDArray[np.float64]
    guessed: bool = False
    pieces: tuple[QuiltPiece, ...] = ()
    income: int = 0
    unclear: bool = False

    @property
    def covered(self) -> NDArray[np.bool_]:
        """The likelier reading of each cell, shape (9, 9)."""
        return np.asarray(self.likely >= 0.5)

    @property
    def rows(self) -> tuple[str, ...]:
        """Nine strings of X (covered) and . (empty), one per row."""
        return tuple("".join(".X"[int(cell)] for cell in row) for row in self.covered)

    @property
    def empty(self) -> int:
        """The number of empty cells."""
        return int(np.count_nonzero(~self.covered))

    @property
    def confidence(self) -> float:
        """The mean probability that a cell was read correctly, 0..1."""
        return float(np.maximum(self.likely, 1 - self.likely).mean())

    @property
    def doubtful(self) -> tuple[str, ...]:
        """The cells to check, by name, row by row."""
        sure = np.maximum(self.likely, 1 - self.likely).reshape(-1)
        return tuple(cell_name(int(cell)) for cell in np.flatnonzero((sure < SURE) | self.unclear))


def read_photo(image: NDArray[np.uint8], corners: Sequence[ArrayLike] | None = None) -> tuple[SeenQuilt, ...]:
    """Find and read the quilts of one game: both, or the only one in the picture.

    Args:
        image: the photograph, shape (height, width, 3), uint8, BGR.
        corners: for each seat in order, the outer corners A1, I1, I9, A9 of its grid in pixels, a few pixels off; those
            of a single grid are seat 1's. None if the boards are to be found, by mats under them or by their
            appearance.

    Raises:
        PhotoError: no board is found, corners lie outside the picture, or this machine cannot compute the evidence.
    """
    try:
        return _read(image, corners)
    except NoNumbersError as error:
        raise PhotoError(
            said(
                "this machine cannot do the calculations for reading the quilts: {command} tells more",
                command="companion doctor",
            )
        ) from error


def _read(image: NDArray[np.uint8], corners: Sequence[ArrayLike] | None) -> tuple[SeenQuilt, ...]:
    found = find_quilts(image, corners)
    places, unclear = dict(sorted(found.places.items())), found.unclear
    all_evidence = {seat: see_quilt(quilt_view(image, place)) for seat, place in places.items()}
    if found.guessed:
        quilts = [seat for seat, evidence in all_evidence.items() if _is_quilt(evidence)]
        if not quilts:
            raise nothing_found()
        # Seats number the boards of a pair: a single one left over is seat 1's.
        places = {number: places[seat] for number, seat in enumerate(quilts, start=1)}
        unclear = frozenset(number for number, seat in enumerate(quilts, start=1) if seat in unclear)
        all_evidence = {number: all_evidence[seat] for number, seat in enumerate(quilts, start=1)}
    readings = dict(zip(all_evidence, read_together(list(all_evidence.values())), strict=True))
    names = name_pieces(image, places, readings)
    return tuple(
        SeenQuilt(seat, places[seat], reading.likely, found.guessed, names[seat], reading.income, seat in unclear)
        for seat, reading in readings.items()
    )


def _is_quilt(evidence: QuiltEvidence) -> bool:
    """Return whether this is a quilt, rather than, say, a time board, of which most cells are doubtful."""
    likely = read_together([evidence])[0].likely
    return int((np.maximum(likely, 1 - likely) < SURE).sum()) <= _NO_QUILT
