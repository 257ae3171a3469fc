"""The first page of the set: its contents, and instructions for printing, gluing and cutting."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from calibration.printing.leaflet import MARGIN_MM, LeafletPage
from calibration.printing.page import GREY, RULER_MM, PdfSheet, ruler
from calibration.printing.patches import draw_patch
from calibration.printing.text import Lines
from companion.games.patchwork.components import PATCHES, Edition
from companion.languages import Language, said

TITLE: Final = said("A quilting game to print and play")
_STEPS: Final = (
    said("Print every page at {percent} % (actual size), in colour.", percent=100),
    said("Check the ruler below: {length} mm must be {length} mm.", length=RULER_MM),
    said("Glue the pages to grey board, 1.5 to 2 mm thick, before you cut."),
    said("Cut along the thin outlines: a sharp knife, a steel ruler, a cutting mat."),
    said("A board that comes in parts: glue them where they overlap."),
    said("Colour the cut edges with a grey pencil: the camera likes them dull."),
)
_EDITIONS: Final[Mapping[Edition, str]] = MappingProxyType(
    {
        Edition.ORIGINAL: said("The time board is that of the first edition: choose it under New game."),
        Edition.REVISED: said("The time board is that of a later printing: choose it under New game."),
    }
)
_SAMPLES: Final = ("hat", "arrow", "square", "corner-b3", "plus")
_STEP_MM: Final = 4.2


def draw_guide(sheet: PdfSheet, cell_mm: float, language: Language, edition: Edition, mats: str) -> None:
    """Draw the page of instructions, and end it.

    Args:
        sheet: the set.
        cell_mm: edge of a quilt's cell.
        language: of the page.
        edition: printing of the time board.
        mats: the command that prints the mats for the set.
    """
    page = LeafletPage(sheet, language)
    holds = said(
        "33 patches, 5 leather patches, 2 quilt boards, a time board, 50 button tokens worth 162, a 7×7 tile, "
        "2 time tokens, a neutral token. One square is {cell} mm. For use at home.",
        cell=cell_mm,
    )
    top_mm = page.head(TITLE, holds) + 10.0
    _samples(sheet, top_mm)
    steps = (*_STEPS, _EDITIONS[edition], said("Mats for the camera: {command}", command=mats))
    page.steps((MARGIN_MM, top_mm + 46.0), page.width_mm, steps, 4.0, _STEP_MM)
    start = ((sheet.width_mm - RULER_MM) / 2, sheet.height_mm - 40.0)
    ruler(sheet, start, language)
    says = said("this line is {length} mm long", length=RULER_MM)
    Lines(sheet, language).write((sheet.width_mm / 2, start[1] - 3.0), says, 3.4, GREY, centred=True)
    sheet.end_page()


def _samples(sheet: PdfSheet, top_mm: float) -> None:
    """Draw some patches, which show at once what the file is."""
    cell, left = 10.5, MARGIN_MM
    for name in _SAMPLES:
        draw_patch(sheet, (left, top_mm), PATCHES[name], cell)
        left += cell * (1 + max(column for _, column in PATCHES[name].cells)) + 7.0
