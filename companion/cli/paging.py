"""The page of a command: its settings, its beginning, and the room of the home in which it may be shown."""

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple

from companion.cli.friend import remove_messages
from companion.cli.options import config_path, language_of
from companion.config import Config, PageConfig, address
from companion.config.text import user_config
from companion.errors import CompanionError
from companion.languages import ENGLISH, Language, Sentence, reason, said
from companion.play.host import Host
from companion.registry import pages
from companion.terminal.output import one_line, put
from companion.web.door import Door
from companion.web.home import Home
from companion.web.page import PageServer
from companion.web.transport.server import PageError
from hardware.clock import Tempo
from hardware.simulated.virtual.table import VirtualTable


class Room(NamedTuple):
    """The means of a command that is carried out in a room of the home.

    Attributes:
        door: the address at which its page is served.
        home: the choice.
        name: the name of the entry.
    """

    door: Door
    home: Home
    name: str


@contextmanager
def page_of(
    args: argparse.Namespace,
    config: Config,
    journal: Path,
    virtual: VirtualTable | None = None,
    host: Host | None = None,
    tempo: Tempo | None = None,
) -> Iterator[PageServer | None]:
    """Return the evening's page, or None if it would have no readers, or cannot be served and was not requested.

    Args:
        args: the command line.
        config: the effective configuration.
        journal: the file of all games.
        virtual: the virtual table, which needs a page; None if there is none.
        host: begins games requested on the page, or None if there is only one game.
        tempo: the tempo of simulated players, or None if there are none.

    Raises:
        CompanionError: it was requested and cannot be served.
    """
    if not config.page.enabled or args.no_page or args.json or args.fast or args.games != 1:
        yield None
        return
    language, room = language_of(args, config), room_of(args)
    page = PageServer(
        pages(),
        page_settings(args, config.page),
        journal,
        virtual=virtual,
        host=host,
        tempo=tempo,
        door=None if room is None else room.door,
        home=None if room is None else room.home,
        room="" if room is None else room.name,
        file=config_path(args) or user_config(os.environ),
        table=config,
        withdraw=partial(remove_messages, config),
    )
    with ExitStack() as opened:
        try:
            opened.enter_context(page)
        except PageError as error:
            # Who asked for a page, or plays on it, must not get a session without it.
            if room is not None or virtual is not None or args.port is not None or args.host is not None:
                raise
            says = said("{fault}; the game continues without the page", fault=reason(error))
            sys.stderr.write(one_line(says.rendered(language)) + "\n")
            yield None
            return
        if room is None:
            announce(page, config.page.port if args.port is None else args.port, language)
        else:
            room.home.entered(room.name, page.leave)
        yield page


def linger(page: PageServer | None, language: Language = ENGLISH) -> None:
    """Keep the page open, if there is one, until the user ends the program."""
    if page is not None:
        put(stays(page).rendered(language) + "\n")
        page.wait()


def is_at_terminal() -> bool:
    """Return whether the program reads from a terminal and writes to it."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def is_attended() -> bool:
    """Return whether a user is at a terminal and can end a program that runs indefinitely."""
    return sys.stdin.isatty() or sys.stdout.isatty()


def stays(page: PageServer) -> Sentence:
    """Return the sentence on where the page stays, and until when."""
    return said("The page stays open at {address} until you press Ctrl-C.", address=page.door.link)


def page_settings(args: argparse.Namespace, config: PageConfig) -> PageConfig:
    """Return the page's settings, with the address and the port that the command line gives.

    Raises:
        CompanionError: they cannot be used.
    """
    if args.port is not None:
        config = replace(config, port=args.port)
    if args.host is not None:
        try:
            host = address(args.host)
        except ValueError as error:
            raise CompanionError.said("{place} {fault}", place="play: --host", fault=reason(error)) from error
        config = replace(config, host=host, lan=not ip_address(host).is_loopback)
    return config


def room_of(args: argparse.Namespace) -> Room | None:
    """Return the room of the home in which a command is carried out, or None if it was typed."""
    return getattr(args, "room", None)


def announce(page: PageServer, wanted: int, language: Language) -> None:
    """Print the addresses of a page, and whether it has another port than the one wanted."""
    if wanted not in (0, page.door.port):
        # Ports are identifiers, so they are not written with the language's digits.
        says = said("port {wanted} is in use: the page is on port {port}", wanted=str(wanted), port=str(page.door.port))
        sys.stderr.write(one_line(says.rendered(language)) + "\n")
    put(said("Page: {address}", address=page.door.link).rendered(language) + "\n")
    if page.door.join_link is not None:
        phones = said(
            "For phones: {address} (valid for a few minutes; {tv} always shows the current code)",
            address=page.door.join_link,
            tv=f"{page.door.address}tv",
        )
        put(phones.rendered(language) + "\n")
