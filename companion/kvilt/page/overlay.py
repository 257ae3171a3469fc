"""The overlay of the camera's picture of a Kvilt table: the sheet's place and its reading."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from companion.kvilt.page.crop import draw_regions
from companion.kvilt.page.table import in_question
from companion.kvilt.reading import draw_reading
from companion.kvilt.table import shows_the_same
from companion.play.page.exposure import Exposure

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from companion.games.kvilt import PageLayout
    from companion.kvilt.page.table import SheetTable
    from companion.kvilt.reading import FoundSheet, SheetReading
    from companion.kvilt.table import SheetWatch
    from companion.play.page.exposure import Picture
    from hardware.ports import Frame
    from vision.sheet.page import Page

_FRAME: Final = ((7, (40, 30, 25)), (3, (250, 250, 250)))
"""Widths in pixels, and colours, of the sheet's frame: light within dark, because it lies on the table."""
_SHIFT: Final = 4
"""The number of fractional bits in OpenCV's fixed-point coordinates."""


def sheet_exposure(watch: SheetWatch, table: SheetTable | None) -> Exposure | None:
    """Return the newest frame with the sheet's overlay drawn on it, or None before the first frame.

    Args:
        watch: the watch that locates the sheet.
        table: the page's account of the game, or None before it is opened.
    """
    frame = watch.frame
    if frame is None:
        return None
    drawn = partial(_drawn, frame.image, watch.found, watch.reading)
    regions = in_question(table)
    if not regions or watch.looked is None:
        return Exposure(frame, drawn)
    return Exposure(frame, drawn, _crop(*watch.looked, regions), (watch.looked[0].name, *regions))


def _crop(frame: Frame, found: FoundSheet, regions: tuple[str, ...]) -> Callable[[int], Picture]:
    def draw(seat: int) -> Picture:
        del seat  # One sheet at a time lies under the camera.
        return draw_regions(frame.image, found.page, found.layout, regions)

    return draw


def _drawn(
    image: NDArray[np.uint8], found: FoundSheet | None, read: tuple[Frame, SheetReading] | None
) -> NDArray[np.uint8]:
    """Draw the reading while the picture still shows the same, else the outline of the sheet if it is found."""
    if read is not None and shows_the_same(image, read[0].image):
        return draw_reading(read[0].image, read[1])
    return image if found is None else _outlined(image, found.page, found.layout)


def _outlined(image: NDArray[np.uint8], page: Page, layout: PageLayout) -> NDArray[np.uint8]:
    width, height = layout.size
    corners = page.place(np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]))
    points = np.round(corners * (1 << _SHIFT)).astype(np.int32)
    picture = image.copy()
    for width_px, paint in _FRAME:
        cv2.polylines(picture, [points], True, paint, width_px, cv2.LINE_AA, _SHIFT)
    return picture
