"""What is drawn into the camera's picture of a table of Kvilt: where the sheet lies, and what was read off it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from companion.kvilttable import shows_the_same
from companion.sheetreading import draw_reading
from companion.web.drawing import Exposure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from companion.games.kvilt import Layout
    from companion.kvilttable import SheetWatch
    from companion.sheetreading import SheetReading
    from hardware.ports import Frame
    from vision.sheetpage import Page

_FRAME: Final = ((7, (40, 30, 25)), (3, (250, 250, 250)))
"""Light within dark, for it lies on the table: widths in pixels, and colours."""
_SHIFT: Final = 4
"""Bits behind the point in OpenCV's fixed-point coordinates."""


def sheet_exposure(watch: SheetWatch, frame: Frame, layout: Layout | None) -> Exposure:
    """A frame, and how what is known of the sheet in it is drawn; `layout` is of that sheet."""
    return Exposure(frame, {}, {}, {}, partial(_drawn, frame.image, watch.page, watch.reading, layout))


def _drawn(
    image: NDArray[np.uint8], page: Page | None, read: tuple[Frame, SheetReading] | None, layout: Layout | None
) -> NDArray[np.uint8]:
    """What was read, for as long as the picture shows that; else the sheet's outline, while it is looked for."""
    if read is not None and shows_the_same(image, read[0].image):
        return draw_reading(read[0].image, read[1])
    return image if page is None or layout is None else _outlined(image, page, layout)


def _outlined(image: NDArray[np.uint8], page: Page, layout: Layout) -> NDArray[np.uint8]:
    width, height = layout.size
    corners = page.place(np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]))
    points = np.round(corners * (1 << _SHIFT)).astype(np.int32)
    picture = image.copy()
    for width_px, paint in _FRAME:
        cv2.polylines(picture, [points], True, paint, width_px, cv2.LINE_AA, _SHIFT)
    return picture
