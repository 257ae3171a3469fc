"""The host of a table that plays game after game: any client with the table's key may begin another one."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Condition
from typing import Any, Final

from companion.calibrating.configured import calibration_of, seating_of
from companion.calibrating.desk import CalibrationDesk
from companion.config import Config
from companion.errors import CompanionError
from companion.journal import SHEET_NOTE, GameFilter, GameSummary, Journal, Status
from companion.languages import Sentence, counted, said
from companion.play.arrangement import GameArrangement
from companion.play.devices import still_of
from companion.play.events import History
from companion.play.game import AnyGame, CannotResumeError
from companion.play.inbox import PLAY_ENDED, CommandRefusedError, EndGame, Inbox, Outcome, TableAwayError, UseCamera
from companion.play.session import DeviceFactory, GameResult
from hardware.ports import Camera, Frame
from hardware.reconnecting import full_stop


def seen_by(game: AnyGame, config: Config, factory: DeviceFactory) -> DeviceFactory:
    """Return the same factory with the camera's frames corrected for a game, for viewers while no game is played."""
    return replace(factory, camera=lambda say, idle: game.camera(config, factory.camera(say, idle)))


@dataclass(frozen=True, slots=True)
class NextGame:
    """A game to play now.

    Attributes:
        game: the game.
        config: the configuration for beginning or resuming it.
        game_id: the number of the game in the journal to resume; None for a new one.
        is_again: as for `GameOpened`.
    """

    game: AnyGame
    config: Config
    game_id: int | None = None
    is_again: bool = False


def replayed_history(game: AnyGame, book: Journal, game_id: int) -> Any:
    """Return the history of a game in the journal, of the game's own type.

    Raises:
        JournalError: the journal cannot be read.
    """
    history = game.codec.begin(book.setup(game_id, game.codec))
    for decision in book.decisions(game_id, game.codec):
        history.apply(decision)
    return history


def ended_game(game: AnyGame, book: Journal, game_id: int) -> GameResult:
    """Return the result of an ended game, as its score sheet needs it.

    Raises:
        JournalError: the journal cannot be read.
    """
    return GameResult(game.codec, replayed_history(game, book, game_id), game.transcript())


_LEFT_NOTE: Final = "left"
# How long a request for pictures holds; a page repeats it about every second while it wants them.
_PICTURES_S: Final = 5.0
_BUSY: Final = said("Another game is already being set up.")


@dataclass(frozen=True, slots=True, eq=False)
class _Request:
    """The next thing on the table: a new game, one to resume, or if neither is given, the same game opened again."""

    arrangement: GameArrangement | None = None
    game_id: int | None = None
    leaves: bool = False
    outcome: Future[None] = field(default_factory=Future)

    def refuse(self, error: CompanionError) -> None:
        """Fail the request's future with the error, unless it was cancelled."""
        if self.outcome.set_running_or_notify_cancel():
            self.outcome.set_exception(error)


