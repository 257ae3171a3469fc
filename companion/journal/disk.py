"""The journal on disk: SQLite in write-ahead mode, every transaction synced before the caller goes on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.journal.book import Book, StoredGame, WallClock, no_game, utc_now
from companion.journal.entries import (
    Entry,
    JournalError,
    Kind,
    decision_text,
    refuse_contradicted,
    refuse_sequence,
    refuse_undo,
    setup_text,
    standing,
)
from companion.journal.locks import JournalLock
from companion.journal.opening import (
    DamagedError,
    explaining,
    make_folder,
    open_to_read,
    open_to_write,
    set_aside,
)
from companion.languages import said

if TYPE_CHECKING:
    from companion.journal.entries import AnyDecision, AnySetup


class Journal(Book):
    """Games in a file; any number of processes may write to it side by side, each with a Journal of its own.

    A Journal is for the thread that opened it.

    Args:
        path: the file; its folder is made where it is missing.
        wall_clock: gives the time of day that is stored beside games and entries.
        read_only: look only; nothing is made or set aside then.

    Attributes:
        set_aside: where a damaged file was renamed to before a new one was begun; None otherwise.

    Raises:
        JournalError: one line, if the file cannot be used.
    """

    def __init__(self, path: Path, wall_clock: WallClock = utc_now, *, read_only: bool = False) -> None:
        self.path = path
        self.set_aside: Path | None = None
        self._wall_clock = wall_clock
        self._lock: JournalLock | None = None
        if read_only:
            self._connection = open_to_read(path)
            return
        make_folder(path.parent)
        self._lock = JournalLock(path)
        try:
            self._connection = self._open(self._lock)
            self._lock.share()
        except BaseException:
            self._lock.close()
            raise

    def _open(self, lock: JournalLock) -> sqlite3.Connection:
        try:
            return open_to_write(self.path)
        except DamagedError as error:
            # Whoever else has it open would go on writing to the file that was set aside.
            if not lock.keep_alone():
                says = said("is damaged, and another companion has it open; end that one, then start again")
                raise JournalError(said("{path}: {says}", path=str(self.path), says=says)) from error
            self.set_aside = set_aside(self.path, self._wall_clock())
            return open_to_write(self.path)

    def close(self) -> None:
        """See `Book.close`."""
        try:
            self._connection.close()
        finally:
            if self._lock is not None:
                self._lock.close()

    def new_game(self, setup: AnySetup, table: str = "") -> int:
        """See `Book.new_game`."""
        now = self._now()
        with self._transaction() as connection:
            cursor = connection.execute(
                "INSERT INTO games (table_name, setup, started_at, last_at, touched)"
                " SELECT ?, ?, ?, ?, coalesce(max(touched), 0) + 1 FROM games",
                (table, setup_text(setup), now, now),
            )
        # An INSERT sets it.
        return int(cursor.lastrowid or 0)

    def amend_setup(self, game_id: int, setup: AnySetup) -> None:
        """See `Book.amend_setup`."""
        with self._transaction() as connection:
            refuse_contradicted(game_id, setup, self.stored(game_id).texts)
            connection.execute("UPDATE games SET setup = ? WHERE id = ?", (setup_text(setup), game_id))

    def append(self, game_id: int, sequence: int, decision: AnyDecision) -> None:
        """See `Book.append`."""
        with self._transaction():
            refuse_sequence(sequence, self._standing_count(game_id) + 1)
            self._add(game_id, Entry(Kind.DECISION, sequence, decision_text(decision)))

    def undo(self, game_id: int, sequence: int) -> None:
        """See `Book.undo`."""
        with self._transaction():
            refuse_undo(sequence, self._standing_count(game_id))
            self._add(game_id, Entry(Kind.UNDO, sequence, ""))

    def note(self, game_id: int, key: str, value: str) -> None:
        """See `Book.note`."""
        with self._transaction() as connection:
            self._game_row(game_id)
            connection.execute("INSERT OR REPLACE INTO notes VALUES (?, ?, ?)", (game_id, key, value))

    def notes(self, game_id: int) -> Mapping[str, str]:
        """See `Book.notes`."""
        self._game_row(game_id)
        return dict(self._rows("SELECT key, value FROM notes WHERE game_id = ? ORDER BY key", game_id))

    def stored(self, game_id: int) -> StoredGame:
        """See `Book.stored`."""
        table, setup, started_at, last_at = self._game_row(game_id)
        rows = self._rows("SELECT kind, sequence, decision FROM entries WHERE game_id = ? ORDER BY number", game_id)
        texts = standing(Entry(Kind(kind), sequence, text) for kind, sequence, text in rows)
        return StoredGame(
            game_id, table, datetime.fromisoformat(started_at), datetime.fromisoformat(last_at), setup, texts
        )

    def ids(self) -> Sequence[int]:
        """See `Book.ids`."""
        return tuple(game_id for (game_id,) in self._rows("SELECT id FROM games ORDER BY touched"))

    def _add(self, game_id: int, entry: Entry) -> None:
        """Write one entry, inside a transaction."""
        now = self._now()
        self._connection.execute(
            "INSERT INTO entries (game_id, number, kind, sequence, decision, at)"
            " SELECT ?, coalesce(max(number), 0) + 1, ?, ?, ?, ? FROM entries WHERE game_id = ?",
            (game_id, entry.kind.value, entry.sequence, entry.text, now, game_id),
        )
        self._connection.execute(
            "UPDATE games SET last_at = ?, touched = (SELECT max(touched) + 1 FROM games) WHERE id = ?", (now, game_id)
        )

    def _standing_count(self, game_id: int) -> int:
        self._game_row(game_id)
        query = "SELECT coalesce(sum(CASE kind WHEN 'decision' THEN 1 ELSE -1 END), 0) FROM entries WHERE game_id = ?"
        return int(self._rows(query, game_id)[0][0])

    def _game_row(self, game_id: int) -> tuple[str, str, str, str]:
        rows = self._rows("SELECT table_name, setup, started_at, last_at FROM games WHERE id = ?", game_id)
        if not rows:
            raise no_game(game_id)
        table, setup, started_at, last_at = rows[0]
        return table, setup, started_at, last_at

    def _rows(self, query: str, *values: object) -> list[Any]:
        with explaining(self.path):
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing; on return the disk holds it."""
        with explaining(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                # Some failures, a full disk among them, have rolled back already.
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def _now(self) -> str:
        return self._wall_clock().isoformat()
