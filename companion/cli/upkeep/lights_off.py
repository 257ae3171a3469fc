"""`companion lights-off`: switch the strip off, whatever it shows."""

import argparse

from companion.cli.arguments.options import config_of, config_option
from companion.cli.arguments.subparsers import Subparsers
from companion.compose.devices import open_strip
from companion.languages import Sentence, said


def add_parser(subparsers: Subparsers, summary: Sentence) -> None:
    """Add the command's parser; `summary` is its line in the list of commands."""
    parser = subparsers.add_parser(
        "lights-off",
        parents=[config_option()],
        help=summary,
        description=said(
            "Switch the light strip off, for instance after the program was killed; the service does this when it "
            "stops."
        ),
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Switch the strip off: a driver turns all pixels off when it is opened, and again when it is closed."""
    open_strip(config_of(args).strip).close()
    return 0
