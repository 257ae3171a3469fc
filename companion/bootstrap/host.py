"""The host seats people at a table that plays game after game: who has the table's key may begin another one."""

from __future__ import annotations

import time
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from threading import Condition
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from companion.bootstrap.arrangement import Arrangement, Circle
from companion.bootstrap.keeping import ProfileGoneError
from companion.bootstrap.kviltarrangement import KviltArrangement
from companion.bootstrap.locating import calibration_of, seating_of
from companion.bootstrap.stills import still_of
from companion.calibrating import CalibrationDesk
from companion.errors import CompanionError
from companion.events import GameOpened
from companion.inbox import EVENING_OVER, CommandRefusedError, TableAwayError
from companion.journal import Status, Wanted
from companion.kvilt.news import is_of_kvilt
from companion.languages import said
from companion.record import KVILT, PATCHWORK
from hardware.reopening import full_stop

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.bootstrap.played import Played
    from companion.config import Config
    from companion.journal import Book, GameSummary
    from companion.kvilt.news import AnyEvent
    from hardware.ports import Camera, Frame

_LEFT_NOTE: Final = "left"
_PICTURES_S: Final = 5.0
"""A page asks for a picture about every second for as long as it wants them."""
_UNDER_WAY: Final = said("A game is under way. Say that it is to be left; it can be gone on with later.")
_GONE: Final = said("It cannot be gone on with: nobody knows any more how its empty boards looked.")
_BUSY: Final = said("Another game is being laid out already.")


@dataclass(frozen=True, slots=True)
class Sitting:
    """A game to play now.

    Attributes:
        config: as the game is to begin.
        circle: how its circle is known; means nothing to Kvilt.
        game_id: the game in the journal to go on with; None for a new one.
        game: which game it is, as records name it.
    """

    config: Config
    circle: Circle
    game_id: int | None = None
    game: str = PATCHWORK.name


@dataclass(frozen=True, slots=True, eq=False)
class _Order:
    """What is to be on the table next: a game that begins, one to go on with, or with neither the same one anew."""

    arrangement: Arrangement | KviltArrangement | None = None
    game_id: int | None = None
    leaves: bool = False
    outcome: Future[None] = field(default_factory=Future)

    def refuse(self, error: CompanionError) -> None:
        """Answer whoever wished for it, unless nobody waits any more."""
        if self.outcome.set_running_or_notify_cancel():
            self.outcome.set_exception(error)


