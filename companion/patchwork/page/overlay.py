"""The overlay for the camera's pictures of a Patchwork table: what the companion reads."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.patchwork import SIDE, indices_of, mask_of
from companion.patchwork.watching.watch import TableWatch
from companion.play.page.routes import Exposure, Picture
from hardware.ports import Frame
from vision.geometry import CELLS_TO_VIEW, Homography, rectify

if TYPE_CHECKING:
    from companion.patchwork.page.snapshot import PatchworkAccount

_LINE: Final = (250, 250, 250)
_INK: Final = (40, 30, 25)
_COVERED: Final = (96, 190, 60)
_DOUBT: Final = (0, 150, 255)
# The number of fractional bits in OpenCV's fixed-point coordinates.
_SHIFT: Final = 4
# Corners of a marked cell's outline, in cells.
_OUTLINE: Final = np.array([[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]])


@dataclass(frozen=True, slots=True)
class Boards:
    """A frame with the state of the boards when it was taken.

    Attributes:
        frame: the frame.
        places: by seat, the map from cell space to its pixels.
        quilts: by seat, the covered cells, as the rules' bit mask.
        marked: by seat, the cells in question, as a bit mask, too.
    """

    frame: Frame
    places: Mapping[int, Homography]
    quilts: Mapping[int, int]
    marked: Mapping[int, int]

    def exposure(self, question: Hashable = None) -> Exposure:
        """Return the picture with its overlay; `question` identifies the open question, if any."""
        return Exposure(self.frame, partial(draw_camera, self), partial(draw_crop, self), question)


def exposure_of(watch: TableWatch, table: PatchworkAccount | None) -> Exposure | None:
    """Return the newest frame with the state of the boards, or None before the first frame."""
    if watch.frame is None:
        return None
    if table is None:
        return Boards(watch.frame, watch.places, {}, {}).exposure()
    quilts = {seat: table.state.seat(seat).quilt for seat in (1, 2)}
    return Boards(watch.frame, watch.places, quilts, _marked(table)).exposure(table.looked_at or None)


def _marked(table: PatchworkAccount) -> Mapping[int, int]:
    """Return the cells that the open question or the complaint concerns, by seat."""
    question, complaint = table.pending.question, table.pending.complaint
    if question is not None:
        return {question.seat: mask_of(question.cells)}
    if complaint is None or table.pending.phase() != "complaint":
        return {}
    return {complaint.quilt: mask_of(complaint.cells)}


def draw_camera(boards: Boards) -> Picture:
    """Draw the whole frame, shape (height, width, 3), uint8, BGR, with the boards and covered cells."""
    # A copy: the reader works with the same picture.
    picture = boards.frame.image.copy()
    for seat, place in boards.places.items():
        _draw_grid(picture, place)
        _draw_covered(picture, place, boards.quilts.get(seat, 0))
        _draw_marked(picture, place, boards.marked.get(seat, 0))
    return picture


def draw_crop(boards: Boards, seat: int) -> Picture | None:
    """Draw a seat's board rectified, shape (VIEW_PX, VIEW_PX, 3), uint8, BGR, with cells in question marked.

    Return None if the board was not in view.
    """
    if seat not in boards.places:
        return None
    view = rectify(boards.frame.image, boards.places[seat])
    _draw_marked(view, CELLS_TO_VIEW, boards.marked.get(seat, 0))
    return view


def _draw_grid(picture: NDArray[np.uint8], place: Homography) -> None:
    for line in range(SIDE + 1):
        for ends in ([[line, 0], [line, SIDE]], [[0, line], [SIDE, line]]):
            _lines(picture, place(ends), _LINE, 2 if line in (0, SIDE) else 1, closed=False)


def _draw_covered(picture: NDArray[np.uint8], place: Homography, quilt: int) -> None:
    """Draw a dot on each covered cell."""
    for row, column in (divmod(index, SIDE) for index in indices_of(quilt)):
        middle, side = place([[column + 0.5, row + 0.5], [column + 1.0, row + 0.5]])
        radius_px = 0.3 * float(np.hypot(*(side - middle)))
        for colour, size_px in ((_INK, radius_px + 1.5), (_COVERED, radius_px)):
            at = np.rint(middle * (1 << _SHIFT)).astype(int).tolist()
            cv2.circle(picture, at, round(size_px * (1 << _SHIFT)), colour, -1, cv2.LINE_AA, _SHIFT)


def _draw_marked(picture: NDArray[np.uint8], place: Homography, cells: int) -> None:
    """Draw a frame around each cell in question."""
    for row, column in (divmod(index, SIDE) for index in indices_of(cells)):
        outline = place(_OUTLINE + np.array([column, row]))
        _lines(picture, outline, _INK, 5)
        _lines(picture, outline, _DOUBT, 3)


def _lines(
    picture: NDArray[np.uint8], points: NDArray[np.float64], colour: Sequence[int], px: int, *, closed: bool = True
) -> None:
    fine = np.rint(points * (1 << _SHIFT)).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(picture, [fine], closed, colour, px, cv2.LINE_AA, _SHIFT)
