"""Detection of two empty boards, which ends a finished game and begins the next one at a table without buttons."""

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.boards import FoundLocator
from calibration.locator import SEATS, QuiltLocator
from companion.calibrating.boards import is_empty
from companion.calibrating.configured import calibration_of, locator_by, seating_of
from companion.config import Config, TableConfig
from companion.games.patchwork import History
from companion.languages import said
from companion.patchwork.watching.tracking import sentence
from companion.patchwork.watching.watch import TableWatch
from hardware.ports import Camera, Frame
from vision.board.grid_fit import GridFit, fit_grid
from vision.geometry.homography import Homography
from vision.geometry.rectify import rectify
from vision.quilt.stability import StabilityGate

# Grace time in which players are still laying out the boards.
_PATIENCE_S: Final = 8.0
_AGAIN_S: Final = 60.0
_NO_BOARD: Final = said(
    "No empty quilt board is seen. Place both in full view, with nothing on them and no hands over them."
)
_ONE_BOARD: Final = said(
    "Only one empty quilt board is seen. Place the other in full view too, with nothing on it and no hands over it."
)
_RESTLESS: Final = said("Both empty quilt boards are seen, but they are not still. Take all hands away for a moment.")
_BOTH: Final = said("Both quilt boards are seen.")
_SAYS: Final = {0: _NO_BOARD, 1: _ONE_BOARD, 2: _RESTLESS}


class Lookout:
    """A tick that announces why the boards are not ready, again on every change, and finally that they are.

    Args:
        watch: the watch over the boards.
        locator: the locator of the boards.
        history: the game.
        say: announces a sentence to the players.
    """

    def __init__(self, watch: TableWatch, locator: FoundLocator, history: History, say: Callable[[str], None]) -> None:
        self._watch, self._locator, self._history = watch, locator, history
        self._announce = say
        self._since_s: float | None = None
        self._said, self._said_s = "", 0.0

    def tick(self, now_s: float) -> None:
        """Process the next frame; `now_s` is its time, in seconds."""
        if self._watch.ready:
            if self._said:
                self._say(_BOTH, now_s)
                self._said = ""
            return
        self._since_s = now_s if self._since_s is None else self._since_s
        # No look announces them before the boards are ready.
        while self._watch.displacements:
            self._say(sentence(self._watch.displacements.popleft(), self._history.state), now_s)
        if not self._locator.relied_upon and now_s - self._since_s >= _PATIENCE_S:
            says = _SAYS[self._locator.found_count]
            if says != self._said or now_s - self._said_s >= _AGAIN_S:
                self._say(says, now_s)

    def _say(self, says: str, now_s: float) -> None:
        self._said, self._said_s = says, now_s
        self._announce(says)


def lookouts(
    watch: TableWatch, locator: QuiltLocator, history: History, say: Callable[[str], None]
) -> tuple[Callable[[float], None], ...]:
    """Return the ticks that announce boards out of view; none if mats lie under the boards."""
    return (Lookout(watch, locator, history, say).tick,) if isinstance(locator, FoundLocator) else ()


REST_S: Final = 3.0
"""The time for which the boards must be untouched: hands that clear a table return for the next patch."""


def begins_by_clearing(config: Config) -> bool:
    """Return whether empty boards begin a game: hands-free, at a table without buttons."""
    return config.reading.hands_free and config.controls.driver == "none"


class BoardClearing:
    """A watch over a table that is being cleared, frame by frame.

    Attributes:
        says: what the players should do, a sentence.

    Args:
        table: the configuration of the table, which determines how its boards are found.

    Raises:
        TableCalibrationError: the calibration that it names cannot be used.
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

    Args:
        table: the configuration of the table, which determines how its boards are found.
        watch: the watch, which sees every frame.
        history: the game.
        camera: the camera to close; the turn loop ends with its frames.
    """

    def __init__(self, table: TableConfig, watch: TableWatch, history: History, camera: Camera) -> None:
        self._table, self._watch, self._history, self._camera = table, watch, history, camera
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
                self._camera.close()


def _board_is_empty(image: NDArray[np.uint8], place: Homography) -> bool:
    """Return whether the board near this place is empty."""
    fitted = fit_grid(image, place)
    return is_empty(rectify(image, fitted.cells_to_image if isinstance(fitted, GridFit) else place))