class Host:
    """Takes wishes from any thread; all else belongs to the thread that plays. It is a listener, too.

    Args:
        config: what holds where nobody wishes for anything else.
        table: the table's name in the journal.
        circle: how the circle is known at first.
        by_hand: whether it is the virtual table, on which a circle lies in any case.
        calibration: where the table's own calibration is kept; None where it cannot be calibrated from afar.
        game: the game that is played where nobody wishes for the other one, as records name it.

    Attributes:
        language: the table's own, for pages that have chosen none.
        desk: calibrates the table; None likewise.
        show: is given pictures of the table while no game is on it.
        game: the game that was last on the table, or is the usual one.

    Raises:
        TableCalibrationError: the calibration that the configuration names cannot be used.
    """

    def __init__(
        self,
        config: Config,
        table: str,
        circle: Circle,
        *,
        by_hand: bool,
        calibration: Path | None = None,
        game: str = PATCHWORK.name,
    ) -> None:
        self.table, self.by_hand, self.game = table, by_hand, game
        self.show: Callable[[Frame], None] = lambda _: None
        self.desk = None
        if calibration is not None:
            self.desk = CalibrationDesk(calibration, seating_of(config.table), calibration_of(config.table))
        self._pictures_until_s = float("-inf")
        self._config, self._circle = config, circle
        self._changed = Condition()
        self._order: _Order | None = None
        self._due: _Order | None = None
        self._game_id: int | None = None
        self._closed = self._is_fresh = False
        self._arrangement: Arrangement | None = None
        self._kvilt: KviltArrangement | None = None
        self._sitting = Sitting(config, circle, game=game)
        self.language: str | None = None

    @property
    def config(self) -> Config:
        """What holds where nobody wishes for anything else."""
        return self._config

    @property
    def wants_pictures(self) -> bool:
        """Whether somebody wants to see the table just now."""
        return time.monotonic() < self._pictures_until_s

    def want_pictures(self) -> None:
        """Have pictures shown for some seconds, even while no game is on the table."""
        self._pictures_until_s = time.monotonic() + _PICTURES_S

    def calibrated(self) -> Future[None] | None:
        """Go by the calibration that the desk has written: in a game without moves at once, else in the next.

        Returns:
            What ends once the game on the table has been opened anew; None where there is no such game.
        """
        if self.desk is None:
            return None
        table = replace(self._config.table, boards="mats", calibration=self.desk.path)
        self._config = replace(self._config, table=table)
        self._sitting = replace(self._sitting, config=replace(self._sitting.config, table=table))
        return self.reopen() if self._is_fresh else None

    @property
    def arrangement(self) -> Arrangement:
        """What to offer for the next game: as the last one was wished for, or as the configuration has it."""
        return self._arrangement or Arrangement.of(self._config, self._circle)

    @property
    def kvilt(self) -> KviltArrangement:
        """Likewise for the next game of Kvilt."""
        return self._kvilt or KviltArrangement.of(self._config)

    @property
    def wanted(self) -> bool:
        """Whether somebody waits for a game."""
        with self._changed:
            return self._order is not None

    def begin(self, arrangement: Arrangement | KviltArrangement, *, leaves: bool = False) -> Future[None]:
        """Wish for a new game; the future ends once it is on the table, or in a CompanionError.

        Args:
            arrangement: how it begins.
            leaves: whether a game that is under way is left for it.

        Raises:
            ArrangementError: it cannot begin like this.
        """
        arrangement.configured(self._config, lies_there=self.by_hand)
        return self._put(_Order(arrangement, leaves=leaves))

    def resume(self, game_id: int, *, leaves: bool = False) -> Future[None]:
        """Wish for an earlier game, likewise."""
        return self._put(_Order(game_id=game_id, leaves=leaves))

    def reopen(self) -> Future[None]:
        """Wish for the same game anew, as when the boards' places have become known better; before its first move."""
        return self._put(_Order())

    def look_on(self, history: Played, camera: Camera, now_s: float) -> None:
        """End the game on the table when another is wished for and it may be left; a tick of the turn loop."""
        del now_s
        self._is_fresh = not history.decisions
        if self._is_fresh:
            self.take_still(camera)
        with self._changed:
            order = self._order
        if order is None:
            return
        under_way = bool(history.decisions) and not history.state.finished
        if under_way and not order.leaves:
            self._take()
            order.refuse(CommandRefusedError(_UNDER_WAY))
            return
        camera.close()

    def take_still(self, camera: Camera) -> None:
        """Give a calibration that is all but done the picture that tells it most exactly; nothing at other times."""
        if self.desk is None or not self.wants_pictures or not self.desk.wants_still:
            return
        self.desk.refine(still_of(camera))

    def __call__(self, event: AnyEvent) -> None:
        """Take note of an event: the game is on the table."""
        if isinstance(event, GameOpened):
            self._game_id = event.game_id
            self.game = KVILT.name if is_of_kvilt(event) else PATCHWORK.name
            if self._due is not None and self._due.outcome.set_running_or_notify_cancel():
                self._due.outcome.set_result(None)
            self._due = None

    def failed(self, error: Exception, book: Book) -> Sitting | None:
        """The game that was wished for cannot be played: say so, and go back to the one before; None: there is none."""
        due, self._due = self._due, None
        if due is None:
            return None
        due.refuse(CommandRefusedError(_GONE if isinstance(error, ProfileGoneError) else full_stop(error)))
        if self._game_id is None:
            return None
        book.note(self._game_id, _LEFT_NOTE, "")
        return Sitting(self._config, self._circle, self._game_id, self.game)

    def next(self, book: Book, wait_s: float | None = 0.0) -> Sitting | None:
        """The game that somebody wishes for; None where nobody does.

        Args:
            book: the journal; what is left and gone on with is noted in it.
            wait_s: how long to wait for a wish; None: for as long as it takes.
        """
        with self._changed:
            if wait_s != 0.0:
                self._changed.wait_for(lambda: self._order is not None or self._closed, wait_s)
        order = self._take()
        if order is None:
            return None
        try:
            sitting = self._settled(order, book)
        except CompanionError as error:
            order.refuse(error)
            return None
        self._due = order
        return sitting

    def close(self) -> None:
        """Nobody plays any more; may be called more than once."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for order in (self._take(), self._due):
            if order is not None:
                order.refuse(TableAwayError(EVENING_OVER))

    def _put(self, order: _Order) -> Future[None]:
        with self._changed:
            refusal = self._refusal()
            if refusal is None:
                self._order = order
                self._changed.notify_all()
        if refusal is not None:
            order.refuse(refusal)
        return order.outcome

    def _refusal(self) -> TableAwayError | None:
        if self._closed:
            return TableAwayError(EVENING_OVER)
        return TableAwayError(_BUSY) if self._order is not None else None

    def _take(self) -> _Order | None:
        with self._changed:
            order, self._order = self._order, None
        return order

    def _settled(self, order: _Order, book: Book) -> Sitting:
        """What comes of a wish, and what it leaves behind in the journal."""
        if order.arrangement is not None:
            config = order.arrangement.configured(self._config, lies_there=self.by_hand)
            self._leave(book, None)
            self._sitting = Sitting(config, self._offer(order.arrangement), game=order.arrangement.game)
        elif order.game_id is not None:
            game = book.game(order.game_id).name
            known = game == PATCHWORK.name and book.setup(order.game_id).market is not None
            self._leave(book, order.game_id)
            book.note(order.game_id, _LEFT_NOTE, "")
            circle = Circle.DEALT if known else Circle.UNKNOWN
            self._sitting = Sitting(self._config, circle, order.game_id, game)
        else:
            self._sitting = replace(self._sitting, game_id=self._game_id, game=self.game)
        return self._sitting

    def _offer(self, arrangement: Arrangement | KviltArrangement) -> Circle:
        """Offer it for the next game of its kind; gives how the circle is known now."""
        if isinstance(arrangement, KviltArrangement):
            self._kvilt = arrangement
            return self._circle
        self._arrangement = arrangement
        return arrangement.circle

    def _leave(self, book: Book, for_game: int | None) -> None:
        if self._game_id not in (None, for_game):
            book.note(self._game_id or 0, _LEFT_NOTE, "yes")


def cut_off(book: Book, table: str, game: str | None = PATCHWORK.name) -> GameSummary | None:
    """The game at a table that goes on by itself: the unfinished one that was changed last, unless people left it.

    Args:
        book: the journal.
        table: the table's name.
        game: which game it is to be, as records name it; None for any.

    Raises:
        JournalError: the journal cannot be read.
    """
    under_way = book.find(Wanted(table, game, Status.UNFINISHED, by_change=True))
    return next((found for found in under_way if not book.notes(found.game_id).get(_LEFT_NOTE)), None)


def leave(book: Book, game_id: int) -> None:
    """Let a game not be gone on with by itself any more."""
    book.note(game_id, _LEFT_NOTE, "yes")


def calibration_path(folder: Path, table: str) -> Path:
    """Where a table's own calibration is kept, in the folder of the journal."""
    return folder / "calibrations" / f"{quote(table, safe=' ')}.toml"


def as_calibrated(config: Config, path: Path) -> Config:
    """The configuration with the table's own calibration, where mats count and it names no other.

    Without mats nothing tells whether the boards still lie where they lay: such a calibration holds for one evening.
    """
    if config.table.boards != "mats" or config.table.calibration is not None or not path.exists():
        return config
    return replace(config, table=replace(config.table, calibration=path))
