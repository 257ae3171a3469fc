"""The collector: stores the events of all tables, each exactly once, and the resulting games in the database."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec
from sqlalchemy import insert, select, tuple_, update
from sqlalchemy.orm import Session

from companion.hall.database import Database, DatabaseError, Event, EventSource, TableGame
from companion.languages import reason
from companion.mqtt.link import Arrived
from companion.mqtt.messages import EventMessage, MessageError, ResendMessage, StateMessage, read_message
from companion.mqtt.topics import HallTopics

if TYPE_CHECKING:
    from companion.hall.live import Live

_LOG: Final = logging.getLogger(__name__)
PATIENCE_S: Final = 2.0
"""The time without an event from a source with missing ones after which it is asked for them, and between requests."""
# The time between attempts to reach the database.
_TRIED_EVERY_S: Final = 1.0
# In characters; the width of the columns for names, as PostgreSQL refuses longer texts.
_LONGEST_NAME: Final = 64

Note: TypeAlias = EventMessage | StateMessage
"""A message to store."""
Key: TypeAlias = tuple[str, str]
"""A table and its source."""
GameKey: TypeAlias = tuple[str, str, int]
"""A table, its source, and the game's number there."""


@dataclass
class _Progress:
    """The progress of a source.

    Attributes:
        stored: the sequence number of the last event stored.
        announced: the highest sequence number received or announced.
        moved_at_s: when an event was last stored or requested, on the collector's clock.
        is_back: whether its last state has fewer events than are stored, as after a restore of an older outbox.
    """

    stored: int = 0
    announced: int = 0
    moved_at_s: float = float("-inf")
    is_back: bool = False


