"""The journal's twin that forgets: for tests, and for evenings that nobody wants kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from companion.journal.book import Book, StoredGame, WallClock, no_game, utc_now
from companion.journal.entries import (
    Entry,
    Kind,
    decision_text,
    refuse_contradicted,
    refuse_sequence,
    refuse_undo,
    setup_text,
    standing,
)

if TYPE_CHECKING:
    from companion.journal.entries import AnyDecision, AnySetup


@dataclass(slots=True)
class _Game:
    table: str
    setup_text: str
    started_at: datetime
    last_at: datetime
    entries: list[Entry] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)


class MemoryJournal(Book):
    """Keeps games as long as the program runs."""

    def __init__(self, wall_clock: WallClock = utc_now) -> None:
        self._wall_clock = wall_clock
        self._games: dict[int, _Game] = {}
        self._order: list[int] = []

    def new_game(self, setup: AnySetup, table: str = "") -> int:
        """See `Book.new_game`."""
        now = self._wall_clock()
        game_id = len(self._games) + 1
        self._games[game_id] = _Game(table, setup_text(setup), now, now)
        self._order.append(game_id)
        return game_id

    def amend_setup(self, game_id: int, setup: AnySetup) -> None:
        """See `Book.amend_setup`."""
        refuse_contradicted(game_id, setup, self.stored(game_id).texts)
        self._game(game_id).setup_text = setup_text(setup)

    def append(self, game_id: int, sequence: int, decision: AnyDecision) -> None:
        """See `Book.append`."""
        refuse_sequence(sequence, len(self.stored(game_id).texts) + 1)
        self._add(game_id, Entry(Kind.DECISION, sequence, decision_text(decision)))

    def undo(self, game_id: int, sequence: int) -> None:
        """See `Book.undo`."""
        refuse_undo(sequence, len(self.stored(game_id).texts))
        self._add(game_id, Entry(Kind.UNDO, sequence, ""))

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
            game_id, game.table, game.started_at, game.last_at, game.setup_text, standing(game.entries)
        )

    def ids(self) -> Sequence[int]:
        """See `Book.ids`."""
        return tuple(self._order)

    def close(self) -> None:
        """See `Book.close`."""

    def _game(self, game_id: int) -> _Game:
        if game_id not in self._games:
            raise no_game(game_id)
        return self._games[game_id]

    def _add(self, game_id: int, entry: Entry) -> None:
        game = self._game(game_id)
        game.entries.append(entry)
        game.last_at = self._wall_clock()
        self._order.remove(game_id)
        self._order.append(game_id)
