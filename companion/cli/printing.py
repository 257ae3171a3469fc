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
from companion.cli.output import put
from companion.errors import CompanionError
from companion.games.kvilt import load_layout, load_sheet, swatch_card

if TYPE_CHECKING:
    from companion.cli.subparsers import Subparsers

_SHEETS: Final = {
    "mats": "the mats that the quilt boards lie on, a page for each seat",
    "charuco": "the chart that a lens is calibrated with",
    "labels": "labels for the push-buttons and the seats",
    "kvilt-sheet": "the sheet that every player of Kvilt colours",
    "kvilt-swatches": "a card to try pencils on",
}
_NAMES: Final = {"a4": "A4", "a5": "A5", "letter": "US Letter"}
_WITH_RULERS: Final = ("mats", "charuco")


def add_parser(subparsers: Subparsers) -> None:
    """Announce the command."""
    parser = subparsers.add_parser(
        "print",
        help="write the mats, the lens chart, the labels or a sheet of Kvilt as a PDF",
        description="Write a sheet as a PDF, true to scale. Print it at 100 % (actual size) and check its rulers.",
        epilog="; ".join(f"{name}: {what}" for name, what in _SHEETS.items()) + ".",
    )
    parser.add_argument("sheet", choices=tuple(_SHEETS), metavar="SHEET", help=", ".join(_SHEETS))
    parser.add_argument(
        "--paper", choices=tuple(_NAMES), default="a4", help="the paper; by default a4; a5 for Kvilt alone"
    )
    parser.add_argument("--output", type=Path, metavar="FILE.pdf", help="where to; by default SHEET-PAPER.pdf")
    parser.add_argument("--sheet", dest="file", type=Path, metavar="FILE.toml", help="an own sheet of Kvilt")
    parser.add_argument("--language", choices=LANGUAGES, default="en", help="of the words on Kvilt's sheets")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the sheet and say what to mind at the printer."""
    path = Path(f"{args.sheet}-{args.paper}.pdf") if args.output is None else args.output
    content = _pdf(args)
    try:
        path.write_bytes(content)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise CompanionError(f"--output {path}: cannot be written: {why}") from error
    put(f"{path}: print it on {_NAMES[args.paper]} at 100 % (actual size), not fitted to the page.\n")
    if args.sheet in _WITH_RULERS:
        put("Then check both of its rulers: 100 mm must be 100 mm.\n")
    return 0


def _pdf(args: argparse.Namespace) -> bytes:
    if args.sheet.startswith("kvilt-"):
        return _kvilt_pdf(args)
    if args.paper not in PAPERS:
        raise CompanionError(f"--paper {args.paper}: {args.sheet} need {' or '.join(PAPERS)}")
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
        return kvilt_swatches_pdf(swatch_card(), layout.colours, args.paper, args.language)
    if layout.fiducials.kind != "aruco":
        raise CompanionError(f"--sheet {args.file}: this describes a published sheet, which is bought and not printed")
    return kvilt_sheet_pdf(layout, load_sheet(args.file), args.paper, args.language)
