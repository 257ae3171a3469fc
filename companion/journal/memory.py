"""The journal's twin that forgets: for tests, and for evenings that nobody wants kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from companion.journal.book import ALL, Book, GameSummary, WallClock, Wanted, no_game, summed_up, utc_now
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
from companion.journal.summary import Replays, Status, StoredGame, figures_from_json

if TYPE_CHECKING:
    from companion.journal.entries import AnyDecision, AnySetup
    from companion.journal.summary import Summary
    from companion.record import RecordedGame
    from companion.record.game import DecisionT, SetupT, StateT


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
        self._replays = Replays()

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

    def find(self, wanted: Wanted = ALL) -> Sequence[GameSummary]:
        """See `Book.find`."""
        return wanted.listed(self.listed(game_id) for game_id in self._games)

    def listed(self, game_id: int) -> GameSummary:
        """See `Book.listed`."""
        stored = self.stored(game_id)
        times = stored.started_at, stored.last_at
        return summed_up(game_id, stored.table, times, self._order.index(game_id), self._summary(game_id))

    def figures(self, game: RecordedGame[SetupT, DecisionT, StateT]) -> Sequence[Any]:
        """See `Book.figures`."""
        found = self.find(Wanted(game=game.name, status=Status.FINISHED))
        begun = sorted(found, key=lambda each: (each.started_at, each.game_id))
        return [figures_from_json(self._summary(each.game_id).figures or "", game) for each in begun]

    def players(self) -> Sequence[str]:
        """See `Book.players`."""
        found = self.find(Wanted(decided=True, by_change=True))
        return list(dict.fromkeys(name for each in found for name in each.players or ()))

    def close(self) -> None:
        """See `Book.close`."""

    def _game(self, game_id: int) -> _Game:
        if game_id not in self._games:
            raise no_game(game_id)
        return self._games[game_id]

    def _summary(self, game_id: int) -> Summary:
        return self._replays.summary(self.stored(game_id))

    def _add(self, game_id: int, entry: Entry) -> None:
        game = self._game(game_id)
        game.entries.append(entry)
        game.last_at = self._wall_clock()
        self._order.remove(game_id)
        self._order.append(game_id)
