"""A check of the buttons in hand when a game has ended: a question that the score sheet does not wait for."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from calibration.locator import SEATS
from companion.games.patchwork import CountButtons
from companion.languages import said
from companion.patchwork.photograph.hands import read_hands
from companion.patchwork.reading.verdict import Question, QuestionTopic
from vision.geometry.rectify import rectify
from vision.quilt.thumbnail import is_untouched, thumbnail

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from concurrent.futures import Executor, Future

    import numpy as np
    from numpy.typing import NDArray

    from companion.games.patchwork import History, State
    from companion.languages import Sentence
    from companion.patchwork.photograph.hands import SeenHand
    from companion.patchwork.reading.watch import TableWatch
    from vision.geometry.homography import Homography

_LOG: Final = logging.getLogger(__name__)
_PATIENCE_S: Final = 10.0
"""After the last decision players take what they have earned."""
_AGAIN_S: Final = 8.0
"""A difference is asked about if it is seen twice, so long apart: a player may be counting just now."""
_LOOKS: Final = 6
"""A look takes seconds, and what was not sure so often stays so."""


class ButtonCheck:
    """A comparison of the tokens before each player with the books, when the game has ended; each is asked about once.

    Args:
        watch: sees the quilts.
        history: the game.
        executor: does the counting, which takes seconds.
        count: returns by seat the tokens that are seen in a picture, given the quilts' places in it.
    """

    def __init__(
        self,
        watch: TableWatch,
        history: History,
        executor: Executor,
        count: Callable[[NDArray[np.uint8], Mapping[int, Homography]], Mapping[int, SeenHand]] = read_hands,
    ) -> None:
        self._watch, self._history, self._executor, self._count = watch, history, executor, count
        self._begin()

    def _begin(self) -> None:
        self._look: Future[Mapping[int, SeenHand]] | None = None
        self._looks_left, self._look_at_s = _LOOKS, float("inf")
        self._before: dict[int, int] = {}
        self._sure: dict[int, int] = {}
        self._warned: set[int] = set()
        self._quilts: dict[int, NDArray[np.float32]] = {}

    def see(self, now_s: float) -> None:
        """Take the next frame, which the watch has seen."""
        if not self._history.state.finished:
            if self._look_at_s < float("inf"):
                self._begin()
        elif self._look_at_s == float("inf"):
            self._look_at_s = now_s + _PATIENCE_S
        elif self._look is not None:
            self._take_in(self._look)
        elif now_s >= self._look_at_s and self._looks_left:
            self._begin_look(now_s)

    def question(self) -> Question | None:
        """Return what is to be asked now, if two looks agree that a player's buttons are not the books'."""
        if not self._history.state.finished:
            return None
        for seat in SEATS:
            seen, booked = self._sure.get(seat), self._booked(seat)
            settled = seat in self._warned or self._is_counted(seat)
            if seen is not None and seen != booked and not settled:
                self._warned.add(seat)
                frame = self._watch.frame
                return asks(self._history.state, seat, seen, "" if frame is None else frame.name)
        return None

    def is_mended(self, asked: Question) -> bool:
        """Return whether an open question of buttons is out of date: the player now has what the books say."""
        return asked.asks is QuestionTopic.BUTTONS and self._sure.get(asked.seat) == self._booked(asked.seat)

    def _booked(self, seat: int) -> int:
        return self._history.state.seat(seat).buttons

    def _is_counted(self, seat: int) -> bool:
        """Return whether players have said before what stands, perhaps before the power was cut."""
        return any(isinstance(each, CountButtons) and each.seat == seat for each in self._history.decisions[-2:])

    def _begin_look(self, now_s: float) -> None:
        frame, places = self._watch.frame, dict(self._watch.places)
        if frame is None or not self._watch.at_rest or len(places) < len(SEATS):
            return
        if self._is_cleared({seat: thumbnail(rectify(frame.image, place)) for seat, place in places.items()}):
            self._looks_left = 0
            self._sure = {}
            return
        self._looks_left, self._look_at_s = self._looks_left - 1, now_s + _AGAIN_S
        self._look = self._executor.submit(self._count, frame.image, dict(sorted(places.items())))

    def _is_cleared(self, now: dict[int, NDArray[np.float32]]) -> bool:
        """Return whether players have begun to clear the table: then tokens go back to the bank."""
        if not self._quilts:
            self._quilts = now
        return not all(is_untouched(now[seat], quilt) for seat, quilt in self._quilts.items())

    def _take_in(self, look: Future[Mapping[int, SeenHand]]) -> None:
        if not look.done():
            return
        self._look = None
        try:
            hands = look.result()
        except Exception:
            # The score stands without it.
            _LOG.exception("the buttons in hand could not be counted")
            self._looks_left = 0
            return
        now = {seat: hand.value for seat, hand in hands.items() if hand.sure}
        self._sure = {seat: value for seat, value in now.items() if self._before.get(seat) == value}
        self._before = now


def asks(state: State, seat: int, seen: int, frame: str) -> Question:
    """Return the question which of two counts stands: what the books say, which is shown first, or what lies there."""
    booked = state.seat(seat).buttons
    options = (CountButtons(seat, booked), CountButtons(seat, seen))
    says = differ(state.setup.players[seat - 1], booked, seen)
    return Question(QuestionTopic.BUTTONS, seat, options, (), says, frame)


def differ(name: str, booked: int, seen: int) -> Sentence:
    """Return the sentence that a player's tokens are not worth what the books say."""
    return said(
        "{name} has {booked} by the books; buttons worth {seen} lie in view. Which stands?",
        name=name,
        booked=booked,
        seen=seen,
    )
