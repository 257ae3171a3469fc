"""Reasons why boards are not seen, or quilts not read, and what the players can do about them."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.boards import FoundLocator
from calibration.locator import SEATS, MatLocator
from calibration.mat import load_mats
from companion.calibrating.boards import MOST_PICTURE_BLUR, mat_remarks, survey
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import State
from companion.languages import said
from companion.patchwork.watching.opening import BOTH_SEEN, BoardsStatus
from companion.patchwork.watching.setup_advice import DARK_WHITE, TOO_BRIGHT, TOO_DARK
from companion.patchwork.watching.tracking import Displacement, sentence
from companion.patchwork.watching.watch import TableWatch
from vision.board.quality import picture_blur_px, table_light
from vision.fiducials import FiducialDetector
from vision.stillness import Unrest

PATIENCE_S: Final = 8.0
"""The time for which players lay out the boards, or a hand withdraws, before they are told what is missing."""
_AGAIN_S: Final = 60.0
# The least time between two searches for the cause, which take as long as some frames.
_LOOK_S: Final = 1.0
# A picture in which no mat is found is enlarged, to see whether they are there but small.
_ENLARGED: Final = 2.5
_NOTHING: Final = said("The camera sees nothing: uncover its lens, or switch on a lamp.")
_SOFT: Final = said("The picture is blurred: focus the camera on the table.")
_SMALL: Final = said("The mats are too small in the picture: bring the camera closer.")
_NO_BOARD: Final = said(
    "No empty quilt board is seen. Place both in full view, with nothing on them and no hands over them."
)
_ONE_BOARD: Final = said(
    "Only one empty quilt board is seen. Place the other in full view too, with nothing on it and no hands over it."
)
_GONE: Final = said("The quilt boards cannot be found in the picture. Leave both in full view, where they are.")
_RESTLESS: Final = said("Both quilt boards are seen, but they are not still. Take all hands away for a moment.")
_UNREST: Final[Mapping[Unrest | None, str]] = {
    Unrest.SWAY: said("The camera sways too much: fix its stand, and do not lean on the table."),
    Unrest.LIGHT: said("The light keeps changing: switch off the lamp that flickers, or the screen beside the table."),
    Unrest.NOISE: said("The picture is too noisy to see whether anything moves: more light helps."),
}


def why_unready(watch: TableWatch, state: State, seat: int | None = None) -> str:
    """Return why both boards, or a seat's quilt, cannot be read in the latest frame, and what to do about it."""
    frame = watch.frame
    if frame is None or watch.blank:
        return _NOTHING
    seats = SEATS if seat is None else (seat,)
    if not all(each in watch.places for each in seats):
        return _why_missing(frame.image, watch, state)
    unrest = [_UNREST[cause] for each in seats if (cause := watch.unrest(each)) in _UNREST]
    if causes := [*watch.withheld, *unrest]:
        return causes[0]
    if not watch.ready:
        if watch.lost:
            return sentence(Displacement(min(watch.lost), None), state)
        return _GONE if state.decisions_made else _RESTLESS
    return said(
        "{name}’s quilt is not still in the picture. Take all hands away.",
        name=state.setup.players[(seat or state.turn or 1) - 1],
    )


def _why_missing(image: NDArray[np.uint8], watch: TableWatch, state: State) -> str:
    """Return why a board is not found in a picture."""
    if table_light(image, watch.places.values()).white < DARK_WHITE:
        return TOO_DARK
    if picture_blur_px(image) > MOST_PICTURE_BLUR * image.shape[1]:
        return _SOFT
    if isinstance(watch.locator, MatLocator):
        return _why_no_mat(image)
    if isinstance(watch.locator, FoundLocator) and not state.decisions_made:
        return _ONE_BOARD if watch.locator.found_count == 1 else _NO_BOARD
    return _GONE


def _why_no_mat(image: NDArray[np.uint8]) -> str:
    mats = load_mats()
    seen = survey(image, mats, _detector().detect(image))
    if not seen:
        larger = cv2.resize(image, None, fx=_ENLARGED, fy=_ENLARGED, interpolation=cv2.INTER_CUBIC)
        if survey(image, mats, _detector().detect(np.asarray(larger, np.uint8))):
            return _SMALL
    faults = [remark for remark in mat_remarks(seen, image) if remark.blocks]
    return faults[0].says if faults else _RESTLESS


