"""A drawing of the reading over a photograph, to check it by."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.games.patchwork.cells import SIDE, cell_index
from companion.patchwork.photograph.sheet import PhotoScore, SeatScore
from companion.pictures import disc, polyline
from vision.geometry import GRID_CORNERS, Homography
from vision.reductions import enlarged

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
_FONT: Final = cv2.FONT_HERSHEY_DUPLEX
# Height of a line of a plate, in cells; its gap to the board, in heights of the plate; a step towards a narrower one.
_LINE: Final = 0.62
_PLATE_GAP: Final = 0.3
_SMALLER: Final = 0.95


def draw_score(image: NDArray[np.uint8], score: PhotoScore) -> NDArray[np.uint8]:
    """Draw grids, readings and doubts over the photograph; return it, enlarged if it is small.

    Pieces are outlined; covered cells have a green dot, empty ones a white ring, doubtful ones also an orange frame.
    Each button token has a ring: green if all of a player's are sure, else orange. Each player's score is beside the
    board, or beneath the photograph if the boards leave no room.
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
    return _titled(picture, score.seats, scale)


def _draw_grid(picture: NDArray[np.uint8], place: Homography, scale: float) -> None:
    for line in range(SIDE + 1):
        for ends in ([[line, 0], [line, SIDE]], [[0, line], [SIDE, line]]):
            width_px = 3 if line in (0, SIDE) else 1
            polyline(picture, place(ends) * scale, (width_px, _EMPTY), closed=False)


def _draw_pieces(picture: NDArray[np.uint8], seat: SeatScore, scale: float) -> None:
    """Draw a line around each piece."""
    for piece in seat.quilt.pieces:
        cells = {divmod(cell_index(name), SIDE) for name in piece.cells}
        for row, column in cells:
            for (down, right), side in _SIDES.items():
                if (row + down, column + right) not in cells:
                    ends = seat.quilt.place(np.array(side) + np.array([column, row])) * scale
                    polyline(picture, ends, (4, _INK), (2, _SEAM), closed=False)


def _draw_cells(picture: NDArray[np.uint8], seat: SeatScore, scale: float) -> None:
    quilt = seat.quilt
    for row, column in np.ndindex(SIDE, SIDE):
        middle = quilt.place([column + 0.5, row + 0.5]) * scale
        cell_px = float(np.hypot(*(quilt.place([column + 1.0, row + 0.5]) * scale - middle))) * 2
        if quilt.covered[row, column]:
            disc(picture, middle, 0.17 * cell_px, _INK)
            disc(picture, middle, 0.13 * cell_px, _COVERED)
        else:
            disc(picture, middle, 0.20 * cell_px, _INK, 0.11 * cell_px)
            disc(picture, middle, 0.20 * cell_px, _EMPTY, 0.06 * cell_px)
    for name in quilt.doubtful:
        row, column = divmod(cell_index(name), SIDE)
        polyline(picture, quilt.place(_FRAME + np.array([column, row])) * scale, (5, _INK), (3, _DOUBT))


def _draw_tokens(picture: NDArray[np.uint8], seat: SeatScore, scale: float) -> None:
    """Draw a ring around each token before a player."""
    if seat.hand is None:
        return
    for x, y, radius_px in seat.hand.discs_px:
        middle, width_px = np.array([x, y]) * scale, 1.2 * radius_px * scale
        disc(picture, middle, width_px, _INK, 5)
        disc(picture, middle, width_px, _SEAM if seat.hand.sure else _DOUBT, 3)


def _titled(picture: NDArray[np.uint8], seats: Sequence[SeatScore], scale: float) -> NDArray[np.uint8]:
    """Return the picture with a plate for each seat, above or below its board, or beneath the picture.

    A plate covers neither a board nor another plate.
    """
    outlines = [seat.quilt.place(GRID_CORNERS) * scale for seat in seats]
    taken = [(outline.min(axis=0), outline.max(axis=0)) for outline in outlines]
    for seat, outline in zip(seats, outlines, strict=True):
        plate = _plate(_title(seat), float(np.hypot(*(outline[1] - outline[0]))) / SIDE, picture.shape[1])
        height_px, width_px = plate.shape[:2]
        left = float(np.clip(outline[:, 0].mean() - width_px / 2, 0, picture.shape[1] - width_px))
        gap = _PLATE_GAP * height_px
        tops = (outline[:, 1].min() - gap - height_px, outline[:, 1].max() + gap)
        top = next((each for each in tops if _is_free(picture, plate, (left, each), taken)), None)
        if top is None:
            top = float(picture.shape[0])
            picture = np.asarray(cv2.copyMakeBorder(picture, 0, height_px, 0, 0, cv2.BORDER_CONSTANT, value=_INK))
        column, row = _whole([left, top])
        picture[row : row + height_px, column : column + width_px] = plate
        taken.append((np.array([left, top]), np.array([left + width_px, top + height_px])))
    return picture


def _is_free(
    picture: NDArray[np.uint8],
    plate: NDArray[np.uint8],
    at: tuple[float, float],
    taken: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]]],
) -> bool:
    """Return whether the plate, its upper left corner here, lies in the picture and on none of the boxes taken."""
    first, last = np.array(at), np.array(at) + plate.shape[1::-1]
    is_inside = bool((first >= 0).all() and (last <= picture.shape[1::-1]).all())
    return is_inside and not any((first < end).all() and (start < last).all() for start, end in taken)


def _plate(lines: Sequence[str], cell_px: float, most_px: int) -> NDArray[np.uint8]:
    """Return a plate with these lines, written as large as suits the board, at most this wide."""
    line_px = _LINE * cell_px
    # Strokes of a large font are whole pixels wide: the width is not quite proportional to the size.
    while (width_px := _written_px(lines, line_px) + line_px) > most_px:
        line_px *= _SMALLER
    plate = np.full((round(line_px * (len(lines) + 0.4)), round(width_px), 3), _INK, np.uint8)
    for number, line in enumerate(lines, start=1):
        size, thickness = _font(line_px)
        at = _whole([line_px / 2, line_px * number])
        cv2.putText(plate, line, at, _FONT, size, _EMPTY, thickness, cv2.LINE_AA)
    return plate


def _written_px(lines: Sequence[str], line_px: float) -> int:
    return max(int(cv2.getTextSize(line, _FONT, *_font(line_px))[0][0]) for line in lines)


def _font(line_px: float) -> tuple[float, int]:
    """Return OpenCV's size and thickness for lines of this height."""
    size = line_px * 0.6 / cv2.getTextSize("8", _FONT, 1.0, 1)[0][1]
    return size, max(1, round(size * 1.6))


def _title(seat: SeatScore) -> Sequence[str]:
    quilt = seat.quilt
    parts = [f"{quilt.empty} empty", "no buttons counted" if seat.buttons is None else f"{seat.buttons} buttons"]
    if seat.bonus:
        parts.append("7x7 tile")
    doubts = len(quilt.doubtful)
    if doubts:
        parts.append(f"{doubts} to check")
    return f"Seat {quilt.seat}: {seat.score} points", ", ".join(parts)


def _whole(point: ArrayLike) -> tuple[int, int]:
    x, y = np.rint(np.asarray(point, np.float64)).astype(int).tolist()
    return x, y
