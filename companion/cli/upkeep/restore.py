"""`companion restore`: the installation of a backup, on this machine or another."""

import argparse
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from companion.cli.arguments.options import config_option, data_option, language_option, terminal_language
from companion.cli.arguments.subparsers import Subparsers
from companion.cli.upkeep.places import is_for_service, places_of
from companion.languages import Sentence, counted, render, said
from companion.terminal.output import put
from companion.upkeep.backup import Manifest, Places, Restored, checked, restore
from companion.upkeep.install.plan import UNIT


def add_parser(subparsers: Subparsers, summary: Sentence) -> None:
    """Add the command's parser; `summary` is its line in the list of commands."""
    parser = subparsers.add_parser(
        "restore",
        parents=[config_option(), data_option(), language_option()],
        help=summary,
        description=said(
            "Restore the games, the calibrations and the configuration from a backup. The whole file is checked "
            "first; nothing that exists is replaced unless you say so, and then the old version is kept."
        ),
    )
    parser.add_argument("file", type=Path, metavar="FILE", help=said("a file that {command} wrote", command="backup"))
    parser.add_argument(
        "--replace", action="store_true", help=said("replace what exists already; the old version is kept")
    )
    parser.add_argument(
        "--without-config", action="store_true", help=said("keep the configuration of this machine as it is")
    )
    parser.add_argument("--check", action="store_true", help=said("only check the file"))
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Restore a backup, and report the steps."""
    language = terminal_language(args)
    if args.check:
        with tempfile.TemporaryDirectory(prefix="companion-") as folder:
            sentences = [_sound(args.file, checked(args.file, Path(folder)))]
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


def _next(args: argparse.Namespace) -> Iterator[Sentence]:
    if is_for_service(args):
        yield said("Continue with {command}", command=f"sudo systemctl start {UNIT}")
