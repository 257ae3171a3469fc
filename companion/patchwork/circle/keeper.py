"""Storage of the circle at the desk, so that it survives a power cut: it cannot be seen again."""

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.durable import write_whole
from companion.games.patchwork.components import PATCHES
from companion.journal import Journal
from companion.patchwork.circle.proposal import Proposal
from companion.patchwork.circle.seen import SeenMarket
from companion.pictures import PictureError, decoded, jpeg
from vision.geometry import Homography

_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class LaidOut:
    """A circle that is shown for confirmation.

    Attributes:
        number: increases with every change.
        proposal: the circle as it was seen, with the answers.
        image: the picture in which it was seen, shape (height, width, 3), uint8, BGR.
        boards: by seat, the maps from cell space to that picture's pixels.
        known: whether the game has this circle.
    """

    number: int
    proposal: Proposal
    image: NDArray[np.uint8]
    boards: Mapping[int, Homography] = field(default_factory=dict)
    known: bool = False


class CircleKeeper:
    """The store of one game's circle and, at a path, of the picture in which it was seen."""

    def __init__(self, book: Journal, game_id: int, picture: Path) -> None:
        self._book, self._game_id, self._picture = book, game_id, picture
        self._seen: SeenMarket | None = None

    def keep(self, laid: LaidOut) -> None:
        """Save the circle that is at the desk.

        Raises:
            JournalError: the journal cannot be written.
        """
        if laid.proposal.seen is not self._seen:
            self._seen = laid.proposal.seen
            self._keep_picture(laid.image)
            # The places before the circle, which could not be restored without them.
            places = {seat: place.matrix.tolist() for seat, place in laid.boards.items()}
            size = {"size": laid.image.shape[:2], "boards": places}
            self._book.note(self._game_id, _PLACES_NOTE, json.dumps(size, separators=(",", ":")))
        self._book.note(self._game_id, _CIRCLE_NOTE, proposal_text(laid.proposal))

    def saved(self) -> LaidOut | None:
        """Return the circle saved before the game was interrupted, or None if there is none or it is unreadable."""
        notes = self._book.notes(self._game_id)
        if _CIRCLE_NOTE not in notes:
            return None
        try:
            proposal = proposal_of(notes[_CIRCLE_NOTE])
            size, boards = _places(notes[_PLACES_NOTE])
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            _LOG.warning("the circle that was seen is lost: %s", error)
            return None
        self._seen = proposal.seen
        return LaidOut(0, proposal, self._read_picture(size), boards)

    def _keep_picture(self, image: NDArray[np.uint8]) -> None:
        try:
            self._picture.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._picture, jpeg(image, _QUALITY))
        except OSError as error:
            _LOG.warning("%s: cannot be written: %s", self._picture, error.strerror)

    def _read_picture(self, size: tuple[int, int]) -> NDArray[np.uint8]:
        """Return the picture, or a grey one if it is lost, because the places can still be answered without it."""
        try:
            image = decoded(self._picture.read_bytes())
        except (OSError, PictureError) as error:
            _LOG.warning("%s: cannot be read: %s", self._picture, error)
            image = None
        grey = np.full((*size, 3), 128, np.uint8)
        return np.asarray(grey if image is None or image.shape[:2] != size else image, np.uint8)


@dataclass(frozen=True, slots=True)
class _Stored:
    """The proposal as it is stored."""

    format: Literal[3]
    proposal: Proposal


def proposal_text(proposal: Proposal) -> str:
    """Return a proposal as one line of JSON."""
    return msgspec.json.encode(_Stored(3, proposal), enc_hook=np.ndarray.tolist).decode()


def proposal_of(text: str) -> Proposal:
    """Return the proposal that `proposal_text` wrote.

    Raises:
        ValueError: the text is invalid, or of another version.
    """
    try:
        proposal = msgspec.json.decode(text, type=_Stored, dec_hook=_array).proposal
    except msgspec.MsgspecError as error:
        raise ValueError(f"not a stored circle: {error}") from error
    if not _is_consistent(proposal):
        raise ValueError("a stored circle that contradicts itself")
    return proposal


def _array(kind: object, value: object) -> NDArray[np.float64]:
    del kind
    return np.array(value, np.float64).reshape(-1, 2)


def _is_consistent(proposal: Proposal) -> bool:
    """Return whether all patches, places and orders of a stored circle exist."""
    seen = proposal.seen
    named = [patch for piece in seen.pieces for patch in (piece.patch, *(each for each, _ in piece.chances))]
    patches = {*named, *proposal.answers.values(), *(patch for _, patch in proposal.behind)}
    places = {*proposal.answers, *(place for place, _ in proposal.behind)}
    for stretch in seen.unclear:
        if not stretch.ways or any(sorted(way) != sorted(stretch.places) for way in stretch.ways):
            return False
        places.update(stretch.places)
    known = {stretch.places[0]: len(stretch.ways) for stretch in seen.unclear}
    return (
        patches <= {None, *PATCHES}
        and places <= {*range(1, len(seen.pieces) + 1)}
        and all(way in range(known.get(place, 0)) for place, way in proposal.ways.items())
    )


_CIRCLE_NOTE: Final = "circle that was seen"
_PLACES_NOTE: Final = "where the circle was seen"
_QUALITY: Final = 90


def _places(text: str) -> tuple[tuple[int, int], Mapping[int, Homography]]:
    """Return a picture's height and width, and by seat the maps from cell space to its pixels."""
    fields = json.loads(text)
    height, width = (int(each) for each in fields["size"])
    boards = {int(seat): np.array(matrix, np.float64) for seat, matrix in fields["boards"].items()}
    if min(height, width) < 1 or any(matrix.shape != (3, 3) for matrix in boards.values()):
        raise ValueError("it says nowhere where the boards lay")
    return (height, width), {seat: Homography(matrix) for seat, matrix in boards.items()}
