"""The printable sheet with the lens chart and its parameters."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration import chart
from calibration.printing.lines import Lines
from calibration.printing.marks import RULER_MM, marker, ruler
from calibration.printing.page import BLACK, GREY, PAPERS, PdfSheet, Point
from companion.languages import ENGLISH, Language, said

# Share of the free height that is above the chart.
_ABOVE: Final = 0.48


def chart_corner_mm(paper: str) -> tuple[float, float]:
    """Return the place of the chart's top-left corner on the page.

    Raises:
        KeyError: there is no such paper.
    """
    width_mm, height_mm = PAPERS[paper]
    return (width_mm - chart.SIZE_MM[0]) / 2, (height_mm - chart.SIZE_MM[1]) * _ABOVE


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
    sheet.polygons([_moved(square, corner) for square in chart.black_squares_mm()], BLACK)
    for number, corners in chart.markers_mm().items():
        marker(sheet, _moved(corners, corner), chart.DICTIONARY, number)
    _words(sheet, corner, Lines(sheet, language))
    sheet.end_page()
    return sheet.pdf()


def _moved(points_mm: NDArray[np.float64], corner: Point) -> list[Point]:
    return [(float(x) + corner[0], float(y) + corner[1]) for x, y in points_mm]


def _words(sheet: PdfSheet, corner: Point, lines: Lines) -> None:
    left_mm, top_mm = corner
    right_mm, bottom_mm = left_mm + chart.SIZE_MM[0], top_mm + chart.SIZE_MM[1]
    begin_mm = right_mm if lines.leftwards else left_mm
    lines.write((begin_mm, top_mm - 8.0), said("Lens chart"), 7.0)
    says = said("Print at {percent} %, glue it to something flat, and hold it under the camera.", percent=100)
    lines.write((begin_mm, top_mm - 3.5), says, 3.4, GREY)
    ruler(sheet, (left_mm, bottom_mm + 6))
    beside_mm = left_mm + RULER_MM + 8
    lines.write(
        (right_mm if lines.leftwards else beside_mm, bottom_mm + 7.5),
        said("{length} mm; check it with a ruler", length=100),
        3.2,
    )
    squares = f"{chart.COLUMNS} × {chart.ROWS} squares of {chart.SQUARE_MM:g} mm"
    stands = f"ChArUco, {squares}, markers of {chart.MARKER_MM:g} mm"
    sheet.text((beside_mm, bottom_mm + 11.7), stands, 2.5, GREY)
    ids = f"{chart.DICTIONARY}, ids 0 to {len(chart.markers_mm()) - 1}"
    sheet.text((beside_mm, bottom_mm + 15.2), f"{ids}, black square top left", 2.5, GREY)
    ruler(sheet, (left_mm - 6.5, top_mm), upright=True, figures=False)
