"""The connection between a session started on the command line and its MQTT broker."""

from __future__ import annotations

import argparse
import logging
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.cli.options import language_of
from companion.config import Config
from companion.config.broker import MqttConfig, own_table
from companion.config.text import ConfigError
from companion.durable import write_whole
from companion.languages import Language, reason, said, unreadable
from companion.mqtt.link import Address, Hello, Link, News
from companion.mqtt.messages import TableTopics
from companion.play.inbox import Outcome
from companion.registry import pages
from hardware.environment import this_environment

if TYPE_CHECKING:
    from companion.mqtt.courier import CourierHooks
    from companion.mqtt.table import TableOnBroker
    from companion.web.page import PageServer

_LOG: Final = logging.getLogger(__name__)
# The file, beside the games, of the topics at which the table was described to Home Assistant.
_DESCRIBED_NAME: Final = "home-assistant.txt"


@contextmanager
def broker_of(
    args: argparse.Namespace, config: Config, journal: Path, page: PageServer | None
) -> Iterator[TableOnBroker | None]:
    """Return the table's connection to its broker, or None without a broker and for sessions without page or screen.

    Args:
        args: the command line.
        config: the effective configuration.
        journal: the file of all games; the outbox lies beside it.
        page: the source of buttons and pictures for the broker; None if there is no page.

    Raises:
        ConfigError: the library is missing.
        OutboxError: the outbox cannot be used.
    """
    if config.mqtt.broker is None or args.json or args.fast or args.games != 1:
        yield None
        return
    from companion.mqtt.messages import TableTopics  # noqa: PLC0415
    from companion.mqtt.outbox import OUTBOX_NAME  # noqa: PLC0415  # Sessions without a broker need none of it.
    from companion.mqtt.table import TableOnBroker  # noqa: PLC0415

    _need_library()
    table = config.mqtt.table or own_table()
    name = config.mqtt.name or table
    topics = TableTopics(config.mqtt.prefix, table)
    with TableOnBroker(
        name,
        _hooks(config.mqtt, topics, name, page, language_of(args, config), journal.parent / _DESCRIBED_NAME),
        pages(),
        journal.parent / OUTBOX_NAME,
        lambda hello, tell: linked(config.mqtt, hello, tell),
    ) as on_broker:
        yield on_broker


def address_of(config: MqttConfig) -> Address:
    """Return the broker of a configuration that has one.

    Raises:
        ConfigError: the library is missing, or the password cannot be read.
    """
    from companion.mqtt.link import Address  # noqa: PLC0415

    assert config.broker is not None  # noqa: S101  # The caller has looked.
    _need_library()
    broker, password = config.broker, None
    if config.password_file is not None:
        try:
            # Some editors begin a file with a byte-order mark.
            password = config.password_file.read_text(encoding="utf-8-sig").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(unreadable(config.password_file, error)) from error
    return Address(broker.host, broker.port, broker.tls, config.ca, config.username, password)


def _need_library() -> None:
    from companion.mqtt.link import is_installed  # noqa: PLC0415

    if not is_installed():
        raise ConfigError.said(
            "{section} {key}: the library {library} is missing; install it with {command}",
            section="[mqtt]",
            key="broker",
            library="paho-mqtt",
            command=this_environment().pip("paho-mqtt>=2.1,<3"),
        )


def linked(config: MqttConfig, hello: Hello, tell: Callable[[News], None]) -> Link:
    """Open a connection; a missing password is reported as the broker's fault, so that the game can still be played.

    Raises:
        LinkError: the broker cannot be used.
    """
    from companion.mqtt.link import LinkError, PahoLink  # noqa: PLC0415

    try:
        address = address_of(config)
    except ConfigError as error:
        raise LinkError(reason(error)) from error
    return PahoLink(address, hello, tell)


def broker_fault(config: MqttConfig) -> str | None:
    """Return why the configured broker cannot be used, or None if it accepts this machine.

    Nothing is published, and a client connected with the same configuration is not displaced.
    """
    from companion.mqtt.link import Hello, LinkError  # noqa: PLC0415

    secret = config.password_file
    if secret is not None and os.access(secret, os.F_OK) and not os.access(secret, os.R_OK):
        # The service's password is for the service only, as intended.
        return said(
            "this user is not allowed to read {path}, so the connection to the broker was not tested; {command} "
            "tests it",
            path=str(secret),
            command="sudo companion doctor",
        )
    try:
        # A client identifier of its own: brokers disconnect the older of two clients with the same one.
        linked(config, Hello(f"quilt-try-{secrets.token_hex(4)}"), lambda _: None).close()
    except LinkError as error:
        return reason(error)
    return None


def _hooks(
    config: MqttConfig, topics: TableTopics, name: str, page: PageServer | None, language: Language, described: Path
) -> CourierHooks:
    """Return what the table publishes beside its state; buttons and pictures only if the configuration allows them.

    Args:
        config: the configuration of the broker.
        topics: the table's topics.
        name: the table's display name.
        page: the source of buttons and pictures; None if there is no page.
        language: the language of the description for Home Assistant.
        described: the file with the topics at which this table has been described to Home Assistant.
    """
    from companion.mqtt.courier import CourierHooks  # noqa: PLC0415
    from companion.mqtt.discovery import USUAL_PREFIX, birth_topic, discovery, discovery_topic  # noqa: PLC0415
    from companion.mqtt.messages import HallTopics  # noqa: PLC0415

    hooks = CourierHooks(topics, HallTopics(config.prefix))
    buttons, camera = config.buttons and page is not None, config.camera and page is not None
    if (prefix := config.home_assistant) is not None:
        topic = discovery_topic(prefix, topics.table)
        # An empty message removes a description that a broker has retained.
        greetings = dict.fromkeys(_descriptions(described, topic), b"")
        greetings[topic] = discovery(topics, name, buttons=buttons, camera=camera, language=language)
        hooks = replace(hooks, birth=birth_topic(prefix), greetings=greetings)
    else:
        usual = discovery_topic(USUAL_PREFIX, topics.table)
        hooks = replace(hooks, greetings=dict.fromkeys([*_descriptions(described), usual], b""))
    if page is None:
        if config.buttons or config.camera:
            without = said(
                "without the page, nobody can press buttons through the broker, and it gets no pictures: start without "
                "{option} for {first} and {second}",
                option="--no-page",
                first="[mqtt] buttons",
                second="camera",
            )
            _LOG.warning(without)
        return hooks
    return replace(
        hooks,
        pressed=(lambda press: page.remote.inbox.put(press).add_done_callback(_log_refusal)) if buttons else None,
        announced=lambda said_now: page.announce([each.text for each in said_now]),
        picture=page.picture if camera else None,
    )


def _descriptions(file: Path, topic: str | None = None) -> list[str]:
    """Return the topics at which this table has been described to Home Assistant, and add one to them.

    All are kept, because a broker that is not reached tonight still retains the description.
    """
    topics: list[str] = []
    try:
        topics = file.read_text(encoding="utf-8", errors="ignore").split() if file.exists() else []
        if topic is not None and topic not in topics:
            topics.append(topic)
            write_whole(file, "".join(f"{each}\n" for each in topics).encode())
    except OSError as error:
        _LOG.warning(unreadable(file, error))
    return topics


def _log_refusal(outcome: Outcome) -> None:
    error = None if outcome.cancelled() else outcome.exception()
    if error is not None:
        _LOG.warning("a press by the broker was refused: %s", reason(error))
