"""`companion print`: sheets for the printer."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from calibration.mat import MATS, load_mat
from calibration.printing import (
    LANGUAGES,
    PAPERS,
    chart_pdf,
    kvilt_sheet_pdf,
    kvilt_swatches_pdf,
    labels_pdf,
    mats_pdf,
)
from companion.cli.options import terminal_language
from companion.cli.output import put
from companion.errors import CompanionError
from companion.games.kvilt import load_layout, load_sheet, swatch_card
from companion.languages import any_of, in_turn, said, system_says, tell

if TYPE_CHECKING:
    from companion.cli.subparsers import Subparsers
    from companion.languages import Sentence

_SHEETS: Final = {
    "mats": said("the mats that the quilt boards lie on, a page for each seat"),
    "charuco": said("the chart that a lens is calibrated with"),
    "labels": said("labels for the push-buttons and the seats"),
    "kvilt-sheet": said("the sheet that every player of Kvilt colours"),
    "kvilt-swatches": said("a card to try pencils on"),
}
_NAMES: Final = {"a4": "A4", "a5": "A5", "letter": "US Letter"}
_WITH_RULERS: Final = ("mats", "charuco")


def add_parser(subparsers: Subparsers, summary: Sentence) -> None:
    """Announce the command, which `summary` tells of in the list of commands."""
    parser = subparsers.add_parser(
        "print",
        help=summary,
        description=said(
            "Write a sheet as a PDF, true to scale. Print it at {percent} % (actual size) and check its rulers.",
            percent=100,
        ),
        epilog=in_turn([said("{name}: {what}.", name=name, what=what) for name, what in _SHEETS.items()]),
    )
    parser.add_argument("sheet", choices=tuple(_SHEETS), metavar="SHEET", help=", ".join(_SHEETS))
    parser.add_argument(
        "--paper",
        choices=tuple(_NAMES),
        default="a4",
        help=said("the paper; by default {usual}; {small} for Kvilt alone", usual="a4", small="a5"),
    )
    parser.add_argument(
        "--output", type=Path, metavar="FILE.pdf", help=said("where to; by default {file}", file="SHEET-PAPER.pdf")
    )
    parser.add_argument("--sheet", dest="file", type=Path, metavar="FILE.toml", help=said("an own sheet of Kvilt"))
    parser.add_argument("--language", choices=LANGUAGES, help=said("of the words on Kvilt's sheets"))
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the sheet and say what to mind at the printer."""
    path = Path(f"{args.sheet}-{args.paper}.pdf") if args.output is None else args.output
    content = _pdf(args)
    try:
        path.write_bytes(content)
    except (OSError, ValueError) as error:
        raise CompanionError(
            said("{path}: cannot be written: {fault}", path=f"--output {path}", fault=system_says(error))
        ) from error
    language = terminal_language(args)
    says = said(
        "{path}: print it on {paper} at {percent} % (actual size), not fitted to the page.",
        path=str(path),
        paper=_NAMES[args.paper],
        percent=100,
    )
    put(tell(says, language) + "\n")
    if args.sheet in _WITH_RULERS:
        rulers = said("Then check both of its rulers: {length} mm must be {length} mm.", length=100)
        put(tell(rulers, language) + "\n")
    return 0


def _pdf(args: argparse.Namespace) -> bytes:
    if args.sheet.startswith("kvilt-"):
        return _kvilt_pdf(args)
    if args.paper not in PAPERS:
        raise CompanionError(
            said(
                "{option}: {name} need {papers}",
                option=f"--paper {args.paper}",
                name=args.sheet,
                papers=any_of([*PAPERS]),
            )
        )
    match args.sheet:
        case "mats":
            return mats_pdf(load_mat(MATS[args.paper]), _NAMES[args.paper])
        case "charuco":
            return chart_pdf(args.paper)
        case _:
            return labels_pdf(args.paper)


def _kvilt_pdf(args: argparse.Namespace) -> bytes:
    layout = load_layout(args.file)
    if args.sheet == "kvilt-swatches":
        return kvilt_swatches_pdf(swatch_card(), layout.colours, args.paper, args.language or "en")
    if layout.fiducials.kind != "aruco":
        raise CompanionError(
            said(
                "{path}: this describes a published sheet, which is bought and not printed", path=f"--sheet {args.file}"
            )
        )
    return kvilt_sheet_pdf(layout, load_sheet(args.file), args.paper, args.language or "en")
