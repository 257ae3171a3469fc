"""The collector: stores the events of all tables, each exactly once, and the resulting games in the database."""

from __future__ import annotations

import logging
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias

import msgspec
from sqlalchemy import insert, select, tuple_, update
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from companion.hall.database import Database, DatabaseError, Event, EventSource, TableGame
from companion.languages import reason
from companion.mqtt.link import Arrived
from companion.mqtt.messages import (
    EventKey,
    EventMessage,
    HallTopics,
    MessageError,
    ResendMessage,
    StateMessage,
    is_table,
    read_message,
)

if TYPE_CHECKING:
    from companion.hall.live import Live

_LOG: Final = logging.getLogger(__name__)
PATIENCE_S: Final = 2.0
"""The time without an event from a source with missing ones after which it is asked for them, and between requests."""
# The time between attempts to reach the database.
_TRIED_EVERY_S: Final = 1.0
# In characters; the width of the columns for names, as PostgreSQL refuses longer texts.
_LONGEST_NAME: Final = 64
# Of one source's clock, in messages: more than can be on their way together, of which none has come at once, and so few
# that a clock which was set is believed within a game.
_COMPARISONS: Final = 64
# The sources whose clocks are known; the one silent for longest is forgotten first.
_MOST_CLOCKS: Final = 4000
# Ten times as many as the hall was measured with.
_MOST_TABLES: Final = 2000
# A table gets a new source when its outbox is lost or damaged, a few times in its life.
_MOST_SOURCES: Final = 1000


class RefusedEvent(msgspec.Struct, frozen=True):
    """An event that cannot be read or stored; set aside in its place, so that those after it are not waited for."""

    kind: ClassVar[str] = "refused"
    at: ClassVar[str] = ""
    sent: ClassVar[str] = ""
    game: ClassVar[None] = None
    table: str
    source: str
    sequence: int
    fault: str
    message: str


StoredEvent: TypeAlias = EventMessage | RefusedEvent
Note: TypeAlias = StoredEvent | StateMessage
"""A message to store."""
Key: TypeAlias = tuple[str, str]
"""A table and its source."""
GameKey: TypeAlias = tuple[str, str, int]
"""A table, its source, and the game's number there."""


@dataclass
class _Current:
    """The source that a table uses now, the only one that it can be asked for.

    Attributes:
        source: the source of its last message.
        announced: the highest sequence number received or announced.
        moved_at_s: when an event was last stored or requested, on the collector's clock.
        is_back: whether its last state has fewer events than are stored, as after a restore of an older outbox.
    """

    source: str
    announced: int = 0
    moved_at_s: float = float("-inf")
    is_back: bool = False


@dataclass(frozen=True, slots=True)
class GameEndHooks:
    """Callbacks for the ends of games, called within the transaction of their events.

    Attributes:
        ended: called when a game has ended.
        reopened: called when the last decision of an ended game was undone.
        stored: called after a transaction in which either was.
    """

    ended: Callable[[Session, TableGame], None] = lambda *_: None
    reopened: Callable[[Session, TableGame], None] = lambda *_: None
    stored: Callable[[], None] = lambda: None


