"""The games in the journal's file with their stored summaries."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from companion.games.history import DecisionOutcome
from companion.journal.book import GameFilter, GameSummary, no_game, summed_up
from companion.journal.entries import EntryKind, JournalEntry, JournalError, StorageError, name_in, remaining_decisions
from companion.journal.logs import Begun, Change, GameLogs, LogError, LoggedGame, StoredEntry
from companion.journal.opening import DamagedError, explaining, mark_suspect
from companion.journal.summary import SUMMARY_VERSION, Replays, Status, StoredGame, Summary
from companion.languages import Sentence, reason, said
from companion.record import Games

_KINDS: Final = frozenset(kind.value for kind in EntryKind)
_NEVER: Final = datetime(1970, 1, 1, tzinfo=UTC)


def moment(*texts: object) -> datetime:
    """Return the first of these that is a valid time of day, with its zone (UTC by default); 1970 if none is."""
    for text in texts:
        with suppress(ValueError, TypeError):
            found = datetime.fromisoformat(text)  # type: ignore[arg-type]  # A damaged one may be anything.
            return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
    return _NEVER


def read_game(connection: sqlite3.Connection, game_id: int) -> LoggedGame | None:
    """Return a game from the tables, or None if it has no row there."""
    rows = connection.execute("SELECT table_name, setup, started_at FROM games WHERE id = ?", (game_id,)).fetchall()
    if not rows:
        return None
    game = LoggedGame()
    if _are_texts(rows[0]):
        game.begun = Begun(*rows[0])
    for number, *row in connection.execute(
        "SELECT number, kind, sequence, decision, at FROM entries WHERE game_id = ?", (game_id,)
    ):
        taken_entry(game, number, *row)
    for key, value in connection.execute("SELECT key, value FROM notes WHERE game_id = ?", (game_id,)):
        if _are_texts((key, value)):
            game.notes[key] = value
    return game


def write_game(connection: sqlite3.Connection, game_id: int, game: LoggedGame) -> None:
    """Write a game into the tables, inside a transaction; its summary is computed later.

    Raises:
        ValueError: if its beginning is unknown.
    """
    if game.begun is None:
        raise ValueError(game_id)
    table, setup, started_at = game.begun
    last_at = game.entries[max(game.entries)].at if game.entries else started_at
    connection.execute(
        # A game that is there keeps its `touched`: a repair is no change of the game.
        "INSERT INTO games (id, table_name, setup, started_at, last_at, touched)"
        " VALUES (?, ?, ?, ?, ?, (SELECT coalesce(max(touched), 0) + 1 FROM games))"
        " ON CONFLICT (id) DO UPDATE SET table_name = excluded.table_name, setup = excluded.setup,"
        " started_at = excluded.started_at, last_at = excluded.last_at, summary_version = NULL",
        (game_id, table, setup, started_at, last_at),
    )
    connection.execute("DELETE FROM entries WHERE game_id = ?", (game_id,))
    connection.executemany(
        "INSERT INTO entries (game_id, number, kind, sequence, decision, at) VALUES (?, ?, ?, ?, ?, ?)",
        [(game_id, number, *row) for number, row in sorted(game.entries.items())],
    )
    connection.execute("DELETE FROM notes WHERE game_id = ?", (game_id,))
    notes = [(game_id, key, value) for key, value in game.notes.items()]
    connection.executemany("INSERT INTO notes (game_id, key, value) VALUES (?, ?, ?)", notes)


def taken_entry(game: LoggedGame, number: object, kind: object, sequence: object, *texts: Any) -> bool:
    """Add an entry to a game; return False if it is invalid."""
    if not (isinstance(number, int) and isinstance(sequence, int) and kind in _KINDS and _are_texts(texts)):
        return False
    game.entries[number] = StoredEntry(str(kind), sequence, *texts)
    return True


def _are_texts(values: Any) -> bool:
    return all(isinstance(value, str) for value in values)


_COLUMNS: Final = "id, table_name, started_at, last_at, touched, game, players, decisions, status, scores, winners"

DELETE_GAME: Final = (
    "DELETE FROM entries WHERE game_id = ?",
    "DELETE FROM notes WHERE game_id = ?",
    "DELETE FROM games WHERE id = ?",
)
SELECT_GAME: Final = f"SELECT {_COLUMNS} FROM games WHERE id = ? AND summary_version = ?"  # noqa: S608
SELECT_FIGURES: Final = "SELECT figures FROM games WHERE status = ? AND game = ? AND summary_version = ?"
SELECT_PLAYERS: Final = (
    "SELECT players, max(touched) FROM games WHERE decisions > 0 AND players IS NOT NULL AND summary_version = ?"
    " GROUP BY players"
)
SELECT_FINISHED: Final = (
    "SELECT count(*), coalesce(max(touched), 0), coalesce(group_concat(players, ''), '') FROM games WHERE status = ?"
)
SELECT_STRANGE: Final = (
    "SELECT id FROM (SELECT id, status FROM games ORDER BY id DESC LIMIT ?)"
    " WHERE status NOT IN ('unfinished', 'finished', 'broken')"
)
SELECT_OUTDATED: Final = (
    "SELECT id FROM games WHERE summary_version IS NULL OR summary_version < ? OR summary_version > ?"
)
"""Two ranges in place of `!=`, for which SQLite would read the whole table instead of the index."""
SUM_UP: Final = (
    "UPDATE games SET summary_version = ?, game = ?, players = ?, decisions = ?, status = ?, scores = ?, winners = ?,"
    " figures = ? WHERE id = ?"
)


def select_games(wanted: GameFilter) -> tuple[str, list[object]]:
    """Return the query for a list of games with summaries, and its values; it selects as `GameFilter.matches` does."""
    # A plus prevents SQLite from using an index that nearly every game matches: it would sort them all for the last
    # few.
    conditions: list[tuple[str, tuple[object, ...]]] = [("+summary_version = ?", (SUMMARY_VERSION,))]
    if wanted.table is not None:
        is_rare = wanted.status is not None or not wanted.by_change
        conditions.append(("table_name = ?" if is_rare else "+table_name = ?", (wanted.table,)))
    if wanted.game is not None:
        conditions.append(("game = ?", (wanted.game,)))
    if wanted.status is not None:
        conditions.append(("status = ?", (wanted.status.value,)))
    if wanted.decided:
        conditions.append(("(decisions > 0 OR id = ?)", (wanted.also,)))
    if wanted.before is not None:
        conditions.append(("id < ?", (wanted.before,)))
    where = " AND ".join(condition for condition, _ in conditions)
    order = "touched" if wanted.by_change else "id"
    query = f"SELECT {_COLUMNS} FROM games WHERE {where} ORDER BY {order} DESC LIMIT ?"  # noqa: S608
    # For SQLite a negative limit is none.
    limit = -1 if wanted.limit is None else wanted.limit
    return query, [*(value for _, values in conditions for value in values), limit]


def row_of(summary: Summary) -> tuple[object, ...]:
    """Return a summary as the values of `SUM_UP`."""
    players, scores, winners = (
        None if values is None else json.dumps(values, ensure_ascii=False)
        for values in (summary.players, summary.scores, summary.winners)
    )
    status = summary.status.value
    version = None if summary.foreign else SUMMARY_VERSION
    return version, summary.game, players, summary.decisions, status, scores, winners, summary.figures


def summary_in(
    game: str, players: str | None, decisions: int, status: str, scores: str | None, winners: str
) -> Summary:
    """Return the summary in a row of a list, without the figures and without the fault of a broken game.

    Raises:
        ValueError: if the row is damaged.
        TypeError: if the row is damaged.
    """
    named = None if players is None else tuple(json.loads(players))
    points = None if scores is None else tuple(json.loads(scores))
    return Summary(game, named, decisions, Status(status), points, tuple(json.loads(winners)))


class JournalFile:
    """An open journal file, and the logs beside it.

    Args:
        path: the file.
        connection: the connection to its database.
        logs: the logs of its games.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, logs: GameLogs) -> None:
        self._path, self.connection, self._logs = path, connection, logs

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()

    def rows(self, query: str, *values: object) -> list[Any]:
        """Return the rows that a query finds.

        Raises:
            JournalError: the file cannot be read.
        """
        with self.explaining():
            return self.connection.execute(query, values).fetchall()

    @contextmanager
    def transaction(self) -> Iterator[list[tuple[int, Change]]]:
        """Commit everything to disk, or nothing. Changes put into the yielded list are written to the logs."""
        changes: list[tuple[int, Change]] = []
        is_logged = False
        try:
            with self.explaining():
                self.connection.execute("BEGIN IMMEDIATE")
                try:
                    yield changes
                    # The log first: what only a log has is restored at the next start (`docs/reliability.md`).
                    self._log(changes)
                    is_logged = bool(changes)
                    self.connection.execute("COMMIT")
                # Also an interrupt: a transaction that stays open keeps every other companion waiting.
                except BaseException:
                    # Some failures, such as a full disk, have already rolled back.
                    if self.connection.in_transaction:
                        self.connection.execute("ROLLBACK")
                    raise
        except StorageError as error:
            raise StorageError(_what_is_stored(error, is_logged=is_logged)) from error

    @contextmanager
    def synced(self) -> Iterator[None]:
        """Also sync the commits inside this context to the database, not only to the logs."""
        with self.explaining():
            self.connection.execute("PRAGMA synchronous = FULL")
        try:
            yield
        finally:
            # The setting matters only for speed: a failure here must not be reported as one of the change.
            with suppress(JournalError), self.explaining():
                self.connection.execute("PRAGMA synchronous = NORMAL")

    @contextmanager
    def wiped(self) -> Iterator[None]:
        """Overwrite data deleted inside this context, also in the write-ahead log unless a companion reads it."""
        with self.explaining():
            self.connection.execute("PRAGMA secure_delete = ON")
        try:
            yield
        finally:
            # The change is committed by now: a failure here must not be reported as one of the change.
            with suppress(JournalError), self.explaining():
                self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
                self.connection.execute("PRAGMA secure_delete = OFF")

    def _log(self, changes: Sequence[tuple[int, Change]]) -> None:
        """Write changes to the logs; a game of an older version gets its log with the first change."""
        if changes and isinstance(changes[0][1], Begun):
            # The whole beginning of a game, or nothing.
            self._logs.write(changes[0][0], [change for _, change in changes])
            return
        for game_id, change in changes:
            if not self._logs.append(game_id, change):
                game = read_game(self.connection, game_id)
                if game is not None and game.begun is not None:
                    self._logs.write(game_id, game.changes())

    @contextmanager
    def explaining(self) -> Iterator[None]:
        """Convert SQLite's errors into a JournalError, and mark a damaged file for a full check at the next opening."""
        try:
            with explaining(self._path):
                yield
        except DamagedError:
            with suppress(OSError):
                mark_suspect(self._path)
            raise


