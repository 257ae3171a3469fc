"""The command line: one module per command, imported only if its name is on the line.

Each module has `add_parser(subparsers, summary)`, whose parser sets `run` to the function that carries out the command.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, cast

from companion import __version__
from companion.cli.arguments.usage import Parser
from companion.languages import Sentence, said


@dataclass(frozen=True, slots=True)
class Command:
    """A command.

    Attributes:
        name: the name, as typed.
        module: its module's dotted name.
        summary: its line in the list of commands.
    """

    name: str
    module: str
    summary: Sentence


COMMANDS: Final = (
    Command("play", "companion.cli.play", said("play a game; the computer keeps score")),
    Command("replay", "companion.cli.replay", said("replay game records or table recordings")),
    Command("score", "companion.cli.score", said("count the final score in a photograph")),
    Command("market", "companion.cli.market", said("read the circle of patches in a photograph")),
    Command("games", "companion.cli.games", said("list the games that were played")),
    Command(
        "print",
        "companion.cli.printing",
        said("write the mats, the lens chart, the labels or a sheet of Kvilt as a PDF"),
    ),
    Command(
        "calibrate",
        "companion.cli.calibrate",
        said("measure the table: where the boards lie, what they look like, how the lens distorts"),
    ),
    Command("time-board", "companion.cli.describing.time_board", said("mark the spaces of a different time board")),
    Command("photo", "companion.cli.photo", said("take a photograph with the camera over the table")),
    Command("lights-off", "companion.cli.upkeep.lights_off", said("switch the strip off")),
    Command("doctor", "companion.cli.doctor", said("check this machine for problems")),
    Command(
        "hardware-test",
        "companion.cli.hardware_test",
        said("test the buttons, the light strip and the camera, step by step"),
    ),
    Command("controls", "companion.cli.upkeep.controls", said("use the keys of a number pad, a remote or a pedal")),
    Command(
        "serve", "companion.cli.serve", said("play one game after another at the real table; the service runs this")
    ),
    Command("install", "companion.cli.install", said("install or remove the service")),
    Command(
        "backup", "companion.cli.upkeep.backup", said("save games, calibrations and the configuration in one file")
    ),
    Command("restore", "companion.cli.upkeep.restore", said("restore a backup")),
    Command("privacy", "companion.cli.upkeep.privacy", said("list or delete the data stored about players")),
    Command("update", "companion.cli.upkeep.update", said("install another version; go back if it does not start")),
    Command(
        "hall", "companion.cli.hall", said("collect the games of all tables in a club and serve a page about them")
    ),
    Command("join", "companion.cli.upkeep.join", said("connect this table to a club’s hall with a code")),
    Command("config", "companion.cli.config", said("print the effective configuration")),
    Command(
        "kvilt",
        "companion.cli.describing.sheet",
        said("describe the score sheet of a boxed Kvilt so that the camera can read it"),
    ),
)


def build_parser(line: Sequence[str] | None = None) -> argparse.ArgumentParser:
    """Return the parser of the command line; parsing sets `run` to the function to call.

    Args:
        line: the arguments that will be parsed. Commands that are not among them are only listed, because their imports
            take longer than some other commands take to run. None for all commands.
    """
    parser: argparse.ArgumentParser = Parser(
        prog="companion",
        description=said("Keeps score while two people play the board game Patchwork under a camera."),
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"quilt-companion {__version__}",
        help=said("show program’s version number and exit"),
    )
    # Commands that are only listed share a parser, which is never used: one for each would take most of the time.
    listed = Parser()

    def made(**kwargs: Any) -> Parser:
        # The last word of `prog` is the command's name.
        return Parser(**kwargs) if line is None or kwargs["prog"].split()[-1] in line else listed

    subparsers = parser.add_subparsers(
        title=said("commands"), metavar="COMMAND", required=True, parser_class=cast("type[Parser]", made)
    )
    for command in COMMANDS:
        # A name may also occur as an option's value: then its module is imported for nothing.
        if line is None or command.name in line:
            import_module(command.module).add_parser(subparsers, command.summary)
        else:
            subparsers.add_parser(command.name, help=command.summary)
    return parser
