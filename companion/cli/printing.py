"""`companion print`: sheets for the printer."""

import argparse
from pathlib import Path
from typing import Final

from calibration.mat import MAT_FILE, MATS, load_mat
from calibration.printing import (
    CELL_MM,
    LARGE_PAPERS,
    PAPERS,
    chart_pdf,
    game_pdf,
    holder_pdf,
    labels_pdf,
    mats_fit,
    mats_pdf,
)
from companion.cli.options import config_of, terminal_language
from companion.durable import write_named
from companion.errors import CompanionError
from companion.games.patchwork.components import Edition
from companion.kvilt.sheets.files import load_sheet
from companion.kvilt.sheets.layout import PageLayout
from companion.kvilt.sheets.layout_files import load_layout, swatch_card, theme_names
from companion.kvilt.sheets.printing import kvilt_sheet_pdf, kvilt_swatches_pdf
from companion.kvilt.sheets.printing import leaflet_pdf as kvilt_leaflet_pdf
from companion.languages import LANGUAGES as SPOKEN
from companion.languages import Language, all_of, any_of, in_turn, render, said, unwritable
from companion.ownership import as_owner_of
from companion.patchwork.leaflet import leaflet_pdf
from companion.patchwork.settings import PatchworkSettings
from companion.terminal.output import put
from companion.web.documents import PAPER_NAMES, SHEETS

# Those without options of their own.
_PLAIN: Final = {
    "charuco": chart_pdf,
    "labels": labels_pdf,
    "holder": holder_pdf,
    "leaflet": leaflet_pdf,
    "kvilt-leaflet": kvilt_leaflet_pdf,
}
_WITH_RULERS: Final = ("mats", "charuco")
_OF_KVILT: Final = ("kvilt-sheet", "kvilt-swatches")
# The sheets whose size follows the boards' cells.
_OF_ANY_SIZE: Final = ("mats", "game")
_ALL_THEMES: Final = "all"
# The cell size of a printed set: a board of this size fits on A4.
_USUAL_CELL_MM: Final = 20.0


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.description = said(
        "Write a sheet as a PDF, true to scale. Print it at {percent} % (actual size) and check its rulers "
        "with a real one.",
        percent=100,
    )
    parser.epilog = in_turn([said("{name}: {what}.", name=each.name, what=each.says) for each in SHEETS])
    names = tuple(each.name for each in SHEETS)
    parser.add_argument("sheet", choices=names, metavar="SHEET", help=", ".join(names))
    parser.add_argument(
        "--paper",
        choices=tuple(PAPER_NAMES),
        default="a4",
        help=said("the paper size; by default {usual}; {small} only for Kvilt", usual="a4", small="a5"),
    )
    parser.add_argument(
        "--output",
        type=Path,
        metavar="FILE.pdf",
        help=said("the file to write; by default {file}", file="SHEET-PAPER.pdf"),
    )
    _add_set_options(parser)
    _add_kvilt_options(parser)
    words = said("the language of the sheet")
    parser.add_argument("--language", choices=tuple(SPOKEN), help=words)
    parser.set_defaults(run=run)


def _add_set_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the printed set and its mats."""
    parser.add_argument(
        "--cell",
        type=float,
        metavar="MM",
        help=said(
            "the edge of one square on the boards, {least} to {most}, for {sheets}; by default {usual} in a set",
            least=CELL_MM[0],
            most=CELL_MM[1],
            sheets=all_of([*_OF_ANY_SIZE]),
            usual=_USUAL_CELL_MM,
        ),
    )
    parser.add_argument(
        "--edition",
        choices=tuple(edition.value for edition in Edition),
        help=said("the printing of the set’s time board; by default the configured one"),
    )


def _add_kvilt_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of Kvilt's sheet."""
    parser.add_argument("--sheet", dest="file", type=Path, metavar="FILE.toml", help=said("your own sheet of Kvilt"))
    parser.add_argument(
        "--theme",
        choices=(*theme_names(), _ALL_THEMES),
        help=said("the pictures on Kvilt’s sheet; {all} prints a page of each", all=_ALL_THEMES),
    )


