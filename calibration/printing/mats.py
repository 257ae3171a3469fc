"""The mats: for each seat a page with its markers, the place of its board, and rulers to check the printer by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from calibration.identity import INKS
from calibration.printing.marks import RULER_MM, marker, ruler, seat_mark
from calibration.printing.page import GREY, INK, PALE, Colour, PdfSheet, Point, capitals_mm

if TYPE_CHECKING:
    from calibration.mat import Mat

_BRACKET_MM: Final = 14.0
_TRIM_MM: Final = 4.0
"""The strip that may be cut off a mat on each side: nothing is printed there."""
_PERSIAN_DIGITS: Final = "۰۱۲۳۴۵۶۷۸۹"
_STEPS: Final = (
    "Print both pages at 100 % (“actual size”), not “fit to page”.",
    "Check both rulers: 100 mm must be 100 mm.",
    "Tape the pages flat to the table. Nothing may cover the four markers.",
    "Lay the empty quilt board on the frame, A1 at the top left.",
)


def mats_pdf(mat: Mat, paper: str, paper_mm: Point | None = None, cell_mm: float | None = None) -> bytes:
    """Return the mats of all seats, a page each, as a PDF.

    Everything but the rulers is printed larger or smaller where cells have another size: a reader needs no more than
    the proportions of markers and board.

    Args:
        mat: the geometry, in millimetres on the page.
        paper: what people call the paper; it is printed in the footer.
        paper_mm: (width, height) of the paper; by default the mat's own.
        cell_mm: edge of a cell of the boards that will lie there; by default the mat's own.

    Raises:
        ValueError: mats of that size are larger than the paper.
    """
    scale = 1.0 if cell_mm is None else cell_mm / mat.cell_mm
    width, height = mat.page_mm
    paper_mm = paper_mm or mat.page_mm
    left_mm, top_mm = ((room - side * scale) / 2 for room, side in zip(paper_mm, mat.page_mm, strict=True))
    if min(left_mm, top_mm) < -_TRIM_MM:
        raise ValueError(f"mats of {width * scale:.0f} x {height * scale:.0f} mm")
    sheet = PdfSheet(paper_mm, f"Patchwork mats, {paper}")
    for seat in mat.seats:
        with sheet.scaled(scale, (left_mm, top_mm)):
            _page(sheet, mat, seat, paper, scale)
        sheet.end_page()
    return sheet.pdf()


def _page(sheet: PdfSheet, mat: Mat, seat: int, paper: str, scale: float) -> None:
    ink = INKS[seat - 1]
    _frame(sheet, mat, ink)
    _name(sheet, mat, seat)
    _instructions(sheet, mat, ink, scale)
    _foot(sheet, mat, seat, paper, scale)
    for index, number in enumerate(mat.seats[seat]):
        corners = [(float(x), float(y)) for x, y in mat.marker_corners_mm(index)]
        marker(sheet, corners, mat.dictionary, number)


def _frame(sheet: PdfSheet, mat: Mat, ink: Colour) -> None:
    """Draw the board's outline, with a bracket at each corner and the names of the two outermost cells."""
    corners = [(float(x), float(y)) for x, y in mat.board_corners_mm]
    sheet.line(corners, PALE, 0.35, closed=True)
    for index, corner in enumerate(corners):
        before, after = corners[index - 1], corners[(index + 1) % 4]
        sheet.line([_towards(corner, before), corner, _towards(corner, after)], ink, 1.4)
    (left, top), _, (right, bottom), _ = corners
    sheet.text((left + 6, top + 12), "A1", 7.0, ink)
    width_mm = sheet.text_width_mm("I9", 7.0)
    sheet.text((right - 6 - width_mm, bottom - 7), "I9", 7.0, ink)


def _towards(corner: Point, other: Point) -> Point:
    length_mm = abs(other[0] - corner[0]) + abs(other[1] - corner[1])
    part = _BRACKET_MM / length_mm
    return corner[0] + (other[0] - corner[0]) * part, corner[1] + (other[1] - corner[1]) * part


