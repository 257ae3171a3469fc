from __future__ import annotations

import argparse
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from companion.cli.brokering import address_of, broker_fault, broker_of
from companion.config import Config, PageConfig
from companion.config.broker import Broker, MqttConfig
from companion.config.text import ConfigError
from companion.mqtt.discovery import discovery_topic
from companion.mqtt.link import Arrived
from companion.mqtt.messages import AnnouncementMessage, PressMessage
from companion.play.inbox import CommandRefusedError, Posted, PressButton
from companion.web.page import PageServer
from hardware.ports import Button
from tests.companion.mqtt.standin import StandInBroker
from tests.companion.mqtt.test_table import await_until

if TYPE_CHECKING:
    from pathlib import Path

import msgspec

from companion.registry import pages

MQTT = MqttConfig(Broker("hall.local", 1883, tls=False), table="table-3", home_assistant="ha")


def _args(**options: Any) -> argparse.Namespace:
    usual = {"json": False, "fast": False, "games": 1, "language": None}
    return argparse.Namespace(**(usual | options))


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> StandInBroker:
    stand_in = StandInBroker()
    monkeypatch.setattr("companion.mqtt.link.PahoLink", lambda _, hello, notify: stand_in.connect(hello, notify))
    return stand_in


@pytest.mark.parametrize("option", [{"json": True}, {"fast": True}, {"games": 2}])
def test_evenings_without_readers_are_not_published(tmp_path: Path, option: dict[str, Any]) -> None:
    with broker_of(_args(**option), Config(mqtt=MQTT), tmp_path / "j", None) as on_broker:
        assert on_broker is None
    with broker_of(_args(), Config(), tmp_path / "j", None) as on_broker:
        assert on_broker is None


def test_a_table_shows_itself_and_takes_no_button_without_leave(broker: StandInBroker, tmp_path: Path) -> None:
    with broker_of(_args(), Config(mqtt=MQTT), tmp_path / "j", None) as on_broker:
        assert on_broker is not None
        await_until(lambda: bool(broker.links) and bool(broker.links[0].on("quilt-companion/v1/tables/table-3/state")))
    (link,) = broker.links
    assert b"confirm" not in link.on(discovery_topic("ha", "table-3"))[0]
    assert not any("press" in topic for topic in link.asked)
    assert (tmp_path / "outbox.sqlite3").exists()


def test_the_page_s_buttons_are_pressed_and_announcements_shown_on_it(broker: StandInBroker, tmp_path: Path) -> None:
    page = PageServer(pages(), PageConfig())
    shown: list[list[str]] = []
    page.announce = lambda texts: shown.append(list(texts))  # type: ignore[method-assign, assignment]
    config = Config(mqtt=replace(MQTT, buttons=True))
    with broker_of(_args(), config, tmp_path / "j", page):
        await_until(lambda: bool(broker.links) and bool(broker.links[0].on("quilt-companion/v1/tables/table-3/state")))
        (link,) = broker.links
        for name in (b"advance", b"dance"):
            link.notify(Arrived("quilt-companion/v1/tables/table-3/press", name))
        told = msgspec.json.encode(AnnouncementMessage("Round 2", "now"))
        link.notify(Arrived("quilt-companion/v1/hall/announcement", told))
        await_until(lambda: shown == [["Round 2"]])
    assert _buttons(page) == [Button.ADVANCE]


def _buttons(page: PageServer) -> list[Button]:
    commands = (each.command for each in page.remote.inbox.take())
    return [each.button for each in commands if isinstance(each, PressButton)]


