"""Helpers for the tests of a table on a broker: events of a played game, and a fake broker."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.mqtt.link import Hello, LinkError, News
from companion.mqtt.link import Published as Received
from companion.play.events import DecisionTaken, GameOpened

NOON = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


@dataclass
class Sent:
    topic: str
    payload: bytes
    retain: bool
    number: int


@dataclass
class StandInLink:
    """A fake connection that records what is sent and delivers what a test wants to arrive."""

    hello: Hello
    notify: Callable[[News], None]
    sent: list[Sent] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    closed: bool = False
    takes: bool = False

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 1) -> int:
        del qos
        number = len(self.sent) + 1
        self.sent.append(Sent(topic, payload, retain, number))
        if self.takes:
            self.notify(Received(number))
        return number

    def subscribe(self, topic: str) -> None:
        self.asked.append(topic)

    def close(self) -> None:
        self.closed = True

    def on(self, topic: str) -> list[bytes]:
        return [each.payload for each in self.sent if each.topic == topic]


@dataclass
class StandInBroker:
    links: list[StandInLink] = field(default_factory=list)
    away: str = ""

    def connect(self, hello: Hello, notify: Callable[[News], None]) -> StandInLink:
        if self.away:
            raise LinkError(self.away)
        self.links.append(StandInLink(hello, notify, takes=True))
        return self.links[-1]


Taken = DecisionTaken[Any, Any, Any]


def game_events(seed: int, players: tuple[str, str] = ("Anna", "Boris")) -> tuple[GameOpened[Any], list[Taken]]:
    """A game from its opening to its end, one legal decision after the other."""
    rng, history = random.Random(seed), History(Setup(players=players))
    opened = GameOpened(1, history.state)
    taken: list[Taken] = []
    while not history.state.finished:
        decision = _chosen(rng, history)
        outcome = history.apply(decision)
        taken.append(DecisionTaken(decision, outcome.facts, history.state))
    return opened, taken


def _chosen(rng: random.Random, history: History) -> Any:
    legal = legal_decisions(history.state)
    return legal[rng.randrange(len(legal))]