@dataclass
class Collector:
    """A processor of the tables' messages, in batches: one thread calls `see`, another one `store`.

    Attributes:
        database: stores events and games.
        topics: the hall's topics.
        live: the current states of the tables, which do not depend on the database.
        ask: sends a table a request to resend events.
        settling: callbacks for the ends of games.
        clock: monotonic, in seconds.
        now: returns the time in UTC.
    """

    database: Database
    topics: HallTopics
    live: Live
    ask: Callable[[str, ResendMessage], None]
    settling: GameEndHooks = field(default_factory=GameEndHooks)
    clock: Callable[[], float] = time.monotonic
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    _tables: set[str] = field(default_factory=set)
    _current: dict[str, _Current] = field(default_factory=dict)
    _stored: dict[Key, int] = field(default_factory=dict)
    _sources: Counter[str] = field(default_factory=Counter)
    _clocks: dict[Key, deque[timedelta]] = field(default_factory=dict)
    _behind: dict[Key, timedelta] = field(default_factory=dict)
    _known: bool = False
    _generation: int = 0
    _outage_logged: bool = False
    _is_full: bool = False
    _error: Exception | None = None
    _try_again_at_s: float = float("-inf")

    def take(self, messages: Sequence[Arrived]) -> None:
        """See and store messages."""
        self.store(self.see(messages))

    def see(self, messages: Sequence[Arrived]) -> list[Note]:
        """Update the tables' live states by messages, in order, and return the messages to store; never waits."""
        return [note for message in messages if (note := self._process(message)) is not None]

    def store(self, notes: Sequence[Note], *, more: bool = False) -> None:
        """Store messages in order, and request missing events.

        If the database is unavailable they are dropped: the tables keep their events, and are asked for them again.

        Args:
            notes: messages from `see`.
            more: whether more are waiting; if so no events are requested, as they may be among these.
        """
        for note in notes:
            self._update_current(note)
        if self._load_progress():
            self._store([note for note in notes if not isinstance(note, StateMessage)])
        if not more:
            self._ask_for_missing()

    def _ask_for_missing(self) -> None:
        """Request events from tables with unstored ones of which none has come for `PATIENCE_S`."""
        now_s = self.clock()
        for table, current in self._current.items():
            stored = self._stored.get((table, current.source), 0)
            is_missing = current.announced > stored or current.is_back
            if self._known and is_missing and now_s - current.moved_at_s > PATIENCE_S:
                # A request counts as progress, so that it is repeated only after another wait.
                current.moved_at_s, current.is_back = now_s, False
                self.ask(table, ResendMessage(current.source, stored))

    def _update_current(self, note: Note) -> None:
        """Update a table's current source by a message."""
        current = self._current.setdefault(note.table, _Current(note.source))
        if current.source != note.source:
            # The time stays: a table that names ever new sources is not asked more often.
            current.source, current.announced, current.is_back = note.source, 0, False
        current.announced = max(current.announced, note.sequence)
        if isinstance(note, StateMessage):
            # An outbox that was restored would number new events as old ones, until it is asked for what follows the
            # stored ones.
            current.is_back = note.sequence < self._stored.get((note.table, note.source), 0)

    def _process(self, message: Arrived) -> Note | None:
        """Update the live states by a message; return it if it is to be stored."""
        found = self.topics.parted(message.topic)
        if found is None or not self._is_admitted(found[0]):
            return None
        table, part = found
        try:
            if not message.payload:
                # The retained message was cleared on the broker.
                self.live.forget(table)
            elif part == "availability":
                self.live.availability(table, message.payload)
            elif part == "state":
                state = read_message(message.payload, StateMessage)
                self._compare_clocks((table, state.source), state.at)
                self.live.state(table, state)
                return _if_own(state, table)
            elif part == "events":
                event = _event(message.payload)
                self._compare_clocks((table, event.source), event.sent)
                return _if_own(event, table)
        except MessageError as error:
            _LOG.warning("%s: cannot be read: %s", message.topic, error)
        return None

    def _stored_before(self, session: Session, event: EventMessage) -> TableGame | None:
        """Return the finished game of an event that its table has sent under another name already, or None.

        A table that is renamed is asked for all its events again.
        """
        tables = [table for table, source in self._stored if source == event.source and table != event.table]
        if not tables or event.game is None:
            return None
        columns = (TableGame.table_name.in_(tables), TableGame.source == event.source)
        ended = TableGame.number == event.game.id, TableGame.finished_at.is_not(None)
        game = session.scalars(select(TableGame).where(*columns, *ended)).first()
        if game is None:
            return None
        # Two machines with copies of one disk have a source in common, and play on with different games.
        known = session.get(Event, (game.table_name, event.source, event.sequence))
        return game if known is not None and (known.kind, known.at) == (event.kind, event.at) else None

    def _compare_clocks(self, key: Key, sent: str) -> None:
        """Compare a source's clock with ours by the time at which it sent a message, if it says so.

        A table with a new source may be another machine, and so may one of two that have the same name.
        """
        sent_at = _moment(sent)
        if sent_at is not None:
            # Taken out and added again, so that the one silent for longest is the first.
            clocks = self._clocks.pop(key, None) or deque(maxlen=_COMPARISONS)
            clocks.append(self.now() - sent_at)
            self._clocks[key] = clocks
            # A message may be long on its way; none arrives before it was sent.
            self._behind[key] = min(clocks)
            if len(self._clocks) > _MOST_CLOCKS:
                silent = next(iter(self._clocks))
                del self._clocks[silent], self._behind[silent]

    def _by_our_clock(self, event: EventMessage) -> str:
        """Return the time of an event by our clock, or as it is if it is no time."""
        at, moment = event.at, _moment(event.at)
        try:
            ours = None if moment is None else moment + self._behind.get((event.table, event.source), timedelta())
        except OverflowError:
            return at
        return at if ours is None else ours.isoformat(timespec="milliseconds")

    def _is_admitted(self, table: str) -> bool:
        """Return whether messages of a table are processed: its name is valid, and there are not too many tables."""
        if table not in self._tables and len(self._tables) < _MOST_TABLES and is_table(table):
            self._tables.add(table)
        return table in self._tables

    def _load_progress(self) -> bool:
        """Read the stored progress of each source unless it is known; return False if the database is unavailable."""
        # Tried at intervals: an attempt may block for seconds, and messages arrive many times a second.
        if self._generation != self.database.generation:
            self._known = False
        if self._known or self.clock() < self._try_again_at_s:
            return self._known
        try:
            with self.database.transaction() as session:
                self._generation = self.database.generation
                found = session.scalars(select(EventSource)).all()
            self._stored = {(each.table_name, each.source): each.sequence for each in found}
            self._sources = Counter(each.table_name for each in found)
        except DatabaseError as error:
            self._begin_outage(error)
            return False
        if not self._is_full:
            self._end_outage()
        self._known = True
        return True

    def _begin_outage(self, error: Exception) -> None:
        self._try_again_at_s = self.clock() + _TRIED_EVERY_S
        if not self._outage_logged:
            _LOG.warning("nothing is stored until the database is there: %s", reason(error))
        self._outage_logged = True

    def _end_outage(self) -> None:
        if self._outage_logged:
            _LOG.warning("the database is there again")
        self._outage_logged = self._is_full = False

    def _store(self, events: Sequence[StoredEvent]) -> None:
        """Store the next events of each source in one transaction; if that fails, those of each table in their own."""
        fresh = self._next_ones(events)
        if not fresh or self._is_written(fresh):
            return
        for table in dict.fromkeys(event.table for event in fresh):
            own = [event for event in fresh if event.table == table]
            # One by one only for the table whose event is refused: each transaction waits for the disk.
            if self._known and not self._is_written(own):
                for event in own:
                    self._write_alone(event)

    def _write_alone(self, event: StoredEvent) -> None:
        """Store one event, or, if the database refuses it, set it aside with the reason."""
        if self._known and self._next_ones([event]) and not self._is_written([event]) and self._known:
            error, fault = self._error, f"{type(self._error).__name__}: {self._error}"
            unforeseen = None if isinstance(error, DatabaseError) else error
            _LOG.warning("%s %s is set aside: %s", event.table, event.sequence, fault, exc_info=unforeseen)
            text = msgspec.json.encode(event).decode()
            self._is_written([RefusedEvent(event.table, event.source, event.sequence, fault, text)])

    def _is_written(self, events: Sequence[StoredEvent]) -> bool:
        """Write events; return False if they are refused, or if the database is unavailable, by `_known`."""
        try:
            self._write(events)
        # Whatever a message contains, those of other tables are stored.
        except Exception as error:
            self._error = error
            # It may have failed after the commit, and says whether the database is there.
            self._known = False
            if _is_outage(error):
                self._is_full = True
                self._begin_outage(error)
            else:
                self._load_progress()
            return False
        self._end_outage()
        return True

    def _next_ones(self, events: Sequence[StoredEvent]) -> list[StoredEvent]:
        """Return the events that continue the stored ones of their source; only a "pruned" event may leave a gap."""
        # Not in `_stored` before the transaction is committed.
        at: dict[Key, int] = {}
        fresh = []
        for event in events:
            key = (event.table, event.source)
            stored = at.get(key, self._stored.get(key, 0))
            follows = event.sequence == stored + 1 or (event.kind == "pruned" and event.sequence > stored)
            if follows and self._has_room(key, at):
                at[key] = event.sequence
                fresh.append(event)
        return fresh

    def _has_room(self, key: Key, at: dict[Key, int]) -> bool:
        """Return whether a source is known, or its table may have one more besides those in `at`."""
        if key in self._stored or key in at:
            return True
        more = sum(table == key[0] for table, _ in at if (table, _) not in self._stored)
        has_room = self._sources[key[0]] + more < _MOST_SOURCES
        if not has_room:
            _LOG.warning("%s: has used %s sources already; nothing of another one is stored", key[0], _MOST_SOURCES)
        return has_room

    def _write(self, events: Sequence[StoredEvent]) -> None:
        """Store events and the resulting games in one transaction."""
        # The last event of each source wins, as they are in order.
        reached = {(event.table, event.source): event.sequence for event in events}
        with self.database.transaction() as session:
            if self._generation != self.database.generation:
                raise DatabaseError.said("{place}: is being repaired", place=self.database.shown)
            # In the same transaction as everything that follows from the events, so that each event counts once or not
            # at all.
            session.execute(insert(Event), [_row(event) for event in events])
            games = _games(session, events)
            for event in events:
                if isinstance(event, EventMessage):
                    self._update_game(session, event, games)
            self._store_progress(session, reached)
        self._sources.update(table for table, source in reached if (table, source) not in self._stored)
        self._stored |= reached
        for table, source in reached:
            if (current := self._current.get(table)) is not None and current.source == source:
                current.moved_at_s = self.clock()
        # Decisions change no list on the page; the tables themselves are shown from their states.
        if any(event.kind in ("opened", "finished", "undone") for event in events):
            self.live.changed()
            self.settling.stored()

    def _store_progress(self, session: Session, reached: dict[Key, int]) -> None:
        """Store the progress of sources."""
        rows = [
            {"table_name": table, "source": source, "sequence": sequence}
            for (table, source), sequence in reached.items()
        ]
        known = [row for row, key in zip(rows, reached, strict=True) if key in self._stored]
        new = [row for row, key in zip(rows, reached, strict=True) if key not in self._stored]
        if known:
            session.execute(update(EventSource), known)
        if new:
            session.execute(insert(EventSource), new)

    def _update_game(self, session: Session, event: EventMessage, games: dict[GameKey, TableGame]) -> None:
        """Update the game of an event; a new one is added to `games`, the games of this transaction."""
        if event.game is None or event.kind not in ("opened", "decided", "undone", "finished"):
            return
        key = (event.table, event.source, event.game.id)
        game = games.get(key)
        if game is None and (stored := self._stored_before(session, event)) is not None:
            if event.kind == "finished":
                stored.table_name = event.table
                games[key] = stored
            return
        if game is None:
            game = games[key] = _new_game(session, event, self._by_our_clock(event))
        if event.players:
            game.players = list(event.players)
        game.decisions = event.number
        if event.scores:
            game.scores, game.winners = list(event.scores), list(event.winners)
        if event.kind == "finished":
            game.finished_at = self._by_our_clock(event)
            # The pairing refers to the game's row, which may be new in this transaction.
            session.flush()
            self.settling.ended(session, game)
        elif event.kind == "undone" and game.finished_at is not None:
            game.finished_at = None
            self.settling.reopened(session, game)


