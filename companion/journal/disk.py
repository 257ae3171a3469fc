"""The journal on disk: SQLite in write-ahead mode, every transaction synced before the caller continues."""

import json
import sqlite3
from binascii import crc32
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.games.history import DecisionOutcome
from companion.journal.book import ALL, Book, GameFilter, GameSummary, WallClock, summed_up, utc_now
from companion.journal.entries import (
    EntryKind,
    JournalEntry,
    JournalError,
    decision_text,
    refuse_contradicted,
    refuse_sequence,
    refuse_undo,
    setup_text,
    whole_entries,
    with_players,
)
from companion.journal.locks import JournalLock
from companion.journal.logs import Added, Amended, Begun, Cut, GameLogs, Noted, Replaced, StoredEntry
from companion.journal.mending import examine, open_repaired, rebuild, save_copy
from companion.journal.opening import DamagedError, check_whole, make_folder, open_to_read, open_to_write
from companion.journal.reconciling import compared
from companion.journal.summary import SUMMARY_VERSION, Status, StoredGame, figures_from_json
from companion.journal.summed import (
    DELETE_GAME,
    SELECT_FIGURES,
    SELECT_FINISHED,
    SELECT_GAME,
    SELECT_PLAYERS,
    JournalFile,
    SummedGames,
    moment,
    read_game,
    select_games,
)
from companion.languages import Sentence, said
from companion.record import Codec, Games
from companion.record.codec import DecisionT, SetupT, StateT


