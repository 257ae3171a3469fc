"""A check of the buttons in hand at the end of a game, by a question that does not delay the score sheet."""

import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.locator import SEATS
from companion.games.patchwork import CountButtons, History, State
from companion.languages import Sentence, said
from companion.patchwork.ending.learning import LearntHands
from companion.patchwork.ending.looks import LAST, EndLooks, PlayLooks
from companion.patchwork.photograph.hands import SeenHand, SeenHeaps, see_heaps
from companion.patchwork.reading.verdict import Question, QuestionTopic
from companion.patchwork.watching.watch import TableWatch
from vision.geometry.homography import Homography
from vision.tokens.kinds import AnyKind

_LOG: Final = logging.getLogger(__name__)
# The number of looks after which learning is given up if no tokens ever matched the recorded numbers.
_IN_VAIN: Final = 5


class ButtonCheck:
    """A comparison of each player's tokens with the recorded number after the end; each player is asked about once.

    Where each player's tokens lie and the tokens' values are learnt in play, from looks that matched the recorded
    numbers.

    Args:
        watch: the watch over the quilts.
        history: the game.
        executor: runs the looks, which take seconds.
        see: finds tokens in a picture, given by seat the quilts' places in it, and the kinds of tokens.
        hands: assigns the tokens to players.
    """

    def __init__(
        self,
        watch: TableWatch,
        history: History,
        executor: Executor,
        see: Callable[[NDArray[np.uint8], Mapping[int, Homography], Sequence[AnyKind]], SeenHeaps] = see_heaps,
        hands: LearntHands | None = None,
    ) -> None:
        self._watch, self._history = watch, history
        self._hands = LearntHands() if hands is None else hands
        self._see = see
        self._looks = EndLooks(watch, history, executor, self._seen_in)
        self._looks_before = PlayLooks(watch, history, executor, self._seen_in)
        self._looked = 0
        self._begin()

    def _begin(self) -> None:
        self._before: dict[int, int] = {}
        self._sure: dict[int, int] = {}
        self._warned: set[int] = set()

    def see(self, now_s: float) -> None:
        """Process the next frame, which the watch has seen."""
        # In play, too: these looks have to notice that an end was undone.
        seen = self._looks.seen(now_s)
        if not self._history.state.finished:
            if self._before or self._warned:
                self._begin()
            self._learn(now_s)
        elif seen is not None:
            now = {seat: hand.value for seat, hand in self._hands.hands(seen).items() if self._is_evidence(hand)}
            # A count seen only once may be that of a player who is counting at the moment.
            self._sure = {seat: value for seat, value in now.items() if self._before.get(seat) == value}
            self._before = now

    def _seen_in(self, image: NDArray[np.uint8], places: Mapping[int, Homography]) -> SeenHeaps:
        return self._see(image, places, self._hands.kinds)

    def _learn(self, now_s: float) -> None:
        """Look at the table in play, too, while that can still be of use."""
        if self._looked >= _IN_VAIN and self._hands.is_vain:
            return
        try:
            looked = self._looks_before.seen(now_s)
        except Exception:
            # The game goes on without it.
            _LOG.exception("what lies before the players could not be looked at in play")
            self._looked, self._hands = _IN_VAIN, LearntHands()
            return
        if looked is not None:
            seen, state = looked
            self._looked += 1
            self._hands.learn(seen, {seat: state.seat(seat).buttons for seat in SEATS})

    def _is_evidence(self, hand: SeenHand) -> bool:
        """Return whether a count is evidence: it is sure, or even the visible tokens are worth more than recorded."""
        return hand.sure or (hand.is_least and hand.value > self._booked(hand.seat))

    def question(self) -> Question | None:
        """Return the question to ask now, if two looks agree on a number of a player's buttons that is not recorded."""
        if not self._history.state.finished:
            return None
        for seat in SEATS:
            seen, booked = self._sure.get(seat), self._booked(seat)
            settled = seat in self._warned or self._is_counted(seat)
            if seen is not None and seen != booked and not settled:
                self._warned.add(seat)
                frame = self._watch.frame
                return count_question(self._history.state, seat, seen, "" if frame is None else frame.name)
        return None

    def is_mended(self, asked: Question) -> bool:
        """Return whether an open question of buttons is obsolete because the count now matches the recorded one."""
        return asked.asks is QuestionTopic.BUTTONS and self._sure.get(asked.seat) == self._booked(asked.seat)

    def _booked(self, seat: int) -> int:
        return self._history.state.seat(seat).buttons

    def _is_counted(self, seat: int) -> bool:
        """Return whether players have already stated the count, possibly before a power cut."""
        return any(isinstance(each, CountButtons) and each.seat == seat for each in self._history.decisions[-LAST:])


def count_question(state: State, seat: int, seen: int, frame: str) -> Question:
    """Return the question which of two counts is right: the recorded one, shown first, or the one seen."""
    booked = state.seat(seat).buttons
    options = (CountButtons(seat, booked), CountButtons(seat, seen))
    says = difference_sentence(state.setup.players[seat - 1], booked, seen)
    return Question(QuestionTopic.BUTTONS, seat, options, (), says, frame)


def difference_sentence(name: str, booked: int, seen: int) -> Sentence:
    """Return the sentence that a player's tokens do not match the recorded number of buttons."""
    return said(
        "{name} should have {booked}; buttons worth {seen} are in view. Which is right?",
        name=name,
        booked=booked,
        seen=seen,
    )