def _is_outage(error: Exception) -> bool:
    """Return whether a database that can be read fails to write whatever the event, as on a full disk."""
    return isinstance(error, DatabaseError) and isinstance(error.__cause__, OperationalError)


def _event(payload: bytes) -> StoredEvent:
    """Return the event in a payload, or a refused one if only its key can be read.

    Raises:
        MessageError: not even that.
    """
    try:
        return read_message(payload, EventMessage)
    except MessageError as error:
        key = read_message(payload, EventKey)
        _LOG.warning("%s %s is set aside: %s", key.table, key.sequence, error)
        return RefusedEvent(key.table, key.source, key.sequence, str(error), payload.decode(errors="replace"))


def _if_own(note: Note, table: str) -> Note | None:
    """Return a message if it is about the table of its topic, else None."""
    return note if note.table == table else None


def _games(session: Session, events: Sequence[StoredEvent]) -> dict[GameKey, TableGame]:
    """Return the stored games of events."""
    # All games of a batch in one query.
    keys = {(event.table, event.source, event.game.id) for event in events if event.game is not None}
    if not keys:
        return {}
    columns = tuple_(TableGame.table_name, TableGame.source, TableGame.number)
    found = session.scalars(select(TableGame).where(columns.in_(keys)))
    return {(game.table_name, game.source, game.number): game for game in found}


def _new_game(session: Session, event: EventMessage, started_at: str) -> TableGame:
    """Return a new game for its first event, added to the session."""
    assert event.game is not None  # noqa: S101  # The caller has looked.
    game = TableGame(
        table_name=event.table,
        source=event.source,
        number=event.game.id,
        game=event.game.name[:_LONGEST_NAME],
        title=event.game.title[:128],
        players=list(event.players),
        scores=[],
        winners=[],
        decisions=0,
        started_at=started_at,
        finished_at=None,
    )
    session.add(game)
    return game


def _row(event: StoredEvent) -> dict[str, object]:
    return {
        "table_name": event.table,
        "source": event.source,
        "sequence": event.sequence,
        "kind": event.kind,
        "at": event.at,
        "body": msgspec.json.encode(event).decode(),
    }


def _moment(text: str) -> datetime | None:
    """Return the time in a message, or None if it is none."""
    try:
        found = datetime.fromisoformat(text)
        return None if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
