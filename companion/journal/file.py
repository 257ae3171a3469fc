"""The journal's file: its connection, and transactions that are also written to the logs of their games."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from companion.journal.entries import JournalError, StorageError
from companion.journal.faults import DamagedError, explaining
from companion.journal.logs import Begun, LogError
from companion.journal.soundness import mark_suspect
from companion.journal.tables import read_game
from companion.languages import reason, said

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from companion.journal.logs import Change, GameLogs
    from companion.languages import Sentence


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