def _what_is_stored(error: StorageError, *, is_logged: bool) -> Sentence:
    """Return the sentence on whether a change that failed partway was stored."""
    fault = reason(error)
    if is_logged:
        return said("the last change is stored, and there at the next start: {fault}", fault=fault)
    if isinstance(error, LogError) and not error.undone:
        return said("the next start shows whether the last change was stored: {fault}", fault=fault)
    return said("nothing was stored: {fault}", fault=fault)


# Games of an older journal per transaction: half a second, during which other companions wait.
_SUMMED_UP_AT_ONCE: Final = 50
# The number of games begun last that are checked for a damaged summary.
_NEWEST: Final = 20


class SummedGames:
    """The games of one file, and their summaries.

    Args:
        file: the journal's file.
        codecs: the known games.
    """

    def __init__(self, file: JournalFile, codecs: Games) -> None:
        self._file, self._codecs = file, codecs
        self._replays = Replays(codecs)

    def stored(self, game_id: int) -> StoredGame:
        """Return a game in its stored form.

        Raises:
            JournalError: it does not exist.
        """
        table, setup, started_at, last_at, _ = self.game_row(game_id)
        times = moment(started_at), moment(last_at, started_at)
        return StoredGame(game_id, table, *times, setup, remaining_decisions(self._entries(game_id)))

    def follow(self, stored: StoredGame, decision: object, outcome: DecisionOutcome) -> None:
        """See `Replays.follow`."""
        self._replays.follow(stored, decision, outcome)

    def sum_up(self, game_id: int) -> None:
        """Store a game's summary, inside the transaction that changed the game."""
        self._store_summary(game_id, self.summary(game_id))

    def sum_up_changed(self, stored: StoredGame) -> None:
        """Store the summary of a game whose entries are already read, inside the transaction that changed the game."""
        self._store_summary(stored.game_id, self._replays.summary(stored))

    def _store_summary(self, game_id: int, summary: Summary) -> None:
        self._file.connection.execute(SUM_UP, (*row_of(summary), game_id))

    def sum_up_outdated(self) -> None:
        """Compute the missing summaries of an older version's games, in small transactions, so that progress is kept.

        This is needed once in a journal's life. Until then, or if the disk is full, lists compute the summaries
        themselves. The summary of a game of an unknown kind stays out of date, so that it is computed once the kind is
        known.
        """
        with suppress(JournalError):
            outdated = self.outdated()
            for first in range(0, len(outdated), _SUMMED_UP_AT_ONCE):
                with self._file.transaction():
                    for game_id in outdated[first : first + _SUMMED_UP_AT_ONCE]:
                        self.sum_up(game_id)

    def sum_up_strange(self) -> None:
        """Recompute summaries with an invalid status: a damaged summary must not hide a game that can be resumed."""
        with suppress(JournalError):
            for (game_id,) in self._file.rows(SELECT_STRANGE, _NEWEST):
                with self._file.transaction():
                    self.sum_up(game_id)

    def outdated(self) -> list[int]:
        """Return the numbers of the games whose summary is missing or of another version."""
        return [game_id for (game_id,) in self._file.rows(SELECT_OUTDATED, SUMMARY_VERSION, SUMMARY_VERSION)]

    def summary(self, game_id: int) -> Summary:
        """Return a game's summary, computed from its decisions as they can be read now.

        Raises:
            DamagedError: the file is damaged or not a database.
        """
        try:
            return self._replays.summary(self.stored(game_id))
        except DamagedError:
            raise
        except JournalError as fault:
            return self._unreadable(game_id, reason(fault))

    def _unreadable(self, game_id: int, fault: str) -> Summary:
        """Return the summary of a game whose entries are inconsistent."""
        count = self._file.rows("SELECT count(*) FROM entries WHERE game_id = ?", game_id)[0][0]
        name = name_in(self.game_row(game_id)[1], self._codecs)
        return Summary(name, None, count, Status.BROKEN, error=fault, whole=self._whole_of(game_id))

    def _entries(self, game_id: int) -> list[JournalEntry]:
        query = "SELECT kind, sequence, decision FROM entries WHERE game_id = ? ORDER BY number"
        return [JournalEntry(kind, sequence, text) for kind, sequence, text in self._file.rows(query, game_id)]

    def _whole_of(self, game_id: int) -> int:
        """Return the number of replayable decisions before the first inconsistent entry."""
        entries = self._entries(game_id)
        before = next(place for place in range(len(entries), -1, -1) if _is_consistent(entries[:place]))
        table, setup, started_at, last_at, _ = self.game_row(game_id)
        times = moment(started_at), moment(last_at, started_at)
        sound = StoredGame(game_id, table, *times, setup, remaining_decisions(entries[:before]))
        found = self._replays.summary(sound)
        return found.whole if found.error is not None else found.decisions

    def from_row(
        self, game_id: int, table: str, started_at: str, last_at: str, touched: int, *kept: Any
    ) -> GameSummary:
        """Return a game's entry in the list of games, from a row of `listing.SELECT_GAME` or a similar query."""
        times = moment(started_at), moment(last_at, started_at)
        try:
            summary = summary_in(*kept)
        except (ValueError, TypeError):
            summary = self.summary(game_id)
        # The fault of a broken game is a sentence in the reader's language, so it is determined again.
        summary = self.summary(game_id) if summary.status is Status.BROKEN else summary
        return summed_up(game_id, table, times, touched, summary)

    def game_row(self, game_id: int) -> tuple[str, str, str, str, int]:
        """Return a game's table, setup, beginning, last change, and the number of that change.

        Raises:
            UnknownGameError: it does not exist.
        """
        query = "SELECT table_name, setup, started_at, last_at, touched FROM games WHERE id = ?"
        rows = self._file.rows(query, game_id)
        if not rows:
            raise no_game(game_id)
        table, setup, started_at, last_at, touched = rows[0]
        return table, setup, started_at, last_at, touched


def _is_consistent(entries: Sequence[JournalEntry]) -> bool:
    """Return whether the numbers of these entries are consistent."""
    try:
        remaining_decisions(entries)
    except JournalError:
        return False
    return True
