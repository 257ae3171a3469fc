"""The journal on disk: SQLite in write-ahead mode, every transaction synced before the caller goes on."""

from __future__ import annotations

import json
from binascii import crc32
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from companion.journal.book import ALL, Book, GameFilter, GameSummary, WallClock, no_game, summed_up, utc_now
from companion.journal.entries import (
    EntryKind,
    JournalEntry,
    JournalError,
    StorageError,
    decision_text,
    name_in,
    refuse_contradicted,
    refuse_sequence,
    refuse_undo,
    setup_text,
    standing,
    whole_entries,
    with_players,
)
from companion.journal.listing import (
    DELETE_GAME,
    SELECT_FIGURES,
    SELECT_FINISHED,
    SELECT_GAME,
    SELECT_OUTDATED,
    SELECT_PLAYERS,
    SELECT_STRANGE,
    SUM_UP,
    row_of,
    select_games,
    summary_in,
)
from companion.journal.locks import JournalLock
from companion.journal.logs import Added, Amended, Begun, Cut, GameLogs, LogError, Noted, StoredEntry
from companion.journal.mending import begun_anew, examined, keep_copy, mended
from companion.journal.opening import (
    DamagedError,
    check_whole,
    explaining,
    make_folder,
    open_to_read,
    open_to_write,
    suspect,
)
from companion.journal.reconciling import compared
from companion.journal.summary import SUMMARY_VERSION, Replays, Status, StoredGame, Summary, figures_from_json
from companion.journal.tables import moment, read_game
from companion.languages import reason, said

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from companion.games.history import DecisionOutcome
    from companion.journal.logs import Change
    from companion.languages import Sentence
    from companion.record import Codec, Games
    from companion.record.codec import DecisionT, SetupT, StateT


_SUMMED_UP_AT_ONCE: Final = 50
"""Games of an older journal in one transaction: half a second, for which other companions wait."""


_NEWEST: Final = 20
"""So many of the games begun last are looked at for a damaged summary."""


