"""`companion print`: sheets for the printer."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from calibration.mat import MATS, load_mat
from calibration.printing import PAPERS, chart_pdf, labels_pdf, mats_pdf
from companion.cli.output import put
from companion.errors import CompanionError

if TYPE_CHECKING:
    from companion.cli.commands import Subparsers

_SHEETS: Final = {
    "mats": "the mats that the quilt boards lie on, a page for each seat",
    "charuco": "the chart that a lens is calibrated with",
    "labels": "labels for the push-buttons and the seats",
}
_NAMES: Final = {"a4": "A4", "letter": "US Letter"}


def add_parser(subparsers: Subparsers) -> None:
    """Announce the command."""
    parser = subparsers.add_parser(
        "print",
        help="write the mats, the lens chart or the labels as a PDF",
        description="Write a sheet as a PDF, true to scale. Print it at 100 % (actual size) and check its rulers.",
        epilog="; ".join(f"{name}: {what}" for name, what in _SHEETS.items()) + ".",
    )
    parser.add_argument("sheet", choices=tuple(_SHEETS), metavar="SHEET", help=", ".join(_SHEETS))
    parser.add_argument("--paper", choices=tuple(PAPERS), default="a4", help="the paper; by default a4")
    parser.add_argument("--output", type=Path, metavar="FILE.pdf", help="where to; by default SHEET-PAPER.pdf")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the sheet and say what to mind at the printer."""
    path = Path(f"{args.sheet}-{args.paper}.pdf") if args.output is None else args.output
    content = _pdf(args.sheet, args.paper)
    try:
        path.write_bytes(content)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise CompanionError(f"--output {path}: cannot be written: {why}") from error
    put(f"{path}: print it on {_NAMES[args.paper]} at 100 % (actual size), not fitted to the page.\n")
    if args.sheet != "labels":
        put("Then check both of its rulers: 100 mm must be 100 mm.\n")
    return 0


def _pdf(sheet: str, paper: str) -> bytes:
    match sheet:
        case "mats":
            return mats_pdf(load_mat(MATS[paper]), _NAMES[paper])
        case "charuco":
            return chart_pdf(paper)
        case _:
            return labels_pdf(paper)
