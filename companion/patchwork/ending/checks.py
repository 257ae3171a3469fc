"""Checks of the table against the recorded state at the end of a game: buttons in hand and the 7x7 tile.

A difference leads to a question, which does not delay the score sheet.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from calibration.locator import SEATS
from companion.games.patchwork.components import has_square
from companion.games.patchwork.decisions import AwardTile, CountButtons
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import State
from companion.languages import Sentence, said
from companion.patchwork.ending.token_values import LearntHands
from companion.patchwork.photograph.hands import LIKE_IT, SeenHand, SeenHeaps, owner_of, see_heaps
from companion.patchwork.reading.verdict import Question, QuestionTopic
from companion.patchwork.watching.watch import TableWatch
from vision.geometry import Homography, rectify
from vision.quilt.look import is_untouched, thumbnail
from vision.tokens.kinds import AnyKind
from vision.tokens.tiles import Tile, find_tiles

_LOG: Final = logging.getLogger(__name__)
# The number of looks after which learning is given up if no tokens ever matched the recorded numbers.
_IN_VAIN: Final = 5
LAST: Final = 3
"""The most decisions after a game's last move: both players' counts, and the owner of the tile."""


class ButtonCheck:
    """A comparison of each player's tokens with the recorded number after the end; each player is asked about once.

    Where each player's tokens lie and the tokens' values are learnt in play, from looks that matched the recorded
    numbers.
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
    says = difference_sentence(state.name_of(seat), booked, seen)
    return Question(QuestionTopic.BUTTONS, seat, options, (), says, frame)


def difference_sentence(name: str, booked: int, seen: int) -> Sentence:
    """Return the sentence that a player's tokens do not match the recorded number of buttons."""
    return said(
        "{name} should have {booked}; buttons worth {seen} are in view. Which is right?",
        name=name,
        booked=booked,
        seen=seen,
    )


@dataclass(frozen=True, slots=True)
class SeenTiles:
    """The objects of the 7x7 tile's size in a picture, their distances in the order of the boards' seats."""

    tiles: tuple[Tile, ...]
    seats: tuple[int, ...]


def see_tiles(image: NDArray[np.uint8], places: Mapping[int, Homography], track: Homography | None = None) -> SeenTiles:
    """Return the objects of the 7x7 tile's size in a picture; quilts by seat and the time board are mapped to it."""
    return SeenTiles(find_tiles(image, list(places.values()), track), tuple(places))


class TileCheck:
    """A comparison of the board that the 7x7 tile lies by with the records after the end; reported at most once.

    If the other player has a full square, too, a question is asked; otherwise the players are told to pass the tile on.
    """

    def __init__(
        self,
        watch: TableWatch,
        history: History,
        executor: Executor,
        say: Callable[[str], None],
        see: Callable[[NDArray[np.uint8], Mapping[int, Homography]], SeenTiles] = see_tiles,
    ) -> None:
        self._watch, self._history, self._say, self._see = watch, history, say, see
        self._looks = EndLooks(watch, history, executor, self._look)
        self._begin()

    def _begin(self) -> None:
        self._before: int | None = None
        self._sure: int | None = None
        self._is_announced = False

    def see(self, now_s: float) -> None:
        """Process the next frame, which the watch has seen."""
        seen = self._looks.seen(now_s)
        state = self._history.state
        if not state.finished:
            if self._before is not None or self._is_announced:
                self._begin()
        elif seen is not None:
            now = owner_of(seen.tiles, seen.seats, is_square_sewn=LIKE_IT not in state.box)
            self._sure = now if now == self._before else None
            self._before = now
            self._announce_stray(state)

    def _announce_stray(self, state: State) -> None:
        """Announce once that the tile lies by the board of a player who cannot have it, if two looks agree on that."""
        seen, booked = self._sure, holder(state)
        if seen is None or booked is None or has_square(state.seat(seen).quilt):
            return
        if self._is_news(seen, booked):
            self._is_announced = True
            self._say(stray_sentence(state, booked, seen))

    def question(self) -> Question | None:
        """Return the question to ask now, if two looks agree on the board of a seat that could have the tile."""
        state, seen = self._history.state, self._sure
        booked, frame = holder(state), self._watch.frame
        if seen is None or booked is None or not state.finished or not self._is_news(seen, booked):
            return None
        self._is_announced = True
        return ownership_question(state, booked, seen, "" if frame is None else frame.name)

    def is_mended(self, asked: Question) -> bool:
        """Return whether an open question of the tile is obsolete because it lies by its recorded owner's board."""
        return asked.asks is QuestionTopic.TILE and self._sure == holder(self._history.state)

    def _is_news(self, seen: int, booked: int) -> bool:
        """Return whether the seat differs, is not announced, and players have not decided, even before a power cut."""
        is_awarded = any(isinstance(each, AwardTile) for each in self._history.decisions[-LAST:])
        return seen != booked and not self._is_announced and not is_awarded

    def _look(self, image: NDArray[np.uint8], places: Mapping[int, Homography]) -> SeenTiles:
        """Return the objects seen; none if no player has won the tile."""
        return SeenTiles((), ()) if holder(self._history.state) is None else self._see(image, places)


