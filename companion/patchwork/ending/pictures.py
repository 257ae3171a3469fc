"""Rectified pictures of both quilts at a game's end, for players to share."""

import logging
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.locator import SEATS
from companion.games.patchwork import History
from companion.patchwork.watching.watch import TableWatch
from vision.geometry import Homography, through_corners

_LOG: Final = logging.getLogger(__name__)

PICTURES: Final = "pictures"
"""The folder of the pictures, beside the journal."""
SIDE_PX: Final = 900
MARGIN_CELLS: Final = 0.35
"""The width of the board's rim that is included in the picture."""
_QUALITY: Final = 90


def quilt_path(folder: Path, game_id: int, seat: int) -> Path:
    """Return the path of a quilt's picture, by the game's number in the journal and the seat."""
    return folder / f"{game_id}-{seat}.jpg"


class EndPictures:
    """A tick that takes the pictures once the game has ended, and again once no hand is over the quilts any more."""

    def __init__(self, watch: TableWatch, history: History, folder: Path, game_id: int) -> None:
        self._watch, self._history = watch, history
        self._folder, self._game_id = folder, game_id
        self._written: dict[int, bool] = {}

    def tick(self, now_s: float) -> None:
        """Process the next frame."""
        del now_s
        if not self._history.state.finished:
            self._written.clear()  # The last decision may be undone, and the game end again.
            return
        for seat in SEATS:
            settled = self._watch.settled(seat)
            if self._watch.frame is not None and seat in self._watch.places and not self._is_kept(seat, settled):
                self._keep(seat, straight_on(self._watch.frame.image, self._watch.places[seat]))
                self._written[seat] = settled

    def _is_kept(self, seat: int, settled: bool) -> bool:
        return seat in self._written and (self._written[seat] or not settled)

    def _keep(self, seat: int, picture: NDArray[np.uint8]) -> None:
        path = quilt_path(self._folder, self._game_id, seat)
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data.tobytes())
        except OSError:
            # A picture to look at is no reason to end the evening.
            _LOG.exception("%s cannot be written", path)


def straight_on(image: NDArray[np.uint8], place: Homography) -> NDArray[np.uint8]:
    """Return a board as if seen from above, with a little of its rim, shape (SIDE_PX, SIDE_PX, 3), uint8, BGR."""
    low, high = -MARGIN_CELLS, 9 + MARGIN_CELLS
    cells = np.array([[low, low], [high, low], [high, high], [low, high]])
    picture = np.array([[0.0, 0.0], [SIDE_PX, 0.0], [SIDE_PX, SIDE_PX], [0.0, SIDE_PX]])
    to_image = place.after(through_corners(picture, cells)).matrix
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(image, to_image, (SIDE_PX, SIDE_PX), flags=flags), np.uint8)
