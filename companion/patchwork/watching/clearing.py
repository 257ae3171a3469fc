"""Detection of two empty boards, which ends a finished game and begins the next one at a table without buttons."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.locator import SEATS
from companion.calibrating.boards import is_empty
from companion.calibrating.configured import calibration_of, locator_by, seating_of
from companion.config import Config, TableConfig
from companion.games.patchwork.rules import History
from companion.languages import said
from companion.patchwork.watching.watch import TableWatch
from companion.play.inbox import EndGame, Inbox
from hardware.ports import Frame
from vision.board.grid import GridFit, fit_grid
from vision.geometry import Homography, rectify
from vision.stillness import StabilityGate

REST_S: Final = 3.0
"""The time for which the boards must be untouched: hands that clear a table return for the next patch."""


def begins_by_clearing(config: Config) -> bool:
    """Return whether empty boards begin a game: hands-free, at a table without buttons."""
    return config.reading.hands_free and config.controls.driver == "none"


class BoardClearing:
    """A watch over a table that is being cleared, frame by frame; `says` tells the players what to do.

    Raises:
        CompanionError: the calibration that the table names cannot be used.
    """

    says = said("Place both empty boards under the camera and take your hands away: a new game begins.")

    def __init__(self, table: TableConfig) -> None:
        self._locator = locator_by(seating_of(table), calibration_of(table))
        self._gates = {seat: StabilityGate() for seat in SEATS}
        self._since_s: float | None = None

    def see(self, frame: Frame) -> bool:
        """Process the next frame; return whether both boards are empty and have been at rest for a while."""
        places = self._locator.locate(frame.image)
        if not self._is_at_rest({seat: rectify(frame.image, place) for seat, place in places.items()}):
            self._since_s = None
            return False
        if self._since_s is None:
            self._since_s = frame.t_s
        if frame.t_s - self._since_s < REST_S:
            return False
        # A check takes a moment; the next one waits until the boards have been at rest again.
        self._since_s = frame.t_s
        return all(_board_is_empty(frame.image, place) for place in places.values())

    def _is_at_rest(self, views: dict[int, NDArray[np.uint8]]) -> bool:
        for seat in SEATS:
            if seat not in views:
                self._gates[seat].forget()
        # A list, because every gate has to see every view: `all` would stop at the first that is not settled.
        settled = [self._gates[seat].watch(view) for seat, view in views.items()]
        return len(settled) == len(SEATS) and all(settled)


class ClearedAway:
    """A tick that ends an evening as soon as the boards are cleared after the game, so that the next one may begin.

    It asks the turn loop to end.
    """

    def __init__(self, table: TableConfig, watch: TableWatch, history: History, inbox: Inbox) -> None:
        self._table, self._watch, self._history, self._inbox = table, watch, history, inbox
        self._clearing: BoardClearing | None = None
        self._seen: Frame | None = None

    def tick(self, now_s: float) -> None:
        """Process the next frame, if there is one, which the watch has seen."""
        del now_s
        frame = self._watch.frame
        if not self._history.state.finished:
            self._clearing = None
        # While the table rests ticks also come without a new frame.
        elif frame is not None and frame is not self._seen:
            self._seen = frame
            self._clearing = self._clearing or BoardClearing(self._table)
            if self._clearing.see(frame):
                self._inbox.put(EndGame())


def _board_is_empty(image: NDArray[np.uint8], place: Homography) -> bool:
    """Return whether the board near this place is empty."""
    fitted = fit_grid(image, place)
    return is_empty(rectify(image, fitted.cells_to_image if isinstance(fitted, GridFit) else place))
