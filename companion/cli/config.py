"""`companion config`: print the effective configuration."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from companion.cli.options import config_of, config_option, config_path
from companion.config import config_text

if TYPE_CHECKING:
    from companion.cli.subparsers import Subparsers


def add_parser(subparsers: Subparsers) -> None:
    """Announce the command."""
    parser = subparsers.add_parser(
        "config",
        parents=[config_option()],
        help="print the effective configuration",
        description="Print the effective configuration as a commented TOML file: a start for one of your own.",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the configuration, and where it came from."""
    config = config_of(args)
    sys.stdout.write(f"# From {config_path(args) or 'the defaults: there is no configuration file'}.\n\n")
    sys.stdout.write(config_text(config))
    return 0
