"""`companion time-board` and `companion kvilt define`: owners describe their own material on a page."""

import argparse
import re
from dataclasses import replace
from pathlib import Path

from companion.cli.options import add_shared, config_of, language_of, port_number
from companion.errors import CompanionError
from companion.games.patchwork.components import TIME_TRACKS
from companion.kvilt.defining.desk import describe, open_desk
from companion.languages import Language, Sentence, said
from companion.patchwork.settings import PatchworkSettings
from companion.patchwork.timeboard_print import PrintingDesk
from companion.terminal.output import put
from companion.terminal.photograph import load_photo
from companion.web.describing import DescribingPage, sheet_page, time_board_page


def add_sheet_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.description = said("Tools for owners of a boxed Kvilt.")
    tasks = parser.add_subparsers(title=said("tasks"), metavar="TASK", required=True)
    define = tasks.add_parser(
        "define",
        help=said("describe a sheet from a photograph of a blank one"),
        description=said(
            "Opens a page where you straighten the sheet, mark its cells and pictures, and enter points and marks. "
            "Your entries are saved as you go; run the same command again to continue, with or without the "
            "photograph, even if the file is finished."
        ),
    )
    add_shared(define, "--config", "--language")
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
        "--port", type=port_number, metavar="N", help=said("the port of the page; by default the configured one")
    )
    define.set_defaults(run=run_sheet)


def run_sheet(args: argparse.Namespace) -> int:
    """Serve the page until the user ends it."""
    config = config_of(args)
    path = _path(args)
    desk = open_desk(path, args.photo, args.name)
    if args.regions is not None:
        describe(desk, args.regions)
        put(said("{file} is written.", file=str(path)).rendered(language_of(args, config)) + "\n")
        return 0
    settings = config.page if args.port is None else replace(config.page, port=args.port)
    with sheet_page(settings, desk) as page:
        kept = said(
            "Your entries are kept as you go; {file} is written when you save. Press Ctrl-C to stop.", file=str(path)
        )
        _serve(page, kept, language_of(args, config))
    return 0


def _path(args: argparse.Namespace) -> Path:
    """Return the path of the sheet's file.

    Raises:
        CompanionError: none is given, or its ending is wrong.
    """
    if args.out is not None:
        if args.out.suffix != ".toml":
            raise CompanionError.said(
                "{path}: must end in {ending}; the picture of the blank sheet is stored next to it",
                path=f"--out {args.out}",
                ending=".toml",
            )
        if not args.out.parent.is_dir():
            raise CompanionError.said(
                "{path}: there is no folder {folder}", path=f"--out {args.out}", folder=str(args.out.parent)
            )
        return Path(args.out)
    name = args.name or (None if args.photo is None else args.photo.stem)
    if name is None:
        raise CompanionError.said(
            "{command}: give a photograph of the blank sheet, or {option} to continue with an existing file",
            command="kvilt define",
            option="--out FILE.toml",
        )
    plain = re.sub(r"[^\w-]+", "-", name).strip("-")
    return Path(f"kvilt-{plain or 'sheet'}.toml")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_shared(parser, "--config", "--language")
    parser.description = said(
        "Opens a page with a photograph of your time board. Drag its corners, tap its spaces one after "
        "another, check that the marks are in the right places, and save. To make the table look for this "
        "printing, set {key} in the configuration to the file.",
        key="time_board_print",
    )
    parser.add_argument(
        "photo", type=Path, metavar="PHOTO", help=said("a photograph of the whole time board, from above")
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE.toml",
        default=Path("time-board.toml"),
        help=said("the printing’s file; by default {file}", file="time-board.toml"),
    )
    parser.add_argument(
        "--port", type=port_number, metavar="N", help=said("the port of the page; by default the configured one")
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve the page until the user ends it."""
    config = config_of(args)
    # Refused at once, not after all spaces were tapped; and a printing is not continued, unlike a sheet.
    if args.out.exists():
        raise CompanionError.said("{path}: already exists; choose another file name", path=f"--out {args.out}")
    if not args.out.parent.is_dir():
        raise CompanionError.said(
            "{path}: there is no folder {folder}", path=f"--out {args.out}", folder=str(args.out.parent)
        )
    desk = PrintingDesk(args.out, load_photo(args.photo), TIME_TRACKS[config.of(PatchworkSettings).edition])
    settings = config.page if args.port is None else replace(config.page, port=args.port)
    with time_board_page(settings, desk) as page:
        kept = said("{file} is written when you save. Press Ctrl-C to stop.", file=str(args.out))
        _serve(page, kept, language_of(args, config))
    return 0


def _serve(page: DescribingPage, last: Sentence, language: Language) -> None:
    """Print the page's links and a last sentence, and wait until the user ends the program."""
    sentences = [said("Page: {address}", address=page.link)]
    if page.join_link is not None:
        sentences.append(said("For a tablet or a phone: {address} (valid for a few minutes)", address=page.join_link))
    put("".join(f"{sentence.rendered(language)}\n" for sentence in (*sentences, last)))
    page.wait()
