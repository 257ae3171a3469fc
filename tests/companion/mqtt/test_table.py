"""Test a table's side of MQTT as the evening uses it, with its threads, over a fake broker."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.mqtt.courier import Courier, CourierHooks
from companion.mqtt.link import Lost
from companion.mqtt.messages import HallTopics, Happened, TableTopics
from companion.mqtt.outbox import Outbox, OutboxError
from companion.mqtt.table import TableOnBroker
from companion.patchwork.reading.verdict import Question, QuestionTopic
from companion.play.events import Asked, Complained, DoubtLapsed, GameOpened, LookStarted, Pending
from companion.registry import pages
from tests.companion.mqtt.standin import NOON, StandInBroker, game_events
from tests.mosquitto import PATIENCE_S

TOPICS, HALL = TableTopics("club", "table-3"), HallTopics("club")
OPENED, TAKEN = game_events(5)


def table(broker: StandInBroker, path: Path) -> TableOnBroker:
    return TableOnBroker("Table 3", CourierHooks(TOPICS, HALL), pages(), path, broker.connect, now=lambda: NOON)


def await_until(seen: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not seen():
        assert time.monotonic() < deadline, "it did not come"
        time.sleep(0.005)


def sequences(broker: StandInBroker) -> list[int]:
    return [json.loads(payload)["sequence"] for link in broker.links for payload in link.on(TOPICS.events)]


def test_an_evening_reaches_the_broker_in_order_and_ends_with_goodbye(broker: StandInBroker, tmp_path: Path) -> None:
    with table(broker, tmp_path / "o") as on_broker:
        on_broker(OPENED)
        for event in TAKEN:
            on_broker(event)
        await_until(lambda: bool(broker.links) and b"finished" in b"".join(broker.links[0].on(TOPICS.state)[-1:]))
    (link,) = broker.links
    assert link.hello.will_topic == TOPICS.availability
    assert sequences(broker) == list(range(1, len(TAKEN) + 3))
    assert link.on(TOPICS.availability) == [b"online", b"offline"]
    assert link.closed


def test_a_question_that_is_gone_leaves_the_state_though_nothing_else_is_told(
    broker: StandInBroker, tmp_path: Path
) -> None:
    question = Question(QuestionTopic.WHICH_PATCH, 1, (TAKEN[0].decision,), (), "Which is it?", "frame")

    def asked() -> int | None:
        states = broker.links[0].on(TOPICS.state) if broker.links else []
        return json.loads(states[-1])["asked"] if states else None

    with table(broker, tmp_path / "o") as on_broker:
        on_broker(OPENED)
        on_broker(Asked(question, 0, OPENED.state, pending=Pending(question=question, number=17)))
        await_until(lambda: asked() == 17)
        on_broker(LookStarted(OPENED.state))
        await_until(lambda: asked() == 0)
    assert sequences(broker) == [1, 2]


def test_a_complaint_that_has_lapsed_no_longer_holds_the_table_up(broker: StandInBroker, tmp_path: Path) -> None:
    complaint: Any = type("Complaint", (), {"says": "The patch overlaps.", "cells": ()})()

    def phase() -> str | None:
        states = broker.links[0].on(TOPICS.state) if broker.links else []
        return json.loads(states[-1])["phase"] if states else None

    with table(broker, tmp_path / "o") as on_broker:
        on_broker(OPENED)
        on_broker(Complained(complaint, OPENED.state, pending=Pending(complaint=complaint)))
        await_until(lambda: phase() == "asking")
        on_broker(DoubtLapsed(complaint, OPENED.state))
        await_until(lambda: phase() == "playing")


def test_events_are_kept_while_the_broker_is_away_and_sent_afterwards(
    broker: StandInBroker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("companion.mqtt.courier._FIRST_WAIT_S", 0.01)
    broker.away = "away"
    with table(broker, tmp_path / "o") as on_broker:
        on_broker(OPENED)
        for event in TAKEN[:5]:
            on_broker(event)
        await_until(lambda: "kept until the broker is there: away" in caplog.text)
        # A new reason is reported again: after mending only the first one, people would wait in vain.
        broker.away = "its certificate has expired"
        await_until(lambda: "kept until the broker is there: its certificate has expired" in caplog.text)
        broker.away = ""
        await_until(lambda: sequences(broker) == [1, 2, 3, 4, 5, 6])
        on_broker(TAKEN[5])
        await_until(lambda: sequences(broker)[-1:] == [7])
    assert caplog.text.count("kept until the broker is there") == 2
    sent = [json.loads(payload) for link in broker.links for payload in link.on(TOPICS.events)]
    assert [each["at"] < each["sent"] for each in sent] == [True] * 7


def test_an_outbox_that_cannot_be_read_for_a_while_stops_nothing_for_good(
    broker: StandInBroker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("companion.mqtt.courier._LONGEST_WAIT_S", 0.01)
    faults = [OutboxError("the disk reports an error")] * 2

    def after(outbox: Outbox, *more: Any) -> Any:
        if faults:
            raise faults.pop()
        return really(outbox, *more)

    really = Outbox.after
    monkeypatch.setattr(Outbox, "after", after)
    with table(broker, tmp_path / "o") as on_broker:
        on_broker(OPENED)
        on_broker(TAKEN[0])
        await_until(lambda: bool(broker.links) and sequences(broker)[-2:] == [1, 2])
    assert "nothing is sent until it can be used again" in caplog.text


@pytest.mark.parametrize("place", [0, 20, 5000, 9000])
def test_a_damaged_outbox_is_set_aside_and_the_game_told_anew(
    broker: StandInBroker, tmp_path: Path, caplog: pytest.LogCaptureFixture, place: int
) -> None:
    path = tmp_path / "o"
    with Outbox(path, "table-3") as outbox:
        outbox.add([Happened("now", "notice", says=("x" * 3000,))] * 9, 1)
    content = path.read_bytes()
    path.write_bytes(content[:place] + b"\xff" * 5000 + content[place + 5000 :])
    with table(broker, path) as on_broker:
        on_broker(OPENED)
        await_until(lambda: bool(broker.links) and sequences(broker) == [1])
    assert (tmp_path / "o.damaged-20260301-120000").exists()
    assert "o.damaged-20260301-120000" in caplog.text


def test_an_outbox_that_is_whole_though_reading_it_failed_stays(
    broker: StandInBroker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[int] = []

    def fails_once(_: Outbox) -> None:
        looked.append(1)
        if len(looked) == 1:
            raise OutboxError("malformed", is_damage=True)

    monkeypatch.setattr(Outbox, "check_whole", fails_once)
    with pytest.raises(OutboxError, match="malformed"), table(broker, tmp_path / "o"):
        pass
    assert [each.name for each in tmp_path.iterdir() if "damaged" in each.name] == []


def test_events_wait_while_the_outbox_cannot_be_opened(
    broker: StandInBroker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("companion.mqtt.table._AGAIN_S", 0.01)
    opened: list[int] = []

    def opening(path: Path, name: str) -> Outbox:
        opened.append(1)
        # The first one looks whether there can be an outbox at all.
        if len(opened) in (2, 3):
            raise OutboxError("database is locked")
        return Outbox(path, name)

    monkeypatch.setattr("companion.mqtt.table.Outbox", opening)
    monkeypatch.setattr("companion.mqtt.courier._LONGEST_WAIT_S", 0.01)
    with table(broker, tmp_path / "o") as on_broker:
        on_broker(OPENED)
        await_until(lambda: bool(broker.links) and sequences(broker) == [1])
    assert "database is locked" in caplog.text


def test_a_lost_connection_is_opened_again_and_nothing_is_left_out(
    broker: StandInBroker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.mqtt.courier._FIRST_WAIT_S", 0.01)
    with table(broker, tmp_path / "o") as on_broker:
        on_broker(OPENED)
        await_until(lambda: sequences(broker) == [1])
        broker.links[0].notify(Lost("cable"))
        await_until(lambda: len(broker.links) == 2)
        on_broker(TAKEN[0])
        await_until(lambda: sequences(broker)[-1:] == [2])
    assert set(sequences(broker)) == {1, 2}


def test_a_card_that_was_copied_is_suspected_where_the_broker_cuts_again_and_again(
    broker: StandInBroker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("companion.mqtt.courier._FIRST_WAIT_S", 0.001)
    with table(broker, tmp_path / "o"):
        for cut in range(1, 5):
            await_until(lambda: len(broker.links) == cut and bool(broker.links[-1].sent))  # noqa: B023  # called at once
            assert "copy of this card" not in caplog.text
            broker.links[-1].notify(Lost("cut"))
        await_until(lambda: "does a copy of this card play under the name table-3, too?" in caplog.text)


def test_a_killed_program_tells_at_its_next_start_what_the_journal_has_more(
    broker: StandInBroker, tmp_path: Path
) -> None:
    with table(broker, tmp_path / "o") as on_broker:
        on_broker(OPENED)
        on_broker(TAKEN[0])
    with table(broker, tmp_path / "o") as on_broker:
        on_broker(GameOpened(1, TAKEN[2].state, tuple(each.decision for each in TAKEN[:3])))
    with Outbox(tmp_path / "o", "table-3") as outbox:
        told: list[Any] = [(each.kind, each.number) for each in outbox.after(0, 20)]
    assert told == [("opened", 0), ("decided", 1), ("opened", 1), ("decided", 2), ("decided", 3)]


def test_nothing_waits_for_a_courier_that_hangs(
    broker: StandInBroker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Courier, "start", lambda _: None)
    with table(broker, tmp_path / "o") as on_broker:
        on_broker(OPENED)
        for event in TAKEN:
            on_broker(event)
    with Outbox(tmp_path / "o", "table-3") as outbox:
        assert outbox.last == len(TAKEN) + 2
