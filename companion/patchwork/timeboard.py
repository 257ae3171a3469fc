"""The time board at the table: its place and markers, watched at rest, and notices about misplaced markers."""

import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from companion.games.patchwork.rules import History
from companion.languages import Sentence, said
from companion.patchwork.codec import Event
from companion.patchwork.watching.watch import TableWatch
from companion.play.events import DecisionTaken, DecisionUndone, GameOpened, TableNoticed
from vision.geometry import FailedFit, Homography, rectify
from vision.quilt.look import is_alike, is_untouched, thumbnail
from vision.table.plane import table_shift
from vision.timeboard.board import FollowedBoard, Layout, known_layouts
from vision.timeboard.finding import FoundBoard, find_time_board
from vision.timeboard.markers import SEATS, MarkerReader, Standing

_LOG: Final = logging.getLogger(__name__)
# Seconds between looks: a board that looks alike in two of them is at rest. A look takes two milliseconds.
_EVERY_S: Final = 0.25
# Seconds between searches without success; the last value repeats. A search takes seconds on a small machine.
_WAITS_S: Final = (30.0, 60.0, 120.0, 240.0)
# The time without a time board in its place before it is searched for elsewhere: it may lie under a rulebook.
_LOST_S: Final = 3.0
# Seconds between looks at the place of a lost board while nothing changes there.
_RETRY_S: Final = 2.0


