"""`companion hall`: all tables of a club, collected from the broker, and their page; codes by which tables join it."""

import argparse
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from companion.cli.backup import places_of
from companion.cli.brokering import address_of
from companion.cli.options import add_shared, config_of, journal_path, language_of, terminal_language
from companion.config import Config, HallConfig
from companion.config.broker import Broker, topic_level
from companion.config.text import ConfigError
from companion.configuration import load_config
from companion.hall.invitations import FOLDER_NAME, PASSWORDS, Invitations, set_passwords
from companion.languages import render, said, unreadable, unwritable
from companion.mqtt.joining import BrokerPlace, HallCode, IPAddress, JoinError, at_port, check_certificates, fingerprint
from companion.terminal.output import put
from companion.upkeep.service import Notifier, repeats_left_out
from companion.web.transport.server import reached_at
from hardware.environment import this_environment

_USUAL_PORT: Final = HallConfig().port
# 120 bits, in 20 characters.
_PASSWORD_BYTES: Final = 15
_RELOAD: Final = ("systemctl", "reload", "mosquitto")


def _add_invite(parser: argparse.ArgumentParser) -> None:
    """Add the action that invites tables."""
    actions = parser.add_subparsers(title=said("actions"), metavar="ACTION")
    invite = actions.add_parser(
        "invite",
        help=said("invite tables: creates a broker user and a code for each"),
        description=said(
            "Create a broker user for each table, and print a code for joining: {command}. A code works once, for "
            "one table, for a day.",
            command="sudo companion join CODE",
        ),
    )
    add_shared(invite, "--config", "--data", "--language")
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
    invite.set_defaults(run=run_invite)


def run_invite(args: argparse.Namespace) -> int:
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
            raise JoinError(unwritable(places.data / "hall", error)) from error
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
        raise ConfigError.said(
            "{section} {key}: is missing; tables cannot join the hall without it", section=section, key=key
        )
    if config.mqtt.broker.tls and _is_this_machine(config.mqtt.broker.host):
        raise ConfigError.said(
            "{section} {key}: must be the name in the broker’s certificate, not {host}, because tables connect to "
            "it; such as {example}",
            section="[mqtt]",
            key="broker",
            host=config.mqtt.broker.host,
            example='"mqtts://hall.local"',
        )
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
        raise ConfigError(unreadable(file, error)) from error
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
    raise JoinError.said(
        "This machine has no IPv4 address on a network through which tables could join; if the network has only "
        "IPv6: {setting} under {section}",
        setting='host = "::"',
        section="[hall]",
    )


def _place(broker: Broker, config: Config, address: IPAddress, table: str, ca: str) -> BrokerPlace:
    """Return a table's place at the broker; its display name is derived from its name in topics.

    Raises:
        JoinError: the name cannot be used in topics.
    """
    try:
        topic_level(table)
    except ValueError as error:
        raise JoinError.said("{table}: {fault}", table=table[:40], fault=str(error)) from error
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


_LIBRARIES: Final = ("paho-mqtt<3", "sqlalchemy", "alembic", "psycopg[binary]", "caissify-pairings<0.6")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_shared(parser, "--config", "--data", "--language")
    parser.description = said(
        "Collect all tables of a club from the broker of {section} into a database, and serve the hall’s page: "
        "live tables, results, tournaments, announcements.",
        section="[mqtt]",
    )
    add_shared(parser, "--port")
    parser.set_defaults(run=run)
    _add_invite(parser)


def run(args: argparse.Namespace) -> int:
    """Serve the hall until the program is interrupted."""
    config = config_of(args)
    if config.mqtt.broker is None:
        raise ConfigError.said(
            "{section} {key}: is missing; the hall gets the games from there: add the broker’s address",
            section="[mqtt]",
            key="broker",
        )
    _need_libraries()
    from companion.hall.hall import Hall  # noqa: PLC0415  # It needs what not every installation has.
    from companion.hall.site import Role  # noqa: PLC0415
    from companion.mqtt.link import PahoLink  # noqa: PLC0415

    # systemd ends a service by this signal; as an exit, it lets `with` close the hall in order.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    # Without one of its threads the hall would look alive, and hear or answer nothing.
    threading.excepthook = _end_process
    notifier = Notifier(os.environ, time.monotonic)
    address, language = address_of(config.mqtt), language_of(args, config)
    hall_config = config.hall if args.port is None else replace(config.hall, port=args.port)
    folder = journal_path(args, config).parent / "hall"
    with (
        repeats_left_out(),
        Hall(hall_config, folder, config.mqtt.prefix, lambda hello, tell: PahoLink(address, hello, tell)) as hall,
    ):
        page = hall.page
        if hall.repaired is not None:
            put(render(hall.repaired, language) + "\n")
        for says in (
            said("Hall: {address}", address=page.address),
            said("For the director: {address}", address=page.link(Role.DIRECTOR)),
            said("For referees: {address}", address=page.link(Role.REFEREE)),
        ):
            put(says.rendered(language) + "\n")
        notifier.ready()
        try:
            hall.wait(notifier.alive)
        finally:
            notifier.stopping()
    return 0


def _end_process(failed: threading.ExceptHookArgs) -> None:
    """Report the error that ended a thread, and end the program, which the service manager starts again."""
    threading.__excepthook__(failed)
    os._exit(os.EX_SOFTWARE)


def _need_libraries() -> None:
    from importlib.util import find_spec  # noqa: PLC0415

    # The library for the broker is checked with the address.
    missing = [name for name in ("sqlalchemy", "alembic", "caissify_pairings") if find_spec(name) is None]
    if missing:
        raise ConfigError.said(
            "{command}: the library {library} is missing; install it with {install}",
            command="hall",
            library=missing[0],
            install=this_environment().pip(*_LIBRARIES),
        )
