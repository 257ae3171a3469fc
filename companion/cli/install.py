"""`companion install`: the companion as a service that begins when the machine is switched on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from companion.bootstrap.installing import place_of
from companion.cli.output import put
from companion.install import installation, removal
from companion.install.plan import CONFIG, STATE, UNIT

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from companion.cli.subparsers import Subparsers
    from companion.install import Step

_INSTALLED = f"""
The service is installed. Its configuration is {CONFIG}; after a change:
    sudo systemctl restart {UNIT}
What it says:    journalctl -u {UNIT} -f
"""
_REMOVED = f"""
The service is gone. Kept: the games in {STATE}, the user quilt-companion, and {CONFIG} if you changed it.
"""


def add_parser(subparsers: Subparsers) -> None:
    """Announce the command."""
    parser = subparsers.add_parser(
        "install",
        help="install the service, or take it away again",
        description="Install the companion as a service that begins when the machine is switched on; run it as root. "
        "What is there already is left alone, so it may be run again, after an update for instance.",
    )
    parser.add_argument("--remove", action="store_true", help="take the service away; games are kept")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, and do nothing")
    parser.add_argument(
        "--root", type=Path, default=Path("/"), metavar="DIR", help="install into a system that does not run"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Install or remove, and say each step."""
    place = place_of(args.root.absolute())
    place.check()
    steps = list(removal(place) if args.remove else installation(place))
    _take(steps, dry=args.dry_run)
    if not args.dry_run:
        put(_REMOVED if args.remove else _INSTALLED)
    return 0


def _take(steps: Iterable[Step], *, dry: bool) -> None:
    for step in steps:
        if step.is_done():
            put(f"      {step.says}: nothing to do\n")
            continue
        put(f"{'would' if dry else '     '} {step.says}\n")
        if not dry:
            step.do(_execute)


def _execute(command: Sequence[str]) -> int:
    try:
        return subprocess.run(command, check=False).returncode  # noqa: S603 - the steps' own commands
    except FileNotFoundError:
        sys.stderr.write(f"companion: {command[0]} is missing on this machine\n")
        return 127
