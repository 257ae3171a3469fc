"""A picture of the printed page: outlines, numbers, marks and markers in one grey.

It is drawn from the same layout as the page that people print, but less finely: for a reader, the ink is in its place.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.kvilt import PageLayout, Sheet
from companion.games.kvilt.sheet.layout import Polygon, corners
from companion.games.kvilt.sheet.tables import Point, Rect
from hardware.simulated.drawing.images import Field, floats_of

PAGE_PX_PER_MM: Final = 8.0
"""The resolution of pictures of the page; millimetre (x, y) is at pixel (8 x - 0.5, 8 y - 0.5)."""
# OpenCV's fixed point: a sixteenth of a pixel.
_SHIFT: Final = 4
# Supersampling factor of the print, for thin lines.
_FINE: Final = 2
_FONT: Final = cv2.FONT_HERSHEY_SIMPLEX
_THIN_MM: Final = 0.2
_MARKER_INK: Final = 0.1
_GAMMA: Final = 2.2
# Quantile of a page's brightness that is its paper: print and grounds only darken a page.
_PAPER_RANK: Final = 0.9


def printed_page(sheet: Sheet, layout: PageLayout) -> Field:
    """Return the transmittance of the print: shape (rows, columns), 1 on bare paper."""
    press = _Press(layout)
    for row, cell in sheet.cells():
        place = layout.cells[row, cell]
        press.line(corners(place.frame))
        press.line(place.picture)
        for line in layout.details.get(layout.pictures[row - 1], ()):
            press.open_line([(place.middle[0] + x, place.middle[1] + y) for x, y in line], _THIN_MM)
        press.text(place.points, str(sheet.rows[row - 1].points[cell - 1]))
        marks = sheet.bonuses_at((row, cell))
        if marks:
            press.text(place.bonus, "".join(mark.kind[0].upper() for mark in marks))
    for patch in sheet.patches:
        press.line(corners(layout.patches[patch.id].region))
        press.text(layout.patches[patch.id].number, f"+{patch.points}")
    _spools(press, sheet, layout)
    for region in layout.regions().values():
        if region.name in layout.parts or region.name.startswith("swatch."):
            press.line(region.outlines[0])
    for rect in (*layout.row_scores, *layout.scores.values()):
        if rect is not None:
            press.line(corners(rect), _THIN_MM)
    return press.page(layout)


def pictured_page(path: Path, size_mm: tuple[float, float]) -> Field | None:
    """Return the transmittance of an owner's sheet, by its picture when it was blank.

    Args:
        path: of that picture, which shows the rectified sheet.
        size_mm: the page's width and height.

    Returns:
        Shape (rows, columns, 3), about 1 on bare paper; includes the picture's own light. None without a picture.
    """
    picture = cv2.imread(str(path)) if path.is_file() else None
    if picture is None:
        return None
    size = (round(size_mm[0] * PAGE_PX_PER_MM), round(size_mm[1] * PAGE_PX_PER_MM))
    linear = (floats_of(cv2.resize(picture, size, interpolation=cv2.INTER_AREA)) / 255) ** _GAMMA
    paper = np.quantile(linear.reshape(-1, 3), _PAPER_RANK, axis=0)
    return floats_of(np.minimum(linear / np.maximum(paper, 1e-3), 1.0))


def _spools(press: _Press, sheet: Sheet, layout: PageLayout) -> None:
    """Draw the spools; flanges of those that are open from the start are hatched."""
    for number, (spool, points) in enumerate(zip(layout.spools, sheet.spools.points, strict=True), start=1):
        for rect in (*spool.body, spool.thread):
            press.line(corners(rect))
        if spool.points is not None:
            press.text(spool.points, str(points))
        if number <= sheet.spools.open:
            for rect in spool.body:
                press.hatch(rect)


class _Press:
    """A canvas in millimetres."""

    def __init__(self, layout: PageLayout) -> None:
        self._scale = PAGE_PX_PER_MM * _FINE
        self._layout = layout
        size = (round(layout.size[1] * self._scale), round(layout.size[0] * self._scale))
        self._ink: NDArray[np.uint8] = np.zeros(size, np.uint8)

    def line(self, points: Iterable[Point], width_mm: float | None = None) -> None:
        """Draw a closed outline."""
        self._draw(points, width_mm or self._layout.outline, closed=True)

    def open_line(self, points: Iterable[Point], width_mm: float) -> None:
        """Draw an open line."""
        self._draw(points, width_mm, closed=False)

    def hatch(self, rect: Rect) -> None:
        """Draw rising lines, a millimetre apart."""
        x, y, width, height = rect
        for step in range(int(width - height) + 1):
            self._draw([(x + step, y + height), (x + step + height, y)], _THIN_MM, closed=False)

    def text(self, rect: Rect, text: str) -> None:
        """Draw text in the greatest size that fits a rectangle."""
        x, y, width, height = (value * self._scale for value in rect)
        (wide, high), _ = cv2.getTextSize(text, _FONT, 1.0, 1)
        size = min(0.8 * width / wide, 0.7 * height / high)
        at = (round(x + (width - wide * size) / 2), round(y + (height + high * size) / 2))
        cv2.putText(self._ink, text, at, _FONT, size, (255,), max(1, round(0.25 * self._scale)), cv2.LINE_AA)

    def page(self, layout: PageLayout) -> Field:
        """Return the page at its own size, with its markers."""
        rows, columns = (side // _FINE for side in self._ink.shape)
        ink = floats_of(cv2.resize(self._ink, (columns, rows), interpolation=cv2.INTER_AREA)) / 255
        page = floats_of(1 - ink * (1 - layout.ink**2.2))
        for marker in layout.fiducials.markers:
            _stamp(page, layout, marker.id, marker.at)
        return page

    def _draw(self, points: Iterable[Point], width_mm: float, *, closed: bool) -> None:
        fine = (np.array(list(points)) * self._scale - 0.5) * (1 << _SHIFT)
        thick = max(1, round(width_mm * self._scale))
        cv2.polylines(self._ink, [np.round(fine).astype(np.int32)], closed, (255,), thick, cv2.LINE_AA, _SHIFT)


def _stamp(page: Field, layout: PageLayout, number: int, at: Point) -> None:
    side = round(layout.fiducials.side * PAGE_PX_PER_MM)
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, layout.fiducials.dictionary))
    modules = cv2.aruco.generateImageMarker(dictionary, number, side)
    left, top = (round(value * PAGE_PX_PER_MM) for value in at)
    page[top : top + side, left : left + side] = np.where(modules > 127, 1.0, _MARKER_INK)


def mask_of(polygons: Iterable[Polygon], box: tuple[int, int, int, int]) -> NDArray[np.uint8]:
    """Return the inside of polygons in millimetres, 255 and 0, in a part (left, top, right, bottom) of the picture."""
    left, top, right, bottom = box
    mask = np.zeros((bottom - top, right - left), np.uint8)
    for polygon in polygons:
        points = (np.array(polygon) * PAGE_PX_PER_MM - 0.5 - (left, top)) * (1 << _SHIFT)
        cv2.fillPoly(mask, [np.round(points).astype(np.int32)], (255,), shift=_SHIFT)
    return mask
