"""The index of a journal: SQLite's tables of what the logs contain, to list games and compute statistics quickly.

It may be deleted at any time. Each row names the size, the time and the last checksum of the log that it was made from:
that shows whether it is up to date, and whether a log has lost lines since.
"""

import json
import sqlite3
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, Self, TypeVar
from zlib import crc32

from companion.journal.log import GameLog
from companion.journal.logs import LogMark, Logs
from companion.journal.summary import SUMMARY_VERSION, WATCHED, GameFilter, GameSummary, Replays, Status, moment
from companion.languages import reason, said

_T = TypeVar("_T")

# The mark of our files ("QULT" in ASCII), so that another program's database is not taken for an index.
_APPLICATION_ID: Final = 0x51554C54
# Increase it with every change of the tables: an index of another version is built again.
_SCHEMA_VERSION: Final = 2
# Another companion's change takes milliseconds; a longer wait would be one for a foreign program.
_TIMEOUT_S: Final = 0.5
_CREATE: Final = (
    """CREATE TABLE games (
        id INTEGER PRIMARY KEY, lines INTEGER, checksum INTEGER, version INTEGER, table_name TEXT, started_at TEXT,
        last_at TEXT, changed INTEGER, game TEXT, players TEXT, decisions INTEGER, status TEXT, scores TEXT,
        winners TEXT, sum INTEGER, size INTEGER, mtime INTEGER, inode INTEGER
    ) STRICT""",
    "CREATE TABLE details (id INTEGER PRIMARY KEY, notes TEXT, figures TEXT, sum INTEGER) STRICT",
    f"PRAGMA application_id = {_APPLICATION_ID}",
    f"PRAGMA user_version = {_SCHEMA_VERSION}",
)
_ROW: Final = (
    "id, lines, checksum, version, table_name, started_at, last_at, changed, game, players, decisions, status, scores,"
    " winners"
)
# The status of a game whose number is not used again.
_DELETED: Final = "deleted"


@dataclass(frozen=True, slots=True)
class Indexed:
    """A log as the index knows it.

    Attributes:
        mark: the log's mark.
        lines: the number of its lines.
        checksum: that of its last line.
        is_current: whether the summary is of this version of the program, and the game's kind was known.
        is_deleted: whether the game was deleted.
    """

    mark: LogMark
    lines: int
    checksum: int
    is_current: bool
    is_deleted: bool


class DamagedIndexError(Exception):
    """Raised for a file that is damaged, or no index."""


