"""A table's events on disk, so that none is lost while the broker is unreachable."""

import logging
import shutil
import sqlite3
import tempfile
import uuid
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final, Self

import msgspec

from companion.errors import CompanionError
from companion.languages import said, system_says
from companion.mqtt.messages import EventMessage, Happened, MessageError, read_message

_LOG: Final = logging.getLogger(__name__)
OUTBOX_NAME: Final = "outbox.sqlite3"
"""The file's name; it is beside the journal, whose game numbers it uses."""
KEPT: Final = 50_000
"""The number of events kept for requests to resend, about three hundred evenings."""
# In events: one DELETE for many is cheaper, and a few more than `KEPT` do no harm.
_PRUNED_EVERY: Final = 500
# Half of the largest number that a message may have.
_FURTHEST_NUMBER: Final = 1 << 30
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS facts (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS events (sequence INTEGER PRIMARY KEY AUTOINCREMENT, body BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS told (game INTEGER NOT NULL, number INTEGER NOT NULL, decision TEXT NOT NULL,
    PRIMARY KEY (game, number));
"""
# Earlier versions of the program do not know this column and leave it NULL.
_WITH_CHECKSUMS: Final = "ALTER TABLE events ADD COLUMN checksum INTEGER"
# A larger file is not checked as a whole, as the start would take too long.
_CHECKED_WHOLE_BYTES: Final = 32 << 20
_DAMAGES: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
# Queries that use every column, so that a damaged column name is found before anything is written.
_READS: Final = (
    "SELECT key, value FROM facts",
    "SELECT sequence, body, checksum FROM events LIMIT 1",
    "SELECT game, number, decision FROM told LIMIT 1",
)


class OutboxError(CompanionError):
    """Raised if the outbox cannot be read or written.

    Attributes:
        is_damage: whether the file is damaged, and so permanently unusable.
    """

    def __init__(self, says: str, *, is_damage: bool = False) -> None:
        super().__init__(says)
        self.is_damage = is_damage


class Outbox:
    """A table's events by number, and the decisions announced of each game. Use each object from one thread.

    Args:
        path: the file; it is created if it does not exist.
        table: the table's name in topics.
        most: the number of events kept.

    Raises:
        OutboxError: the file cannot be used.
    """

    def __init__(self, path: Path, table: str, most: int = KEPT) -> None:
        self._path, self._table, self._most = path, table, most
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # Transactions are begun explicitly; Python's own would begin one before each change.
            self._connection = sqlite3.connect(path, timeout=5.0, isolation_level=None)
            with ExitStack() as if_it_fails:
                if_it_fails.callback(self.close)
                self._set_up()
                self._value("SELECT value FROM facts WHERE key = 'source'")
                if_it_fails.pop_all()
        except UnicodeDecodeError as error:
            # The name of a table or column is damaged.
            raise self._damaged(str(error)) from error
        except (sqlite3.Error, OSError) as error:
            raise self._fault(error) from error

    def _set_up(self) -> None:
        """Create what the file lacks."""
        self._connection.execute("PRAGMA journal_mode = WAL")
        # A power cut may lose the last events; the next start sends their decisions again, from the journal.
        self._connection.execute("PRAGMA synchronous = NORMAL")
        self._connection.executescript(_SCHEMA)
        if "checksum" not in (column[1] for column in self._connection.execute("PRAGMA table_info(events)")):
            self._connection.execute(_WITH_CHECKSUMS)
        self._connection.execute(
            # SQLite adds the row with the first event only, but `resume_after` may have to set it before.
            "INSERT INTO sqlite_sequence SELECT 'events', 0"
            " WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'events')"
        )
        self._connection.execute(
            "INSERT OR IGNORE INTO facts VALUES ('source', ?), ('delivered', '0')", (uuid.uuid4().hex,)
        )

    def close(self) -> None:
        """Close the file; may be called more than once."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def check_whole(self) -> None:
        """Check the file for damage.

        Raises:
            OutboxError: the file is damaged, or cannot be read.
        """
        try:
            for query in _READS:
                self._connection.execute(query).fetchall()
            if self._path.stat().st_size < _CHECKED_WHOLE_BYTES:
                # Not quick_check, which does not compare the index of decisions with its table.
                (found,) = self._connection.execute("PRAGMA integrity_check(1)").fetchone()
                if found != "ok":
                    raise self._damaged(str(found).splitlines()[-1])
        except sqlite3.Error as error:
            # The queries are correct: a table or a column that they name must have been damaged.
            if error.sqlite_errorcode == sqlite3.SQLITE_ERROR:
                raise self._damaged(str(error)) from error
            raise self._fault(error) from error
        delivered = str(self._value("SELECT value FROM facts WHERE key = 'delivered'"))
        if not delivered.isdecimal() or int(delivered) > self.last:
            raise self._damaged("it does not say what was delivered")

    @property
    def source(self) -> str:
        """The identifier of the numbering."""
        return str(self._value("SELECT value FROM facts WHERE key = 'source'"))

    @property
    def last(self) -> int:
        """The number of the last event ever added, or 0."""
        found = self._value("SELECT seq FROM sqlite_sequence WHERE name = 'events'")
        return 0 if found is None else int(found)

    @property
    def delivered(self) -> int:
        """The number of the last event acknowledged by a broker, with all before it; 0 if there is none."""
        return int(self._value("SELECT value FROM facts WHERE key = 'delivered'"))

    def deliver(self, sequence: int) -> None:
        """Store that a broker has acknowledged all events up to this one."""
        # Acknowledgements of events that were sent twice may come late; the number never decreases.
        query = "UPDATE facts SET value = ? WHERE key = 'delivered' AND CAST(value AS INTEGER) < ?"
        self._run(query, sequence, sequence)

    def add(self, events: Sequence[Happened], game: int, announced: Sequence[str] | None = None) -> None:
        """Add events in one transaction.

        Args:
            events: the events, in order.
            game: the number of their game.
            announced: all decisions in force after them; None if unchanged.

        Raises:
            OutboxError: they cannot be written.
        """
        try:
            with self._transaction():
                self._insert(events)
                if announced is not None:
                    self._store_announced(game, announced)
        except sqlite3.Error as error:
            raise self._fault(error) from error

    def announced(self, game: int) -> tuple[str, ...]:
        """Return the decisions of a game in force according to the events so far."""
        return tuple(text for (text,) in self._run("SELECT decision FROM told WHERE game = ? ORDER BY number", game))

    def after(self, sequence: int, limit: int) -> list[EventMessage]:
        """Return the first events after a number, in order; a damaged one is replaced by a "pruned" event."""
        query = "SELECT sequence, body, checksum FROM events WHERE sequence > ? ORDER BY sequence LIMIT ?"
        rows = self._run(query, sequence, limit)
        return [self._read(*row) for row in rows]

    def pruned(self, at: str, sequence: int) -> EventMessage:
        """Return a "pruned" event: all events up to this one no longer exist."""
        return self._message(sequence, Happened(at, "pruned"))

    def resume_after(self, sequence: int) -> None:
        """Continue numbering after a number that a receiver has seen, as the file may be a restored older copy.

        Far behind anything that a table could have sent, begin a new source instead, with the events not yet delivered.
        """
        if sequence > _FURTHEST_NUMBER:
            self._begin_source()
        else:
            self._run("UPDATE sqlite_sequence SET seq = ? WHERE name = 'events' AND seq < ?", sequence, sequence)

    def _begin_source(self) -> None:
        with self._transaction():
            waiting = self.after(self.delivered, self._most)
            self._run("DELETE FROM events")
            self._run("UPDATE sqlite_sequence SET seq = 0 WHERE name = 'events'")
            self._run("UPDATE facts SET value = ? WHERE key = 'source'", uuid.uuid4().hex)
            self._run("UPDATE facts SET value = '0' WHERE key = 'delivered'")
            names = Happened.__struct_fields__
            self._insert([Happened(**{name: getattr(event, name) for name in names}) for event in waiting])

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        # Immediate, so that a lock is waited for: a reading transaction that begins to write may fail without waiting.
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            # SQLite itself rolls back after some errors, such as a full disk.
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def _insert(self, events: Sequence[Happened]) -> None:
        """Add events behind the last one."""
        for number, event in enumerate(events, self.last + 1):
            body = msgspec.json.encode(event)
            row = (number, body, _checksum(number, body))
            self._connection.execute("INSERT INTO events (sequence, body, checksum) VALUES (?, ?, ?)", row)
            if number % _PRUNED_EVERY == 0:
                self._connection.execute("DELETE FROM events WHERE sequence <= ?", (number - self._most,))

    def _read(self, sequence: int, body: object, checksum: int | None) -> EventMessage:
        try:
            if not isinstance(body, bytes) or checksum not in (None, _checksum(sequence, body)):
                raise MessageError(said("it was changed after it was written"))
            return self._message(sequence, read_message(body, Happened))
        except MessageError as error:
            _LOG.warning("%s: event %s is damaged, and left out: %s", self._path, sequence, error)
            # Receivers accept a "pruned" event in its place, so that those after it are not waited for in vain.
            return self.pruned("", sequence)

    def _message(self, sequence: int, event: Happened) -> EventMessage:
        return EventMessage(**msgspec.structs.asdict(event), table=self._table, source=self.source, sequence=sequence)

    def _store_announced(self, game: int, announced: Sequence[str]) -> None:
        """Store the announced decisions of a game, from the first that differs."""
        stored = self.announced(game)
        shared = next(
            (at for at, (one, other) in enumerate(zip(stored, announced, strict=False)) if one != other), None
        )
        first = min(len(stored), len(announced)) if shared is None else shared
        self._connection.execute("DELETE FROM told WHERE game = ? AND number >= ?", (game, first))
        rows = [(game, number, text) for number, text in enumerate(announced[first:], first)]
        self._connection.executemany("INSERT INTO told VALUES (?, ?, ?)", rows)

    def _value(self, query: str) -> Any:
        rows = self._run(query)
        return rows[0][0] if rows else None

    def _run(self, query: str, *values: object) -> list[Any]:
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise self._fault(error) from error

    def _fault(self, error: Exception) -> OutboxError:
        fault = system_says(error)
        says = said("{path}: cannot be used: {fault}", path=str(self._path), fault=fault)
        return OutboxError(says, is_damage=getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGES)

    def _damaged(self, fault: str) -> OutboxError:
        return OutboxError(said("{path}: cannot be used: {fault}", path=str(self._path), fault=fault), is_damage=True)


def _checksum(sequence: int, body: bytes) -> int:
    """Return the checksum of an event and its number, which detects flipped bits in texts."""
    return zlib.crc32(b"%d %s" % (sequence, body))


def is_damaged(path: Path, table: str) -> bool:
    """Return whether a copy of an outbox is damaged, too, as SQLite may report damage when only reading fails."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        try:
            # With the write-ahead log, which may have the latest changes; SQLite rebuilds the shared memory.
            for suffix in ("", "-wal"):
                part = path.with_name(path.name + suffix)
                if part.exists():
                    shutil.copyfile(part, copy.with_name(copy.name + suffix))
            with Outbox(copy, table) as outbox:
                outbox.check_whole()
        except OSError:
            return False
        except OutboxError as error:
            return error.is_damage
    return False
