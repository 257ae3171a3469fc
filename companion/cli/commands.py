"""The command line: one module per command, imported only if its name is on the line.

Each module has `add_parser(subparsers, summary)`, whose parser sets `run` to the function that carries out the command.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Final

from companion import __version__
from companion.cli.arguments.usage import Parser
from companion.languages import said

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from companion.languages import Sentence


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
    Command("play", "companion.cli.play", said("keep the books of an evening")),
    Command("replay", "companion.cli.replay", said("play game records or table recordings again")),
    Command("score", "companion.cli.score", said("count the final score from one photograph")),
    Command("market", "companion.cli.market", said("read the circle of patches from one photograph")),
    Command("games", "companion.cli.games", said("list the games that were played")),
    Command(
        "print",
        "companion.cli.printing",
        said("write the mats, the lens chart, the labels or a sheet of Kvilt as a PDF"),
    ),
    Command(
        "calibrate",
        "companion.cli.calibrate",
        said("measure the table: where the boards lie, how they look, what the lens bends"),
    ),
    Command(
        "time-board", "companion.cli.describing.time_board", said("tap where the spaces of another time board lie")
    ),
    Command("photo", "companion.cli.photo", said("take a photograph with the camera over the table")),
    Command("lights-off", "companion.cli.upkeep.lights_off", said("switch the strip off")),
    Command("doctor", "companion.cli.doctor", said("find what is wrong on this machine")),
    Command(
        "hardware-test",
        "companion.cli.hardware_test",
        said("try every button, pixel and the camera, step by step"),
    ),
    Command("controls", "companion.cli.upkeep.controls", said("use the keys of a number pad, a remote or a pedal")),
    Command("serve", "companion.cli.serve", said("play game after game at the real table; what the service runs")),
    Command("install", "companion.cli.install", said("install the service, or take it away again")),
    Command(
        "backup", "companion.cli.upkeep.backup", said("write games, calibrations and the configuration into one file")
    ),
    Command("restore", "companion.cli.upkeep.restore", said("put a backup in place")),
    Command("privacy", "companion.cli.upkeep.privacy", said("list what is kept of those who play here, and delete it")),
    Command("update", "companion.cli.upkeep.update", said("install another version; go back if it does not start")),
    Command("hall", "companion.cli.hall", said("collect all tables of a club, and serve their page")),
    Command("join", "companion.cli.upkeep.join", said("let this table join a club’s hall, by a code")),
    Command("config", "companion.cli.config", said("print the effective configuration")),
    Command(
        "kvilt", "companion.cli.describing.sheet", said("describe the sheet of a boxed Kvilt, so that it can be read")
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
        description=said("Keeps the books while two people play the physical game Patchwork under a camera."),
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"quilt-companion {__version__}",
        help=said("show program’s version number and exit"),
    )
    subparsers = parser.add_subparsers(title=said("commands"), metavar="COMMAND", required=True)
    for command in COMMANDS:
        if line is None or command.name in line:
            import_module(command.module).add_parser(subparsers, command.summary)
        else:
            subparsers.add_parser(command.name, help=command.summary)
    return parser