def _name(sheet: PdfSheet, mat: Mat, seat: int) -> None:
    """Between the upper markers, where it can be read while the board lies there."""
    top_mm = float(mat.marker_corners_mm(0)[0, 1])
    middle_mm, words, size_mm = mat.page_mm[0] / 2, f"Seat {seat}", 17.0
    radius_mm, gap_mm = 8.6, 4.5
    width_mm = 2 * radius_mm + gap_mm + sheet.text_width_mm(words, size_mm)
    left_mm, line_mm = middle_mm - width_mm / 2, top_mm + 16.0
    seat_mark(sheet, seat, (left_mm + radius_mm, line_mm - capitals_mm(size_mm) / 2), radius_mm)
    sheet.text((left_mm + 2 * radius_mm + gap_mm, line_mm), words, size_mm, INKS[seat - 1])
    sheet.text((middle_mm - 16, top_mm + 25.0), f"ИГРОК {seat}", 3.8, GREY, centred=True)
    sheet.persian((middle_mm + 16, top_mm + 25.0), f"بازیکن {_PERSIAN_DIGITS[seat]}", 4.8, GREY, centred=True)


def _instructions(sheet: PdfSheet, mat: Mat, ink: Colour, scale: float) -> None:
    """Draw the instructions where the board will lie: read once, then covered."""
    x_mm, y_mm = mat.board_centre_mm
    sheet.text((x_mm, y_mm - 34), "The quilt board lies here", 9.0, ink, centred=True)
    for index, step in enumerate(_STEPS):
        foot_mm = y_mm - 17 + index * 9.5
        sheet.disc((x_mm - 62, foot_mm - 1.35), 3.0, ink)
        sheet.text((x_mm - 62, foot_mm), f"{index + 1}", 4.0, (1, 1, 1), centred=True)
        sheet.text((x_mm - 56, foot_mm), step, 3.9, INK)
    _true_ruler(sheet, (x_mm - 88, y_mm - RULER_MM / scale / 2), scale, upright=True)
    says = "The board covers these lines; the camera needs the four markers only."
    sheet.text((x_mm, y_mm + 30), says, 3.2, GREY, centred=True)


def _foot(sheet: PdfSheet, mat: Mat, seat: int, paper: str, scale: float) -> None:
    """Between the lower markers: the ruler along the page's width, and whose side this is."""
    middle_mm, bottom_mm = mat.page_mm[0] / 2, float(mat.marker_corners_mm(3)[3, 1])
    between_mm = float(mat.marker_corners_mm(2)[0, 0] - mat.marker_corners_mm(3)[1, 0])
    # Between small markers it has no room: there it lies where the board covers it.
    start_mm = bottom_mm - 24.5 if between_mm * scale > RULER_MM + 4 else mat.board_centre_mm[1] + 52
    sheet.text((middle_mm, start_mm - 0.5), "print at 100 % — this line is 100 mm long", 3.2, GREY, centred=True)
    _true_ruler(sheet, (middle_mm - RULER_MM / scale / 2, start_mm + 2), scale)
    sheet.text((middle_mm, bottom_mm - 7.2), f"seat {seat}’s player sits at this edge", 4.2, INK, centred=True)
    top_mm = bottom_mm - 5.2
    arrow = [(middle_mm - 3, top_mm), (middle_mm + 3, top_mm), (middle_mm, top_mm + 2.6)]
    sheet.polygons([arrow], INKS[seat - 1])
    numbers = " ".join(str(number) for number in mat.seats[seat])
    says = f"quilt-companion mat, {paper}, markers {numbers} of {mat.dictionary}, {mat.marker_size_mm * scale:.3g} mm"
    sheet.text((middle_mm, bottom_mm + 0.2), says, 2.2, PALE, centred=True)


def _true_ruler(sheet: PdfSheet, start: Point, scale: float, *, upright: bool = False) -> None:
    """Draw a ruler from a point of the mat, in true millimetres."""
    with sheet.scaled(1 / scale, (start[0] * (1 - 1 / scale), start[1] * (1 - 1 / scale))):
        ruler(sheet, start, upright=upright)
