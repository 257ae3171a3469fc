"""`companion install`: the companion as a service that starts when the machine is switched on."""

import argparse
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from companion.cli.options import add_shared, terminal_language
from companion.languages import Language, Sentence, render, said
from companion.terminal.output import one_line, put
from companion.upkeep.install import (
    CONFIG,
    HALL_UNIT,
    LINK,
    STATE,
    UNIT,
    USER,
    Destination,
    InstallStep,
    configuration,
    has_user,
    installation,
    place_of,
    removal,
)

_INSTALLED = (
    said(
        "The service is installed. Its configuration is {file}; after a change: {command}",
        file=CONFIG,
        command=f"sudo systemctl restart {UNIT}",
    ),
    said("To see its output: {command}", command=f"journalctl -u {UNIT} -f"),
)
_HALL_INSTALLED = (
    said(
        "The hall’s service is installed. It needs a broker: {section} {key} in {file}; after a change: {command}",
        section="[mqtt]",
        key="broker",
        file=CONFIG,
        command=f"sudo systemctl restart {HALL_UNIT}",
    ),
    said(
        "To see its output, including the links for the director and the referees: {command}",
        command=f"journalctl -u {HALL_UNIT}",
    ),
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_shared(parser, "--language")
    parser.description = said(
        "Install the companion as a service that starts with the machine; run this as root. Nothing that "
        "already exists is changed, so you can run it again, for instance after an update."
    )
    parser.add_argument("--remove", action="store_true", help=said("remove the service; games are kept"))
    parser.add_argument("--hall", action="store_true", help=said("install the hall of a club as a service"))
    parser.add_argument(
        "--config-only", action="store_true", help=said("write a configuration for this board if there is none")
    )
    parser.add_argument("--dry-run", action="store_true", help=said("show what would be done, without doing it"))
    parser.add_argument(
        "--root", type=Path, default=Path("/"), metavar="DIR", help=said("install into a system that is not running")
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Install or remove the service, and report each step."""
    place = place_of(args.root.absolute())
    # Before the first step, so that nothing is installed half.
    place.check()
    language = terminal_language(args)
    if args.config_only:
        _take([configuration(place)], language, dry=args.dry_run)
        return 0
    steps = removal(place) if args.remove else installation(place, HALL_UNIT if args.hall else UNIT)
    _take(list(steps), language, dry=args.dry_run)
    if not args.dry_run:
        installed = _HALL_INSTALLED if args.hall else _INSTALLED
        says = _removed(place) if args.remove else installed
        put("".join(f"\n{render(each, language)}" for each in says) + "\n")
    return 0


def _removed(place: Destination) -> tuple[Sentence, ...]:
    """Return the sentences on what was removed, what remains, and how to remove it; call it after the steps."""
    program = str(place.command.parents[1])
    candidates = (program, f"{program}.previous", STATE, str(Path(CONFIG).parent), LINK)
    there = [each for each in candidates if place.path(each).exists() or place.path(each).is_symlink()]
    commands = [f"sudo rm -r {' '.join(there)}"] if there else []
    commands += [f"sudo userdel {USER}"] if has_user(place) else []
    if not commands:
        return (said("The service is removed completely."),)
    return (
        said(
            "The service is removed. These are kept: the games and calibrations in {folder}, the program in "
            "{program}, the user {user}, and {file} if you changed it.",
            folder=STATE,
            program=program,
            user=USER,
            file=CONFIG,
        ),
        said(
            "Packages that you installed for it with {apt} stay, too. To delete everything else, including the "
            "games: {command}",
            apt="apt",
            command="; ".join(commands),
        ),
    )


def _take(steps: Iterable[InstallStep], language: Language, *, dry: bool) -> None:
    def execute(command: Sequence[str]) -> int:
        return _execute(command, language)

    for step in steps:
        if step.is_done():
            done = said("{step}: nothing to do", step=step.says)
            put(f"      {render(done, language)}\n")
        elif dry:
            planned = said("would {step}", step=step.says)
            put(f"{render(planned, language)}\n")
        else:
            put(f"      {render(step.says, language)}\n")
            step.do(execute)


def _execute(command: Sequence[str], language: Language) -> int:
    try:
        return subprocess.run(command, check=False).returncode  # noqa: S603 - the steps' own commands
    except FileNotFoundError:
        missing = said("{program} is missing on this machine", program=command[0])
        sys.stderr.write(one_line(missing, language) + "\n")
        # The shell's status for a command that is not found.
        return 127
