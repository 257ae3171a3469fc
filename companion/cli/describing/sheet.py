"""`companion kvilt define`: an owner's sheet, described on a page from a photograph of the blank sheet."""

import argparse
import re
from dataclasses import replace
from pathlib import Path

from companion.cli.arguments import quantities
from companion.cli.arguments.options import config_of, config_option, language_of, language_option
from companion.cli.arguments.subparsers import Subparsers
from companion.kvilt.defining import DefiningError, describe, open_desk
from companion.languages import Language, Sentence, said
from companion.terminal.output import put
from companion.web.defining.page import DefiningPage


def add_parser(subparsers: Subparsers, summary: Sentence) -> None:
    """Add the command's parser; `summary` is its line in the list of commands."""
    parser = subparsers.add_parser(
        "kvilt",
        help=summary,
        description=said("Tools for owners of a boxed Kvilt."),
    )
    tasks = parser.add_subparsers(title=said("tasks"), metavar="TASK", required=True)
    define = tasks.add_parser(
        "define",
        parents=[config_option(), language_option()],
        help=said("describe a sheet from a photograph of a blank one"),
        description=said(
            "Opens a page where you straighten the sheet, mark its cells and pictures, and enter points and marks. "
            "Your entries are saved as you go; run the same command again to continue, with or without the "
            "photograph, even if the file is finished."
        ),
    )
    define.add_argument(
        "photo", nargs="?", type=Path, metavar="PHOTO", help=said("a photograph of the whole blank sheet, from above")
    )
    define.add_argument(
        "--out",
        type=Path,
        metavar="FILE.toml",
        help=said("the sheet’s file; by default {file}", file="kvilt-NAME.toml"),
    )
    define.add_argument("--name", metavar="NAME", help=said("the name of the sheet; by default the file’s name"))
    define.add_argument(
        "--regions",
        type=Path,
        metavar="FILE",
        help=said("write the sheet from the tables in a TOML file, without the page"),
    )
    define.add_argument(
        "--port", type=quantities.port, metavar="N", help=said("the port of the page; by default the configured one")
    )
    define.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve the page until the user ends it."""
    config = config_of(args)
    path = _path(args)
    desk = open_desk(path, args.photo, args.name)
    if args.regions is not None:
        describe(desk, args.regions)
        put(said("{file} is written.", file=str(path)).rendered(language_of(args, config)) + "\n")
        return 0
    settings = config.page if args.port is None else replace(config.page, port=args.port)
    with DefiningPage(settings, desk) as page:
        _announce(page, path, language_of(args, config))
        page.wait()
    return 0


def _path(args: argparse.Namespace) -> Path:
    """Return the path of the sheet's file.

    Raises:
        DefiningError: none is given, or its ending is wrong.
    """
    if args.out is not None:
        if args.out.suffix != ".toml":
            raise DefiningError(
                said(
                    "{path}: must end in {ending}; the picture of the blank sheet is stored next to it",
                    path=f"--out {args.out}",
                    ending=".toml",
                )
            )
        if not args.out.parent.is_dir():
            raise DefiningError(
                said("{path}: there is no folder {folder}", path=f"--out {args.out}", folder=str(args.out.parent))
            )
        return Path(args.out)
    name = args.name or (None if args.photo is None else args.photo.stem)
    if name is None:
        raise DefiningError(
            said(
                "{command}: give a photograph of the blank sheet, or {option} to continue with an existing file",
                command="kvilt define",
                option="--out FILE.toml",
            )
        )
    plain = re.sub(r"[^\w-]+", "-", name).strip("-")
    return Path(f"kvilt-{plain or 'sheet'}.toml")


def _announce(page: DefiningPage, path: Path, language: Language) -> None:
    sentences = [said("Page: {address}", address=page.link)]
    if page.join_link is not None:
        sentences.append(said("For a tablet or a phone: {address} (valid for a few minutes)", address=page.join_link))
    sentences.append(
        said("Your entries are kept as you go; {file} is written when you save. Press Ctrl-C to stop.", file=str(path))
    )
    put("".join(f"{sentence.rendered(language)}\n" for sentence in sentences))
