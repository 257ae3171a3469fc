"""The command line: one module a command, each with `add_parser(subparsers)` and `run(args) -> int`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Protocol

from companion import __version__
from companion.cli import (
    calibrate,
    config,
    doctor,
    games,
    hardware_test,
    install,
    kvilt,
    lights_off,
    market,
    photo,
    play,
    printing,
    replay,
    score,
    serve,
)
from companion.cli.usage import Parser
from companion.languages import said

if TYPE_CHECKING:
    from companion.cli.subparsers import Subparsers


class Command(Protocol):
    """A module that is a command."""

    def add_parser(self, subparsers: Subparsers) -> None:
        """Announce the command; the parser's default `run` is what carries it out."""

    def run(self, args: argparse.Namespace) -> int:
        """Carry it out and return the exit status."""


COMMANDS: tuple[Command, ...] = (
    play, replay, score, market, games, printing, calibrate, photo, lights_off, doctor, hardware_test, serve,
    install, config, kvilt,
)  # fmt: skip


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line; it leaves what is to be called in `run`."""
    parser: argparse.ArgumentParser = Parser(
        prog="companion",
        description=said("Keeps the books while two people play the physical game Patchwork under a camera."),
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"quilt-companion {__version__}",
        help=said("show program's version number and exit"),
    )
    subparsers = parser.add_subparsers(title=said("commands"), metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_parser(subparsers)
    return parser
