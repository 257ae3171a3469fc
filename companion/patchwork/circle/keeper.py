"""Storage of the circle at the desk, so that it survives a power cut: it cannot be seen again."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.durable import write_whole
from companion.games.patchwork import PATCHES
from companion.patchwork.circle.desk import LaidOut
from companion.patchwork.circle.order import UnclearStretch
from companion.patchwork.circle.proposal import Proposal
from companion.patchwork.circle.seen import CircleSighting, SeenMarket
from companion.pictures import PictureError, decoded
from vision.geometry import Homography

if TYPE_CHECKING:
    from companion.journal import Book

_FORMAT: Final = 2


def proposal_text(proposal: Proposal) -> str:
    """Return a proposal as one line of JSON."""
    seen = proposal.seen
    return json.dumps(
        {
            "format": _FORMAT,
            "pieces": [_piece_json(piece) for piece in seen.pieces],
            "token": seen.token_px,
            "begins": seen.begins,
            "notes": seen.notes,
            "answers": [[place, patch] for place, patch in proposal.answers.items()],
            "behind": proposal.behind,
            "unclear": [stretch.ways for stretch in seen.unclear],
            "ways": [[place, way] for place, way in proposal.ways.items()],
        },
        separators=(",", ":"),
    )


def proposal_of(text: str) -> Proposal:
    """Return the proposal that `proposal_text` wrote.

    Raises:
        ValueError: the text is invalid, or of another version.
    """
    try:
        return _proposal(json.loads(text))
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise ValueError(f"no circle that was kept: {error}") from error


def _piece_json(piece: CircleSighting) -> dict[str, Any]:
    return {
        "patch": piece.patch,
        "outline": np.asarray(piece.outline_px, np.float64).tolist(),
        "centre": [float(each) for each in piece.centre_px],
        "chances": piece.chances,
        "sure": piece.sure,
        "whole": piece.whole,
        "touching": piece.touching,
    }


def _proposal(fields: dict[str, Any]) -> Proposal:
    if fields["format"] != _FORMAT:
        raise ValueError("a circle that another version has kept")
    x_y = fields["token"]
    seen = SeenMarket(
        tuple(_piece(each) for each in fields["pieces"]),
        None if x_y is None else (float(x_y[0]), float(x_y[1])),
        str(fields["begins"]),
        tuple(str(note) for note in fields["notes"]),
        tuple(_stretch(ways, len(fields["pieces"])) for ways in fields["unclear"]),
    )
    answers = {int(place): patch for place, patch in fields["answers"]}
    behind = tuple((int(place), str(patch)) for place, patch in fields["behind"])
    places = range(1, len(seen.pieces) + 1)
    if any(place not in places for place in (*answers, *(place for place, _ in behind))):
        raise ValueError("it speaks of places that there are not")
    _check([*answers.values(), *(patch for _, patch in behind), *(piece.patch for piece in seen.pieces)])
    known = {stretch.places[0]: len(stretch.ways) for stretch in seen.unclear}
    ways = {int(place): int(way) for place, way in fields["ways"]}
    if any(way not in range(known.get(place, 0)) for place, way in ways.items()):
        raise ValueError("it speaks of ways that there are not")
    return Proposal(seen, answers, behind, ways)


def _stretch(ways: list[list[int]], pieces: int) -> UnclearStretch:
    stretch = UnclearStretch(tuple(tuple(int(place) for place in way) for way in ways))
    if any(sorted(way) != sorted(stretch.places) for way in stretch.ways) or not stretch.places:
        raise ValueError("its ways are no orders of one stretch")
    if any(place not in range(1, pieces + 1) for place in stretch.places):
        raise ValueError("it speaks of places that there are not")
    return stretch


def _piece(fields: dict[str, Any]) -> CircleSighting:
    chances = tuple((str(patch), float(chance)) for patch, chance in fields["chances"])
    _check(patch for patch, _ in chances)
    x, y = fields["centre"]
    return CircleSighting(
        fields["patch"],
        np.array(fields["outline"], np.float64).reshape(-1, 2),
        (float(x), float(y)),
        chances,
        bool(fields["sure"]),
        bool(fields["whole"]),
        tuple(int(number) for number in fields["touching"]),
    )


def _check(patches: Iterable[str | None]) -> None:
    if any(patch is not None and patch not in PATCHES for patch in patches):
        raise ValueError("it speaks of patches that there are not")


_LOG: Final = logging.getLogger(__name__)
_CIRCLE_NOTE: Final = "circle that was seen"
_PLACES_NOTE: Final = "where the circle was seen"
_QUALITY: Final = 90


class CircleKeeper:
    """The store of one game's circle.

    Args:
        book: the journal, which stores the circle and the answers.
        game_id: the game's number in the journal.
        picture: the path for the picture in which the circle was seen.
    """

    def __init__(self, book: Book, game_id: int, picture: Path) -> None:
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
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        try:
            self._picture.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._picture, data.tobytes())
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


def _places(text: str) -> tuple[tuple[int, int], Mapping[int, Homography]]:
    """Return a picture's height and width, and by seat the maps from cell space to its pixels."""
    fields = json.loads(text)
    height, width = (int(each) for each in fields["size"])
    boards = {int(seat): np.array(matrix, np.float64) for seat, matrix in fields["boards"].items()}
    if min(height, width) < 1 or any(matrix.shape != (3, 3) for matrix in boards.values()):
        raise ValueError("it says nowhere where the boards lay")
    return (height, width), {seat: Homography(matrix) for seat, matrix in boards.items()}