def run(args: argparse.Namespace) -> int:
    """Write the sheet and print instructions for the printer."""
    path = Path(f"{args.sheet}-{args.paper}.pdf") if args.output is None else args.output
    content = _pdf(args)
    try:
        with as_owner_of(path.parent):
            write_named(path, content)
    # A null byte in the file's name is a ValueError.
    except (OSError, ValueError) as error:
        raise CompanionError(unwritable(f"--output {path}", error)) from error
    language = terminal_language(args)
    says = said(
        "{path}: print it on {paper} at {percent} % (actual size), without fitting it to the page.",
        path=str(path),
        paper=PAPER_NAMES[args.paper],
        percent=100,
    )
    put(render(says, language) + "\n")
    if args.sheet in _WITH_RULERS:
        rulers = said("Then check both of its rulers: {length} mm must be {length} mm.", length=100)
        put(render(rulers, language) + "\n")
    return 0


def _pdf(args: argparse.Namespace) -> bytes:
    if args.cell is not None:
        _check_cell(args.sheet, args.cell)
    if args.edition is not None and args.sheet != "game":
        raise CompanionError.said("{option}: only the print-and-play set has a time board", option="--edition")
    if args.theme is not None and (args.sheet != "kvilt-sheet" or args.file is not None):
        raise CompanionError.said(
            "{option}: only the companion’s own sheet of Kvilt comes in themes", option=f"--theme {args.theme}"
        )
    if args.sheet in _OF_KVILT:
        return _kvilt_pdf(args)
    papers = LARGE_PAPERS if args.sheet in _OF_ANY_SIZE else PAPERS
    if args.paper not in papers:
        raise CompanionError.said(
            "{option}: {name} must be printed on {papers}",
            option=f"--paper {args.paper}",
            name=args.sheet,
            papers=any_of([*papers]),
        )
    match args.sheet:
        case "mats":
            return _mats_pdf(args.paper, args.cell, terminal_language(args))
        case "game":
            return _game_pdf(args)
        case _:
            return _PLAIN[args.sheet](args.paper, terminal_language(args))


def _game_pdf(args: argparse.Namespace) -> bytes:
    cell_mm = args.cell or _USUAL_CELL_MM
    edition = config_of(args).of(PatchworkSettings).edition if args.edition is None else Edition(args.edition)
    # The paper printed by default, or else a paper that it fits on.
    papers = ("a4", "letter") if args.paper == "letter" else ("a4",)
    fitting = [paper for paper in papers if mats_fit(load_mat(MATS.get(paper, MAT_FILE)), LARGE_PAPERS[paper], cell_mm)]
    paper = args.paper if args.paper in fitting else fitting[0] if fitting else "a3"
    mats = f"companion print mats --cell {cell_mm:g}" + ("" if paper == "a4" else f" --paper {paper}")
    return game_pdf(LARGE_PAPERS[args.paper], cell_mm, terminal_language(args), edition, mats)


def _check_cell(sheet: str, cell_mm: float) -> None:
    if sheet not in _OF_ANY_SIZE:
        raise CompanionError.said("{option}: works only with {sheets}", option="--cell", sheets=all_of([*_OF_ANY_SIZE]))
    least, most = CELL_MM
    if not least <= cell_mm <= most:
        raise CompanionError.said(
            "{option}: must be {least} to {most} mm", option=f"--cell {cell_mm:g}", least=least, most=most
        )


def _mats_pdf(paper: str, cell_mm: float | None, language: Language) -> bytes:
    mat = load_mat(MATS.get(paper, MAT_FILE))
    try:
        return mats_pdf(mat, PAPER_NAMES[paper], LARGE_PAPERS[paper], cell_mm, language)
    except ValueError as error:
        raise CompanionError.said(
            "{option}: mats for such squares are larger than {paper}: print them with {larger}",
            option=f"--cell {cell_mm:g}",
            paper=PAPER_NAMES[paper],
            larger="--paper a3",
        ) from error


def _themed(args: argparse.Namespace, layout: PageLayout) -> tuple[PageLayout, ...]:
    """Return the sheets to print, one per page."""
    if args.theme is None:
        return (layout,)
    return layout.themes if args.theme == _ALL_THEMES else (layout.in_theme(args.theme),)


def _kvilt_pdf(args: argparse.Namespace) -> bytes:
    language = terminal_language(args).code
    layout = load_layout(args.file)
    if args.sheet == "kvilt-swatches":
        return kvilt_swatches_pdf(swatch_card(), layout.colours, args.paper, language)
    if layout.fiducials.kind != "aruco":
        raise CompanionError.said(
            "{path}: describes a published sheet, which you buy instead of printing it", path=f"--sheet {args.file}"
        )
    return kvilt_sheet_pdf(_themed(args, layout), load_sheet(args.file), args.paper, language)
