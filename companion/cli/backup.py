"""`companion backup` and `companion restore`: the games, the calibrations and the configuration in one file."""

import argparse
import os
import tempfile
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from companion.cli.options import add_shared, config_path, journal_path, terminal_language
from companion.config import Config
from companion.config.text import DATA_VARIABLE, data_folder, user_config
from companion.configuration import load_config
from companion.errors import CompanionError
from companion.languages import Sentence, counted, in_turn, render, said
from companion.terminal.output import put
from companion.upkeep.backup.manifest import Manifest, Places
from companion.upkeep.backup.restoring import Restored, checked, restore
from companion.upkeep.backup.writing import back_up, usual_name
from companion.upkeep.install import CONFIG, STATE, UNIT, UNIT_FOLDERS


def places_of(args: argparse.Namespace) -> Places:
    """Return the places of the games and the configuration that a command works on.

    For root these are the service's, if it is installed and no others are given, because games are not played as root.
    """
    if is_for_service(args):
        return Places(Path(STATE), Path(CONFIG))
    path = config_path(args)
    return Places(_data(args, path), path or user_config(os.environ))


def is_for_service(args: argparse.Namespace) -> bool:
    """Return whether a command is about the installed service."""
    # The options are absent from the arguments unless they are given.
    asked = hasattr(args, "data") or hasattr(args, "config") or bool(os.environ.get(DATA_VARIABLE))
    return os.geteuid() == 0 and not asked and is_installed()


def is_installed(folders: Sequence[str | Path] = UNIT_FOLDERS) -> bool:
    """Return whether the service is installed on this machine."""
    return any(Path(folder, UNIT).is_file() for folder in folders)


def _data(args: argparse.Namespace, path: Path | None) -> Path:
    try:
        return journal_path(args, load_config(path)).parent
    except CompanionError:
        # A configuration that cannot be read must not prevent the games from being saved.
        return data_folder(Config(), os.environ, getattr(args, "data", None))


def add_restore_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_shared(parser, "--config", "--data", "--language")
    parser.description = said(
        "Restore the games, the calibrations and the configuration from a backup. The whole file is checked "
        "first; nothing that exists is replaced unless you say so, and then the old version is kept."
    )
    parser.add_argument("file", type=Path, metavar="FILE", help=said("a file that {command} wrote", command="backup"))
    parser.add_argument(
        "--replace", action="store_true", help=said("replace what exists already; the old version is kept")
    )
    parser.add_argument(
        "--without-config", action="store_true", help=said("keep the configuration of this machine as it is")
    )
    parser.add_argument("--check", action="store_true", help=said("only check the file"))
    parser.set_defaults(run=run_restore)


def run_restore(args: argparse.Namespace) -> int:
    """Restore a backup, and report the steps."""
    language = terminal_language(args)
    if args.check:
        with tempfile.TemporaryDirectory(prefix="companion-") as folder:
            manifest = checked(args.file, Path(folder))
            sentences = [_sound(args.file, manifest), *_damaged(manifest)]
    else:
        places, now = places_of(args), datetime.now().astimezone()
        done = restore(args.file, places, now, replace=args.replace, with_config=not args.without_config)
        sentences = [*_done(done, places), *(_next(args))]
    put("".join(render(sentence, language) + "\n" for sentence in sentences))
    return 0


def _sound(path: Path, manifest: Manifest) -> Sentence:
    return counted(
        "{path}: intact, {count} game, made on {date} by version {version}.",
        "{path}: intact, {count} games, made on {date} by version {version}.",
        manifest.games,
        path=str(path),
        date=manifest.taken_at[:10],
        version=manifest.version,
    )


def _damaged(manifest: Manifest) -> list[Sentence]:
    lacks = [said("The backup lacks {name}, which could not be read.", name=name) for name in manifest.unread]
    return lacks + [
        said("{name} was damaged already when it was saved; {command} says what to do.", name=name, command="doctor")
        for name in manifest.damaged
    ]


def _done(done: Restored, places: Places) -> Iterator[Sentence]:
    yield counted(
        "{count} game was restored to {folder}.",
        "{count} games were restored to {folder}.",
        done.manifest.games,
        folder=str(places.data),
    )
    for aside in (done.aside, done.config_aside):
        if aside is not None:
            yield said("What was there before is kept: {path}", path=str(aside))
    if done.is_rewritten:
        yield said("{path}: its paths were changed to those of this machine.", path=str(places.config))
    if done.password is not None:
        yield said(
            "Backups do not contain the broker’s password: write it into {path}, or run {command} with a new code "
            "from the hall.",
            path=str(done.password),
            command="sudo companion join CODE",
        )
    if done.address is not None:
        yield said(
            "Backups do not contain the password of the hall’s database: write it into its address in {path}.",
            path=str(done.address),
        )


def _next(args: argparse.Namespace) -> Iterator[Sentence]:
    if is_for_service(args):
        yield said("Continue with {command}", command=f"sudo systemctl start {UNIT}")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_shared(parser, "--config", "--data", "--language")
    parser.description = said(
        "Save the games, the calibrations and the configuration in one file, with a checksum for each; a game "
        "may be in progress meanwhile. If you run it as root, it saves those of the installed service."
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
        raise CompanionError.said(
            "{path}: contains no games; {command} saves those of the service", path=folder, command=command
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
    return in_turn([what, private, *_damaged(manifest)])