class Journal(Book):
    """Games in a file; any number of processes may write to it side by side, each with a Journal of its own.

    A Journal is for the thread that opened it.

    Args:
        path: the file; its folder is made where it is missing.
        codecs: the games that are known.
        wall_clock: gives the time of day that is stored beside games and entries.
        read_only: look only; nothing is made or set aside then.

    Attributes:
        set_aside: where a damaged file was renamed to before a new one was begun; None otherwise.
        findings: what was found damaged when it was opened, and where it is kept.
        recovered: what was brought back then because the machine had been switched off too early; nothing is damaged.

    Raises:
        JournalError: one line, if the file cannot be used.
    """

    def __init__(self, path: Path, codecs: Games, wall_clock: WallClock = utc_now, *, read_only: bool = False) -> None:
        super().__init__(codecs)
        self.path = path
        self.set_aside: Path | None = None
        self.findings: list[Sentence] = []
        self.recovered: list[Sentence] = []
        self._logs = GameLogs(path)
        self._wall_clock = wall_clock
        self._replays = Replays(codecs)
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
            self._sum_up_strange()
        except BaseException:
            self._lock.close()
            raise

    def _open(self, lock: JournalLock) -> sqlite3.Connection:
        try:
            if not lock.is_alone:
                return open_to_write(self.path)
            repairs = examined(self.path, self._logs)
            connection, self.findings, self.recovered = mended(
                self.path, self._logs, repairs, self._wall_clock, is_restarted=lock.is_restarted
            )
        except DamagedError as error:
            # Whoever else has it open would go on writing to the file that was set aside.
            if not lock.keep_alone():
                says = said("is damaged, and another companion has it open; end that one, then start again")
                raise JournalError(said("{path}: {says}", path=str(self.path), says=says)) from error
            connection, self.set_aside, self.findings = begun_anew(self.path, self._logs, self._wall_clock())
        return connection

    def close(self) -> None:
        """See `Book.close`."""
        try:
            self._connection.close()
        finally:
            if self._lock is not None:
                self._lock.close()

    def new_game(self, setup: object, table: str = "", notes: Mapping[str, str] | None = None) -> int:
        """See `Book.new_game`."""
        now, setup_now = self._now(), setup_text(setup, self.codecs)
        with self._synced(), self._transaction() as changes:
            cursor = self._connection.execute(
                "INSERT INTO games (table_name, setup, started_at, last_at, touched)"
                " SELECT ?, ?, ?, ?, coalesce(max(touched), 0) + 1 FROM games",
                (table, setup_now, now, now),
            )
            # An INSERT sets it.
            game_id = int(cursor.lastrowid or 0)
            self._sum_up(game_id)
            changes.append((game_id, Begun(table, setup_now, now)))
            for key, value in (notes or {}).items():
                self._connection.execute("INSERT INTO notes VALUES (?, ?, ?)", (game_id, key, value))
                changes.append((game_id, Noted(key, value)))
        return game_id

    def amend_setup(self, game_id: int, setup: object) -> None:
        """See `Book.amend_setup`."""
        setup_now = setup_text(setup, self.codecs)
        with self._transaction() as changes:
            refuse_contradicted(game_id, setup, self.stored(game_id).texts, self.codecs)
            self._connection.execute("UPDATE games SET setup = ? WHERE id = ?", (setup_now, game_id))
            self._sum_up(game_id)
            changes.append((game_id, Amended(setup_now)))

    def append(self, game_id: int, sequence: int, decision: object, outcome: DecisionOutcome | None = None) -> None:
        """See `Book.append`."""
        with self._transaction() as changes:
            before = self.stored(game_id)
            refuse_sequence(sequence, len(before.texts) + 1)
            entry = JournalEntry(EntryKind.DECISION, sequence, decision_text(decision, self.codecs))
            if outcome is not None:
                self._replays.follow(replace(before, texts=(*before.texts, entry.text)), decision, outcome)
            changes.append((game_id, self._add(game_id, entry)))

    def undo(self, game_id: int, sequence: int) -> None:
        """See `Book.undo`."""
        with self._transaction() as changes:
            refuse_undo(sequence, len(self.stored(game_id).texts))
            changes.append((game_id, self._add(game_id, JournalEntry(EntryKind.UNDO, sequence, ""))))

    def keep_whole(self, game_id: int, whole: int) -> Path:
        """See `Book.keep_whole`."""
        with self._transaction() as changes:
            rows = self._rows("SELECT * FROM entries WHERE game_id = ? ORDER BY number", game_id)
            kept = keep_copy(self.path, game_id, rows, self._wall_clock())
            entries = [JournalEntry(kind, sequence, text) for _, _, kind, sequence, text, _ in rows]
            for row in rows[whole_entries(entries, whole) :]:
                self._connection.execute("DELETE FROM entries WHERE game_id = ? AND number = ?", row[:2])
            self._sum_up(game_id)
            changes.append((game_id, Cut(whole_entries(entries, whole))))
        return kept

    def note(self, game_id: int, key: str, value: str) -> None:
        """See `Book.note`."""
        with self._transaction() as changes:
            self._game_row(game_id)
            self._connection.execute("INSERT OR REPLACE INTO notes VALUES (?, ?, ?)", (game_id, key, value))
            changes.append((game_id, Noted(key, value)))

    def delete(self, game_id: int) -> None:
        """Delete a game for good, with its log. Its number is not given to another one.

        Raises:
            JournalError: it is not there, or cannot be deleted.
        """
        with self._wiped(), self._synced(), self._transaction():
            self._game_row(game_id)
            for delete in DELETE_GAME:
                self._connection.execute(delete, (game_id,))
            # From its log it would come back at the next start.
            self._logs.delete(game_id)

    def rename(self, game_id: int, players: Sequence[str]) -> None:
        """Give the players of a game other names; its log is written anew, so that nothing has the old ones.

        Raises:
            JournalError: it is not there, or cannot be changed.
        """
        with self._wiped(), self._synced(), self._transaction():
            text = with_players(self.stored(game_id).setup_text, players)
            self._connection.execute("UPDATE games SET setup = ? WHERE id = ?", (text, game_id))
            self._sum_up(game_id)
            game = read_game(self._connection, game_id)
            if game is not None and game.begun is not None:
                self._logs.write(game_id, game.changes())

    def notes(self, game_id: int) -> Mapping[str, str]:
        """See `Book.notes`."""
        self._game_row(game_id)
        return dict(self._rows("SELECT key, value FROM notes WHERE game_id = ? ORDER BY key", game_id))

    def stored(self, game_id: int) -> StoredGame:
        """See `Book.stored`."""
        table, setup, started_at, last_at, _ = self._game_row(game_id)
        rows = self._rows("SELECT kind, sequence, decision FROM entries WHERE game_id = ? ORDER BY number", game_id)
        texts = standing(JournalEntry(kind, sequence, text) for kind, sequence, text in rows)
        return StoredGame(game_id, table, moment(started_at), moment(last_at, started_at), setup, texts)

    def find(self, wanted: GameFilter = ALL) -> Sequence[GameSummary]:
        """See `Book.find`."""
        query, values = select_games(wanted)
        current = [self._from_row(*row) for row in self._rows(query, *values)]
        outdated = self._outdated()
        return wanted.listed([*current, *map(self.replayed, outdated)]) if outdated else current

    def listed(self, game_id: int) -> GameSummary:
        """See `Book.listed`."""
        rows = self._rows(SELECT_GAME, game_id, SUMMARY_VERSION)
        return self._from_row(*rows[0]) if rows else self.replayed(game_id)

    def replayed(self, game_id: int) -> GameSummary:
        """See `Book.replayed`."""
        table, _, started_at, last_at, touched = self._game_row(game_id)
        times = moment(started_at), moment(last_at, started_at)
        return summed_up(game_id, table, times, touched, self._summary(game_id))

    def figures(self, codec: Codec[SetupT, DecisionT, StateT]) -> Sequence[Any]:
        """See `Book.figures`."""
        texts = [text for (text,) in self._rows(SELECT_FIGURES, Status.FINISHED.value, codec.name, SUMMARY_VERSION)]
        outdated = [self._summary(game_id) for game_id in self._outdated()]
        texts += [each.figures for each in outdated if each.figures is not None and each.game == codec.name]
        found = [figures_from_json(text, codec) for text in texts]
        return sorted(found, key=lambda each: (each.started_at, each.game_id))

    def players(self) -> Sequence[str]:
        """See `Book.players`."""
        found = [(touched, json.loads(names)) for names, touched in self._rows(SELECT_PLAYERS, SUMMARY_VERSION)]
        outdated = filter(GameFilter(decided=True).takes, map(self.replayed, self._outdated()))
        found += [(game.changed, game.players or ()) for game in outdated]
        newest_first = sorted(found, key=lambda each: each[0], reverse=True)
        return list(dict.fromkeys(name for _, names in newest_first for name in names))

    def finished_mark(self) -> tuple[int, int, int]:
        """Return a mark that differs as soon as a game has ended, or one that had is changed, if only in its names."""
        count, touched, names = self._rows(SELECT_FINISHED, Status.FINISHED.value)[0]
        return count, touched, crc32(names.encode())

    def check(self) -> Sequence[GameSummary]:
        """Look the whole file through, replay every game, and return them by number.

        Raises:
            JournalError: if the file is damaged, or a game does not agree with its log.
        """
        with self._explaining():
            check_whole(self._connection, self.path)
            damaged = [each for each in compared(self._connection, self._logs, self._logs.ids()) if each.shows_damage]
        if damaged:
            raise DamagedError(
                said(
                    "{path}: game {game} and its log do not agree; {command} mends it",
                    path=str(self.path),
                    game=damaged[0].game_id,
                    command="`companion play`",
                )
            )
        return [self.replayed(game_id) for (game_id,) in self._rows("SELECT id FROM games ORDER BY id")]

    def _add(self, game_id: int, entry: JournalEntry) -> Added:
        """Write one entry into the tables, inside a transaction, and return what the log is to have."""
        now = self._now()
        number = self._rows("SELECT coalesce(max(number), 0) + 1 FROM entries WHERE game_id = ?", game_id)[0][0]
        added = Added(number, StoredEntry(str(entry.kind), entry.sequence, entry.text, now))
        self._connection.execute(
            "INSERT INTO entries (game_id, number, kind, sequence, decision, at) VALUES (?, ?, ?, ?, ?, ?)",
            (game_id, number, *added.row),
        )
        self._connection.execute(
            "UPDATE games SET last_at = ?, touched = (SELECT max(touched) + 1 FROM games) WHERE id = ?", (now, game_id)
        )
        self._sum_up(game_id)
        return added

    def _sum_up(self, game_id: int) -> None:
        """Keep what follows from a game, inside the transaction that changed it."""
        self._connection.execute(SUM_UP, (*row_of(self._summary(game_id)), game_id))

    def _sum_up_outdated(self) -> None:
        """Sum up games that an older companion kept; a few at a time, so that nothing is begun anew if it is stopped.

        That is done once in a journal's life. Until then, or if the disk is full, lists sum them up for themselves. A
        game of a kind that is not known stays out of date, so that it is summed up once it is known.
        """
        with suppress(JournalError):
            outdated = self._outdated()
            for first in range(0, len(outdated), _SUMMED_UP_AT_ONCE):
                with self._transaction():
                    for game_id in outdated[first : first + _SUMMED_UP_AT_ONCE]:
                        self._sum_up(game_id)

    def _sum_up_strange(self) -> None:
        """Sum up anew what no summary says: a damaged one must not hide a game that is to be gone on with."""
        with suppress(JournalError):
            for (game_id,) in self._rows(SELECT_STRANGE, _NEWEST):
                with self._transaction():
                    self._sum_up(game_id)

    def _outdated(self) -> list[int]:
        return [game_id for (game_id,) in self._rows(SELECT_OUTDATED, SUMMARY_VERSION, SUMMARY_VERSION)]

    def _summary(self, game_id: int) -> Summary:
        try:
            return self._replays.summary(self.stored(game_id))
        except DamagedError:
            raise
        except JournalError as fault:
            return self._unreadable(game_id, reason(fault))

    def _unreadable(self, game_id: int, fault: str) -> Summary:
        """Return the summary of a game whose entries are not those of a game."""
        count = self._rows("SELECT count(*) FROM entries WHERE game_id = ?", game_id)[0][0]
        name = name_in(self._game_row(game_id)[1], self.codecs)
        return Summary(name, None, count, Status.BROKEN, error=fault, whole=self._whole_of(game_id))

    def _whole_of(self, game_id: int) -> int:
        """Return how many decisions stand before the first entry that cannot be one of a game."""
        rows = self._rows("SELECT kind, sequence, decision FROM entries WHERE game_id = ? ORDER BY number", game_id)
        entries = [JournalEntry(kind, sequence, text) for kind, sequence, text in rows]
        before = next(place for place in range(len(entries), -1, -1) if _stands(entries[:place]))
        table, setup, started_at, last_at, _ = self._game_row(game_id)
        times = moment(started_at), moment(last_at, started_at)
        sound = StoredGame(game_id, table, *times, setup, standing(entries[:before]))
        found = self._replays.summary(sound)
        return found.whole if found.error is not None else found.decisions

    def _from_row(
        self, game_id: int, table: str, started_at: str, last_at: str, touched: int, *kept: Any
    ) -> GameSummary:
        times = moment(started_at), moment(last_at, started_at)
        try:
            summary = summary_in(*kept)
        except (ValueError, TypeError):
            summary = self._summary(game_id)
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
    def _transaction(self) -> Iterator[list[tuple[int, Change]]]:
        """Commit all or nothing, to the disk. What is put into the list goes into the logs of its games."""
        changes: list[tuple[int, Change]] = []
        is_logged = False
        try:
            with self._explaining():
                self._connection.execute("BEGIN IMMEDIATE")
                try:
                    yield changes
                    self._log(changes)
                    is_logged = bool(changes)
                    self._connection.execute("COMMIT")
                except BaseException:
                    # Some failures, a full disk among them, have rolled back already.
                    if self._connection.in_transaction:
                        self._connection.execute("ROLLBACK")
                    raise
        except StorageError as error:
            raise StorageError(_what_is_stored(error, is_logged=is_logged)) from error

    @contextmanager
    def _synced(self) -> Iterator[None]:
        """Sync what is committed inside here, too, and not in the log alone: without its beginning a game is lost."""
        with self._explaining():
            self._connection.execute("PRAGMA synchronous = FULL")
        try:
            yield
        finally:
            with suppress(JournalError), self._explaining():
                self._connection.execute("PRAGMA synchronous = NORMAL")

    @contextmanager
    def _wiped(self) -> Iterator[None]:
        """Overwrite what is deleted inside here, also in the write-ahead log, as far as no other companion reads it."""
        with self._explaining():
            self._connection.execute("PRAGMA secure_delete = ON")
        try:
            yield
        finally:
            with suppress(JournalError), self._explaining():
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
                self._connection.execute("PRAGMA secure_delete = OFF")

    def _log(self, changes: Sequence[tuple[int, Change]]) -> None:
        """Write changes into the logs; a game of an older companion gets its log with the first one."""
        if changes and isinstance(changes[0][1], Begun):
            # All of a game's beginning, or nothing.
            self._logs.write(changes[0][0], [change for _, change in changes])
            return
        for game_id, change in changes:
            if not self._logs.append(game_id, change):
                game = read_game(self._connection, game_id)
                if game is not None and game.begun is not None:
                    self._logs.write(game_id, game.changes())

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


def _stands(entries: Sequence[JournalEntry]) -> bool:
    """Return whether the numbers of these entries follow one another."""
    try:
        standing(entries)
    except JournalError:
        return False
    return True


def _what_is_stored(error: StorageError, *, is_logged: bool) -> Sentence:
    """Say what became of a change that could not be written in every place."""
    fault = reason(error)
    if is_logged:
        return said("the last change is stored, and there at the next start: {fault}", fault=fault)
    if isinstance(error, LogError) and not error.undone:
        return said("the next start shows whether the last change was stored: {fault}", fault=fault)
    return said("nothing was stored: {fault}", fault=fault)