@dataclass(frozen=True, slots=True)
class GameEndHooks:
    """Callbacks for the ends of games, called within the transaction of their events.

    Attributes:
        ended: called when a game has ended.
        reopened: called when the last decision of an ended game was undone.
    """

    ended: Callable[[Session, TableGame], None] = lambda *_: None
    reopened: Callable[[Session, TableGame], None] = lambda *_: None


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
    """

    database: Database
    topics: HallTopics
    live: Live
    ask: Callable[[str, ResendMessage], None]
    settling: GameEndHooks = field(default_factory=GameEndHooks)
    clock: Callable[[], float] = time.monotonic
    _progress: dict[Key, _Progress] = field(default_factory=dict)
    _known: bool = False
    _outage_logged: bool = False
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
            if isinstance(note, StateMessage):
                self._update_progress(note)
        if self._load_progress():
            self._store([note for note in notes if isinstance(note, EventMessage)])
        if not more:
            self._ask_for_missing()

    def _ask_for_missing(self) -> None:
        """Request events from sources with unstored ones of which none has come for `PATIENCE_S`."""
        now_s = self.clock()
        for (table, source), progress in self._progress.items():
            is_missing = progress.announced > progress.stored or progress.is_back
            if self._known and is_missing and now_s - progress.moved_at_s > PATIENCE_S:
                # A request counts as progress, so that it is repeated only after another wait.
                progress.moved_at_s, progress.is_back = now_s, False
                self.ask(table, ResendMessage(source, progress.stored))

    def _update_progress(self, state: StateMessage) -> None:
        """Update a source's progress by its table's state."""
        progress = self._progress.setdefault((state.table, state.source), _Progress())
        progress.announced = max(progress.announced, state.sequence)
        # An outbox that was restored would number new events as old ones, until it is asked for what follows the stored
        # ones.
        progress.is_back = state.sequence < progress.stored

    def _process(self, message: Arrived) -> Note | None:
        """Update the live states by a message; return it if it is to be stored."""
        found = self.topics.parted(message.topic)
        if found is None or len(found[0]) > _LONGEST_NAME:
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
                self.live.state(table, state)
                return _if_own(state, table)
            elif part == "events":
                return _if_own(read_message(message.payload, EventMessage), table)
        except MessageError as error:
            _LOG.warning("%s: cannot be read: %s", message.topic, error)
        return None

    def _load_progress(self) -> bool:
        """Read the stored progress of each source unless it is known; return False if the database is unavailable."""
        # Tried at intervals: an attempt may block for seconds, and messages arrive many times a second.
        if self._known or self.clock() < self._try_again_at_s:
            return self._known
        try:
            with self.database.transaction() as session:
                for each in session.scalars(select(EventSource)):
                    # What the tables' states have announced meanwhile is kept: it says what to ask for.
                    self._progress.setdefault((each.table_name, each.source), _Progress()).stored = each.sequence
        except DatabaseError as error:
            self._try_again_at_s = self.clock() + _TRIED_EVERY_S
            if not self._outage_logged:
                _LOG.warning("nothing is stored until the database is there: %s", reason(error))
            self._outage_logged = True
            return False
        if self._outage_logged:
            _LOG.warning("the database is there again")
        self._known, self._outage_logged = True, False
        return True

    def _store(self, events: Sequence[EventMessage]) -> None:
        """Store the next events of each source in one transaction; if that fails each in its own, skipping bad ones."""
        fresh = self._next_ones(events)
        if not fresh:
            return
        try:
            self._write(fresh)
        except DatabaseError as error:
            self._known = False
            if not self._load_progress():
                return
            _LOG.warning("stored one by one: %s", reason(error))
            for event in self._next_ones(events):
                self._write_alone(event)

    def _write_alone(self, event: EventMessage) -> None:
        progress = self._progress[event.table, event.source]
        if event.sequence != progress.stored + 1 and event.kind != "pruned":
            return
        try:
            self._write([event])
        except DatabaseError as error:
            self._known = False
            _LOG.warning("%s %s is left out: %s", event.table, event.sequence, reason(error))

    def _next_ones(self, events: Sequence[EventMessage]) -> list[EventMessage]:
        """Return the events that continue the stored ones of their source; only a "pruned" event may leave a gap."""
        # Not in `_progress` before the transaction is committed.
        at: dict[Key, int] = {}
        fresh = []
        for event in events:
            key = (event.table, event.source)
            progress = self._progress.setdefault(key, _Progress())
            progress.announced = max(progress.announced, event.sequence)
            stored = at.get(key, progress.stored)
            follows = event.sequence == stored + 1 or (event.kind == "pruned" and event.sequence > stored)
            if follows:
                at[key] = event.sequence
                fresh.append(event)
        return fresh

    def _write(self, events: Sequence[EventMessage]) -> None:
        """Store events and the resulting games in one transaction."""
        # The last event of each source wins, as they are in order.
        reached = {(event.table, event.source): event.sequence for event in events}
        with self.database.transaction() as session:
            # In the same transaction as everything that follows from the events, so that each event counts once or not
            # at all.
            session.execute(insert(Event), [_row(event) for event in events])
            games = _games(session, events)
            for event in events:
                self._update_game(session, event, games)
            self._store_progress(session, reached)
        now_s = self.clock()
        for key, sequence in reached.items():
            self._progress[key].stored, self._progress[key].moved_at_s = sequence, now_s
        # Decisions change no list on the page; the tables themselves are shown from their states.
        if any(event.kind in ("opened", "finished", "undone") for event in events):
            self.live.changed()

    def _store_progress(self, session: Session, reached: dict[Key, int]) -> None:
        """Store the progress of sources."""
        rows = [
            {"table_name": table, "source": source, "sequence": sequence}
            for (table, source), sequence in reached.items()
        ]
        known = [row for row, key in zip(rows, reached, strict=True) if self._progress[key].stored]
        new = [row for row, key in zip(rows, reached, strict=True) if not self._progress[key].stored]
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
        if game is None:
            game = games[key] = _new_game(session, event)
        if event.players:
            game.players = list(event.players)
        game.decisions = event.number
        if event.scores:
            game.scores, game.winners = list(event.scores), list(event.winners)
        if event.kind == "finished":
            game.finished_at = event.at
            # The pairing refers to the game's row, which may be new in this transaction.
            session.flush()
            self.settling.ended(session, game)
        elif event.kind == "undone" and game.finished_at is not None:
            game.finished_at = None
            self.settling.reopened(session, game)


def _if_own(note: Note, table: str) -> Note | None:
    """Return a message if it is about the table of its topic, else None."""
    return note if note.table == table and len(note.source) <= _LONGEST_NAME else None


def _games(session: Session, events: Sequence[EventMessage]) -> dict[GameKey, TableGame]:
    """Return the stored games of events."""
    # All games of a batch in one query.
    keys = {(event.table, event.source, event.game.id) for event in events if event.game is not None}
    if not keys:
        return {}
    columns = tuple_(TableGame.table_name, TableGame.source, TableGame.number)
    found = session.scalars(select(TableGame).where(columns.in_(keys)))
    return {(game.table_name, game.source, game.number): game for game in found}


def _new_game(session: Session, event: EventMessage) -> TableGame:
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
        started_at=event.at[:40],
        finished_at=None,
    )
    session.add(game)
    return game


def _row(event: EventMessage) -> dict[str, object]:
    return {
        "table_name": event.table,
        "source": event.source,
        "sequence": event.sequence,
        "kind": event.kind,
        "at": event.at[:40],
        "body": msgspec.json.encode(event).decode(),
    }