class TimeBoardWatch:
    """A tick that follows the time board of one game; it reports nothing of a board that is not certainly seen.

    Attributes:
        standing: the markers' spaces, read with the latest decision's state; None while the board moves or is unseen.
    """

    def __init__(
        self, watch: TableWatch, history: History, executor: Executor, layouts: Sequence[Layout] = known_layouts()
    ) -> None:
        self._watch, self._history, self._executor, self._layouts = watch, history, executor, layouts
        self._search: Future[FoundBoard | FailedFit] | None = None
        self._searched: tuple[NDArray[np.uint8], dict[int, Homography], dict[int, int], int] | None = None
        self._searches, self._search_at_s = 0, float("-inf")
        self._board: FollowedBoard | None = None
        self._reader: MarkerReader | None = None
        self._places: Mapping[int, Homography] = {}
        self._looked_at_s = float("-inf")
        self._seen: NDArray[np.float32] | None = None
        self._read: tuple[NDArray[np.float32], int, float] | None = None
        self._lost_s: float | None = None
        self.standing: Standing | None = None

    @property
    def is_found(self) -> bool:
        """True if a time board is followed and not lost."""
        return self._reader is not None and self._lost_s is None

    @property
    def place(self) -> Homography | None:
        """The map from board space to the picture's pixels, or None while no board is followed."""
        return self._board.place if self.is_found and self._board is not None else None

    @property
    def is_missing(self) -> bool:
        """True if a board was searched for on this table and none has ever been found."""
        return self._board is None and self._searches > 0 and self._search is None

    def tick(self, now_s: float) -> None:
        """Process the next frame, which the watch has seen."""
        if not self._watch.ready or self._watch.frame is None:
            return
        if self._reader is None or self._board is None:
            self._look_for_it(now_s)
            return
        at_rest = self._watch.at_rest
        if not at_rest:
            self.standing = None
        if now_s - self._looked_at_s >= _EVERY_S:
            self._looked_at_s = now_s
            self._look_at(self._board, self._reader, now_s, at_rest=at_rest)
        if self._lost_s is not None and now_s - self._lost_s >= _LOST_S:
            self._look_for_it(now_s)

    # ------------------------------------------------------------------ where it lies

    def _look_for_it(self, now_s: float) -> None:
        if self._search is None:
            self._begin_search(now_s)
        if self._search is not None and self._search.done():
            search, self._search = self._search, None
            # Before `_adopt`, which sets another time if the board was found or the search broke down.
            self._search_at_s = now_s + _WAITS_S[min(self._searches, len(_WAITS_S)) - 1]
            self._adopt(search)

    def _begin_search(self, now_s: float) -> None:
        frame = self._watch.frame
        if frame is None or not self._watch.at_rest or now_s < self._search_at_s:
            return
        self._searches += 1
        track, places = self._history.setup.track, dict(self._watch.places)
        # What the search refers to; when it ends, the game and the boards may have moved on.
        self._searched = (frame.image, places, self._booked(), len(self._history.decisions))
        # A board that is lost and found again has the same printing.
        known = self._layouts if self._board is None else (self._board.layout,)
        self._search = self._executor.submit(
            find_time_board, frame.image, list(places.values()), track.income, track.leather, known
        )

    def _adopt(self, search: Future[FoundBoard | FailedFit]) -> None:
        try:
            found = search.result()
        except Exception:
            # The game continues without it.
            _LOG.exception("the time board could not be looked for")
            self._search_at_s = float("inf")
            return
        if not isinstance(found, FoundBoard) or self._searched is None:
            _LOG.info("no time board: %s", found)
            return
        image, self._places, booked, made = self._searched
        self._searched, self._lost_s, self._searches = None, None, 0
        self._search_at_s = float("-inf")
        if not self._is_known_at(found.place, image, booked):
            self._board = FollowedBoard(found.layout, found.place, image)
            # Before the first decision both markers certainly stand at the start; later one may have been moved
            # already.
            self._reader = MarkerReader(self._board, booked, verified=not made, before=self._reader)

    def _is_known_at(self, place: Homography, image: NDArray[np.uint8], booked: Mapping[int, int]) -> bool:
        """Return whether the lost board lies there and is recognised, with both markers on it.

        A board that was turned is lit from another side: it is then better learnt again.
        """
        if self._board is None or self._reader is None or not self._board.found_at(place, image):
            return False
        standing = self._reader.read(image, booked, self._history.state.turn)
        return standing is not None and None not in standing.values()

    def _booked(self) -> dict[int, int]:
        return {seat: self._history.state.seat(seat).time for seat in SEATS}

    # ------------------------------------------------------------------ what it shows

    def _look_at(self, board: FollowedBoard, reader: MarkerReader, now_s: float, *, at_rest: bool) -> None:
        frame = self._watch.frame
        if frame is None:
            return
        self._follow(board)
        if not board.is_in_view(frame.image):
            self.standing = self._seen = None
            self._lost_s = now_s if self._lost_s is None else self._lost_s
            return
        now, before = thumbnail(rectify(frame.image, board.place)), self._seen
        self._seen = now
        if not at_rest or before is None or not is_untouched(now, before):
            self.standing = None
        elif self._is_due(now, now_s):
            self.standing = reader.read(frame.image, self._booked(), self._history.state.turn)
            self._read = (now, len(self._history.decisions), now_s)
            lost_s = now_s if self._lost_s is None else self._lost_s
            self._lost_s = lost_s if self.standing is None else None

    def _is_due(self, now: NDArray[np.float32], now_s: float) -> bool:
        """Return whether the board should be read, given its present thumbnail."""
        if self._read is None or self._read[1] != len(self._history.decisions) or not is_alike(now, self._read[0]):
            return True
        return self.standing is None and (self._lost_s is None or now_s - self._read[2] >= _RETRY_S)

    def _follow(self, board: FollowedBoard) -> None:
        """Move the time board's place with both quilts if all have moved together in the picture."""
        shift = table_shift(self._places, self._watch.places)
        if shift is not None:
            board.moved(shift)
            self._places = dict(self._watch.places)


NONE_WRONG: Final[Mapping[int, int]] = MappingProxyType({})
"""The value without announced markers."""


@dataclass(frozen=True, slots=True)
class MarkerStatus:
    """The subject of a notice about a marker: the wrong space on which it stands; None if it is in its place again."""

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

    `booked_s` is the time of the decision that set its proper space, None until the next frame; `wrong` the wrong space
    on which it stands and since when; `announced` the one that was announced to the players.
    """

    booked_s: float | None = None
    wrong: tuple[int, float] | None = None
    announced: int | None = None


class Say(Protocol):
    """A function that announces a sentence to the players."""

    def __call__(self, sentence: str, about: object = None, /) -> None:
        """Announce a sentence; `about` as in `TableNoticed`."""


class MarkerHints:
    """A listener and tick that announces a marker on a wrong space."""

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
            space, booked = standing[seat], self._history.state.seat(seat).time
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
