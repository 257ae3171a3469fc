"""The layout of pieces on pages, and the division of a board that is larger than the paper."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Final

from calibration.printing.page import GREY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from calibration.printing.page import PdfSheet, Point

MARGIN_MM: Final = 8.0
"""Home printers leave a border of 3 to 6 mm unprinted."""
GAP_MM: Final = 4.0
"""Room for scissors between two pieces."""
_FLAP_MM: Final = 10.0
"""By so much two parts of a board overlap where they are glued."""


@dataclass(frozen=True, slots=True)
class CutOut:
    """Something to cut out.

    Attributes:
        size_mm: (width, height).
        draw: draws it from its top left corner.
    """

    size_mm: tuple[float, float]
    draw: Callable[[PdfSheet, Point], None]


def lay_out(sheet: PdfSheet, pieces: Iterable[CutOut]) -> None:
    """Draw pieces in rows, the highest first, on as many pages as they need; ends the last page."""
    x, y, height = MARGIN_MM, MARGIN_MM, 0.0
    for piece in sorted(pieces, key=lambda each: (-each.size_mm[1], -each.size_mm[0])):
        wide, high = piece.size_mm
        if x + wide > sheet.width_mm - MARGIN_MM:
            x, y, height = MARGIN_MM, y + height + GAP_MM, 0.0
        if y + high > sheet.height_mm - MARGIN_MM:
            sheet.end_page()
            x, y, height = MARGIN_MM, MARGIN_MM, 0.0
        piece.draw(sheet, (x, y))
        x, height = x + wide + GAP_MM, max(height, high)
    sheet.end_page()


def parts_of(size_mm: float, paper_mm: tuple[float, float]) -> tuple[int, int]:
    """Return into how many (columns, rows) a square board is divided on this paper."""
    if size_mm <= min(paper_mm):
        # Its own border may fall where a printer prints nothing.
        return 1, 1
    columns, rows = (max(1, ceil((size_mm - _FLAP_MM) / (each - 2 * MARGIN_MM - _FLAP_MM))) for each in paper_mm)
    return columns, rows


def draw_board(sheet: PdfSheet, size_mm: float, draw: Callable[[PdfSheet, Point], None]) -> None:
    """Draw a square board in the middle of a page, or in parts that overlap, a page each; ends the last page."""
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
