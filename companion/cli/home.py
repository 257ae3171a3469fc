"""`companion` without a command: one page for everything that a family does with the program."""

import argparse
import os
import sys
import webbrowser
from functools import partial
from pathlib import Path
from typing import Final

from companion.cli.commands import build_parser, user_errors
from companion.cli.friend import remove_messages
from companion.cli.options import (
    add_shared,
    config_of,
    config_path,
    journal_path,
    language_of,
    seed_number,
)
from companion.cli.paging import Room, announce, is_attended, page_settings
from companion.config.text import user_config
from companion.journal import TABLE_NAME, GameFilter, Journal, Status
from companion.languages import Language, reason, said
from companion.play.host import was_left
from companion.play.session import by_hand_name
from companion.registry import codecs, entries, pages
from companion.terminal.output import one_line, put
from companion.web.door import Door
from companion.web.home import Entry, Home, LastGame
from companion.web.page import PageServer

ENTRIES: Final = (
    Entry(
        "demo",
        said("Watch a demo"),
        said("Simulated players, a camera picture, and what the companion reads in it. Nothing to set up."),
        ("play", "--simulate", "--new", "--autoplay", "--circle", "seen"),
        starts_by_itself=True,
    ),
    Entry(
        "here",
        said("Play here"),
        said("Two people at this screen move the pieces of a table that is drawn; the camera’s picture decides."),
        ("play", "--simulate", "--new"),
    ),
    Entry(
        "robot",
        said("Play against the robot"),
        said("One person at this screen, and a partner who thinks and lays its patches by itself."),
        ("play", "--simulate", "--new", "--partner", "2", "robot"),
    ),
    Entry(
        "score",
        said("Score a photograph"),
        said("A finished game on your own table: take a picture of both quilts, and have them counted."),
        address="/score",
    ),
    Entry(
        "table",
        said("A real table"),
        said("A camera over your own game. Choose it, see its picture, put down the boards, and begin."),
        ("play", "--new"),
        needs_camera=True,
    ),
)
"""The things that can be done, in this order; whatever else the program can do for a family is one more value here."""


# Enough to find a game that was not played by simulated players.
_LOOKED_AT: Final = 50


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_shared(parser, "--config", "--data", "--language")
    parser.description = said(
        "Open the home in a browser: watch a demo, play here, set up a real table, go on with the last game, and "
        "change the settings."
    )
    add_shared(parser, "--port", "--host", "--seed")
    parser.add_argument(
        "--demo-after",
        type=seed_number,
        metavar="SECONDS",
        help=said("the time after which the demo starts by itself if nobody chooses"),
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve the home, and one room after the other, until the user ends the program."""
    config = config_of(args)
    language, journal = language_of(args, config), journal_path(args, config)
    file = config_path(args) or user_config(os.environ)
    virtual = by_hand_name(config.simulation.seed if args.seed is None else args.seed, config)
    # Opened once, so that the folder with the table's key belongs to whom it should.
    with Journal(journal, codecs()) as opened:
        for finding in opened.findings:
            sys.stderr.write(one_line(finding, language) + "\n")
    with Door(page_settings(args, config.page), journal.parent) as door:
        _welcome(door, args.demo_after, journal, language)
        home = Home(ENTRIES, lambda: last_game(journal, virtual), args.demo_after)
        while True:
            withdraw = partial(remove_messages, config)
            with PageServer(
                pages(), door.config, journal, door=door, home=home, file=file, table=config, withdraw=withdraw
            ):
                name, line = home.chosen()
            status = _in_room(Room(door, home, name), line, args, language)
            if status is not None:
                return status


def _welcome(door: Door, demo_after_s: int | None, journal: Path, language: Language) -> None:
    """Print the link and open it in a browser, if there is a display."""
    page = PageServer(pages(), door.config, journal, door=door)
    announce(page, door.config.port, language)
    put(
        said("Choose there what to do. {keys} ends the program; games are kept.", keys="Ctrl-C").rendered(language)
        + "\n"
    )
    if demo_after_s is not None:
        says = said("The demo starts by itself in {seconds} s if nobody chooses.", seconds=demo_after_s)
        put(says.rendered(language) + "\n")
    has_display = sys.platform in ("darwin", "win32") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    if is_attended() and has_display:
        webbrowser.open(page.door.link)


def _in_room(room: Room, line: tuple[str, ...], args: argparse.Namespace, language: Language) -> int | None:
    """Carry out a command in a room; return the exit status if the user has ended the program in it, else None."""
    if not line:
        return None
    shared = {"--config": getattr(args, "config", None), "--data": getattr(args, "data", None), "--seed": args.seed}
    given = [word for option, value in shared.items() if value is not None for word in (option, str(value))]
    if "--simulate" not in line and args.seed is not None:
        given = given[:-2]
    command = build_parser([*line, *given]).parse_args([*line, *given])
    command.room, command.language = room, language.code
    try:
        status: int = command.run(command)
    except user_errors() as error:
        sys.stderr.write(one_line(error, language) + "\n")
        room.home.left()
        room.home.fault = reason(error)
        return None
    return None if room.home.left() else status


def last_game(journal: Path, virtual: str) -> LastGame | None:
    """Return the game that may be gone on with: the unfinished one with decisions that was changed last.

    If the game played last is damaged, it is that one, as far as it is sound: its room resumes it there.

    Args:
        journal: the file of all games.
        virtual: the name in it of the virtual table.
    """
    if not journal.exists():
        return None
    lines = {TABLE_NAME: ("play",), virtual: ("play", "--simulate")}
    wanted = GameFilter(status=Status.UNFINISHED, decided=True, by_change=True, limit=_LOOKED_AT)
    with Journal(journal, codecs(), read_only=True) as book:
        newest = book.find(GameFilter(decided=True, by_change=True, limit=1))
        damaged = [game for game in newest if game.error is not None and game.whole]
        for game in (*damaged, *book.find(wanted)):
            if game.table in lines and not was_left(book, game.game_id):
                of_game = () if game.game == entries()[0].name else ("--game", game.game)
                decisions = game.decisions if game.error is None else game.whole
                return LastGame(game.game, game.players or (), decisions, (*lines[game.table], *of_game))
    return None
