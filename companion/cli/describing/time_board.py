"""`companion time-board`: an owner's printing of the time board, described by tapping on a photograph of it."""

import argparse
from dataclasses import replace
from pathlib import Path

from companion.cli.arguments import quantities
from companion.cli.arguments.options import config_of, config_option, language_of, language_option
from companion.cli.arguments.subparsers import Subparsers
from companion.games.patchwork import TIME_TRACKS
from companion.languages import Language, Sentence, said
from companion.patchwork.timeboard_print import DescribingError, PrintingDesk
from companion.terminal.output import put
from companion.terminal.photograph import load_photo
from companion.web.defining.timeboard import TimeBoardPage


def add_parser(subparsers: Subparsers, summary: Sentence) -> None:
    """Add the command's parser; `summary` is its line in the list of commands."""
    parser = subparsers.add_parser(
        "time-board",
        parents=[config_option(), language_option()],
        help=summary,
        description=said(
            "Opens a page with a photograph of your time board. Drag its corners, tap its spaces one after "
            "another, check that the marks are in the right places, and save. To make the table look for this "
            "printing, set {key} in the configuration to the file.",
            key="time_board_print",
        ),
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
        "--port", type=quantities.port, metavar="N", help=said("the port of the page; by default the configured one")
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve the page until the user ends it."""
    config = config_of(args)
    # Refused at once, not after all spaces were tapped; and a printing is not continued, unlike a sheet.
    if args.out.exists():
        raise DescribingError(said("{path}: already exists; choose another file name", path=f"--out {args.out}"))
    if not args.out.parent.is_dir():
        raise DescribingError(
            said("{path}: there is no folder {folder}", path=f"--out {args.out}", folder=str(args.out.parent))
        )
    desk = PrintingDesk(args.out, load_photo(args.photo), TIME_TRACKS[config.game.edition])
    settings = config.page if args.port is None else replace(config.page, port=args.port)
    with TimeBoardPage(settings, desk) as page:
        _announce(page, args.out, language_of(args, config))
        page.wait()
    return 0


def _announce(page: TimeBoardPage, path: Path, language: Language) -> None:
    sentences = [said("Page: {address}", address=page.link)]
    if page.join_link is not None:
        sentences.append(said("For a tablet or a phone: {address} (valid for a few minutes)", address=page.join_link))
    sentences.append(said("{file} is written when you save. Press Ctrl-C to stop.", file=str(path)))
    put("".join(f"{sentence.rendered(language)}\n" for sentence in sentences))
