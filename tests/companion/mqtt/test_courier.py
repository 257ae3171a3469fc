from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.mqtt.courier import WINDOW, BrokerSession, CourierHooks, CurrentState
from companion.mqtt.link import Arrived, Hello, Published
from companion.mqtt.messages import (
    AnnouncementMessage,
    EventMessage,
    HallTopics,
    Happened,
    PressMessage,
    ResendMessage,
    StateMessage,
    TableTopics,
    read_message,
)
from companion.mqtt.outbox import Outbox
from companion.play.inbox import PressButton
from hardware.ports import Button
from tests.companion.mqtt.standin import StandInLink

TOPICS, HALL = TableTopics("club", "table-3"), HallTopics("club")


@pytest.fixture
def outbox(tmp_path: Path) -> Iterator[Outbox]:
    with Outbox(tmp_path / "o", "table-3") as opened:
        yield opened


@pytest.fixture
def link() -> StandInLink:
    return StandInLink(Hello("c", TOPICS.availability, b"offline"), lambda _: None)


def notices(outbox: Outbox, count: int) -> None:
    outbox.add([Happened("now", "notice")] * count, 1)


def hooks(**more: Any) -> CourierHooks:
    return replace(CourierHooks(TOPICS, HALL, lambda: CurrentState(b'{"state": 1}')), **more)


def sequences(link: StandInLink) -> list[int]:
    return [json.loads(payload)["sequence"] for payload in link.on(TOPICS.events)]


def test_a_table_says_that_it_is_there_and_then_what_happened_and_last_how_it_stands(
    outbox: Outbox, link: StandInLink
) -> None:
    notices(outbox, 2)
    BrokerSession(hooks(), link, outbox, {}).begin()
    assert [(each.topic, each.retain) for each in link.sent] == [
        ("club/v1/tables/table-3/availability", True),
        ("club/v1/tables/table-3/events", False),
        ("club/v1/tables/table-3/events", False),
        ("club/v1/tables/table-3/state", True),
    ]
    told = {TOPICS.resend, TOPICS.announcement, HALL.announcement}
    # Its own, by which it notices another table of its name.
    assert set(link.asked) == {*told, TOPICS.state, TOPICS.availability}


def test_no_more_than_a_window_is_under_way_and_the_state_waits_for_all_of_it(
    outbox: Outbox, link: StandInLink
) -> None:
    notices(outbox, WINDOW + 5)
    session = BrokerSession(hooks(), link, outbox, {})
    session.begin()
    assert sequences(link) == list(range(1, WINDOW + 1))
    assert link.on(TOPICS.state) == []
    events = [each.number for each in link.sent if each.topic == TOPICS.events]
    session.step([Published(number) for number in events])
    assert sequences(link) == list(range(1, WINDOW + 6))
    assert len(link.on(TOPICS.state)) == 1


def test_the_next_connection_goes_on_after_what_the_broker_has_taken(outbox: Outbox, link: StandInLink) -> None:
    notices(outbox, 4)
    session = BrokerSession(hooks(), link, outbox, {})
    session.begin()
    numbers = [each.number for each in link.sent if each.topic == TOPICS.events]
    # The second was not accepted: the third does not count either, and both are sent again.
    session.step([Published(numbers[0]), Published(numbers[2])])
    assert outbox.delivered == 1
    again = StandInLink(link.hello, link.notify)
    BrokerSession(hooks(), again, outbox, {}).begin()
    assert sequences(again) == [2, 3, 4]


def test_the_last_state_is_sent_before_the_goodbye(outbox: Outbox, link: StandInLink) -> None:
    states = [b"playing"]
    session = BrokerSession(hooks(state=lambda: CurrentState(states[-1])), link, outbox, {})
    session.begin()
    notices(outbox, 1)
    states.append(b"finished")
    session.end()
    last = [(each.topic, each.payload) for each in link.sent[-2:]]
    assert last == [(TOPICS.state, b"finished"), (TOPICS.availability, b"offline")]
    assert sequences(link) == [1]


def test_another_table_of_the_same_name_is_noticed_and_makes_this_one_not_offline(
    outbox: Outbox, link: StandInLink, caplog: pytest.LogCaptureFixture
) -> None:
    session = BrokerSession(hooks(), link, outbox, {})
    session.begin()
    own, other = (
        msgspec.json.encode(StateMessage("table-3", "Table 3", source, 1, "now", "waiting"))
        for source in (outbox.source, "another")
    )
    session.step([Arrived(TOPICS.state, own), Arrived(TOPICS.state, other, retained=True)])
    assert caplog.messages == []
    session.step([Arrived(TOPICS.state, other), Arrived(TOPICS.state, other)])
    assert caplog.messages == [
        "another table at the broker is called table-3, too: give one of the two its own table in [mqtt]"
    ]
    session.step([Arrived(TOPICS.availability, b"offline")])
    assert link.on(TOPICS.availability) == [b"online", b"online"]


