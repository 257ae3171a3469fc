"""The layout of pieces on pages, and the division of a board that is larger than the paper."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import ceil
from typing import Final

from calibration.printing.page import GREY, PdfSheet, Point

MARGIN_MM: Final = 8.0
"""Home printers leave a border of 3 to 6 mm unprinted."""
GAP_MM: Final = 4.0
"""Gap between two pieces for scissors."""
# Overlap of two parts of a board where they are glued.
_FLAP_MM: Final = 10.0


@dataclass(frozen=True, slots=True)
class CutOut:
    """A piece to cut out.

    Attributes:
        size_mm: (width, height).
        draw: function that draws it from its top left corner.
    """

    size_mm: tuple[float, float]
    draw: Callable[[PdfSheet, Point], None]


@dataclass(slots=True)
class _Row:
    """Pieces beside each other, highest first; the next one goes to `x_mm`, `y_mm`."""

    x_mm: float
    y_mm: float


@dataclass(slots=True)
class _Page:
    """A page being filled, down to `foot_mm`."""

    rows: list[_Row] = field(default_factory=list)
    placed: list[tuple[CutOut, Point]] = field(default_factory=list)
    foot_mm: float = MARGIN_MM


def lay_out(sheet: PdfSheet, pieces: Iterable[CutOut]) -> None:
    """Draw pieces in rows on as few pages as possible, and end the last page.

    The highest come first, each in the first row of the first page with room for it: small ones fill the gaps between
    larger ones.
    """
    pages: list[_Page] = []
    for piece in sorted(pieces, key=lambda each: (-each.size_mm[1], -each.size_mm[0])):
        if not any(_takes(page, piece, sheet) for page in pages):
            pages.append(_Page())
            _begin_row(pages[-1], piece)
    for page in pages:
        for piece, corner in page.placed:
            piece.draw(sheet, corner)
        sheet.end_page()


def _takes(page: _Page, piece: CutOut, sheet: PdfSheet) -> bool:
    """Place a piece on a page, in an existing row or a new one; return False if there is no room for it."""
    wide, high = piece.size_mm
    for row in page.rows:
        if row.x_mm + wide <= sheet.width_mm - MARGIN_MM:
            page.placed.append((piece, (row.x_mm, row.y_mm)))
            row.x_mm += wide + GAP_MM
            return True
    if page.foot_mm + high > sheet.height_mm - MARGIN_MM:
        return False
    _begin_row(page, piece)
    return True


def _begin_row(page: _Page, piece: CutOut) -> None:
    wide, high = piece.size_mm
    page.placed.append((piece, (MARGIN_MM, page.foot_mm)))
    page.rows.append(_Row(MARGIN_MM + wide + GAP_MM, page.foot_mm))
    page.foot_mm += high + GAP_MM


def parts_of(size_mm: float, paper_mm: tuple[float, float]) -> tuple[int, int]:
    """Return the number of (columns, rows) into which a square board is divided on this paper."""
    if size_mm <= min(paper_mm):
        # Its own border may be in the unprintable area.
        return 1, 1
    columns, rows = (max(1, ceil((size_mm - _FLAP_MM) / (each - 2 * MARGIN_MM - _FLAP_MM))) for each in paper_mm)
    return columns, rows


def draw_board(sheet: PdfSheet, size_mm: float, draw: Callable[[PdfSheet, Point], None]) -> None:
    """Draw a square board in the middle of a page, or in overlapping parts, a page each; end the last page."""
    columns, rows = parts_of(size_mm, (sheet.width_mm, sheet.height_mm))
    if (columns, rows) == (1, 1):
        draw(sheet, ((sheet.width_mm - size_mm) / 2, (sheet.height_mm - size_mm) / 2))
        sheet.end_page()
        return
    wide, high = ((size_mm + (count - 1) * _FLAP_MM) / count for count in (columns, rows))
    for row in range(rows):
        for column in range(columns):
            window = [
                (MARGIN_MM, MARGIN_MM), (MARGIN_MM + wide, MARGIN_MM),
                (MARGIN_MM + wide, MARGIN_MM + high), (MARGIN_MM, MARGIN_MM + high),
            ]  # fmt: skip
            with sheet.clipped([window]):
                draw(sheet, (MARGIN_MM - column * (wide - _FLAP_MM), MARGIN_MM - row * (high - _FLAP_MM)))
            sheet.line(window, GREY, 0.15, closed=True)
            sheet.text((MARGIN_MM, MARGIN_MM + high + 6), f"{row * columns + column + 1} / {rows * columns}", 4, GREY)
            sheet.end_page()
