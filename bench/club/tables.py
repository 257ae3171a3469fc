"""Simulated tables that make decisions without pictures, so that hundreds can run on one machine.

Each is a complete table on a broker (outbox, courier, messages), fed with random legal decisions of Patchwork.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.mqtt.courier import CourierHooks
from companion.mqtt.link import Address, PahoLink
from companion.mqtt.messages import HallTopics, TableTopics
from companion.mqtt.table import TableOnBroker
from companion.play.events import DecisionTaken, GameOpened
from companion.registry import pages

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NAMES: Final = (
    "Anna", "Boris", "Cilla", "Dan", "Eva", "Finn", "Gala", "Hugo", "Ида", "Юрий", "نسرین", "کاوه", "Mia", "Noah",
    "Olga", "Pavel",
)  # fmt: skip


@dataclass
class Deciding:
    """A simulated table.

    Attributes:
        number: its number, from 1.
        folder: the folder of its outbox.
        port: the port of the broker on this machine.
        seed: the seed of its players' choices.
        prefix: the prefix of all topics.
        players: returns the players' names for a table's number; None for two of `NAMES`.
        on_decision: called with table name, game and number of decisions, before a decision is announced.
    """

    number: int
    folder: Path
    port: int
    seed: int
    prefix: str = "quilt-companion"
    players: Callable[[int], tuple[str, str]] | None = None
    on_decision: Callable[[str, int, int], None] = lambda *_: None
    game: int = 0
    decisions: int = 0
    _history: History | None = None
    _rng: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self._rng = random.Random(self.seed * 100_003 + self.number)
        address = Address("127.0.0.1", self.port)
        self.name = f"table-{self.number}"
        self.place = TableOnBroker(
            f"Table {self.number}",
            CourierHooks(TableTopics(self.prefix, self.name), HallTopics(self.prefix)),
            pages(),
            self.folder / f"{self.name}.sqlite3",
            lambda hello, notify: PahoLink(address, hello, notify),
        )

    def step(self) -> None:
        """Make a decision, or begin the next game."""
        history = self._history
        if history is None or history.state.finished:
            self._begin()
            return
        legal = legal_decisions(history.state)
        decision: Any = legal[self._rng.randrange(len(legal))]
        outcome = history.apply(decision)
        self.decisions += 1
        self.on_decision(self.name, self.game, len(history.decisions))
        self.place(DecisionTaken(decision, outcome.facts, history.state))

    def _begin(self) -> None:
        self.game += 1
        pair = self._players()
        self._history = History(Setup(players=pair))
        self.place(GameOpened(self.game, self._history.state))

    def _players(self) -> tuple[str, str]:
        if self.players is not None:
            return self.players(self.number)
        first = 2 * self.number - 2
        return NAMES[first % len(NAMES)], NAMES[(first + 1) % len(NAMES)]


def paced(tables: list[Deciding], every_s: float, until: Callable[[], bool]) -> None:
    """Let each table decide every `every_s` seconds, evenly spread, until `until` returns True."""
    due_s = time.monotonic()
    while not until():
        for table in tables:
            due_s += every_s / len(tables)
            time.sleep(max(0.0, due_s - time.monotonic()))
            if until():
                return
            table.step()