def test_an_unchanged_state_is_not_sent_again(outbox: Outbox, link: StandInLink) -> None:
    states = [b"one"]
    session = BrokerSession(hooks(state=lambda: CurrentState(states[-1])), link, outbox, {})
    session.begin()
    session.step([])
    assert link.on(TOPICS.state) == [b"one"]
    states.append(b"two")
    session.step([])
    assert link.on(TOPICS.state) == [b"one", b"two"]


def test_events_are_sent_again_to_who_asks_for_them(outbox: Outbox, link: StandInLink) -> None:
    notices(outbox, 5)
    session = BrokerSession(hooks(), link, outbox, {})
    session.begin()
    session.step([Published(each.number) for each in link.sent])
    ask = msgspec.json.encode(ResendMessage(outbox.source, 3))
    session.step([Arrived(TOPICS.resend, ask)])
    assert sequences(link) == [1, 2, 3, 4, 5, 4, 5]
    session.step([Arrived(TOPICS.resend, msgspec.json.encode(ResendMessage("another", 0)))])
    session.step([Arrived(TOPICS.resend, b"[1")])
    assert len(sequences(link)) == 7


def test_a_request_for_events_that_are_gone_is_answered_by_which_are(tmp_path: Path, link: StandInLink) -> None:
    with Outbox(tmp_path / "small", "table-3", most=2) as outbox:
        notices(outbox, 500)
        session = BrokerSession(hooks(), link, outbox, {})
        session.begin()
        link.sent.clear()
        session.step([Arrived(TOPICS.resend, msgspec.json.encode(ResendMessage(outbox.source, 10)))])
    told = [json.loads(payload) for payload in link.on(TOPICS.events)]
    assert [(each["kind"], each["sequence"]) for each in told] == [("pruned", 498), ("notice", 499), ("notice", 500)]


def test_a_receiver_that_has_more_events_than_the_table_is_believed(outbox: Outbox, link: StandInLink) -> None:
    notices(outbox, 3)
    session = BrokerSession(hooks(), link, outbox, {})
    session.begin()
    link.sent.clear()
    session.step([Arrived(TOPICS.resend, msgspec.json.encode(ResendMessage(outbox.source, 9)))])
    notices(outbox, 1)
    session.step([])
    assert sequences(link) == [10]
    # Another receiver has not seen those numbers and is told that there is nothing to wait for.
    session.step([Arrived(TOPICS.resend, msgspec.json.encode(ResendMessage(outbox.source, 3)))])
    assert [json.loads(each)["kind"] for each in link.on(TOPICS.events)] == ["notice", "pruned", "notice"]
    assert sequences(link) == [10, 9, 10]


@pytest.mark.parametrize("after", [-1, 2_000_000, 2**63 - 1, 10**30])
def test_a_request_for_events_that_cannot_exist_is_not_believed(outbox: Outbox, link: StandInLink, after: int) -> None:
    notices(outbox, 3)
    session = BrokerSession(hooks(), link, outbox, {})
    session.begin()
    asked = json.dumps({"source": outbox.source, "after": after}).encode()
    session.step([Arrived(TOPICS.resend, asked)])
    notices(outbox, 1)
    assert outbox.last == 4


def test_requests_that_claim_ever_more_events_do_not_end_a_tables_reporting(outbox: Outbox, link: StandInLink) -> None:
    session = BrokerSession(hooks(), link, outbox, {})
    session.begin()
    for _ in range(2200):
        ask = ResendMessage(outbox.source, outbox.last + 1_000_000)
        session.step([Arrived(TOPICS.resend, msgspec.json.encode(ask))])
    outbox.add([Happened("now", "notice", says=("still here",))], 1)
    session.step([])
    sent = read_message(link.on(TOPICS.events)[-1], EventMessage)
    assert (sent.says, sent.source, sent.sequence) == (("still here",), outbox.source, outbox.last)


