"""Test a table on a real broker: last will, retained state, passwords, a crash, Home Assistant's birth message."""

from __future__ import annotations

import gc
import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue

import pytest

from companion.mqtt.courier import CourierHooks
from companion.mqtt.discovery import birth_topic, discovery, discovery_topic
from companion.mqtt.link import Address, Arrived, Hello, LinkError, News, PahoLink
from companion.mqtt.messages import HallTopics, TableTopics
from companion.mqtt.table import TableOnBroker
from companion.play.inbox import PressButton
from companion.registry import pages
from hardware.ports import Button
from tests.companion.mqtt.certificates import OPENSSL, certificate
from tests.companion.mqtt.standin import game_events
from tests.mosquitto import MISSING, PATIENCE_S, PROGRAM, Mosquitto

pytestmark = pytest.mark.skipif(PROGRAM is None, reason=MISSING)
TOPICS, HALL = TableTopics("club", "table-3"), HallTopics("club")
OPENED, TAKEN = game_events(6)
HASHED = (
    "table:$7$101$p4N6lDLl3mAN8tiy$pzJkxbEKCXyJ0uNEbZiSBw6cZUhiUnda9Iu/EA5"
    "uRiyLKdE9v8T/LvvEe+St4Na1RElhA5lbNtOI0d8qFqMvEQ=="
)
"""The user "table", as `mosquitto_passwd` writes it."""


class Receiver:
    """Another client of the broker."""

    def __init__(self, port: int, *topics: str, name: str = "receiver") -> None:
        self.news: SimpleQueue[News] = SimpleQueue()
        self.link = PahoLink(Address("127.0.0.1", port), Hello(name, f"{name}/will", b"gone"), self.news.put)
        for topic in topics:
            self.link.subscribe(topic)

    def next(self, topic: str) -> Arrived:
        while True:
            told = self.news.get(timeout=PATIENCE_S)
            if isinstance(told, Arrived) and told.topic == topic:
                return told


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    # One for each try of a test: what a first one left retained would be received by the second.
    with Mosquitto(tmp_path / "mosquitto") as started:
        yield started


def table(port: int, path: Path, hooks: CourierHooks | None = None) -> TableOnBroker:
    address = Address("127.0.0.1", port)
    hooks = hooks or CourierHooks(TOPICS, HALL)
    return TableOnBroker("Table 3", hooks, pages(), path, lambda hello, notify: PahoLink(address, hello, notify))


def test_a_game_is_received_in_order_and_the_state_is_retained(mosquitto: Mosquitto, tmp_path: Path) -> None:
    receiver = Receiver(mosquitto.port, TOPICS.events, TOPICS.availability)
    with table(mosquitto.port, tmp_path / "o") as on_broker:
        assert receiver.next(TOPICS.availability).payload == b"online"
        on_broker(OPENED)
        for event in TAKEN:
            on_broker(event)
        received = [json.loads(receiver.next(TOPICS.events).payload) for _ in range(len(TAKEN) + 2)]
    assert [each["sequence"] for each in received] == list(range(1, len(TAKEN) + 3))
    assert receiver.next(TOPICS.availability).payload == b"offline"
    late = Receiver(mosquitto.port, TOPICS.state, name="late")
    state = late.next(TOPICS.state)
    assert state.retained
    assert json.loads(state.payload)["phase"] == "finished"
    receiver.link.close()
    late.link.close()


def test_a_table_that_drops_out_leaves_its_last_will(mosquitto: Mosquitto) -> None:
    topic = "club/v1/tables/other/availability"
    receiver = Receiver(mosquitto.port, topic)
    for _ in range(2):
        # A second client of the same name: the broker drops the first without a goodbye.
        link = PahoLink(Address("127.0.0.1", mosquitto.port), Hello("dropped", topic, b"offline"), lambda _: None)
    assert receiver.next(topic).payload == b"offline"
    link.close()
    receiver.link.close()


def test_home_assistant_s_birth_is_answered_with_discovery_and_a_button_is_pressed(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    pressed: SimpleQueue[PressButton] = SimpleQueue()
    topic = discovery_topic("homeassistant", "table-3")
    described = discovery(TOPICS, "Table 3", buttons=True, camera=False)
    hooks = CourierHooks(
        TOPICS, HALL, pressed=pressed.put, birth=birth_topic("homeassistant"), greetings={topic: described}
    )
    assistant = Receiver(mosquitto.port, topic)
    with table(mosquitto.port, tmp_path / "o", hooks):
        first = assistant.next(topic)
        assistant.link.publish(birth_topic("homeassistant"), b"online")
        assert assistant.next(topic).payload == first.payload
        button = json.loads(first.payload)["components"]["confirm"]
        assistant.link.publish(button["command_topic"], button["payload_press"].encode())
        assert pressed.get(timeout=PATIENCE_S) == PressButton(Button.CONFIRM, 0, has_read=False)
    assistant.link.close()


def test_a_broker_that_wants_a_password_is_entered_with_it_and_not_without(tmp_path: Path) -> None:
    known = tmp_path / "passwords"
    known.write_text(HASHED + "\n", encoding="ascii")
    known.chmod(0o600)
    with Mosquitto(tmp_path / "broker", "allow_anonymous false", f"password_file {known}") as broker:
        hello = Hello("t", "t/will", b"offline")
        with pytest.raises(LinkError, match=r"port \d+ cannot be used: it does not accept the user -"):
            PahoLink(Address("127.0.0.1", broker.port), hello, lambda _: None)
        entered = Address("127.0.0.1", broker.port, username="table", password="quilt")  # noqa: S106
        PahoLink(entered, hello, lambda _: None).close()


@pytest.mark.skipif(OPENSSL is None, reason="openssl is not installed")
def test_an_encrypted_broker_is_checked_by_the_certificates_that_are_named(tmp_path: Path) -> None:
    made, key = certificate(tmp_path)
    with Mosquitto(tmp_path / "broker", f"certfile {made}", f"keyfile {key}") as broker:
        hello = Hello("t", "t/will", b"offline")
        PahoLink(Address("127.0.0.1", broker.port, tls=True, ca=made), hello, lambda _: None).close()
        with warnings.catch_warnings():
            # The library leaves the socket of a refused certificate to the garbage collector.
            warnings.simplefilter("ignore", ResourceWarning)
            with pytest.raises(LinkError, match="its certificate does not come from anyone that this system trusts"):
                PahoLink(Address("127.0.0.1", broker.port, tls=True), hello, lambda _: None)
            gc.collect()


def test_a_broker_that_is_not_there_is_said_in_a_line() -> None:
    with pytest.raises(LinkError, match=r"the broker 127\.0\.0\.1 port 1 cannot be used: "):
        PahoLink(Address("127.0.0.1", 1), Hello("t", "t/will", b"offline"), lambda _: None)
