"""`companion backup`: the games, the calibrations and the configuration in one file."""

import argparse
from datetime import datetime
from pathlib import Path

from companion.cli.arguments.options import config_option, data_option, language_option, terminal_language
from companion.cli.arguments.subparsers import Subparsers
from companion.cli.upkeep.places import is_for_service, is_installed, places_of
from companion.languages import Sentence, counted, in_turn, render, said
from companion.terminal.output import put
from companion.upkeep.backup import BackupError, Manifest, back_up, usual_name


def add_parser(subparsers: Subparsers, summary: Sentence) -> None:
    """Add the command's parser; `summary` is its line in the list of commands."""
    parser = subparsers.add_parser(
        "backup",
        parents=[config_option(), data_option(), language_option()],
        help=summary,
        description=said(
            "Save the games, the calibrations and the configuration in one file, with a checksum for each; a game "
            "may be in progress meanwhile. If you run it as root, it saves those of the installed service."
        ),
    )
    parser.add_argument(
        "file",
        nargs="?",
        type=Path,
        metavar="FILE",
        help=said("the file to write; by default one in this folder, named after the date"),
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Make a backup, and print its contents."""
    now = datetime.now().astimezone()
    target = args.file or Path(usual_name(now))
    places = places_of(args)
    if not places.data.exists() and not is_for_service(args) and is_installed():
        # On a machine with the service, games are played by the service and not by a command of the user's own.
        folder, command = str(places.data), "sudo companion backup"
        raise BackupError(
            said("{path}: contains no games; {command} saves those of the service", path=folder, command=command)
        )
    manifest = back_up(places, target, now)
    put(render(contents(manifest, target), terminal_language(args)) + "\n")
    return 0


def contents(manifest: Manifest, path: Path) -> str:
    """Return the sentences on the contents of a backup."""
    games = counted("{count} game", "{count} games", manifest.games)
    files = counted("{count} file", "{count} files", len(manifest.files))
    megabytes = round(path.stat().st_size / 1e6, 1)
    what = said("{path}: {games}, {files}, {size} MB.", path=str(path), games=games, files=files, size=megabytes)
    private = said("It contains the players’ names; only you can read it.")
    return in_turn([what, private])
