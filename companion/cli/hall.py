"""`companion hall`: all tables of a club, collected from the broker, and their page."""

import argparse
import os
import signal
import sys
import time
from dataclasses import replace
from typing import Final

from companion.cli.arguments import quantities
from companion.cli.arguments.options import (
    config_of,
    config_option,
    data_option,
    journal_path,
    language_of,
    language_option,
)
from companion.cli.arguments.subparsers import Subparsers
from companion.cli.brokering import address_of
from companion.cli.upkeep.invite import add_to
from companion.config import ConfigError
from companion.languages import Sentence, said
from companion.terminal.output import put
from companion.upkeep.service.notify import Notifier
from hardware.environment import this_environment

_LIBRARIES: Final = ("paho-mqtt<3", "sqlalchemy", "alembic", "psycopg[binary]", "caissify-pairings<0.6")


def add_parser(subparsers: Subparsers, summary: Sentence) -> None:
    """Add the command's parser; `summary` is its line in the list of commands."""
    parents = [config_option(), data_option()]
    parser = subparsers.add_parser(
        "hall",
        parents=[*parents, language_option()],
        help=summary,
        description=said(
            "Collect all tables of a club from the broker of {section} into a database, and serve the hall’s page: "
            "live tables, results, tournaments, announcements.",
            section="[mqtt]",
        ),
    )
    parser.add_argument("--port", type=quantities.port, metavar="N", help=said("the page’s port"))
    parser.set_defaults(run=run)
    add_to(parser, parents)


def run(args: argparse.Namespace) -> int:
    """Serve the hall until the program is interrupted."""
    config = config_of(args)
    if config.mqtt.broker is None:
        raise ConfigError(
            said(
                "{section} {key}: is missing; the hall gets the games from there: add the broker’s address",
                section="[mqtt]",
                key="broker",
            )
        )
    _need_libraries()
    from companion.hall.hall import Hall  # noqa: PLC0415  # It needs what not every installation has.
    from companion.hall.roles import Role  # noqa: PLC0415
    from companion.mqtt.link import PahoLink  # noqa: PLC0415

    # systemd ends a service by this signal; as an exit, it lets `with` close the hall in order.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    notifier = Notifier(os.environ, time.monotonic)
    address, language = address_of(config.mqtt), language_of(args, config)
    hall_config = config.hall if args.port is None else replace(config.hall, port=args.port)
    folder = journal_path(args, config).parent / "hall"
    with Hall(hall_config, folder, config.mqtt.prefix, lambda hello, tell: PahoLink(address, hello, tell)) as hall:
        page = hall.page
        for says in (
            said("Hall: {address}", address=page.address),
            said("For the director: {address}", address=page.link(Role.DIRECTOR)),
            said("For referees: {address}", address=page.link(Role.REFEREE)),
        ):
            put(says.rendered(language) + "\n")
        notifier.ready()
        try:
            page.wait()
        finally:
            notifier.stopping()
    return 0


def _need_libraries() -> None:
    from importlib.util import find_spec  # noqa: PLC0415

    # The library for the broker is checked with the address.
    missing = [name for name in ("sqlalchemy", "alembic", "caissify_pairings") if find_spec(name) is None]
    if missing:
        raise ConfigError(
            said(
                "{command}: the library {library} is missing; install it with {install}",
                command="hall",
                library=missing[0],
                install=this_environment().pip(*_LIBRARIES),
            )
        )
