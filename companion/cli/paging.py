"""The page of an evening started on the command line."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path

from companion.cli.arguments.options import language_of
from companion.config import Config, PageConfig, checks
from companion.errors import CompanionError
from companion.languages import ENGLISH, Language, Sentence, reason, said
from companion.play.host import Host
from companion.registry import pages
from companion.terminal.errors import one_line
from companion.terminal.output import put
from companion.web.page import PageServer
from companion.web.transport.server import PageError
from hardware.simulated.virtual.table import VirtualTable


class PageOptionError(CompanionError):
    """Raised if the page's options cannot be used."""


@contextmanager
def page_of(
    args: argparse.Namespace,
    config: Config,
    journal: Path,
    virtual: VirtualTable | None = None,
    host: Host | None = None,
) -> Iterator[PageServer | None]:
    """Return the evening's page, or None if it would have no readers, or cannot be served and was not requested.

    Args:
        args: the command line.
        config: the effective configuration.
        journal: the file of all games.
        virtual: the virtual table, which needs a page; None if there is none.
        host: begins games requested on the page, or None if there is only one game.

    Raises:
        CompanionError: it was requested and cannot be served.
    """
    if not config.page.enabled or args.no_page or args.json or args.fast or args.games != 1:
        yield None
        return
    language = language_of(args, config)
    simulated = virtual is None and getattr(args, "simulate", False)
    page = PageServer(pages(), _settings(args, config.page), journal, virtual=virtual, host=host, simulated=simulated)
    try:
        # Not `with`: only errors of entering are handled here, not those of the game.
        page.__enter__()
    except PageError as error:
        # Who asked for a page, or plays on it, must not get an evening without it.
        if virtual is not None or args.port is not None or args.host is not None:
            raise
        says = said("{fault}; the game continues without the page", fault=reason(error))
        sys.stderr.write(one_line(says.rendered(language)) + "\n")
        yield None
        return
    try:
        _announce(page, config.page.port if args.port is None else args.port, language)
        yield page
    finally:
        page.__exit__(None, None, None)


def linger(page: PageServer | None, language: Language = ENGLISH) -> None:
    """Keep the page open, if there is one, until the user ends the program."""
    if page is not None:
        put(stays(page).rendered(language) + "\n")
        page.wait()


def is_attended() -> bool:
    """Return whether a user is at a terminal and can end a program that runs indefinitely."""
    return sys.stdin.isatty() or sys.stdout.isatty()


def stays(page: PageServer) -> Sentence:
    """Return the sentence on where the page stays, and until when."""
    return said("The page stays open at {address} until you press Ctrl-C.", address=page.link)


def _settings(args: argparse.Namespace, config: PageConfig) -> PageConfig:
    if args.port is not None:
        config = replace(config, port=args.port)
    if args.host is not None:
        try:
            host = checks.address(args.host)
        except ValueError as error:
            raise PageOptionError(said("{place} {fault}", place="play: --host", fault=reason(error))) from error
        config = replace(config, host=host, lan=not ip_address(host).is_loopback)
    return config


def _announce(page: PageServer, wanted: int, language: Language) -> None:
    if wanted not in (0, page.port):
        # Ports are identifiers, so they are not written with the language's digits.
        says = said("port {wanted} is in use: the page is on port {port}", wanted=str(wanted), port=str(page.port))
        sys.stderr.write(one_line(says.rendered(language)) + "\n")
    put(said("Page: {address}", address=page.link).rendered(language) + "\n")
    if page.join_link is not None:
        phones = said(
            "For phones: {address} (valid for a few minutes; {tv} always shows the current code)",
            address=page.join_link,
            tv=f"{page.address}tv",
        )
        put(phones.rendered(language) + "\n")
