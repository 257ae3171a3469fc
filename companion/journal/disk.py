"""The journal on disk: SQLite in write-ahead mode, every transaction synced before the caller goes on."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion.journal.book import ALL, Book, GameSummary, WallClock, Wanted, no_game, summed_up, utc_now
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
from companion.journal.listing import (
    SELECT_FIGURES,
    SELECT_FINISHED,
    SELECT_GAME,
    SELECT_OUTDATED,
    SELECT_PLAYERS,
    SUM_UP,
    row_of,
    select_games,
    summary_in,
)
from companion.journal.locks import JournalLock
from companion.journal.opening import (
    DamagedError,
    check_whole,
    explaining,
    make_folder,
    open_to_read,
    open_to_write,
    set_aside,
    suspect,
)
from companion.journal.summary import SUMMARY_VERSION, Replays, Status, StoredGame, Summary, figures_from_json
from companion.languages import reason, said
from companion.record import PATCHWORK

if TYPE_CHECKING:
    from companion.journal.entries import AnyDecision, AnySetup
    from companion.record import RecordedGame
    from companion.record.game import DecisionT, SetupT, StateT


_SUMMED_UP_AT_ONCE: Final = 50
"""Games of an older journal in one transaction: half a second, for which other companions wait."""


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
        self._replays = Replays()
        self._lock: JournalLock | None = None
        if read_only:
            self._connection = open_to_read(path)
            return
        make_folder(path.parent)
        self._lock = JournalLock(path)
        try:
            self._connection = self._open(self._lock)
            self._lock.share()
            self._sum_up_outdated()
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
            game_id = int(cursor.lastrowid or 0)
            self._sum_up(game_id)
        return game_id

    def amend_setup(self, game_id: int, setup: AnySetup) -> None:
        """See `Book.amend_setup`."""
        with self._transaction() as connection:
            refuse_contradicted(game_id, setup, self.stored(game_id).texts)
            connection.execute("UPDATE games SET setup = ? WHERE id = ?", (setup_text(setup), game_id))
            self._sum_up(game_id)

    def append(self, game_id: int, sequence: int, decision: AnyDecision) -> None:
        """See `Book.append`."""
        with self._transaction():
            refuse_sequence(sequence, len(self.stored(game_id).texts) + 1)
            self._add(game_id, Entry(Kind.DECISION, sequence, decision_text(decision)))

    def undo(self, game_id: int, sequence: int) -> None:
        """See `Book.undo`."""
        with self._transaction():
            refuse_undo(sequence, len(self.stored(game_id).texts))
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
        table, setup, started_at, last_at, _ = self._game_row(game_id)
        rows = self._rows("SELECT kind, sequence, decision FROM entries WHERE game_id = ? ORDER BY number", game_id)
        texts = standing(Entry(Kind(kind), sequence, text) for kind, sequence, text in rows)
        return StoredGame(
            game_id, table, datetime.fromisoformat(started_at), datetime.fromisoformat(last_at), setup, texts
        )

    def find(self, wanted: Wanted = ALL) -> Sequence[GameSummary]:
        """See `Book.find`."""
        query, values = select_games(wanted)
        current = [self._from_row(*row) for row in self._rows(query, *values)]
        outdated = self._outdated()
        return wanted.listed([*current, *map(self._replayed, outdated)]) if outdated else current

    def listed(self, game_id: int) -> GameSummary:
        """See `Book.listed`."""
        rows = self._rows(SELECT_GAME, game_id, SUMMARY_VERSION)
        return self._from_row(*rows[0]) if rows else self._replayed(game_id)

    def figures(self, game: RecordedGame[SetupT, DecisionT, StateT]) -> Sequence[Any]:
        """See `Book.figures`."""
        texts = [text for (text,) in self._rows(SELECT_FIGURES, Status.FINISHED.value, game.name, SUMMARY_VERSION)]
        outdated = [self._summary(game_id) for game_id in self._outdated()]
        texts += [each.figures for each in outdated if each.figures is not None and each.game == game.name]
        found = [figures_from_json(text, game) for text in texts]
        return sorted(found, key=lambda each: (each.started_at, each.game_id))

    def players(self) -> Sequence[str]:
        """See `Book.players`."""
        found = [(touched, json.loads(names)) for names, touched in self._rows(SELECT_PLAYERS, SUMMARY_VERSION)]
        outdated = filter(Wanted(decided=True).takes, map(self._replayed, self._outdated()))
        found += [(game.changed, game.players or ()) for game in outdated]
        newest_first = sorted(found, key=lambda each: each[0], reverse=True)
        return list(dict.fromkeys(name for _, names in newest_first for name in names))

    def finished_mark(self) -> tuple[int, int]:
        """A mark that differs as soon as a game has ended, or one that had ended is changed."""
        count, touched = self._rows(SELECT_FINISHED, Status.FINISHED.value)[0]
        return count, touched

    def check(self) -> Sequence[GameSummary]:
        """Look the whole file through, replay every game, and return them by number.

        Raises:
            JournalError: if the file is damaged.
        """
        with self._explaining():
            check_whole(self._connection, self.path)
        return [self._replayed(game_id) for (game_id,) in self._rows("SELECT id FROM games ORDER BY id")]

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
        self._sum_up(game_id)

    def _sum_up(self, game_id: int) -> None:
        """Keep what follows from a game, inside the transaction that changed it."""
        self._connection.execute(SUM_UP, (*row_of(self._summary(game_id)), game_id))

    def _sum_up_outdated(self) -> None:
        """Sum up games that an older companion kept; a few at a time, so that nothing is begun anew if it is stopped.

        That is done once in a journal's life. Until then, or if the disk is full, lists sum them up for themselves.
        """
        with suppress(JournalError):
            while outdated := self._outdated(_SUMMED_UP_AT_ONCE):
                with self._transaction():
                    for game_id in outdated:
                        self._sum_up(game_id)

    def _outdated(self, limit: int = -1) -> list[int]:
        return [game_id for (game_id,) in self._rows(SELECT_OUTDATED, SUMMARY_VERSION, SUMMARY_VERSION, limit)]

    def _summary(self, game_id: int) -> Summary:
        try:
            return self._replays.summary(self.stored(game_id))
        except DamagedError:
            raise
        except JournalError as fault:
            return self._unreadable(game_id, reason(fault))

    def _unreadable(self, game_id: int, fault: str) -> Summary:
        """The summary of a game whose entries are not those of a game."""
        count = self._rows("SELECT count(*) FROM entries WHERE game_id = ?", game_id)[0][0]
        return Summary(PATCHWORK.name, None, count, Status.BROKEN, error=fault)

    def _replayed(self, game_id: int) -> GameSummary:
        table, _, started_at, last_at, touched = self._game_row(game_id)
        times = datetime.fromisoformat(started_at), datetime.fromisoformat(last_at)
        return summed_up(game_id, table, times, touched, self._summary(game_id))

    def _from_row(
        self, game_id: int, table: str, started_at: str, last_at: str, touched: int, *kept: Any
    ) -> GameSummary:
        times = datetime.fromisoformat(started_at), datetime.fromisoformat(last_at)
        summary = summary_in(*kept)
        # Why a game is broken is a sentence of the reader's language, so that it is found anew.
        summary = self._summary(game_id) if summary.status is Status.BROKEN else summary
        return summed_up(game_id, table, times, touched, summary)

    def _game_row(self, game_id: int) -> tuple[str, str, str, str, int]:
        query = "SELECT table_name, setup, started_at, last_at, touched FROM games WHERE id = ?"
        rows = self._rows(query, game_id)
        if not rows:
            raise no_game(game_id)
        table, setup, started_at, last_at, touched = rows[0]
        return table, setup, started_at, last_at, touched

    def _rows(self, query: str, *values: object) -> list[Any]:
        with self._explaining():
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing; on return the disk holds it."""
        with self._explaining():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                # Some failures, a full disk among them, have rolled back already.
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        """Turn what SQLite reports into a JournalError, and remember a damage for the next opening."""
        try:
            with explaining(self.path):
                yield
        except DamagedError:
            with suppress(OSError):
                suspect(self.path)
            raise

    def _now(self) -> str:
        return self._wall_clock().isoformat()