def test_a_press_that_is_refused_is_logged(
    broker: StandInBroker, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    page = PageServer(pages(), PageConfig())
    config = Config(mqtt=replace(MQTT, buttons=True))
    with broker_of(_args(), config, tmp_path / "j", page):
        await_until(lambda: bool(broker.links) and bool(broker.links[0].on("quilt-companion/v1/tables/table-3/state")))
        late = msgspec.json.encode(PressMessage("confirm", 17))
        broker.links[0].notify(Arrived("quilt-companion/v1/tables/table-3/press", late))
        broker.links[0].notify(Arrived("quilt-companion/v1/tables/table-3/press", b"undo"))
        taken: list[Posted] = []

        def both() -> bool:
            taken.extend(page.remote.inbox.take())
            return len(taken) == 2

        await_until(both)
    assert [each.command for each in taken] == [
        PressButton(Button.CONFIRM, 17),
        PressButton(Button.UNDO, 0, has_read=False),
    ]
    taken[0].refuse(CommandRefusedError("The question has changed."))
    assert "was refused: The question has changed." in caplog.text


def test_the_description_for_home_assistant_is_removed_where_it_was_switched_off(
    broker: StandInBroker, tmp_path: Path
) -> None:
    with broker_of(_args(), Config(mqtt=replace(MQTT, home_assistant=None)), tmp_path / "j", None):
        await_until(lambda: bool(broker.links) and bool(broker.links[0].on("quilt-companion/v1/tables/table-3/state")))
    removed = [(each.payload, each.retain) for each in broker.links[0].sent if each.topic.startswith("homeassistant/")]
    assert removed == [(b"", True)]


def _greeted(broker: StandInBroker, config: MqttConfig, journal: Path) -> dict[str, bytes]:
    """Return what an evening's first connection says to Home Assistant, by topic."""
    known = len(broker.links)
    with broker_of(_args(), Config(mqtt=config), journal, None):
        await_until(lambda: len(broker.links) > known and bool(broker.links[-1].on(_STATE)))
    return {each.topic: each.payload for each in broker.links[-1].sent if each.topic.endswith("/config")}


_STATE = "quilt-companion/v1/tables/table-3/state"


def test_a_description_under_another_prefix_is_removed_once_prefix_or_home_assistant_are_left(
    broker: StandInBroker, tmp_path: Path
) -> None:
    mine, theirs = discovery_topic("ha", "table-3"), discovery_topic("casa", "table-3")
    assert _greeted(broker, MQTT, tmp_path / "j").keys() == {mine}
    moved = _greeted(broker, replace(MQTT, home_assistant="casa"), tmp_path / "j")
    assert moved[mine] == b""
    assert b"table-3" in moved[theirs]
    left = _greeted(broker, replace(MQTT, home_assistant=None), tmp_path / "j")
    assert left == dict.fromkeys((mine, theirs, discovery_topic("homeassistant", "table-3")), b"")
    assert b"table-3" in _greeted(broker, MQTT, tmp_path / "j")[mine]


@pytest.mark.parametrize("config", [replace(MQTT, buttons=True), replace(MQTT, camera=True)])
def test_functions_that_the_broker_lacks_without_a_page_are_said(
    broker: StandInBroker, tmp_path: Path, caplog: pytest.LogCaptureFixture, config: MqttConfig
) -> None:
    with broker_of(_args(), Config(mqtt=config), tmp_path / "j", None):
        await_until(lambda: bool(broker.links))
    assert "start without --no-page for [mqtt] buttons and camera" in caplog.text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_the_password_comes_from_its_file(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "password"
    path.write_text("quilt\n", encoding=encoding)
    config = replace(MQTT, username="table", password_file=path)
    assert address_of(config).password == "quilt"  # noqa: S105
    path.unlink()
    with pytest.raises(ConfigError, match=r"password: cannot be read: "):
        address_of(config)


def test_a_password_that_is_not_there_is_no_reason_not_to_play(
    broker: StandInBroker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("companion.mqtt.courier._FIRST_WAIT_S", 0.01)
    secret = tmp_path / "mqtt.password"
    config = Config(mqtt=replace(MQTT, username="table", password_file=secret))
    with broker_of(_args(), config, tmp_path / "j", None):
        await_until(lambda: f"{secret}: cannot be read" in caplog.text)
        secret.write_text("quilt")
        await_until(lambda: bool(broker.links))


def test_a_missing_library_is_said_with_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.mqtt.link.is_installed", lambda: False)
    with pytest.raises(ConfigError, match=r"paho-mqtt is missing; .* -m pip install 'paho-mqtt"):
        address_of(MQTT)


def test_a_broker_is_tried_without_throwing_off_who_is_there_already(broker: StandInBroker, tmp_path: Path) -> None:
    assert broker_fault(MQTT) is None
    (link,) = broker.links
    assert link.closed
    assert link.sent == []
    assert (link.hello.will_topic, link.hello.client.startswith("quilt-try-")) == (None, True)
    broker.away = "its certificate has expired; a new one is needed"
    assert broker_fault(MQTT) == "its certificate has expired; a new one is needed"
    secret = tmp_path / "mqtt.password"
    assert broker_fault(replace(MQTT, password_file=secret)) == f"{secret}: cannot be read: No such file or directory"


def test_the_service_s_password_is_not_for_everybody(
    broker: StandInBroker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "mqtt.password"
    secret.write_text("quilt")
    # Root may read everything.
    monkeypatch.setattr("companion.cli.brokering.os.access", lambda _, mode: mode == os.F_OK)
    fault = broker_fault(replace(MQTT, password_file=secret))
    refused = f"this user is not allowed to read {secret}, so the connection to the broker was not tested"
    assert fault == f"{refused}; sudo companion doctor tests it"
    assert broker.links == []