class Journal(Book):
    """Games in a file; any number of processes may write to it concurrently, each with its own Journal.

    A Journal may be used only in the thread that opened it.

    Args:
        path: the file; its folder is created if missing.
        codecs: the known games.
        wall_clock: returns the time of day to store with games and entries.
        read_only: whether it is only read; nothing is created or set aside then.

    Attributes:
        set_aside: the path to which a damaged file was renamed before a new one was begun; otherwise None.
        findings: the damages found when it was opened, and where the damaged files are kept.
        recovered: what was restored at that time because the machine had lost power too early; nothing is damaged.

    Raises:
        JournalError: the file cannot be used; the message is one line.
    """

    def __init__(self, path: Path, codecs: Games, wall_clock: WallClock = utc_now, *, read_only: bool = False) -> None:
        super().__init__(codecs)
        self.path = path
        self.set_aside: Path | None = None
        self.findings: list[Sentence] = []
        self.recovered: list[Sentence] = []
        self._logs = GameLogs(path)
        self._wall_clock = wall_clock
        self._lock: JournalLock | None = None
        if read_only:
            self._file = JournalFile(path, open_to_read(path), self._logs)
            self._games = SummedGames(self._file, codecs)
            return
        make_folder(path.parent)
        # Before the file is opened: only the holder may create it, repair it or set it aside.
        self._lock = JournalLock(path)
        try:
            self._file = JournalFile(path, self._open(self._lock), self._logs)
            self._games = SummedGames(self._file, codecs)
            # Before the summaries, which are stored in short transactions: other companions need not wait for them.
            self._lock.share()
            self._games.sum_up_outdated()
            self._games.sum_up_strange()
        except BaseException:
            self._lock.close()
            raise

    def _open(self, lock: JournalLock) -> sqlite3.Connection:
        try:
            if not lock.is_exclusive:
                return open_to_write(self.path)
            repairs = examine(self.path, self._logs)
            connection, self.findings, self.recovered = open_repaired(
                self.path, self._logs, repairs, self._wall_clock, is_restarted=lock.is_restarted
            )
        except DamagedError as error:
            # Another process with the file open would continue writing to it after it was set aside.
            if not lock.lock_exclusively():
                says = said("is damaged, and another companion has it open; close that one, then start again")
                raise JournalError(said("{path}: {says}", path=str(self.path), says=says)) from error
            connection, self.set_aside, self.findings = rebuild(self.path, self._logs, self._wall_clock())
        return connection

    def close(self) -> None:
        """See `Book.close`."""
        try:
            self._file.close()
        finally:
            if self._lock is not None:
                self._lock.close()

    def new_game(self, setup: object, table: str = "", notes: Mapping[str, str] | None = None) -> int:
        """See `Book.new_game`."""
        now, setup_now = self._now(), setup_text(setup, self.codecs)
        # Synced: a game without its beginning would be lost.
        with self._file.synced(), self._file.transaction() as changes:
            cursor = self._file.connection.execute(
                "INSERT INTO games (table_name, setup, started_at, last_at, touched)"
                " SELECT ?, ?, ?, ?, coalesce(max(touched), 0) + 1 FROM games",
                (table, setup_now, now, now),
            )
            # An INSERT sets it.
            game_id = int(cursor.lastrowid or 0)
            self._games.sum_up(game_id)
            changes.append((game_id, Begun(table, setup_now, now)))
            for key, value in (notes or {}).items():
                self._file.connection.execute("INSERT INTO notes VALUES (?, ?, ?)", (game_id, key, value))
                changes.append((game_id, Noted(key, value)))
        return game_id

    def amend_setup(self, game_id: int, setup: object) -> None:
        """See `Book.amend_setup`."""
        setup_now = setup_text(setup, self.codecs)
        with self._file.transaction() as changes:
            refuse_contradicted(game_id, setup, self.stored(game_id).texts, self.codecs)
            self._file.connection.execute("UPDATE games SET setup = ? WHERE id = ?", (setup_now, game_id))
            self._games.sum_up(game_id)
            changes.append((game_id, Amended(setup_now)))

    def append(self, game_id: int, sequence: int, decision: object, outcome: DecisionOutcome | None = None) -> None:
        """See `Book.append`."""
        with self._file.transaction() as changes:
            # Read inside the transaction, so that no other companion adds an entry between the check and the write.
            before = self.stored(game_id)
            refuse_sequence(sequence, len(before.texts) + 1)
            entry = JournalEntry(EntryKind.DECISION, sequence, decision_text(decision, self.codecs))
            after = replace(before, texts=(*before.texts, entry.text))
            if outcome is not None:
                # If the transaction fails, this replay is ahead of the game, and the next summary replays it anew.
                self._games.follow(after, decision, outcome)
            changes.append((game_id, self._add(after, entry)))

    def undo(self, game_id: int, sequence: int) -> None:
        """See `Book.undo`."""
        with self._file.transaction() as changes:
            before = self.stored(game_id)
            refuse_undo(sequence, len(before.texts))
            after = replace(before, texts=before.texts[:-1])
            changes.append((game_id, self._add(after, JournalEntry(EntryKind.UNDO, sequence, ""))))

    def replace(self, game_id: int, sequence: int, decision: object) -> None:
        """See `Book.replace`."""
        with self._file.transaction() as changes:
            before = self.stored(game_id)
            refuse_undo(sequence, len(before.texts))
            entry = JournalEntry(EntryKind.DECISION, sequence, decision_text(decision, self.codecs))
            undone = replace(before, texts=before.texts[:-1])
            after = replace(before, texts=(*undone.texts, entry.text))
            undo = self._add(undone, JournalEntry(EntryKind.UNDO, sequence, ""))
            changes.append((game_id, Replaced(undo.number, undo.row, self._add(after, entry).row)))

    def truncate_game(self, game_id: int, whole: int) -> Path:
        """See `Book.truncate_game`."""
        # Synced: tables that a power cut sets back to before this have more entries than the log, as if an older
        # version had continued the game, and what was removed would come back among the decisions made since.
        with self._file.synced(), self._file.transaction() as changes:
            rows = self._file.rows("SELECT * FROM entries WHERE game_id = ? ORDER BY number", game_id)
            # Before anything is deleted; if the rest fails, there is only a copy too many.
            kept = save_copy(self.path, game_id, rows, self._wall_clock())
            entries = [JournalEntry(kind, sequence, text) for _, _, kind, sequence, text, _ in rows]
            for row in rows[whole_entries(entries, whole) :]:
                self._file.connection.execute("DELETE FROM entries WHERE game_id = ? AND number = ?", row[:2])
            self._games.sum_up(game_id)
            changes.append((game_id, Cut(whole_entries(entries, whole))))
        return kept

    def note(self, game_id: int, key: str, value: str) -> None:
        """See `Book.note`."""
        with self._file.transaction() as changes:
            self._games.game_row(game_id)
            self._file.connection.execute("INSERT OR REPLACE INTO notes VALUES (?, ?, ?)", (game_id, key, value))
            changes.append((game_id, Noted(key, value)))

    def delete(self, game_id: int) -> None:
        """Delete a game permanently, with its log. Its number is not reused.

        Raises:
            JournalError: it does not exist, or cannot be deleted.
        """
        with self._file.wiped(), self._file.synced(), self._file.transaction():
            self._games.game_row(game_id)
            for delete in DELETE_GAME:
                self._file.connection.execute(delete, (game_id,))
            # With its log it would be restored at the next start.
            self._logs.delete(game_id)

    def rename(self, game_id: int, players: Sequence[str]) -> None:
        """Change the names of a game's players; its log is rewritten so that the old names remain nowhere.

        Raises:
            JournalError: it does not exist, or cannot be changed.
        """
        with self._file.wiped(), self._file.synced(), self._file.transaction():
            text = with_players(self.stored(game_id).setup_text, players)
            self._file.connection.execute("UPDATE games SET setup = ? WHERE id = ?", (text, game_id))
            self._games.sum_up(game_id)
            game = read_game(self._file.connection, game_id)
            if game is not None and game.begun is not None:
                self._logs.write(game_id, game.changes())

    def notes(self, game_id: int) -> Mapping[str, str]:
        """See `Book.notes`."""
        self._games.game_row(game_id)
        return dict(self._file.rows("SELECT key, value FROM notes WHERE game_id = ? ORDER BY key", game_id))

    def find(self, wanted: GameFilter = ALL) -> Sequence[GameSummary]:
        """See `Book.find`."""
        query, values = select_games(wanted)
        current = [self._games.from_row(*row) for row in self._file.rows(query, *values)]
        # The query finds only games with a summary of this version; the others are replayed, and filtered here.
        outdated = self._games.outdated()
        return wanted.listed([*current, *map(self.replayed, outdated)]) if outdated else current

    def listed(self, game_id: int) -> GameSummary:
        """See `Book.listed`."""
        rows = self._file.rows(SELECT_GAME, game_id, SUMMARY_VERSION)
        return self._games.from_row(*rows[0]) if rows else self.replayed(game_id)

    def replayed(self, game_id: int) -> GameSummary:
        """See `Book.replayed`."""
        table, _, started_at, last_at, touched = self._games.game_row(game_id)
        times = moment(started_at), moment(last_at, started_at)
        return summed_up(game_id, table, times, touched, self._games.summary(game_id))

    def figures(self, codec: Codec[SetupT, DecisionT, StateT]) -> Sequence[Any]:
        """See `Book.figures`."""
        texts = [
            text for (text,) in self._file.rows(SELECT_FIGURES, Status.FINISHED.value, codec.name, SUMMARY_VERSION)
        ]
        outdated = [self._games.summary(game_id) for game_id in self._games.outdated()]
        texts += [each.figures for each in outdated if each.figures is not None and each.game == codec.name]
        found = [figures_from_json(text, codec) for text in texts]
        return sorted(found, key=lambda each: (each.started_at, each.game_id))

    def players(self) -> Sequence[str]:
        """See `Book.players`."""
        found = [(touched, json.loads(names)) for names, touched in self._file.rows(SELECT_PLAYERS, SUMMARY_VERSION)]
        outdated = filter(GameFilter(decided=True).matches, map(self.replayed, self._games.outdated()))
        found += [(game.changed, game.players or ()) for game in outdated]
        newest_first = sorted(found, key=lambda each: each[0], reverse=True)
        return list(dict.fromkeys(name for _, names in newest_first for name in names))

    def finished_mark(self) -> tuple[int, int, int]:
        """Return a mark that changes when a game ends, or when a finished one is changed, even only in its names."""
        count, touched, names = self._file.rows(SELECT_FINISHED, Status.FINISHED.value)[0]
        return count, touched, crc32(names.encode())

    def check(self) -> Sequence[GameSummary]:
        """Check the whole file, replay every game, and return them in the order of their numbers.

        Raises:
            JournalError: if the file is damaged, or a game and its log disagree.
        """
        with self._file.explaining():
            check_whole(self._file.connection, self.path)
            damaged = [
                each for each in compared(self._file.connection, self._logs, self._logs.ids()) if each.shows_damage
            ]
        if damaged:
            raise DamagedError(
                said(
                    "{path}: game {game} and its log differ; {command} repairs this",
                    path=str(self.path),
                    game=damaged[0].game_id,
                    command="`companion play`",
                )
            )
        return [self.replayed(game_id) for (game_id,) in self._file.rows("SELECT id FROM games ORDER BY id")]

    def stored(self, game_id: int) -> StoredGame:
        """See `Book.stored`."""
        return self._games.stored(game_id)

    def _add(self, after: StoredGame, entry: JournalEntry) -> Added:
        """Write one entry into the tables, inside a transaction, and return the change to log.

        Args:
            after: the game with that entry.
            entry: a decision or an undo.
        """
        game_id, now = after.game_id, self._now()
        number = self._file.rows("SELECT coalesce(max(number), 0) + 1 FROM entries WHERE game_id = ?", game_id)[0][0]
        added = Added(number, StoredEntry(str(entry.kind), entry.sequence, entry.text, now))
        self._file.connection.execute(
            "INSERT INTO entries (game_id, number, kind, sequence, decision, at) VALUES (?, ?, ?, ?, ?, ?)",
            (game_id, number, *added.row),
        )
        self._file.connection.execute(
            "UPDATE games SET last_at = ?, touched = (SELECT max(touched) + 1 FROM games) WHERE id = ?", (now, game_id)
        )
        self._games.sum_up_changed(after)
        return added

    def _now(self) -> str:
        return self._wall_clock().isoformat()
