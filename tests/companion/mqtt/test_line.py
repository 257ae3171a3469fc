"""Test the connection to a friend's table: what is sent again, what is received, and the goodbye."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.mqtt.line import BrokerLine
from companion.mqtt.link import Arrived, Hello, Lost, News
from companion.mqtt.messages import FriendTopics
from tests.companion.mqtt.test_table import await_until

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.companion.mqtt.standin import StandInBroker, StandInLink

TOPICS = FriendTopics("quilt-companion", "KQ7XM4PD")
OWN, FRIEND = TOPICS.log(1), TOPICS.log(2)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let attempts to connect follow each other at once."""
    monkeypatch.setattr("companion.mqtt.line._FIRST_WAIT_S", 0.01)
    monkeypatch.setattr("companion.mqtt.line._LONGEST_WAIT_S", 0.01)


def line_of(broker: StandInBroker) -> BrokerLine:
    return BrokerLine(TOPICS, 2, broker.connect)


def test_the_newest_message_is_retained_and_sent_again_at_each_connection(broker: StandInBroker) -> None:
    with line_of(broker) as line:
        line.publish(b"one", is_last=False)
        await_until(lambda: bool(broker.links) and broker.links[0].on(OWN)[-1:] == [b"one"])
        line.publish(b"two", is_last=False)
        await_until(lambda: broker.links[0].on(OWN)[-1:] == [b"two"])
        broker.links[0].notify(Lost("cut"))
        await_until(lambda: len(broker.links) > 1 and bool(broker.links[1].on(OWN)))
        assert broker.links[1].on(OWN) == [b"two"]
    assert all(sent.retain for link in broker.links for sent in link.sent)
    assert broker.links[1].hello.will_topic == TOPICS.availability(1)


def test_messages_published_while_the_broker_is_away_are_sent_when_it_is_back(broker: StandInBroker) -> None:
    broker.away = "the broker is away"
    with line_of(broker) as line:
        line.publish(b"one", is_last=False)
        await_until(lambda: line.fault == "the broker is away")
        broker.away = ""
        await_until(lambda: bool(broker.links) and broker.links[0].on(OWN) == [b"one"])
        await_until(lambda: not line.fault)


def test_the_friend_s_message_and_presence_are_received(broker: StandInBroker) -> None:
    with line_of(broker) as line:
        await_until(lambda: bool(broker.links) and FRIEND in broker.links[0].asked)
        assert (line.newest, line.is_there) == (None, None)
        broker.links[0].notify(Arrived(TOPICS.availability(2), b"online", retained=True))
        broker.links[0].notify(Arrived(FRIEND, b"theirs"))
        assert line.wait(60)
        assert line.newest == b"theirs"
        assert line.is_there
        # An ended game's message is emptied, which takes nothing away.
        broker.links[0].notify(Arrived(FRIEND, b""))
        broker.links[0].notify(Arrived(TOPICS.availability(2), b"offline"))
        await_until(lambda: line.is_there is False)
        assert line.newest == b"theirs"
        broker.links[0].notify(Lost("cut"))
        await_until(lambda: line.is_there is None)


def test_a_table_that_leaves_says_so_and_a_game_that_both_have_ended_leaves_nothing_at_the_broker(
    broker: StandInBroker,
) -> None:
    topics = OWN, TOPICS.availability(1)
    for is_last in (False, True):
        with line_of(broker) as line:
            line.publish(b"end", is_last=is_last)
        assert [broker.links[0].on(topic)[-1] for topic in topics] == [b"end", b"offline"]
        assert all(link.closed for link in broker.links)
        if is_last:
            # A cut connection with a last will would leave that.
            assert broker.links[1].hello.will_topic is None
            assert [broker.links[1].on(topic)[-1] for topic in topics] == [b"", b""]
        assert len(broker.links) == 1 + is_last
        broker.links.clear()


def test_messages_are_removed_again_if_the_connection_is_cut_meanwhile(broker: StandInBroker) -> None:
    def connect(hello: Hello, notify: Callable[[News], None]) -> StandInLink:
        link = broker.connect(hello, notify)
        if len(broker.links) == 2:
            link.takes = False
            notify(Lost("cut"))
        return link

    with BrokerLine(TOPICS, 2, connect) as line:
        line.publish(b"end", is_last=True)
    assert [link.on(OWN)[-1] for link in broker.links] == [b"end", b"", b""]
