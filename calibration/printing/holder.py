"""Drawings of two holders for a phone over the table, made of what is in a home."""

from typing import Final

from calibration.printing.leaflet import MARGIN_MM, LeafletPage
from calibration.printing.page import GREY, INK, PALE, PAPERS, Colour, PdfSheet, Point, rectangle
from companion.languages import ENGLISH, Language, said

_TITLE: Final = said("A holder for a phone")
_LEAD: Final = said(
    "The lens hangs {height} cm above the table and looks straight down: then both boards are in the picture.",
    height=60,
)
_BOOKS: Final = (
    said("Put a pile of books at each end of the table, both of the same height."),
    said("Lay a stiff board or a long ruler across, and the phone on it, its lens past the edge."),
    said("Put a book on the phone’s other half, so that it cannot tip over."),
)
_BOX: Final = (
    said("Put books into a carton {height} cm high, so that it stands firmly behind the boards.", height=60),
    said("Fold a strip of corrugated cardboard, {length} x {width} cm, into an arm with two sides of {side} cm.",
         length=60, width=20, side=5),
    said("Cut a hole of {size} cm near one end, for the lens.", size=4),
    said("Tape the arm to the carton’s top, so that {length} cm of it reach over the table, and put a book on its end.",
         length=35),
    said("Lay the phone into the arm, its lens over the hole, and tape it down."),
)  # fmt: skip
_WOOD: Final[Colour] = (0.87, 0.74, 0.55)
_BOOK: Final[Colour] = (0.72, 0.80, 0.86)
_BEAM: Final[Colour] = (0.98, 0.93, 0.78)


def holder_pdf(paper: str, language: Language = ENGLISH) -> bytes:
    """Return drawings of two holders for a phone, on one page, as a PDF.

    Args:
        paper: a key of `PAPERS`.
        language: of the texts.

    Raises:
        KeyError: there is no such paper.
    """
    sheet = PdfSheet(PAPERS[paper], "Holder")
    page = LeafletPage(sheet, language)
    top_mm = page.head(_TITLE, _LEAD) + 6.0
    for title, draw, steps in ((said("Of books"), _books, _BOOKS), (said("Of cardboard"), _box, _BOX)):
        below_mm = page.section(top_mm, title)
        draw(page, (sheet.width_mm / 2, below_mm + 69.0))
        top_mm = page.steps((MARGIN_MM, below_mm + 75.0), page.width_mm, steps, 1.2) + 3.0
    sheet.end_page()
    return sheet.pdf()


def _books(page: LeafletPage, middle: Point) -> None:
    sheet, (x, y) = page.sheet, middle
    _table(sheet, middle)
    for left in (x - 48.0, x + 30.0):
        for number in range(10):
            _block(sheet, (left + number % 3, y - 6.0 * (number + 1)), (16.0, 5.6), _BOOK)
    _block(sheet, (x - 50.0, y - 62.0), (100.0, 2.0), _WOOD)
    _phone(page, (x, y - 63.2), y)
    _block(sheet, (x + 3.0, y - 67.6), (14.0, 3.2), _BOOK)


def _box(page: LeafletPage, middle: Point) -> None:
    sheet, (x, y) = page.sheet, middle
    _table(sheet, middle)
    _block(sheet, (x + 32.0, y - 60.0), (26.0, 60.0), _WOOD)
    for number in range(4):
        _block(sheet, (x + 35.0, y - 5.0 * (number + 1)), (20.0, 4.6), _BOOK)
    _block(sheet, (x - 6.0, y - 65.0), (60.0, 5.0), _WOOD)
    _block(sheet, (x + 40.0, y - 69.0), (14.0, 4.0), _BOOK)
    _phone(page, (x, y - 61.2), y)


def _table(sheet: PdfSheet, middle: Point) -> None:
    x, y = middle
    sheet.line([(x - 80.0, y), (x + 80.0, y)], INK, 0.8)
    for left in (x - 24.0, x + 3.0):
        _block(sheet, (left, y - 1.2), (21.0, 1.2), PALE)


def _phone(page: LeafletPage, lens: Point, table_mm: float) -> None:
    """Draw a phone that lies on its screen's side, its view of the table, and the height of its lens."""
    sheet, (x, y) = page.sheet, lens
    sheet.polygons([[(x, y), (x - 29.0, table_mm - 1.4), (x + 29.0, table_mm - 1.4)]], _BEAM)
    _block(sheet, (x - 2.0, y - 1.0), (15.0, 1.2), INK)
    left = x - 64.0
    sheet.line([(left, y), (left, table_mm)], GREY, 0.3)
    for end, way in ((y, 2.0), (table_mm, -2.0)):
        sheet.line([(left - 1.2, end + way), (left, end), (left + 1.2, end + way)], GREY, 0.3)
    page.figure((left - 7.0, (y + table_mm) / 2), "60", 4.0)


def _block(sheet: PdfSheet, corner: Point, size_mm: tuple[float, float], colour: Colour) -> None:
    outline = rectangle(corner, *size_mm)
    sheet.polygons([outline], colour)
    sheet.line(outline, INK, 0.25, closed=True)
