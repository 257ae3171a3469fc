"""`companion hall invite`: codes by which tables join the hall."""

import argparse
import secrets
import subprocess
import time
from collections.abc import Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from companion.cli.arguments.options import language_option, terminal_language
from companion.cli.upkeep.places import places_of
from companion.config import Config, ConfigError, HallConfig, load_config
from companion.config.mqtt import Broker, topic_level
from companion.hall.broker_users import PASSWORDS, set_passwords
from companion.hall.invitations import FOLDER_NAME, Invitations
from companion.languages import render, said, system_says
from companion.mqtt.joining import BrokerPlace, HallCode, IPAddress, JoinError, at_port, check_certificates, fingerprint
from companion.terminal.output import put
from companion.web.transport.server import reached_at

_USUAL_PORT: Final = HallConfig().port
# 120 bits, in 20 characters.
_PASSWORD_BYTES: Final = 15
_RELOAD: Final = ("systemctl", "reload", "mosquitto")


def add_to(parser: argparse.ArgumentParser, parents: Sequence[argparse.ArgumentParser]) -> None:
    """Add the action to `companion hall`.

    Args:
        parser: the parser of that command.
        parents: the options that every action has.
    """
    actions = parser.add_subparsers(title=said("actions"), metavar="ACTION")
    invite = actions.add_parser(
        "invite",
        parents=[*parents, language_option()],
        help=said("invite tables: creates a broker user and a code for each"),
        description=said(
            "Create a broker user for each table, and print a code for joining: {command}. A code works once, for "
            "one table, for a day.",
            command="sudo companion join CODE",
        ),
    )
    invite.add_argument(
        "tables",
        nargs="+",
        metavar="TABLE",
        help=said("the table’s name in topics, such as {example}", example="table-3"),
    )
    invite.add_argument(
        "--passwords",
        type=Path,
        default=PASSWORDS,
        metavar="FILE",
        help=said("the broker’s password file; by default {file}", file=str(PASSWORDS)),
    )
    invite.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Create the users, and print the codes."""
    language = terminal_language(args)
    places = places_of(args)
    config = load_config(places.config if places.config is not None and places.config.exists() else None)
    broker, address = _broker(config), _own_address(config)
    ca = _certificates(config.mqtt.ca)
    # All names are checked before the first user is created.
    # Each table once, as a second invitation would replace the first one's password.
    offered = [_place(broker, config, address, table, ca) for table in dict.fromkeys(args.tables)]
    # Before the codes: a table that joins at once must find its user at the broker.
    set_passwords(args.passwords, {place.table: place.password for place in offered})
    invitations = Invitations(places.data / "hall" / FOLDER_NAME)
    there = "" if config.hall.port == _USUAL_PORT else f" --hall {at_port(address, config.hall.port)}"
    for place in offered:
        try:
            code = HallCode(address, invitations.add(place, time.time()))
        except OSError as error:
            where = str(places.data / "hall")
            raise JoinError(said("{path}: cannot be written: {fault}", path=where, fault=system_says(error))) from error
        put(f"{place.table}: sudo companion join {code}{there}\n")
    if ca:
        says = said(
            "Each code comes with the certificates in {path}; their SHA-256 begins with {fingerprint}, and each "
            "table prints that, too.",
            path=str(config.mqtt.ca),
            fingerprint=fingerprint(ca),
        )
        put(render(says, language) + "\n")
    if not _reloaded():
        command = f"sudo {' '.join(_RELOAD)}"
        put(render(said("Make the broker reload its passwords: {command}", command=command), language) + "\n")
    return 0


def _broker(config: Config) -> Broker:
    """Return the hall's broker.

    Raises:
        ConfigError: there is none, or tables cannot join it by a code.
    """
    if config.mqtt.broker is None or not config.hall.lan:
        section, key = ("[mqtt]", "broker") if config.mqtt.broker is None else ("[hall]", "lan = true")
        says = said("{section} {key}: is missing; tables cannot join the hall without it", section=section, key=key)
        raise ConfigError(says)
    if config.mqtt.broker.tls and _is_this_machine(config.mqtt.broker.host):
        says = said(
            "{section} {key}: must be the name in the broker’s certificate, not {host}, because tables connect to "
            "it; such as {example}",
            section="[mqtt]",
            key="broker",
            host=config.mqtt.broker.host,
            example='"mqtts://hall.local"',
        )
        raise ConfigError(says)
    return config.mqtt.broker


def _certificates(file: Path | None) -> str:
    """Return the certificates that tables need to trust the broker, as PEM; empty if the system's suffice.

    Raises:
        ConfigError: the file cannot be read, or contains none.
    """
    if file is None:
        return ""
    try:
        text = file.read_text(encoding="ascii", errors="replace")
        check_certificates(text)
    except (OSError, ValueError) as error:
        fault = system_says(error) if isinstance(error, OSError) else str(error)
        raise ConfigError(said("{path}: cannot be read: {fault}", path=str(file), fault=fault)) from error
    return text


def _own_address(config: Config) -> IPAddress:
    """Return this machine's address on its network.

    Raises:
        JoinError: it has none that fits into a code.
    """
    text = reached_at(config.hall.host)
    # IPv6's link-local addresses need the name of an interface, which a code does not have.
    if text is not None and not ip_address(text).is_link_local:
        return ip_address(text)
    says = said(
        "This machine has no IPv4 address on a network through which tables could join; if the network has only "
        "IPv6: {setting} under {section}",
        setting='host = "::"',
        section="[hall]",
    )
    raise JoinError(says)


def _place(broker: Broker, config: Config, address: IPAddress, table: str, ca: str) -> BrokerPlace:
    """Return a table's place at the broker; its display name is derived from its name in topics.

    Raises:
        JoinError: the name cannot be used in topics.
    """
    try:
        topic_level(table)
    except ValueError as error:
        raise JoinError(said("{table}: {fault}", table=table[:40], fault=str(error))) from error
    seen = broker if not _is_this_machine(broker.host) else Broker(str(address), broker.port, broker.tls)
    name = table.replace("-", " ").replace("_", " ").capitalize()
    return BrokerPlace(str(seen), config.mqtt.prefix, table, name, secrets.token_urlsafe(_PASSWORD_BYTES), ca)


def _is_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _reloaded() -> bool:
    try:
        return subprocess.run(_RELOAD, check=False, capture_output=True).returncode == 0  # noqa: S603
    except OSError:
        return False
