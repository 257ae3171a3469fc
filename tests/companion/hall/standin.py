"""Messages of a table as a hall receives them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from companion.mqtt.link import Arrived
from companion.mqtt.messages import HallTopics, TableTopics
from companion.mqtt.outbox import Outbox
from companion.mqtt.table import EventConverter
from companion.play.events import DecisionUndone, GameOpened
from companion.registry import pages
from tests.companion.mqtt.standin import NOON, game_events

if TYPE_CHECKING:
    from companion.mqtt.messages import EventMessage

HALL = HallTopics("club")
_opened: Final[list[Outbox]] = []


def close_tables() -> None:
    """Close the outboxes of all tables that were made; only the thread that made them can."""
    while _opened:
        _opened.pop().close()


@dataclass
class StandInTable:
    """A table that has played: its outbox is a list."""

    folder: Path
    name: str = "table-3"
    players: tuple[str, str] = ("Anna", "Boris")
    events: list[EventMessage] = field(default_factory=list)
    now: datetime = NOON

    def __post_init__(self) -> None:
        self.topics = TableTopics("club", self.name)
        self.converter = EventConverter(pages())
        self.outbox = Outbox(self.folder / f"{self.name}.sqlite3", self.name)
        _opened.append(self.outbox)

    def play(self, seed: int, decisions: int | None = None, game: int = 1) -> Sequence[EventMessage]:
        """Play a game, or its first decisions, and return its events."""
        before = self.outbox.last
        opened, taken = game_events(seed, self.players)
        self.outbox.add(self.converter.opened(GameOpened(game, opened.state), self.now, ()).events, game)
        for event in taken[:decisions]:
            self._add(event, game)
        return self.outbox.after(before, 10_000)

    def undo(self, seed: int, game: int = 1) -> Sequence[EventMessage]:
        """Undo the last decision of a finished game."""
        before = self.outbox.last
        _, taken = game_events(seed, self.players)
        self._add(DecisionUndone(taken[-1].decision, taken[-2].state), game)
        return self.outbox.after(before, 10)

    def finish(self, seed: int, game: int = 1) -> Sequence[EventMessage]:
        """Make the last decision of a game again, and return its events."""
        before = self.outbox.last
        self._add(game_events(seed, self.players)[1][-1], game)
        return self.outbox.after(before, 10)

    def _add(self, event: Any, game: int) -> None:
        batch = self.converter.after(event, self.now)
        assert batch is not None
        self.outbox.add(batch.events, game, batch.announced)

    def arrived(self, events: Sequence[EventMessage]) -> list[Arrived]:
        """Return the messages of events that were sent at once."""
        sent = [msgspec.structs.replace(each, sent=each.sent or each.at) for each in events]
        return [Arrived(self.topics.events, msgspec.json.encode(event)) for event in sent]

    def state(self) -> Arrived:
        told = self.converter.state(self.name, self.name.title(), self.outbox.source, self.outbox.last, self.now)
        return Arrived(self.topics.state, msgspec.json.encode(told))
