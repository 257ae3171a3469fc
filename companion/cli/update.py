"""`companion update`: another version of this program, which can be reverted."""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import companion
from companion.cli.backup import is_for_service, places_of
from companion.cli.options import add_shared, terminal_language
from companion.languages import render, said
from companion.terminal.output import put
from companion.upkeep.update import CommandResult, Program, Update, installer_of

# The program takes it as the sign that systemd is running (sd_booted(3)).
_BOOTED: Final = Path("/run/systemd/system")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_shared(parser, "--config", "--data", "--language")
    parser.description = said(
        "Install another version of this program from its folder. A backup is made first; if the new version does "
        "not start, the old one is restored."
    )
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("source", nargs="?", metavar="SOURCE", help=said("the folder of a clone"))
    which.add_argument("--back", action="store_true", help=said("go back to the version before the last update"))
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Update, and report each step."""
    language, now = terminal_language(args), datetime.now().astimezone()

    def say(sentence: str) -> None:
        put(f"      {render(sentence, language)}\n")

    has_service = is_for_service(args) and _BOOTED.is_dir()
    update = Update(program(), places_of(args), execute, say, find_spec("sqlalchemy") is not None, has_service)
    # Load the language's catalogue now: the program's own files will be replaced.
    exchanged = render(said("The previous version is installed again."), language)
    if args.back:
        update.take_back(now)
        put(exchanged + "\n")
    else:
        version = update.carry_out(installer_of(args.source), now)
        put(render(said("Version {version} is installed.", version=version), language) + "\n")
    return 0


def program() -> Program:
    """Return the running program."""
    source = Path(companion.__file__).resolve().parents[1]
    return Program(Path(sys.prefix), Path(sys.base_prefix), source)


def execute(command: Sequence[str]) -> CommandResult:
    """Run a command, and return its exit status and the last line of its output."""
    # A small board's /tmp is too small for builds.
    env = {"TMPDIR": "/var/tmp", **os.environ}  # noqa: S108 - pip makes folders of unguessable names there
    try:
        ended = subprocess.run(  # noqa: S603 - the update's own commands
            command, check=False, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, env=env
        )
    except OSError as error:
        return CommandResult(127, str(error))
    # pip's last line names the error.
    lines = [line.strip() for line in (ended.stderr if ended.returncode else ended.stdout).splitlines() if line.strip()]
    return CommandResult(ended.returncode, lines[-1] if lines else "")
