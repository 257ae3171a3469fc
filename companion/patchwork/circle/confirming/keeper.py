"""Storage of the circle at the desk, so that it survives a power cut: it cannot be seen again."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from companion.durable import write_whole
from companion.patchwork.circle.confirming.desk import LaidOut
from companion.patchwork.circle.confirming.saved import proposal_of, proposal_text
from companion.pictures import PictureError, decoded
from vision.geometry.homography import Homography

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from companion.journal import Book
    from companion.patchwork.circle.seen import SeenMarket

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