class Index:
    """An index in a file, or in memory.

    Each method but `close` raises sqlite3.Error if the file cannot be used, and ValueError or TypeError for a damaged
    value.

    Args:
        connection: the connection to its database; None for a new one in memory.
    """

    def __init__(self, connection: sqlite3.Connection | None = None) -> None:
        if connection is None:
            connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
            # It may be dropped without a word, as there is nothing to lose; Python warns of an open one from 3.13 on.
            weakref.finalize(self, connection.close)
            _create(connection)
        self._connection = connection

    @classmethod
    def opened(cls, path: Path, *, read_only: bool, is_checked: bool = False) -> Self:
        """Open the index in a file.

        Args:
            path: the file.
            read_only: whether it is only read; otherwise it is created if there is none.
            is_checked: whether the whole file is checked even though it is only read.

        Raises:
            DamagedIndexError: it is damaged, of another version, or no index.
            sqlite3.Error: it cannot be opened.
        """
        # SQLite would wait for the writer of a pipe.
        if path.exists() and not path.is_file():
            raise DamagedIndexError(said("it is not a file"))
        uri = f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rwc'}"
        connection = sqlite3.connect(uri, uri=True, timeout=_TIMEOUT_S, isolation_level=None)
        # A text with a damaged byte becomes another one, which its row's sum shows, instead of an error.
        connection.text_factory = lambda text: text.decode(errors="replace")
        try:
            if not read_only:
                _prepare(connection)
            _check(connection, whole=is_checked or not read_only)
        except BaseException as error:
            connection.close()
            # The low byte is the kind, the others give details (SQLite, "Result and Error Codes"). A damaged schema
            # is quoted in the message, which may then be no text.
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if isinstance(error, UnicodeDecodeError) or code in _DAMAGES:
                raise DamagedIndexError(str(error)) from error
            raise
        return cls(connection)

    def copied(self) -> "Index":
        """Return a copy in memory, without the rows if they cannot be read."""
        copy = Index()
        try:
            self._connection.backup(copy._connection)
        except sqlite3.Error:
            copy.close()
            return Index()
        return copy

    def __deepcopy__(self, _: object) -> "Index":
        return self.copied()

    def close(self) -> None:
        """Close the connection; may be called more than once."""
        self._connection.close()

    def known(self, game_id: int | None = None) -> Mapping[int, Indexed]:
        """Return what is stored of one log, or of each, by the games' numbers."""
        query = "SELECT id, size, mtime, inode, lines, checksum, version, status FROM games WHERE id = ?1 OR ?1 IS NULL"
        return {
            number: Indexed(
                LogMark(size, mtime, inode), lines, checksum, version == SUMMARY_VERSION, status == _DELETED
            )
            for number, size, mtime, inode, lines, checksum, version, status in self._connection.execute(
                query, (game_id,)
            )
        }

    def remove_damaged(self) -> bool:
        """Remove the rows in which a value has changed; return whether there are any."""
        damaged = [
            row[0]
            for table, columns in (("games", _ROW), ("details", "id, notes, figures"))
            for *row, stored in self._connection.execute(f"SELECT {columns}, sum FROM {table}")  # noqa: S608
            if stored != _sum(row)
        ]
        for game_id in damaged:
            self.remove(game_id)
        return bool(damaged)

    def put(self, log: GameLog, mark: LogMark, summary: GameSummary) -> None:
        """Store a game, replacing its former row."""
        version = None if summary.is_foreign or log.unread is not None else SUMMARY_VERSION
        status = _DELETED if log.is_deleted else str(summary.status)
        row = (
            *(log.game_id, len(log.lines), log.checksum, version, log.table, log.started_at, log.last_at, log.changed),
            *(summary.game, _json(summary.players), summary.decisions, status, _json(summary.scores)),
            _json(summary.winners),
        )
        details = (log.game_id, _json(log.notes), summary.figures)
        with _transaction(self._connection):
            for table, values in (("games", (*row, _sum(row), *mark)), ("details", (*details, _sum(details)))):
                places = ", ".join("?" * len(values))
                self._connection.execute(f"INSERT OR REPLACE INTO {table} VALUES ({places})", values)  # noqa: S608

    def touch(self, game_id: int, mark: LogMark) -> None:
        """Store the mark of a log that has the same lines as before."""
        self._connection.execute("UPDATE games SET size = ?, mtime = ?, inode = ? WHERE id = ?", (*mark, game_id))

    def remove(self, game_id: int) -> None:
        """Remove a game."""
        with _transaction(self._connection):
            self._connection.execute("DELETE FROM games WHERE id = ?", (game_id,))
            self._connection.execute("DELETE FROM details WHERE id = ?", (game_id,))

    def wipe(self) -> None:
        """Overwrite what was removed, also in the write-ahead log unless another companion reads it."""
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def last_change(self) -> int:
        """Return the number of the last change of a game."""
        return int(self._connection.execute("SELECT coalesce(max(changed), 0) FROM games").fetchone()[0])

    def find(self, wanted: GameFilter) -> list[GameSummary]:
        """Return the selected games, newest first; the error of a broken one is an empty text."""
        conditions = {
            "table_name = ?": wanted.table,
            "game = ?": wanted.game,
            "status = ?": wanted.status,
            "id < ?": wanted.before,
            "(decisions > 0 OR id = ?)": (wanted.also or 0) if wanted.decided else None,
        }
        used = {condition: value for condition, value in conditions.items() if value is not None}
        where = " AND ".join(["status <> ?", *used])
        order = "changed" if wanted.by_change else "id"
        # For SQLite a negative limit is none.
        values = (_DELETED, *used.values(), -1 if wanted.limit is None else wanted.limit)
        query = f"SELECT {_ROW}, sum FROM games WHERE {where} ORDER BY {order} DESC LIMIT ?"  # noqa: S608
        return [_summary(row) for row in self._connection.execute(query, values)]

    def one(self, game_id: int) -> GameSummary | None:
        """Return a game as `find` does; None for one that is not there."""
        query = f"SELECT {_ROW}, sum FROM games WHERE id = ? AND status <> ?"  # noqa: S608
        found = self._connection.execute(query, (game_id, _DELETED)).fetchone()
        return None if found is None else _summary(found)

    def notes(self, first: int, last: int) -> Mapping[int, Mapping[str, str]]:
        """Return the notes on the games with numbers from `first` to `last`, by their numbers."""
        query = "SELECT id, notes, figures, sum FROM details WHERE id BETWEEN ? AND ?"
        found = {}
        for *row, stored in self._connection.execute(query, (first, last)):
            _require(row, stored)
            found[row[0]] = dict(json.loads(row[1]))
        return found

    def figures(self, game: str) -> Iterator[str]:
        """Yield the figures of the finished games of a kind, without those that only simulated players have played."""
        query = (
            "SELECT details.id, notes, figures, details.sum FROM details JOIN games USING (id)"
            " WHERE status = ? AND game = ? AND table_name NOT LIKE ?"
        )
        for *row, stored in self._connection.execute(query, (Status.FINISHED, game, f"{WATCHED}%")):
            _require(row, stored)
            yield row[2]

    def players(self) -> Iterator[tuple[str, ...]]:
        """Yield the people of each game with decisions, the one changed last first, each company once."""
        query = (
            "SELECT players FROM games WHERE decisions > 0 AND players IS NOT NULL"
            " AND table_name NOT LIKE ? GROUP BY players ORDER BY max(changed) DESC"
        )
        for (players,) in self._connection.execute(query, (f"{WATCHED}%",)):
            yield tuple(json.loads(players))

    def finished_mark(self) -> tuple[int, int, int]:
        """Return a mark that changes when a game ends, or when a finished one is changed, even only in its names."""
        query = (
            "SELECT count(*), coalesce(max(changed), 0), coalesce(group_concat(players, ''), '') FROM games"
            " WHERE status = ?"
        )
        count, changed, names = self._connection.execute(query, (Status.FINISHED,)).fetchone()
        return count, changed, crc32(names.encode(errors="replace"))


