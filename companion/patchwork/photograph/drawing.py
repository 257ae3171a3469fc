"""A drawing of the reading over the photograph, to check it at a glance."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.games.patchwork import SIDE, cell_index
from companion.patchwork.photograph.sheet import PhotoScore, SeatScore
from vision.enlarging import enlarged
from vision.geometry.homography import Homography

_COVERED: Final = (96, 190, 60)
_EMPTY: Final = (250, 250, 250)
_DOUBT: Final = (0, 150, 255)
_INK: Final = (40, 30, 25)
# Corners of a doubtful cell's frame, in cells.
_FRAME: Final = np.array([[0.08, 0.08], [0.92, 0.08], [0.92, 0.92], [0.08, 0.92]])
_SEAM: Final = (120, 235, 120)
# The sides of a cell: by the direction (rows, columns) of the neighbour, the ends (x, y).
_SIDES: Final = {
    (-1, 0): ((0.0, 0.0), (1.0, 0.0)),
    (1, 0): ((0.0, 1.0), (1.0, 1.0)),
    (0, -1): ((0.0, 0.0), (0.0, 1.0)),
    (0, 1): ((1.0, 0.0), (1.0, 1.0)),
}
# The number of fractional bits in OpenCV's fixed-point coordinates.
_SHIFT: Final = 4
_FONT: Final = cv2.FONT_HERSHEY_DUPLEX


def draw_score(image: NDArray[np.uint8], score: PhotoScore) -> NDArray[np.uint8]:
    """Draw grids, readings and doubts over the photograph.

    Pieces are outlined; covered cells have a green dot, empty ones a white ring, doubtful ones also an orange frame.
    Each button token has a ring: green if all of a player's are sure, else orange.

    Args:
        image: the photograph, shape (height, width, 3), uint8, BGR.
        score: the score read in it.

    Returns:
        A picture of the same kind, enlarged if the photograph is small.
    """
    picture, scale = enlarged(image)
    veil = picture.copy()
    for seat in score.seats:
        _draw_grid(veil, seat.quilt.place, scale)
    # Blended, so that the print below the lines remains visible.
    picture = np.asarray(cv2.addWeighted(veil, 0.55, picture, 0.45, 0.0), np.uint8)
    for seat in score.seats:
        _draw_pieces(picture, seat, scale)
        _draw_cells(picture, seat, scale)
        _draw_tokens(picture, seat, scale)
        _draw_title(picture, seat, scale)
    return picture


def _draw_grid(picture: NDArray[np.uint8], place: Homography, scale: float) -> None:
    for line in range(SIDE + 1):
        for ends in ([[line, 0], [line, SIDE]], [[0, line], [SIDE, line]]):
            edge = line in (0, SIDE)
            _polyline(picture, place(ends) * scale, _EMPTY, 3 if edge else 1, closed=False)


def _draw_pieces(picture: NDArray[np.uint8], seat: SeatScore, scale: float) -> None:
    """Draw a line around each piece."""
    for piece in seat.quilt.pieces:
        cells = {divmod(cell_index(name), SIDE) for name in piece.cells}
        for row, column in cells:
            for (down, right), side in _SIDES.items():
                if (row + down, column + right) not in cells:
                    ends = seat.quilt.place(np.array(side) + np.array([column, row])) * scale
                    _polyline(picture, ends, _INK, 4, closed=False)
                    _polyline(picture, ends, _SEAM, 2, closed=False)


def _draw_cells(picture: NDArray[np.uint8], seat: SeatScore, scale: float) -> None:
    quilt = seat.quilt
    for row, column in np.ndindex(SIDE, SIDE):
        middle = quilt.place([column + 0.5, row + 0.5]) * scale
        cell_px = float(np.hypot(*(quilt.place([column + 1.0, row + 0.5]) * scale - middle))) * 2
        if quilt.covered[row, column]:
            _disc(picture, middle, 0.17 * cell_px, _INK)
            _disc(picture, middle, 0.13 * cell_px, _COVERED)
        else:
            _disc(picture, middle, 0.20 * cell_px, _INK, 0.11 * cell_px)
            _disc(picture, middle, 0.20 * cell_px, _EMPTY, 0.06 * cell_px)
    for name in quilt.doubtful:
        row, column = divmod(cell_index(name), SIDE)
        outline = quilt.place(_FRAME + np.array([column, row])) * scale
        _polyline(picture, outline, _INK, 5)
        _polyline(picture, outline, _DOUBT, 3)


def _draw_tokens(picture: NDArray[np.uint8], seat: SeatScore, scale: float) -> None:
    """Draw a ring around each token before a player."""
    if seat.hand is None:
        return
    for x, y, radius_px in seat.hand.discs_px:
        middle, width_px = np.array([x, y]) * scale, 1.2 * radius_px * scale
        _disc(picture, middle, width_px, _INK, 5)
        _disc(picture, middle, width_px, _SEAM if seat.hand.sure else _DOUBT, 3)


def _draw_title(picture: NDArray[np.uint8], seat: SeatScore, scale: float) -> None:
    """Draw a plate above the board, or below it if there is no room above."""
    corners = seat.quilt.place([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]]) * scale
    cell_px = float(np.hypot(*(corners[1] - corners[0]))) / SIDE
    lines = _title(seat)
    height = cell_px * 0.62
    size = height * 0.6 / cv2.getTextSize("8", _FONT, 1.0, 1)[0][1]
    thickness = max(1, round(size * 1.6))
    width = max(cv2.getTextSize(line, _FONT, size, thickness)[0][0] for line in lines) + height
    left = float(np.clip(corners[:, 0].mean() - width / 2, 0, max(0.0, picture.shape[1] - width)))
    tall = height * (len(lines) + 0.4)
    top = corners[:, 1].min() - tall - 0.5 * cell_px
    if top < 0:
        top = min(corners[:, 1].max() + 0.5 * cell_px, picture.shape[0] - tall)
    cv2.rectangle(picture, _whole([left, top]), _whole([left + width, top + tall]), _INK, -1)
    for number, line in enumerate(lines, start=1):
        at = _whole([left + height / 2, top + height * number])
        cv2.putText(picture, line, at, _FONT, size, _EMPTY, thickness, cv2.LINE_AA)


def _title(seat: SeatScore) -> Sequence[str]:
    quilt = seat.quilt
    parts = [f"{quilt.empty} empty", "no buttons counted" if seat.buttons is None else f"{seat.buttons} buttons"]
    if seat.bonus:
        parts.append("7x7 tile")
    doubts = len(quilt.doubtful)
    if doubts:
        parts.append(f"{doubts} to check")
    return f"Seat {quilt.seat}: {seat.score} points", ", ".join(parts)


def _disc(
    picture: NDArray[np.uint8], middle: NDArray[np.float64], radius_px: float, colour: Sequence[int], line_px: float = 0
) -> None:
    fine = 1 << _SHIFT
    thickness = max(1, round(line_px)) if line_px else -1
    at = _whole(middle * fine)
    cv2.circle(picture, at, round(max(radius_px, 1.5) * fine), colour, thickness, cv2.LINE_AA, _SHIFT)


def _polyline(
    picture: NDArray[np.uint8],
    points: NDArray[np.float64],
    colour: Sequence[int],
    width_px: int,
    *,
    closed: bool = True,
) -> None:
    fine = np.rint(points * (1 << _SHIFT)).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(picture, [fine], closed, colour, width_px, cv2.LINE_AA, _SHIFT)


def _whole(point: ArrayLike) -> tuple[int, int]:
    x, y = np.rint(np.asarray(point, np.float64)).astype(int).tolist()
    return x, y
