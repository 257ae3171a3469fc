"""The printable mats and the lens chart: pages with markers, and rulers to check the print."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration import lensfit
from calibration.identity import INKS
from calibration.mat import Mat
from calibration.printing.labels import SEATS
from calibration.printing.page import (
    BLACK,
    GREY,
    PALE,
    PAPERS,
    RULER_MM,
    WHITE,
    Colour,
    PdfSheet,
    Point,
    capitals_mm,
    marker,
    ruler,
    seat_mark,
)
from calibration.printing.text import Lines
from companion.languages import ENGLISH, Label, Language, said

# Share of the free height that is above the chart.
_ABOVE: Final = 0.48


def chart_corner_mm(paper: str) -> tuple[float, float]:
    """Return the place of the chart's top-left corner on the page.

    Raises:
        KeyError: there is no such paper.
    """
    width_mm, height_mm = PAPERS[paper]
    return (width_mm - lensfit.SIZE_MM[0]) / 2, (height_mm - lensfit.SIZE_MM[1]) * _ABOVE


def chart_pdf(paper: str, language: Language = ENGLISH) -> bytes:
    """Return the chart on one page, as a PDF.

    Args:
        paper: a key of `PAPERS`.
        language: of the texts beside the chart.

    Raises:
        KeyError: there is no such paper.
    """
    sheet = PdfSheet(PAPERS[paper], "Lens chart")
    corner = chart_corner_mm(paper)
    sheet.polygons([_moved(square, corner) for square in lensfit.black_squares_mm()], BLACK)
    for number, corners in lensfit.markers_mm().items():
        marker(sheet, _moved(corners, corner), lensfit.DICTIONARY, number)
    _words(sheet, corner, language)
    sheet.end_page()
    return sheet.pdf()


def _moved(points_mm: NDArray[np.float64], corner: Point) -> list[Point]:
    return [(float(x) + corner[0], float(y) + corner[1]) for x, y in points_mm]


def _words(sheet: PdfSheet, corner: Point, language: Language) -> None:
    lines, (left_mm, top_mm) = Lines(sheet, language), corner
    right_mm, bottom_mm = left_mm + lensfit.SIZE_MM[0], top_mm + lensfit.SIZE_MM[1]
    begin_mm = right_mm if lines.leftwards else left_mm
    lines.heading((begin_mm, top_mm - 8.0), said("Lens chart"), 7.0)
    says = said("Print at {percent} %, glue it to something flat, and hold it under the camera.", percent=100)
    lines.write((begin_mm, top_mm - 3.5), says, 3.4, GREY)
    ruler(sheet, (left_mm, bottom_mm + 6), language)
    beside_mm = left_mm + RULER_MM + 8
    lines.write(
        (right_mm if lines.leftwards else beside_mm, bottom_mm + 7.5),
        said("{length} mm; check it with a ruler", length=100),
        3.2,
    )
    squares = f"{lensfit.COLUMNS} × {lensfit.ROWS} squares of {lensfit.SQUARE_MM:g} mm"
    stands = f"ChArUco, {squares}, markers of {lensfit.MARKER_MM:g} mm"
    sheet.text((beside_mm, bottom_mm + 11.7), stands, 2.5, GREY)
    ids = f"{lensfit.DICTIONARY}, ids 0 to {len(lensfit.markers_mm()) - 1}"
    sheet.text((beside_mm, bottom_mm + 15.2), f"{ids}, black square top left", 2.5, GREY)
    ruler(sheet, (left_mm - 6.5, top_mm), None, upright=True)


_BRACKET_MM: Final = 14.0
# Strip on each side of a mat that may be cut off, because it is empty.
_TRIM_MM: Final = 4.0
_STEPS: Final = (
    said("Print both pages at {percent} % (“actual size”), not “fit to page”.", percent=100),
    said("Check both rulers: {length} mm must be {length} mm.", length=100),
    said("Tape the pages flat to the table. Nothing may cover the four markers."),
    said("Put the empty quilt board on the frame, with {cell} at the top left.", cell=Label("A1")),
)
# Type size of the seat's name in the other languages.
_SMALL_MM: Final = {"en": 4.4, "ru": 3.8, "fa": 4.8}


def mats_pdf(
    mat: Mat, paper: str, paper_mm: Point | None = None, cell_mm: float | None = None, language: Language = ENGLISH
) -> bytes:
    """Return the mats of all seats, a page each, as a PDF.

    Everything except the rulers is scaled to the cell size: a reader needs only the proportions of markers and board.

    Args:
        mat: the geometry, in millimetres on the page.
        paper: name of the paper, printed in the footer.
        paper_mm: (width, height) of the paper; None for the mat's own.
        cell_mm: edge of a cell of the boards; None for the mat's own.
        language: of the large texts, and of the instructions.

    Raises:
        ValueError: mats of this size exceed the paper.
    """
    scale = 1.0 if cell_mm is None else cell_mm / mat.cell_mm
    width, height = mat.page_mm
    paper_mm = paper_mm or mat.page_mm
    left_mm, top_mm = ((room - side * scale) / 2 for room, side in zip(paper_mm, mat.page_mm, strict=True))
    if not mats_fit(mat, paper_mm, scale * mat.cell_mm):
        raise ValueError(f"mats of {width * scale:.0f} x {height * scale:.0f} mm")
    sheet = PdfSheet(paper_mm, f"Patchwork mats, {paper}")
    for seat in mat.seats:
        with sheet.scaled(scale, (left_mm, top_mm)):
            _page(sheet, mat, seat, paper, scale, language)
        sheet.end_page()
    return sheet.pdf()


def mats_fit(mat: Mat, paper_mm: Point, cell_mm: float) -> bool:
    """Return whether mats for boards with this cell size fit on the paper."""
    scale = cell_mm / mat.cell_mm
    return all(room - side * scale >= -2 * _TRIM_MM for room, side in zip(paper_mm, mat.page_mm, strict=True))


def _page(sheet: PdfSheet, mat: Mat, seat: int, paper: str, scale: float, language: Language) -> None:
    ink = INKS[seat - 1]
    _frame(sheet, mat, ink, language)
    _name(sheet, mat, seat, language)
    _instructions(sheet, mat, ink, scale, language)
    _foot(sheet, mat, seat, paper, scale, language)
    for index, number in enumerate(mat.seats[seat]):
        corners = [(float(x), float(y)) for x, y in mat.marker_corners_mm(index)]
        marker(sheet, corners, mat.dictionary, number)


def _frame(sheet: PdfSheet, mat: Mat, ink: Colour, language: Language) -> None:
    """Draw the board's outline, with a bracket at each corner and the names of the two outermost cells."""
    corners = [(float(x), float(y)) for x, y in mat.board_corners_mm]
    sheet.line(corners, PALE, 0.35, closed=True)
    for index, corner in enumerate(corners):
        before, after = corners[index - 1], corners[(index + 1) % 4]
        sheet.line([_towards(corner, before), corner, _towards(corner, after)], ink, 1.4)
    (left, top), _, (right, bottom), _ = corners
    first, last = language.label("A1"), language.label("I9")
    sheet.text((left + 6, top + 12), first, 7.0, ink)
    sheet.text((right - 6 - sheet.text_width_mm(last, 7.0), bottom - 7), last, 7.0, ink)