class KeptIndex:
    """The index of a folder of logs, brought up to date with them; one that cannot be used is made anew in memory.

    Args:
        logs: the logs.
        replays: computes the games' summaries.

    Attributes:
        unread: the games whose logs could not be read when the index was brought up to date last.
    """

    def __init__(self, logs: Logs, replays: Replays) -> None:
        self._logs, self._replays = logs, replays
        self.unread: set[int] = set()
        self._index = Index()

    def open(self, path: Path) -> bool:
        """Use the index in a file, without its damaged rows; return whether there were any.

        Raises:
            DamagedIndexError: it is damaged, of another version, or no index.
        """
        try:
            self._use(Index.opened(path, read_only=False))
            return self._index.remove_damaged()
        except sqlite3.Error:
            # The disk fails, or another program holds the file: that may pass.
            return False

    def open_to_read(self, path: Path) -> None:
        """Use the index in a file, if it can be read."""
        with suppress(sqlite3.Error, DamagedIndexError):
            self._use(Index.opened(path, read_only=True))

    def close(self) -> None:
        """Close the index; may be called more than once."""
        self._index.close()

    def ask(self, question: Callable[[Index], _T]) -> _T:
        """Return the answer of the index, brought up to date; it is made again in memory if it cannot be read."""
        self.refresh()
        try:
            return question(self._index)
        except (sqlite3.Error, ValueError, TypeError):
            self._begin_anew()
        self.refresh()
        return question(self._index)

    def ask_now(self, question: Callable[[Index], _T]) -> _T | None:
        """Return the answer of the index as it is, or None if it cannot be read."""
        with suppress(sqlite3.Error, ValueError, TypeError):
            return question(self._index)
        return None

    def ask_about(self, game_id: int, question: Callable[[Index], _T]) -> _T | None:
        """Return the answer of the index on one game, or None if the index is not up to date on it."""
        found = self.ask_now(lambda index: index.known(game_id).get(game_id))
        is_there = found is not None and found.is_current and not found.is_deleted
        if found is not None and is_there and found.mark == self._logs.mark(game_id):
            return self.ask_now(question)
        return None

    def known(self) -> Mapping[int, Indexed]:
        """Return what the index knows of the logs: nothing if it cannot be read, as it is then made again in memory."""
        try:
            return self._index.known()
        except sqlite3.Error:
            self._begin_anew()
        return {}

    def refresh(self) -> None:
        """Bring the index up to date with the logs."""
        marks, known = self._logs.marks(), self.known()
        self.unread.clear()
        for game_id in known.keys() - marks.keys():
            self._store(partial(Index.remove, game_id=game_id))
        for game_id, mark in marks.items():
            stored = known.get(game_id)
            if stored is None or stored.mark != mark or not stored.is_current:
                self.renew(game_id, mark, stored)

    def renew(self, game_id: int, mark: LogMark, stored: Indexed | None = None) -> None:
        """Store a game as its log has it now, unless the index has that."""
        log = self._logs.parsed(game_id)
        if log.unread is not None:
            self.unread.add(game_id)
            # What is known of it shows later whether it has lost anything.
            if stored is not None:
                return
        is_same = stored is not None and (stored.lines, stored.checksum) == (len(log.lines), log.checksum)
        if stored is not None and is_same and stored.is_current and log.fault is None:
            self._store(partial(Index.touch, game_id=game_id, mark=mark))
            return
        summary = self._replays.summary(log)
        # A game of a kind that is still unknown is as it was.
        if stored is None or not (is_same and summary.is_foreign and stored.mark == mark):
            self._store(partial(Index.put, log=log, mark=mark, summary=summary))

    def put(self, log: GameLog, mark: LogMark) -> None:
        """Store a game as this log, which is the newest, has it."""
        self._store(partial(Index.put, log=log, mark=mark, summary=self._replays.summary(log)))

    def _store(self, change: Callable[[Index], None]) -> None:
        """Change the index; one that cannot be written is continued in memory, because the logs are the journal."""
        try:
            change(self._index)
        except sqlite3.Error:
            self._use(self._index.copied())
            change(self._index)

    def _begin_anew(self) -> None:
        self._use(Index())

    def _use(self, index: Index) -> None:
        self._index.close()
        self._index = index


