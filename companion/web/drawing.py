"""Draws what the companion makes of the table into the camera's pictures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from companion.games.patchwork import SIDE, indices_of
from vision.rectify import CELLS_TO_VIEW, rectify

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from hardware.ports import Frame
    from vision.homography import Homography

JPEG_QUALITY: Final = 80
_LINE: Final = (250, 250, 250)
_INK: Final = (40, 30, 25)
_COVERED: Final = (96, 190, 60)
_DOUBT: Final = (0, 150, 255)
_SHIFT: Final = 4
"""Bits behind the point in OpenCV's fixed-point coordinates."""
_OUTLINE: Final = np.array([[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]])
"""Of a cell that is marked, in cells."""


@dataclass(frozen=True, slots=True)
class Exposure:
    """A frame with what was known when it was taken.

    Attributes:
        frame: the frame.
        places: by seat, the map from cell space to its pixels.
        quilts: by seat, the covered cells as the rules' bit mask.
        marked: by seat, the cells in question, likewise.
        draw: draws what was read in a game without boards, None in one that has them.
    """

    frame: Frame
    places: Mapping[int, Homography]
    quilts: Mapping[int, int]
    marked: Mapping[int, int]
    draw: Callable[[], NDArray[np.uint8]] | None = None


def draw_camera(exposure: Exposure, *, reading: bool) -> NDArray[np.uint8]:
    """The whole frame, shape (height, width, 3), uint8, BGR; with the boards and what is covered where wanted."""
    if not reading:
        return exposure.frame.image
    if exposure.draw is not None:
        return exposure.draw()
    picture = exposure.frame.image.copy()
    for seat, place in exposure.places.items():
        _draw_grid(picture, place)
        _draw_covered(picture, place, exposure.quilts.get(seat, 0))
        _draw_marked(picture, place, exposure.marked.get(seat, 0))
    return picture


def draw_crop(exposure: Exposure, seat: int) -> NDArray[np.uint8]:
    """A seat's board seen straight on, shape (VIEW_PX, VIEW_PX, 3), uint8, BGR, the cells in question marked.

    Raises:
        KeyError: the board was not in view.
    """
    view = rectify(exposure.frame.image, exposure.places[seat])
    _draw_marked(view, CELLS_TO_VIEW, exposure.marked.get(seat, 0))
    return view


def jpeg(picture: NDArray[np.uint8]) -> bytes:
    """The picture as a JPEG file."""
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return data.tobytes()


def _draw_grid(picture: NDArray[np.uint8], place: Homography) -> None:
    for line in range(SIDE + 1):
        for ends in ([[line, 0], [line, SIDE]], [[0, line], [SIDE, line]]):
            _lines(picture, place(ends), _LINE, 2 if line in (0, SIDE) else 1, closed=False)


def _draw_covered(picture: NDArray[np.uint8], place: Homography, quilt: int) -> None:
    """A dot on each covered cell."""
    for row, column in (divmod(index, SIDE) for index in indices_of(quilt)):
        middle, side = place([[column + 0.5, row + 0.5], [column + 1.0, row + 0.5]])
        radius_px = 0.3 * float(np.hypot(*(side - middle)))
        for colour, size_px in ((_INK, radius_px + 1.5), (_COVERED, radius_px)):
            at = np.rint(middle * (1 << _SHIFT)).astype(int).tolist()
            cv2.circle(picture, at, round(size_px * (1 << _SHIFT)), colour, -1, cv2.LINE_AA, _SHIFT)


def _draw_marked(picture: NDArray[np.uint8], place: Homography, cells: int) -> None:
    """A frame around each cell in question."""
    for row, column in (divmod(index, SIDE) for index in indices_of(cells)):
        outline = place(_OUTLINE + np.array([column, row]))
        _lines(picture, outline, _INK, 5)
        _lines(picture, outline, _DOUBT, 3)


def _lines(
    picture: NDArray[np.uint8], points: NDArray[np.float64], colour: Sequence[int], px: int, *, closed: bool = True
) -> None:
    fine = np.rint(points * (1 << _SHIFT)).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(picture, [fine], closed, colour, px, cv2.LINE_AA, _SHIFT)