@pytest.mark.parametrize("payload", [b'{"a":' * 50_000, b'"' + b"a" * (1 << 20) + b'"', b"\xff", b'{"text": 1e999}'])
def test_messages_that_are_none_are_logged_and_harm_nothing(
    outbox: Outbox, link: StandInLink, caplog: pytest.LogCaptureFixture, payload: bytes
) -> None:
    session = BrokerSession(hooks(pressed=lambda _: None), link, outbox, {})
    session.begin()
    session.step([Arrived(topic, payload) for topic in (TOPICS.resend, TOPICS.announcement, HALL.announcement)])
    session.step([Arrived(TOPICS.press, b"{" + payload)])
    assert caplog.text.count("cannot be read") == 4


def test_buttons_are_pressed_only_where_the_owner_lets_them(outbox: Outbox, link: StandInLink) -> None:
    pressed: list[PressButton] = []
    without = BrokerSession(hooks(), link, outbox, {})
    without.begin()
    without.step([Arrived(TOPICS.press, b"confirm")])
    assert TOPICS.press not in link.asked
    session = BrokerSession(hooks(pressed=pressed.append), link, outbox, {})
    session.begin()
    assert TOPICS.press in link.asked
    # A retained message is no press of this moment.
    session.step([Arrived(TOPICS.press, b"undo", retained=True), Arrived(TOPICS.press, b"confirm")])
    assert pressed == [PressButton(Button.CONFIRM, 0, has_read=False)]


def test_a_press_answers_the_question_that_its_sender_can_have_read(outbox: Outbox, link: StandInLink) -> None:
    standing, pressed = [CurrentState(b"playing")], list[PressButton]()
    offered = hooks(state=lambda: standing[-1], pressed=pressed.append)
    session = BrokerSession(offered, link, outbox, {})
    session.begin()
    standing.append(CurrentState(b"asking", 17))
    session.step([Published(link.sent[-1].number)])
    # The broker has not delivered the question.
    session.step([Arrived(TOPICS.press, b"confirm")])
    assert pressed == [PressButton(Button.CONFIRM, 0, has_read=False)]
    session.step([Published(link.sent[-1].number)])
    session.step([Arrived(TOPICS.press, b"undo"), Arrived(TOPICS.press, b"dance")])
    assert pressed[1:] == [PressButton(Button.UNDO, 17, has_read=False)]


def test_a_press_may_name_the_question_that_it_answers(
    outbox: Outbox, link: StandInLink, caplog: pytest.LogCaptureFixture
) -> None:
    pressed: list[PressButton] = []
    session = BrokerSession(hooks(pressed=pressed.append), link, outbox, {})
    session.begin()
    session.step([Arrived(TOPICS.press, msgspec.json.encode(PressMessage("confirm", 17)))])
    session.step([Arrived(TOPICS.press, b'{"button": "confirm", "question": "17"}'), Arrived(TOPICS.press, b"{")])
    assert pressed == [PressButton(Button.CONFIRM, 17)]
    assert caplog.text.count("a press cannot be read") == 2


def test_announcements_stand_until_they_are_taken_back(outbox: Outbox, link: StandInLink) -> None:
    heard: list[list[str]] = []
    session = BrokerSession(hooks(announced=lambda told: heard.append([each.text for each in told])), link, outbox, {})
    session.begin()

    def say(text: str) -> bytes:
        return msgspec.json.encode(AnnouncementMessage(text, "now"))

    session.step([Arrived(TOPICS.announcement, say("Anna: table 4"), retained=True)])
    session.step([Arrived(HALL.announcement, say("Round 2 at eight"))])
    session.step([Arrived(TOPICS.announcement, b"")])
    assert heard == [["Anna: table 4"], ["Round 2 at eight", "Anna: table 4"], ["Round 2 at eight"]]


def test_a_client_that_was_started_again_is_greeted_again(outbox: Outbox, link: StandInLink) -> None:
    session = BrokerSession(hooks(greetings={"ha/config": b"{}"}, birth="ha/status"), link, outbox, {})
    session.begin()
    session.step([Arrived("ha/status", b"offline")])
    assert len(link.on("ha/config")) == 1
    session.step([Arrived("ha/status", b"online")])
    assert len(link.on("ha/config")) == 2
    assert link.on(TOPICS.availability) == [b"online", b"online"]


def test_a_picture_is_sent_now_and_then(outbox: Outbox, link: StandInLink) -> None:
    now_s = [0.0]
    session = BrokerSession(hooks(picture=lambda: b"jpeg"), link, outbox, {}, clock=lambda: now_s[0])
    session.begin()
    session.step([])
    assert link.on(TOPICS.picture) == [b"jpeg"]
    now_s[0] = 10.0
    session.step([])
    assert link.on(TOPICS.picture) == [b"jpeg", b"jpeg"]
