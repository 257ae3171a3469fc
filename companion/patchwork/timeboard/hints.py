"""Hints about misplaced markers: never blocking, only at rest, each announced once and withdrawn when corrected."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Protocol

from companion.games.patchwork import History
from companion.languages import Sentence, said
from companion.patchwork.events import Event
from companion.patchwork.timeboard.watching import TimeBoardWatch
from companion.play.events import DecisionTaken, DecisionUndone, GameOpened, TableNoticed
from vision.timeboard.markers import SEATS

NONE_WRONG: Final[Mapping[int, int]] = MappingProxyType({})
"""The value without announced markers."""


@dataclass(frozen=True, slots=True)
class MarkerStatus:
    """The subject of a notice about a marker.

    Attributes:
        seat: the marker's seat.
        space: the wrong space on which it stands; None if it is in its place again.
    """

    seat: int
    space: int | None


def wrong_after(wrong: Mapping[int, int], event: Event) -> Mapping[int, int]:
    """Return by seat the announced wrong spaces after an event, given those before it.

    A seat's decision, or its undo, moves its marker, so an earlier announcement no longer applies.
    """
    match event:
        case TableNoticed(about=MarkerStatus(seat=seat, space=int(space))):
            return {**wrong, seat: space}
        case TableNoticed(about=MarkerStatus(seat=seat)):
            return _without(wrong, seat)
        case DecisionTaken(state=state) if state.finished:
            return NONE_WRONG
        case DecisionTaken(decision=decision) | DecisionUndone(decision=decision):
            return _without(wrong, decision.seat)
        case GameOpened():
            return NONE_WRONG
        case _:
            return wrong


def _without(wrong: Mapping[int, int], seat: int) -> Mapping[int, int]:
    return {each: space for each, space in wrong.items() if each != seat}


# Grace time after a decision, because players pay and fetch leather before they move the marker.
_PATIENCE_S: Final = 8.0
# The time that a marker must stand on a wrong space before that is announced.
_STANDS_S: Final = 3.0


@dataclass(slots=True)
class _Account:
    """The observations of one marker.

    Attributes:
        booked_s: the time of the decision that set its proper space, or None until the next frame.
        wrong: the wrong space on which it stands and since when, or None.
        announced: the wrong space that was announced to the players, or None.
    """

    booked_s: float | None = None
    wrong: tuple[int, float] | None = None
    announced: int | None = None


class Say(Protocol):
    """A function that announces a sentence to the players."""

    def __call__(self, sentence: str, about: object = None, /) -> None:
        """Announce a sentence; `about` as in `TableNoticed`."""


class MarkerHints:
    """A listener and tick that announces a marker on a wrong space.

    Args:
        board: the watch over the time board and its markers.
        history: the game.
        say: announces a sentence to the players.
    """

    def __init__(self, board: TimeBoardWatch, history: History, say: Say) -> None:
        self._board, self._history, self._say = board, history, say
        self._accounts = {seat: _Account() for seat in SEATS}

    def __call__(self, event: Event) -> None:
        """Handle an event."""
        if isinstance(event, DecisionTaken | DecisionUndone):
            account = self._accounts[event.decision.seat]
            account.booked_s = account.wrong = account.announced = None
        # The page drops all announcements with a game's end; if it is undone, they are made anew.
        if event.state.finished:
            for account in self._accounts.values():
                account.announced = None

    def tick(self, now_s: float) -> None:
        """Process the next frame, which the board's watch has seen."""
        standing = self._board.standing
        for account in self._accounts.values():
            # Events carry no time: the next frame's time stands for it.
            account.booked_s = now_s if account.booked_s is None else account.booked_s
        if standing is None or self._history.state.finished:
            return
        for seat, account in self._accounts.items():
            space, booked = standing.spaces[seat], self._history.state.seat(seat).time
            if space is None:
                account.wrong = None
            elif space == booked:
                self._mended(account, seat)
            elif account.wrong is None or account.wrong[0] != space:
                account.wrong = (space, now_s)
            elif not self._is_moving(seat, space) and _is_due(account, space, now_s):
                account.announced = space
                self._say(wrong_space(self._name(seat), booked, space), MarkerStatus(seat, space))

    def _is_moving(self, seat: int, space: int) -> bool:
        """Return whether the marker may have been moved for a decision that is yet to come."""
        state = self._history.state
        return seat == state.turn and space > state.seat(seat).time

    def _mended(self, account: _Account, seat: int) -> None:
        account.wrong = None
        if account.announced is not None:
            account.announced = None
            self._say(
                said("{name}’s marker is in the right place again.", name=self._name(seat)), MarkerStatus(seat, None)
            )

    def _name(self, seat: int) -> str:
        return self._history.setup.players[seat - 1]


def _is_due(account: _Account, space: int, now_s: float) -> bool:
    """Return whether a marker has stood on a wrong space for long enough, and that is not announced yet."""
    if account.announced == space or account.wrong is None or account.booked_s is None:
        return False
    return now_s - account.wrong[1] >= _STANDS_S and now_s - account.booked_s >= _PATIENCE_S


def wrong_space(name: str, booked: int, space: int) -> Sentence:
    """Return the sentence that a marker stands on a wrong space."""
    return said("{name}’s marker belongs on {booked}; it is on {space}.", name=name, booked=booked, space=space)