def _towards(corner: Point, other: Point) -> Point:
    length_mm = abs(other[0] - corner[0]) + abs(other[1] - corner[1])
    part = _BRACKET_MM / length_mm
    return corner[0] + (other[0] - corner[0]) * part, corner[1] + (other[1] - corner[1]) * part


def _name(sheet: PdfSheet, mat: Mat, seat: int, language: Language) -> None:
    """Draw the seat's name between the upper markers, where the board does not cover it."""
    top_mm = float(mat.marker_corners_mm(0)[0, 1])
    between_mm = float(mat.marker_corners_mm(1)[0, 0] - mat.marker_corners_mm(0)[1, 0])
    words = SEATS[seat - 1].in_language(language.code)
    radius_mm, gap_mm = 8.6, 4.5
    room_mm = between_mm - 8.0 - 2 * radius_mm - gap_mm
    size_mm = min(17.0, 17.0 * room_mm / sheet.text_width_mm(words, 17.0))
    middle_mm, words_mm = mat.page_mm[0] / 2, sheet.text_width_mm(words, size_mm)
    left_mm, line_mm = middle_mm - (2 * radius_mm + gap_mm + words_mm) / 2, top_mm + 16.0
    # The emblem is where reading begins.
    emblem_mm = left_mm + gap_mm + words_mm if language.leftward else left_mm
    words_at_mm = left_mm if language.leftward else left_mm + 2 * radius_mm + gap_mm
    seat_mark(sheet, seat, (emblem_mm + radius_mm, line_mm - capitals_mm(17.0) / 2), radius_mm)
    sheet.text((words_at_mm, line_mm), words, size_mm, INKS[seat - 1])
    for place_mm, (other, word) in zip((-16.0, 16.0), SEATS[seat - 1].others(language.code), strict=True):
        at = (middle_mm + place_mm, top_mm + 25.0)
        sheet.text(at, word, _SMALL_MM[other], GREY, centred=True)


