"""The journal in memory: for tests, and for evenings that are not to be stored."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from companion.games.history import DecisionOutcome
from companion.journal.book import ALL, Book, GameFilter, GameSummary, WallClock, no_game, summed_up, utc_now
from companion.journal.entries import (
    EntryKind,
    JournalEntry,
    decision_text,
    refuse_contradicted,
    refuse_sequence,
    refuse_undo,
    remaining_decisions,
    setup_text,
    whole_entries,
)
from companion.journal.summary import Replays, Status, StoredGame, Summary, figures_from_json
from companion.record import Codec, Games
from companion.record.codec import DecisionT, SetupT, StateT


@dataclass(slots=True)
class _Game:
    table: str
    setup_text: str
    started_at: datetime
    last_at: datetime
    entries: list[JournalEntry] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)


class MemoryJournal(Book):
    """A journal whose games last as long as the program runs.

    Args:
        codecs: the known games.
        wall_clock: returns the time of day to store with games and entries.
    """

    def __init__(self, codecs: Games, wall_clock: WallClock = utc_now) -> None:
        super().__init__(codecs)
        self._wall_clock = wall_clock
        self._games: dict[int, _Game] = {}
        # The games by their last change, in place of the numbers in the tables on disk.
        self._order: list[int] = []
        self._replays = Replays(codecs)

    def new_game(self, setup: object, table: str = "", notes: Mapping[str, str] | None = None) -> int:
        """See `Book.new_game`."""
        now = self._wall_clock()
        game_id = len(self._games) + 1
        self._games[game_id] = _Game(table, setup_text(setup, self.codecs), now, now, notes=dict(notes or {}))
        self._order.append(game_id)
        return game_id

    def amend_setup(self, game_id: int, setup: object) -> None:
        """See `Book.amend_setup`."""
        refuse_contradicted(game_id, setup, self.stored(game_id).texts, self.codecs)
        self._game(game_id).setup_text = setup_text(setup, self.codecs)

    def append(self, game_id: int, sequence: int, decision: object, outcome: DecisionOutcome | None = None) -> None:
        """See `Book.append`."""
        refuse_sequence(sequence, len(self.stored(game_id).texts) + 1)
        self._add(game_id, JournalEntry(EntryKind.DECISION, sequence, decision_text(decision, self.codecs)))
        if outcome is not None:
            self._replays.follow(self.stored(game_id), decision, outcome)

    def undo(self, game_id: int, sequence: int) -> None:
        """See `Book.undo`."""
        refuse_undo(sequence, len(self.stored(game_id).texts))
        self._add(game_id, JournalEntry(EntryKind.UNDO, sequence, ""))

    def replace(self, game_id: int, sequence: int, decision: object) -> None:
        """See `Book.replace`."""
        self.undo(game_id, sequence)
        self.append(game_id, sequence, decision)

    def truncate_game(self, game_id: int, whole: int) -> Path:
        """See `Book.truncate_game`; nothing is damaged in memory, and decisions that the rules forbid are dropped."""
        entries = self._game(game_id).entries
        del entries[whole_entries(entries, whole) :]
        return Path(os.devnull)

    def note(self, game_id: int, key: str, value: str) -> None:
        """See `Book.note`."""
        self._game(game_id).notes[key] = value

    def notes(self, game_id: int) -> Mapping[str, str]:
        """See `Book.notes`."""
        return dict(self._game(game_id).notes)

    def stored(self, game_id: int) -> StoredGame:
        """See `Book.stored`."""
        game = self._game(game_id)
        return StoredGame(
            game_id, game.table, game.started_at, game.last_at, game.setup_text, remaining_decisions(game.entries)
        )

    def find(self, wanted: GameFilter = ALL) -> Sequence[GameSummary]:
        """See `Book.find`."""
        return wanted.listed(self.listed(game_id) for game_id in self._games)

    def listed(self, game_id: int) -> GameSummary:
        """See `Book.listed`."""
        stored = self.stored(game_id)
        times = stored.started_at, stored.last_at
        return summed_up(game_id, stored.table, times, self._order.index(game_id), self._summary(game_id))

    def replayed(self, game_id: int) -> GameSummary:
        """See `Book.replayed`."""
        return self.listed(game_id)

    def figures(self, codec: Codec[SetupT, DecisionT, StateT]) -> Sequence[Any]:
        """See `Book.figures`."""
        found = self.find(GameFilter(game=codec.name, status=Status.FINISHED))
        begun = sorted(found, key=lambda each: (each.started_at, each.game_id))
        return [figures_from_json(self._summary(each.game_id).figures or "", codec) for each in begun]

    def players(self) -> Sequence[str]:
        """See `Book.players`."""
        found = self.find(GameFilter(decided=True, by_change=True))
        return list(dict.fromkeys(name for each in found for name in each.players or ()))

    def close(self) -> None:
        """See `Book.close`."""

    def _game(self, game_id: int) -> _Game:
        if game_id not in self._games:
            raise no_game(game_id)
        return self._games[game_id]

    def _summary(self, game_id: int) -> Summary:
        return self._replays.summary(self.stored(game_id))

    def _add(self, game_id: int, entry: JournalEntry) -> None:
        game = self._game(game_id)
        game.entries.append(entry)
        game.last_at = self._wall_clock()
        self._order.remove(game_id)
        self._order.append(game_id)