def holder(state: State) -> int | None:
    """Return the seat that has the 7x7 tile by the records, or None if it was not won."""
    return next((seat for seat in (1, 2) if state.seat(seat).bonus), None)


def ownership_question(state: State, booked: int, seen: int, frame: str) -> Question:
    """Return the question whose the tile is: the recorded owner's, shown first, or that of the nearest seat."""
    says = said(
        "The 7x7 tile is by {name}’s board; it should be {other}’s, who had a full square first. Whose is it?",
        name=state.name_of(seen),
        other=state.name_of(booked),
    )
    return Question(QuestionTopic.TILE, booked, (AwardTile(booked), AwardTile(seen)), (), says, frame)


def stray_sentence(state: State, booked: int, seen: int) -> Sentence:
    """Return the sentence that the tile lies beside the board of a player without a full square."""
    return said(
        "The 7x7 tile is by {name}’s board; it belongs to {other}, who has a full square.",
        name=state.name_of(seen),
        other=state.name_of(booked),
    )


# Grace time after the last decision, in which players take their income.
_PATIENCE_S: Final = 10.0
# Seconds between two looks: a player may be counting at the moment.
_AGAIN_S: Final = 8.0
# The most looks after the end: each takes seconds, and a result uncertain so often remains uncertain.
_LOOKS: Final = 6
# Grace time after a decision, in which players pay or take their income.
_PAID_S: Final = 6.0
SeenT = TypeVar("SeenT")


class _Looks(Generic[SeenT]):
    """Looks at a table at rest; `see` gets a picture and by seat the quilts' places in it."""

    def __init__(
        self,
        watch: TableWatch,
        history: History,
        executor: Executor,
        see: Callable[[NDArray[np.uint8], Mapping[int, Homography]], SeenT],
    ) -> None:
        self._watch, self._history, self._executor, self._see = watch, history, executor, see
        self._begin()

    def _begin(self) -> None:
        """Forget all looks, as before the first."""
        raise NotImplementedError


class PlayLooks(_Looks[SeenT]):
    """Looks at a table at rest in play, one after each decision once players have paid."""

    def _begin(self) -> None:
        self._look: tuple[Future[SeenT], State] | None = None
        self._made, self._look_at_s = -1, float("inf")

    def seen(self, now_s: float) -> tuple[SeenT, State] | None:
        """Process the next frame, which the watch has seen; return a finished look's result and its state, or None.

        Raises:
            Exception: any error of the look itself.
        """
        if self._made != len(self._history.decisions):
            self._made, self._look_at_s = len(self._history.decisions), now_s + _PAID_S
        if self._look is not None:
            look, state = self._look
            if not look.done():
                return None
            self._look = None
            return look.result(), state
        if now_s >= self._look_at_s and (shown := _at_rest(self._watch)) is not None:
            # One look for each decision: the next is due after the next decision.
            self._look_at_s = float("inf")
            # The state that belongs to the picture: by the end of the look the game may have moved on.
            self._look = self._executor.submit(self._see, *shown), self._history.state
        return None


class EndLooks(_Looks[SeenT]):
    """Several looks at a table at rest, from a while after the last decision until players clear the boards."""

    def _begin(self) -> None:
        self._look: Future[SeenT] | None = None
        self._looks_left, self._look_at_s = _LOOKS, float("inf")
        self._quilts: dict[int, NDArray[np.float32]] = {}

    def seen(self, now_s: float) -> SeenT | None:
        """Process the next frame, which the watch has seen; return the result of a finished look, or None."""
        if not self._history.state.finished:
            if self._look_at_s < float("inf"):
                self._begin()
        elif self._look_at_s == float("inf"):
            self._look_at_s = now_s + _PATIENCE_S
        elif self._look is not None:
            return self._result(self._look)
        elif now_s >= self._look_at_s and self._looks_left:
            self._begin_look(now_s)
        return None

    def _begin_look(self, now_s: float) -> None:
        shown = _at_rest(self._watch)
        if shown is None:
            return
        image, places = shown
        if self._is_cleared({seat: thumbnail(rectify(image, place)) for seat, place in places.items()}):
            self._looks_left = 0
            return
        self._looks_left, self._look_at_s = self._looks_left - 1, now_s + _AGAIN_S
        self._look = self._executor.submit(self._see, image, places)

    def _is_cleared(self, now: dict[int, NDArray[np.float32]]) -> bool:
        """Return whether players have begun to clear the table, when tokens go back to the bank."""
        if not self._quilts:
            self._quilts = now
        return not all(is_untouched(now[seat], quilt) for seat, quilt in self._quilts.items())

    def _result(self, look: Future[SeenT]) -> SeenT | None:
        if not look.done():
            return None
        self._look = None
        try:
            return look.result()
        except Exception:
            # The score does not depend on it.
            _LOG.exception("what lies before the players could not be looked at")
            self._looks_left = 0
            return None


def _at_rest(watch: TableWatch) -> tuple[NDArray[np.uint8], dict[int, Homography]] | None:
    """Return the latest picture and by seat the quilts' places in it, or None unless both are in view and at rest."""
    frame, places = watch.frame, dict(sorted(watch.places.items()))
    if frame is None or not watch.at_rest or len(places) < len(SEATS):
        return None
    return frame.image, places