class Host:
    """A queue of requests for games, filled from any thread and served by the playing thread.

    Args:
        config: the configuration, for everything that a request leaves open.
        table: the table's name in the journal.
        game: the game that is played unless another is requested.
        games: all games that may be requested.
        by_hand: whether it is the virtual table, on which a game's material is always present.
        calibration: the file of the table's own calibration; None if it cannot be calibrated remotely.

    Attributes:
        config: see above; once the table is calibrated, with that calibration.
        language: the table's own language, for pages that have chosen none.
        desk: the remote calibration of the table; None if it cannot be calibrated remotely.
        show: called with pictures of the table while no game is on it.
        game: the game last on the table, or the default one.

    Raises:
        CompanionError: the calibration named in the configuration cannot be used.
    """

    def __init__(
        self,
        config: Config,
        table: str,
        game: AnyGame,
        games: Sequence[AnyGame],
        *,
        by_hand: bool,
        calibration: Path | None = None,
    ) -> None:
        self.config, self.table, self.by_hand, self.game = config, table, by_hand, game
        self.show: Callable[[Frame], None] = lambda _: None
        self.desk = None
        if calibration is not None:
            self.desk = CalibrationDesk(calibration, seating_of(config.table), calibration_of(config.table))
        self._pictures_until_s = float("-inf")
        # The condition guards the request and the end; the rest is the playing thread's, or is replaced as a whole.
        self._games = tuple(games)
        self._changed = Condition()
        self._request: _Request | None = None
        self._pending: _Request | None = None
        self._history: History | None = None
        self._inbox: Inbox | None = None
        self._game_id: int | None = None
        self._closed = False
        self._arrangements: dict[str, GameArrangement] = {}
        self._next_game = NextGame(game, config)
        self.language: str | None = None

    @property
    def _is_fresh(self) -> bool:
        """True if a game without moves is on the table."""
        history = self._history
        return history is not None and not history.decisions

    @property
    def wants_pictures(self) -> bool:
        """True if a client has requested pictures of the table within the last seconds."""
        return time.monotonic() < self._pictures_until_s

    def want_pictures(self) -> None:
        """Request pictures for some seconds, even while there is no game on the table."""
        # In real time, as browsers ask: the clock of a simulated table stands still between its frames.
        self._pictures_until_s = time.monotonic() + _PICTURES_S
        inbox = self._inbox
        # A calibration can be applied only before the first move, by opening the game again.
        if inbox is not None and self._is_fresh and self.desk is not None and self.desk.wants_still:
            inbox.put(UseCamera(self.take_still))

    def apply_calibration(self) -> Future[None] | None:
        """Apply the calibration that the desk has written: to a game without moves at once, otherwise to the next one.

        Returns:
            A future that resolves once the game on the table has been reopened; None if there is no such game.
        """
        if self.desk is None:
            return None
        # Called from a page's thread: values are replaced as a whole, so that the playing thread reads the old or the
        # new one.
        table = replace(self.config.table, boards="mats", calibration=self.desk.path)
        self.config = replace(self.config, table=table)
        # A game that is reopened keeps the players' arrangement, which is in the next game's configuration only.
        self._next_game = replace(self._next_game, config=replace(self._next_game.config, table=table))
        return self.reopen() if self._is_fresh else None

    def arrangement(self, game: str) -> Any:
        """Return the arrangement to offer for the next game of this name: the last requested, else the configured one.

        Raises:
            ArrangementError: no game can begin with it.
        """
        return self._arrangements.get(game) or self.default_arrangement(game)

    def default_arrangement(self, game: str) -> Any:
        """Return the configured arrangement of a game of this name, ignoring earlier requests.

        Raises:
            ArrangementError: no game can begin with it.
        """
        return self._named(game).arrangement(self.config)

    @property
    def has_request(self) -> bool:
        """True if a request for a game is waiting."""
        with self._changed:
            return self._request is not None

    @property
    def wants_no_wait(self) -> bool:
        """True if the game that a friend is awaited for is not wanted any more: another one is, or none."""
        with self._changed:
            return self._request is not None or self._closed

    def begin(self, arrangement: GameArrangement, *, leaves: bool = False) -> Future[None]:
        """Request a new game; the future resolves once it is on the table, or fails with a CompanionError.

        Args:
            arrangement: the arrangement of the game.
            leaves: whether a game in progress is abandoned for it.

        Raises:
            ArrangementError: no game can begin with it.
        """
        # Checked in the client's thread, too, so that an impossible game is refused before the one on the table ends.
        arrangement.configured(self.config, lies_there=self.by_hand)
        return self._submit(_Request(arrangement, leaves=leaves))

    def resume(self, game_id: int, *, leaves: bool = False) -> Future[None]:
        """Request an earlier game; the future is as for `begin`."""
        return self._submit(_Request(game_id=game_id, leaves=leaves))

    def reopen(self) -> Future[None]:
        """Request the same game again before its first move, for example when the boards' places are known better."""
        return self._submit(_Request())

    def opened(self, game: AnyGame, game_id: int, history: History, inbox: Inbox) -> None:
        """Take note that a game is on the table, and answer the request for it.

        Args:
            game: the game.
            game_id: its number in the journal.
            history: the game so far.
            inbox: the requests to its turn loop.
        """
        self.game, self._game_id = game, game_id
        self.accepted()
        with self._changed:
            self._history, self._inbox, request = history, inbox, self._request
        if request is not None:
            self._end_for(request, inbox)

    def accepted(self) -> None:
        """Answer the request for a game that is on the table, or begins once a friend at another table is there."""
        pending, self._pending = self._pending, None
        if pending is not None and pending.outcome.set_running_or_notify_cancel():
            pending.outcome.set_result(None)

    def ended(self) -> None:
        """Take note that no game is on the table any more."""
        with self._changed:
            self._history = self._inbox = None

    def _end_for(self, request: _Request, inbox: Inbox) -> None:
        """Ask the turn loop to leave its game for another one, or refuse the request if that may not be left."""

        def answered(ended: Outcome) -> None:
            refusal = ended.exception()
            if isinstance(refusal, CompanionError):
                with self._changed:
                    self._request = None if self._request is request else self._request
                request.refuse(refusal)

        inbox.put(EndGame(request.leaves)).add_done_callback(answered)

    def take_still(self, camera: Camera) -> None:
        """Pass a still picture to a calibration that needs one to finish; do nothing at other times."""
        if self.desk is None or not self.wants_pictures or not self.desk.wants_still:
            return
        self.desk.refine(still_of(camera))

    def report_failure(self, error: Exception, book: Journal) -> NextGame | None:
        """Report that the requested game cannot be played, and return the previous game to play, or None."""
        pending, self._pending = self._pending, None
        if pending is None:
            return None
        in_short = error.in_short if isinstance(error, CannotResumeError) else None
        pending.refuse(CommandRefusedError(in_short or full_stop(error)))
        if self._game_id is None:
            return None
        # The previous game was marked as left for the one that failed.
        book.note(self._game_id, _LEFT_NOTE, "")
        return NextGame(self.game, self.config, self._game_id)

    def next(self, book: Journal, wait_s: float | None = 0.0) -> NextGame | None:
        """Return the game that a client requested, or None if there is no request.

        Args:
            book: the journal; abandoned and resumed games are noted in it.
            wait_s: how long to wait for a request; None to wait indefinitely.
        """
        with self._changed:
            if wait_s != 0.0:
                self._changed.wait_for(lambda: self._request is not None or self._closed, wait_s)
        request = self._take_request()
        if request is None:
            return None
        try:
            next_game = self._next_for(request, book)
        except CompanionError as error:
            request.refuse(error)
            return None
        # Answered only once the game is on the table, which may fail until then.
        self._pending = request
        return next_game

    def close(self) -> None:
        """Refuse all requests from now on; may be called more than once."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        pending, self._pending = self._pending, None
        for request in (self._take_request(), pending):
            if request is not None:
                request.refuse(TableAwayError(PLAY_ENDED))

    def _submit(self, request: _Request) -> Future[None]:
        with self._changed:
            refusal = self._refusal()
            if refusal is None:
                self._request = request
                self._changed.notify_all()
            inbox = self._inbox
        # Outside the lock: completing a future calls its callbacks, which may call this host again.
        if refusal is not None:
            request.refuse(refusal)
        elif inbox is not None:
            self._end_for(request, inbox)
        return request.outcome

    def _refusal(self) -> TableAwayError | None:
        if self._closed:
            return TableAwayError(PLAY_ENDED)
        return TableAwayError(_BUSY) if self._request is not None else None

    def _take_request(self) -> _Request | None:
        with self._changed:
            request, self._request = self._request, None
        return request

    def _next_for(self, request: _Request, book: Journal) -> NextGame:
        """Return the game of a request, and note in the journal which games are abandoned or resumed."""
        if request.arrangement is not None:
            game = self._named(request.arrangement.game)
            config = request.arrangement.configured(self.config, lies_there=self.by_hand)
            # Only now: if the new game cannot be configured, the one on the table must still be resumed automatically.
            self._mark_left(book, None)
            self._arrangements[request.arrangement.game] = request.arrangement
            self._next_game = NextGame(game, config)
        elif request.game_id is not None:
            # Before the notes: a game that is not played here must not end the one on the table.
            game = self._named(book.game(request.game_id).name)
            self._mark_left(book, request.game_id)
            book.note(request.game_id, _LEFT_NOTE, "")
            self._next_game = NextGame(game, self.config, request.game_id)
        else:
            self._next_game = replace(self._next_game, game_id=self._game_id, game=self.game, is_again=True)
        return self._next_game

    def _named(self, name: str) -> AnyGame:
        """Return the game of this name.

        Raises:
            CommandRefusedError: it is not played here.
        """
        for game in self._games:
            if game.name == name:
                return game
        raise CommandRefusedError.said("The game {game} is not available here.", game=name)

    def _mark_left(self, book: Journal, for_game: int | None) -> None:
        if self._game_id is not None and self._game_id != for_game:
            book.note(self._game_id, _LEFT_NOTE, "yes")


def interrupted_game(book: Journal, table: str, game: str | None) -> GameSummary | None:
    """Return the game to resume automatically: the unfinished one changed last, or None if the players left it.

    If the game played last is damaged but resumable, it is that one; `repair_game` makes it resumable.

    Args:
        book: the journal.
        table: the table's name.
        game: the game's name in records; None for any.

    Raises:
        JournalError: the journal cannot be read.
    """
    under_way = book.find(GameFilter(table, game, Status.UNFINISHED, by_change=True))
    found = next((each for each in under_way if not was_left(book, each.game_id)), None)
    last = next(iter(book.find(GameFilter(table, game, by_change=True, limit=1))), None)
    if last is not None and last.error is not None and not was_left(book, last.game_id):
        found = last if last.whole else found
    if found is None:
        return None
    # The list is based on the stored summaries; the decisions may have been damaged since.
    found = book.replayed(found.game_id)
    return found if found.error is None or found.whole else None


def repair_game(book: Journal, game: GameSummary) -> Sentence | None:
    """Make a damaged game resumable after its undamaged decisions; return the message, or None for an undamaged game.

    Raises:
        JournalError: the journal cannot be written.
    """
    if game.error is None:
        return None
    kept = book.truncate_game(game.game_id, game.whole)
    return counted(
        "game {game} is damaged ({fault}): it resumes after {count} decision; all decisions are kept in {kept}",
        "game {game} is damaged ({fault}): it resumes after {count} decisions; all decisions are kept in {kept}",
        game.whole,
        game=game.game_id,
        fault=game.error,
        kept=str(kept),
    )


def unshown_sheet(book: Journal, table: str) -> GameSummary | None:
    """Return the last game at a table if it has ended and its score sheet has not been shown yet, otherwise None.

    Raises:
        JournalError: the journal cannot be read.
    """
    last = next(iter(book.find(GameFilter(table, by_change=True, limit=1))), None)
    if last is None or not last.finished:
        return None
    return None if book.notes(last.game_id).get(SHEET_NOTE) else last


def sheet_shown(book: Journal, table: str) -> None:
    """Note in the journal that the score sheet of the last game at a table was shown, if that game has ended."""
    if (due := unshown_sheet(book, table)) is not None:
        book.note(due.game_id, SHEET_NOTE, "shown")


def was_left(book: Journal, game_id: int) -> bool:
    """Return whether players left a game for another one, so that it is not resumed automatically."""
    return bool(book.notes(game_id).get(_LEFT_NOTE))


def leave(book: Journal, game_id: int) -> None:
    """Mark a game as not to be resumed automatically."""
    book.note(game_id, _LEFT_NOTE, "yes")
