"""Test the hall's two threads: what one table sends, or a mistake in one message, never ends or delays the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest

from companion.config import HallConfig
from companion.hall import club, listener
from companion.hall.hall import Hall, TableQueues
from companion.hall.listener import ListenerThread
from companion.mqtt.link import Arrived, Hello, Link, News
from companion.mqtt.messages import HallTopics
from tests.companion.hall.standin import HALL, StandInTable
from tests.companion.mqtt.standin import StandInBroker, StandInLink
from tests.companion.mqtt.test_table import await_until


def test_a_backlog_of_one_table_delays_no_other(tmp_path: Path) -> None:
    flood, quiet = StandInTable(tmp_path, "table-1"), StandInTable(tmp_path, "table-2")
    event, other = flood.play(2, 1)[0], quiet.play(2, 1)
    queues = TableQueues(most=1000)
    queues.put([msgspec.structs.replace(event, sequence=number) for number in range(5000)])
    queues.put(other)
    first = queues.take(4, 0.0)
    assert [each.table for each in first] == ["table-1", "table-2", "table-1", "table-2"]
    assert [each.sequence for each in first] == [0, 1, 1, 2]
    assert len(queues.take(5000, 0.0)) == 998
    assert queues.is_empty()
    assert queues.take(1, 0.0) == []


def test_an_error_with_one_message_does_not_end_the_listening(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "_FIRST_WAIT_S", 0.01)
    taken: list[Arrived] = []

    def take(messages: Sequence[Arrived]) -> None:
        if any(message.payload == b"poison" for message in messages):
            raise OverflowError
        taken.extend(messages)

    broker = StandInBroker()
    thread = ListenerThread(HALL, broker.connect, take, dict)
    thread.start()
    await_until(lambda: bool(broker.links))
    broker.links[0].notify(Arrived("t", b"poison"))
    await_until(lambda: len(broker.links) == 2)
    broker.links[1].notify(Arrived("t", b"good"))
    await_until(lambda: [each.payload for each in taken] == [b"good"])
    thread.close()


def test_an_announcement_to_an_invalid_name_in_the_database_is_not_published(tmp_path: Path) -> None:
    class Strict(StandInLink):
        def publish(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 1) -> int:
            if set(topic) & set("#+\0"):
                raise ValueError("Invalid topic.")
            return super().publish(topic, payload, retain=retain, qos=qos)

    links: list[Strict] = []

    def connect(hello: Hello, notify: Callable[[News], None]) -> Link:
        links.append(Strict(hello, notify))
        return links[-1]

    hall = Hall(HallConfig(port=0), tmp_path / "hall", "club", connect)
    (tmp_path / "hall").mkdir()
    hall.database.upgrade()
    with hall.database.transaction() as session:
        club.announce(session, "x/#", "hello")
        club.announce(session, "table-1", "welcome")
    with hall:
        announced = HallTopics("club").announcement.replace("/hall/", "/tables/table-1/")
        await_until(lambda: bool(links) and bool(links[0].on(announced)))
        assert len(links) == 1
        assert hall.is_alive()