def _instructions(sheet: PdfSheet, mat: Mat, ink: Colour, scale: float, language: Language) -> None:
    """Draw the instructions in the board's place, which covers them after they are read."""
    lines, (x_mm, y_mm) = Lines(sheet, language), mat.board_centre_mm
    lines.heading((x_mm, y_mm - 34), said("The quilt board lies here"), 9.0, ink, centred=True)
    # The ruler is at their left in any language.
    begin_mm, inwards = (x_mm + 78, -1) if lines.leftwards else (x_mm - 62, 1)
    for index, step in enumerate(_STEPS):
        foot_mm = y_mm - 17 + index * 9.5
        sheet.disc((begin_mm, foot_mm - 1.35), 3.0, ink)
        lines.number((begin_mm, foot_mm), index + 1, 4.0, WHITE)
        lines.write((begin_mm + inwards * 6, foot_mm), step, 3.9)
    _true_ruler(sheet, (x_mm - 88, y_mm - RULER_MM / scale / 2), scale, language, upright=True)
    says = said("The board covers these lines; the camera needs only the four markers.")
    lines.write((x_mm, y_mm + 30), says, 3.2, GREY, centred=True)


def _foot(sheet: PdfSheet, mat: Mat, seat: int, paper: str, scale: float, language: Language) -> None:
    """Draw the foot between the lower markers: the ruler along the page's width, and the player's side."""
    lines = Lines(sheet, language)
    middle_mm, bottom_mm = mat.page_mm[0] / 2, float(mat.marker_corners_mm(3)[3, 1])
    between_mm = float(mat.marker_corners_mm(2)[0, 0] - mat.marker_corners_mm(3)[1, 0])
    # Between markers of a small mat there is no room: then it is in the board's place.
    start_mm = bottom_mm - 24.5 if between_mm * scale > RULER_MM + 4 else mat.board_centre_mm[1] + 52
    says = said("print at {percent} % — this line is {length} mm long", percent=100, length=100)
    lines.write((middle_mm, start_mm - 0.5), says, 3.2, GREY, centred=True)
    _true_ruler(sheet, (middle_mm - RULER_MM / scale / 2, start_mm + 2), scale, language)
    says = said("seat {seat}’s player sits at this edge", seat=seat)
    lines.write((middle_mm, bottom_mm - 7.2), says, 4.2, centred=True)
    top_mm = bottom_mm - 5.2
    arrow = [(middle_mm - 3, top_mm), (middle_mm + 3, top_mm), (middle_mm, top_mm + 2.6)]
    sheet.polygons([arrow], INKS[seat - 1])
    numbers = " ".join(str(number) for number in mat.seats[seat])
    stands = f"quilt-companion mat, {paper}, markers {numbers} of {mat.dictionary}, {mat.marker_size_mm * scale:.3g} mm"
    sheet.text((middle_mm, bottom_mm + 0.2), stands, 2.2, PALE, centred=True)


def _true_ruler(sheet: PdfSheet, start: Point, scale: float, language: Language, *, upright: bool = False) -> None:
    """Draw an unscaled ruler from a point of the mat."""
    with sheet.scaled(1 / scale, (start[0] * (1 - 1 / scale), start[1] * (1 - 1 / scale))):
        ruler(sheet, start, language, upright=upright)
