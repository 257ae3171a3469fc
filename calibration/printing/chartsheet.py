"""The sheet with the lens chart, its parameters printed on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from calibration import chart
from calibration.printing.marks import RULER_MM, marker, ruler
from calibration.printing.page import BLACK, GREY, INK, PAPERS, PdfSheet

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from calibration.printing.page import Point

_ABOVE: Final = 0.48
"""Of the paper's height that the chart leaves, the part above it."""


def chart_corner_mm(paper: str) -> tuple[float, float]:
    """Return where the chart's top-left corner is on the page.

    Raises:
        KeyError: there is no such paper.
    """
    width_mm, height_mm = PAPERS[paper]
    return (width_mm - chart.SIZE_MM[0]) / 2, (height_mm - chart.SIZE_MM[1]) * _ABOVE


def chart_pdf(paper: str) -> bytes:
    """Return the chart on one page, as a PDF.

    Args:
        paper: a key of `PAPERS`.

    Raises:
        KeyError: there is no such paper.
    """
    sheet = PdfSheet(PAPERS[paper], "Lens chart")
    corner = chart_corner_mm(paper)
    sheet.polygons([_moved(square, corner) for square in chart.black_squares_mm()], BLACK)
    for number, corners in chart.markers_mm().items():
        marker(sheet, _moved(corners, corner), chart.DICTIONARY, number)
    _words(sheet, corner)
    sheet.end_page()
    return sheet.pdf()


def _moved(points_mm: NDArray[np.float64], corner: Point) -> list[Point]:
    return [(float(x) + corner[0], float(y) + corner[1]) for x, y in points_mm]


def _words(sheet: PdfSheet, corner: Point) -> None:
    left_mm, top_mm = corner
    bottom_mm = top_mm + chart.SIZE_MM[1]
    sheet.text((left_mm, top_mm - 8.0), "Lens chart", 7.0, INK)
    says = "Print at 100 %, glue it to something flat, and hold it under the camera."
    sheet.text((left_mm, top_mm - 3.5), says, 3.4, GREY)
    ruler(sheet, (left_mm, bottom_mm + 6))
    beside_mm = left_mm + RULER_MM + 8
    sheet.text((beside_mm, bottom_mm + 7.5), "100 mm; check it with a ruler", 3.2, INK)
    squares = f"{chart.COLUMNS} × {chart.ROWS} squares of {chart.SQUARE_MM:g} mm"
    says = f"ChArUco, {squares}, markers of {chart.MARKER_MM:g} mm"
    sheet.text((beside_mm, bottom_mm + 11.7), says, 2.5, GREY)
    ids = f"{chart.DICTIONARY}, ids 0 to {len(chart.markers_mm()) - 1}"
    sheet.text((beside_mm, bottom_mm + 15.2), f"{ids}, black square top left", 2.5, GREY)
    ruler(sheet, (left_mm - 6.5, top_mm), upright=True, figures=False)