def fault_in(path: Path) -> str | None:
    """Check the whole file of an index, and return its fault, or None if it has none."""
    try:
        Index.opened(path, read_only=True, is_checked=True).close()
    except (DamagedIndexError, sqlite3.Error) as error:
        return reason(error)
    return None


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # Some failures, such as a full disk, have already rolled back.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


# SQLite's errors for a damaged file; also those of a query that no index refuses.
_DAMAGES: Final = (
    *(sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISMATCH),
    sqlite3.SQLITE_FORMAT,
)


def _prepare(connection: sqlite3.Connection) -> None:
    """Create the tables in an empty file, and set how it is written."""
    connection.execute("PRAGMA journal_mode = WAL")
    # A power cut may take the last commits; the logs have them.
    connection.execute("PRAGMA synchronous = NORMAL")
    # Names that were removed must not remain in free pages.
    connection.execute("PRAGMA secure_delete = ON")
    if not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
        _create(connection)


def _create(connection: sqlite3.Connection) -> None:
    with _transaction(connection):
        for statement in _CREATE:
            connection.execute(statement)


def _check(connection: sqlite3.Connection, *, whole: bool) -> None:
    schema = connection.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name DESC").fetchall()
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if [sql for (sql,) in schema] != list(_CREATE[:2]) or version != _SCHEMA_VERSION:
        raise DamagedIndexError(said("its tables are not those of this version"))
    if whole:
        found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if found != "ok":
            raise DamagedIndexError(str(found))


def _json(value: object) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False)


def _sum(row: Any) -> int:
    return crc32(repr(tuple(row)).encode(errors="surrogatepass"))


def _require(row: Any, stored: object) -> None:
    if stored != _sum(row):
        raise ValueError(row)


def _summary(found: Any) -> GameSummary:
    *row, stored = found
    _require(row, stored)
    number, _, _, _, table, started_at, last_at, changed, game, players, decisions, status, scores, winners = row
    return GameSummary(
        number,
        table,
        moment(started_at),
        moment(last_at, started_at),
        changed,
        game,
        None if players is None else tuple(json.loads(players)),
        decisions,
        status == Status.FINISHED,
        None if scores is None else tuple(json.loads(scores)),
        tuple(json.loads(winners)),
        "" if status == Status.BROKEN else None,
    )
