"""The section on the MQTT broker, and the checks of its values."""

from __future__ import annotations

import re
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.languages import is_plain, said
from companion.settings import Section, file, flag, refuse, setting

_BROKER: Final = re.compile(r"(?:(mqtts?)://)?([\w.-]+|\[[0-9a-fA-F:.]+\])(?::(\d{1,5}))?/?")
_TOPIC: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_PREFIX: Final = re.compile(r"[\w-]+(?:/[\w-]+)*")


@dataclass(frozen=True, slots=True)
class Broker:
    """The address of a broker.

    Attributes:
        host: the host name or IP address.
        port: the TCP port.
        tls: whether the connection is encrypted.
    """

    host: str
    port: int
    tls: bool

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'mqtts' if self.tls else 'mqtt'}://{host}:{self.port}"


def broker(value: object) -> Broker:
    """Return a broker's address."""
    found = _BROKER.fullmatch(value) if isinstance(value, str) else None
    tls = found is not None and found[1] == "mqtts"
    port = 0 if found is None else int(found[3] or (8883 if tls else 1883))
    if found is None or not 0 < port < 65536:
        example = '"mqtt://192.168.1.5", "mqtts://hall.local:8883"'
        raise refuse(value, said("the address of a broker, such as {example}", example=example))
    return Broker(found[2].strip("[]"), port, tls)


def topic_level(value: object) -> str:
    """Return a name used as a level of topics."""
    if isinstance(value, str) and _TOPIC.fullmatch(value):
        return value
    says = said("a name of small letters a to z, digits, - and _, such as {example}", example='"table-3"')
    raise refuse(value, says)


def topic_prefix(value: object) -> str:
    """Return a prefix of topics."""
    if isinstance(value, str) and len(value) <= 80 and _PREFIX.fullmatch(value):
        return value
    raise refuse(value, said("words separated by slashes, such as {example}", example='"club/companion"'))


def line(value: object) -> str:
    """Return a short text on one line."""
    if isinstance(value, str) and value.strip() and len(value) <= 40 and is_plain(value):
        return value
    raise refuse(value, said("a text of {low} to {high} characters", low=1, high=40))


def own_table() -> str:
    """Return a name for this machine's table, made from the host name."""
    name = re.sub(r"[^a-z0-9_-]+", "-", socket.gethostname().partition(".")[0].lower()).strip("-_")
    return name[:40] or "table"


@dataclass(frozen=True, slots=True)
class MqttConfig(Section):
    """The section on the MQTT broker."""

    title = said("The MQTT broker that the table reports to")

    broker: Broker | None = setting(
        None,
        broker,
        said("The broker that the table reports to; {tls} encrypts; absent: none.", tls='"mqtts://…"'),
        '"mqtt://192.168.1.5"',
    )
    username: str | None = setting(None, line, said("The user name for the broker; absent: none."), '"table-3"')
    password_file: Path | None = setting(
        None,
        file,
        said("The file that holds the password, on one line; absent: none."),
        '"/etc/quilt-companion/mqtt.password"',
    )
    ca: Path | None = setting(
        None,
        file,
        said("With TLS: the certificates for checking the broker’s; absent: those of the system."),
        '"/etc/quilt-companion/ca.pem"',
    )
    prefix: str = setting("quilt-companion", topic_prefix, said("The beginning of all topics."))
    table: str | None = setting(
        None,
        topic_level,
        said("This table’s name in topics, different from every other table’s; absent: this machine’s name."),
        '"table-3"',
    )
    name: str | None = setting(None, line, said("This table’s name as people see it; absent: the same."), '"Table 3"')
    home_assistant: str | None = setting(
        None,
        topic_prefix,
        said(
            "The prefix under which Home Assistant looks for devices; absent: Home Assistant does not find the table."
        ),
        '"homeassistant"',
    )
    buttons: bool = setting(
        False, flag, said("Whether anybody who may write to the broker can press buttons through it.")
    )
    camera: bool = setting(False, flag, said("Whether the camera’s picture is sent to the broker every ten seconds."))

    def check(self) -> None:
        """Raise ValueError if the keys contradict one another."""
        # Without a broker nothing is sent, and keys may be left over from an earlier one.
        if self.broker is None:
            return
        if self.ca is not None and not self.broker.tls:
            raise ValueError(
                said("{key}: has no effect without TLS; allowed: with {other}", key="ca", other='broker = "mqtts://…"')
            )
        if self.password_file is not None and self.username is None:
            raise ValueError(
                said("{key}: has no effect on its own; allowed: with {other}", key="password_file", other="username")
            )
