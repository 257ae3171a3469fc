"""Marks common to several sheets: markers as vectors, rulers, and the mark of each seat."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from calibration.identity import INKS, star
from calibration.printing.page import BLACK, INK, WHITE, PdfSheet, Point

RULER_MM: Final = 100
# Lengths of the ruler's ticks at multiples of a number of millimetres.
_TICKS_MM: Final = ((50, 4.0), (10, 3.0), (5, 2.0))


def marker(sheet: PdfSheet, corners_mm: Sequence[Point], dictionary: str, number: int) -> None:
    """Draw a marker of an OpenCV dictionary, as one black area with holes, so that no renderer shows seams.

    Args:
        sheet: the sheet to draw on.
        corners_mm: outer corners of its black square, clockwise from the top left; not rotated.
        dictionary: OpenCV's name.
        number: the marker's id.
    """
    (left, top), _, (right, _), _ = corners_mm
    modules = _modules(dictionary, number)
    step_mm = (right - left) / len(modules)
    holes = [
        _square((left + column * step_mm, top + row * step_mm), step_mm) for row, column in np.argwhere(modules > 0)
    ]
    sheet.polygons([_square((left, top), right - left), *holes], BLACK)


def _modules(dictionary: str, number: int) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """Return the marker's squares with its black border, shape (n, n), 0 black."""
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    side = known.markerSize + 2
    return np.asarray(cv2.aruco.generateImageMarker(known, number, side), np.uint8)


def _square(corner: Point, side_mm: float) -> list[Point]:
    left, top = float(corner[0]), float(corner[1])
    return [(left, top), (left + side_mm, top), (left + side_mm, top + side_mm), (left, top + side_mm)]


def ruler(sheet: PdfSheet, start: Point, *, upright: bool = False, figures: bool = True) -> None:
    """Draw a ruler of 100 mm from `start` to the right, or downwards if upright; ticks below or beside it."""

    def at(along_mm: float, across_mm: float) -> Point:
        return (start[0] + across_mm, start[1] + along_mm) if upright else (start[0] + along_mm, start[1] + across_mm)

    sheet.line([at(0, 0), at(RULER_MM, 0)], INK, 0.25)
    for along_mm in range(RULER_MM + 1):
        length_mm = next((length for step, length in _TICKS_MM if along_mm % step == 0), 1.2)
        sheet.line([at(along_mm, 0), at(along_mm, length_mm)], INK, 0.15)
    for along_mm in (0, 50, RULER_MM) if figures else ():
        x, y = at(along_mm, 8.6 if upright else 7.4)
        sheet.text((x, y + 1.1 if upright else y), f"{along_mm}", 3.0, centred=True)


def seat_mark(sheet: PdfSheet, seat: int, centre: Point, radius_mm: float) -> None:
    """Draw seat 1's ring or seat 2's star in its ink, so that seats differ not only in colour."""
    ink = INKS[seat - 1]
    if seat == 1:
        sheet.disc(centre, radius_mm, ink)
        sheet.disc(centre, radius_mm * 0.52, WHITE)
        sheet.disc(centre, radius_mm * 0.3, ink)
        return
    sheet.polygons([star(centre, radius_mm * 1.08)], ink)
    sheet.polygons([star(centre, radius_mm * 0.5)], WHITE)