@cache
def _detector() -> FiducialDetector:
    return FiducialDetector(load_mats()[0].dictionary)


class BoardsNotice:
    """A tick that announces why the boards are not ready, again on every change, and finally that they are."""

    def __init__(self, watch: TableWatch, history: History, say: Callable[[str, object], None]) -> None:
        self._watch, self._history, self._announce = watch, history, say
        self._since_s: float | None = None
        self._looked_s = float("-inf")
        self._said, self._said_s = "", 0.0

    def tick(self, now_s: float) -> None:
        """Process the next frame; `now_s` is its time, in seconds."""
        if self._watch.ready:
            if self._said:
                self._say(BOTH_SEEN, now_s)
                self._said = ""
            return
        if self._watch.withheld:
            # What lies there was named as it was seen.
            self._since_s = None
            return
        self._since_s = now_s if self._since_s is None else self._since_s
        # No look announces them before the boards are ready.
        while self._watch.displacements:
            self._say(sentence(self._watch.displacements.popleft(), self._history.state), now_s)
        if now_s - self._since_s < PATIENCE_S or now_s - self._looked_s < _LOOK_S:
            return
        self._looked_s = now_s
        # Boards at rest that are not ready are those of an earlier evening, in another place: a displacement.
        if not all(self._watch.settled(seat) for seat in SEATS):
            says = why_unready(self._watch, self._history.state)
            if says != self._said or now_s - self._said_s >= _AGAIN_S:
                self._say(says, now_s)

    def _say(self, says: str, now_s: float) -> None:
        self._said, self._said_s = says, now_s
        self._announce(says, BoardsStatus(are_seen=says == BOTH_SEEN))


class UnrestNotice:
    """A tick that announces, in the middle of a game, a camera whose picture never comes to rest."""

    def __init__(self, watch: TableWatch, history: History, say: Callable[[str], None]) -> None:
        self._watch, self._history, self._announce = watch, history, say
        self._since_s: float | None = None
        self._said_s = float("-inf")

    def tick(self, now_s: float) -> None:
        """Process the next frame; `now_s` is its time, in seconds."""
        # Hands move for as long as people like.
        faults = [_UNREST[cause] for seat in SEATS if (cause := self._watch.unrest(seat)) in _UNREST]
        rests = any(self._watch.settled(seat) for seat in SEATS)
        if not self._watch.ready or self._history.state.finished or rests or not faults:
            self._since_s = None
            return
        self._since_s = now_s if self._since_s is None else self._since_s
        if now_s - self._since_s >= PATIENCE_S and now_s - self._said_s >= _AGAIN_S:
            self._said_s = now_s
            self._announce(faults[0])


class LightNotice:
    """A tick that announces, in the middle of a game, light that has become too bright or too dark to read by.

    The light in which a game begins is the opening's subject (`first_look`).
    """

    def __init__(self, watch: TableWatch, history: History, say: Callable[[str], None]) -> None:
        self._watch, self._history, self._say = watch, history, say
        self._known, self._looked_s = False, float("-inf")
        self._fault, self._since_s, self._said = "", 0.0, ""

    def tick(self, now_s: float) -> None:
        """Process the next frame; `now_s` is its time, in seconds."""
        state = self._history.state
        if not self._watch.at_rest or state.finished or now_s - self._looked_s < _LOOK_S:
            return
        self._looked_s = now_s
        fault = self._light()
        if not self._known:
            self._known, self._said = True, "" if state.decisions_made else fault
        if fault != self._fault:
            self._fault, self._since_s = fault, now_s
        # A cloud, or a lamp that is switched off and on, is no news.
        if now_s - self._since_s >= PATIENCE_S and fault != self._said:
            self._said = fault
            if fault:
                self._say(fault)

    def _light(self) -> str:
        """Return the sentence on what is wrong with the light, or ""."""
        if (frame := self._watch.frame) is None:
            return ""
        light = table_light(frame.image, self._watch.places.values())
        if light.is_overexposed:
            return TOO_BRIGHT
        return TOO_DARK if light.white < DARK_WHITE else ""
