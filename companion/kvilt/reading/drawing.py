"""A drawing of the reading over the photograph of a sheet, for the user to check at a glance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from companion.games.kvilt.sheet import cell_name
from companion.kvilt.sheets.layout import PageLayout
from companion.pictures import disc, polyline
from vision.reductions import enlarged

if TYPE_CHECKING:
    from companion.kvilt.reading.reader import SheetReading

_INK: Final = (40, 30, 25)
_WHITE: Final = (250, 250, 250)
_DOUBT: Final = (0, 150, 255)
_DOT_MM: Final = 1.5


def draw_reading(image: NDArray[np.uint8], reading: SheetReading) -> NDArray[np.uint8]:
    """Draw a dot of its colour on every region read as coloured, and a frame around each doubtful one.

    Args:
        image: the photograph, shape (height, width, 3), uint8, BGR.
        reading: the reading of it.

    Returns:
        A picture of the same kind, enlarged if the photograph is small.
    """
    picture, scale = enlarged(image)
    layout = reading.layout
    screens = {colour.key: _bgr(colour.screen) for colour in layout.colours}
    doubts = set(reading.doubtful)
    regions = layout.regions()
    for name, colour in reading.seen.items():
        if name in doubts:
            for outline in regions[name].outlines:
                polyline(picture, reading.page.place(outline) * scale, (6, _INK), (3, _DOUBT))
        if colour is not None:
            place_px, reach_px = _spot(reading, name)
            for share, paint in ((1.0, _INK), (0.86, _WHITE), (0.66, screens[colour])):
                disc(picture, place_px * scale, reach_px * scale * share, paint)
    return picture


def _bgr(screen: str) -> tuple[int, int, int]:
    red, green, blue = (int(screen[at : at + 2], 16) for at in (1, 3, 5))
    return blue, green, red


def _spot(reading: SheetReading, name: str) -> tuple[NDArray[np.float64], float]:
    """Return the place of a region's dot in the photograph, and its radius, in pixels."""
    centre = np.asarray(_centre(reading.layout, name), np.float64)
    place_px, beside_px = reading.page.place([centre, centre + np.array([_DOT_MM, 0.0])])
    return place_px, float(np.hypot(*(beside_px - place_px)))


def _centre(layout: PageLayout, name: str) -> tuple[float, float]:
    """Return the place of a region's dot: the lower left corner of a background, the middle of any other."""
    for cell, place in layout.cells.items():
        if name == f"{cell_name(cell)}.background":
            x, y, _, height = place.frame
            return x + _DOT_MM * 1.4, y + height - _DOT_MM * 1.4
    outline = np.array(layout.regions()[name].outlines[0])
    x, y = (outline.min(axis=0) + outline.max(axis=0)) / 2
    return float(x), float(y)
