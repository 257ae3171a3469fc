"""The picture of a calibration: the fitted grids drawn over a frame, for users to check."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.stored import BoardCalibration
from vision.geometry import GRID_CORNERS, SIDE, Homography

if TYPE_CHECKING:
    from companion.calibrating.boards import SeenBoard

# Blue for seat 1, orange for seat 2, as on their mats; in BGR.
_INKS: Final = ((200, 120, 20), (0, 110, 235))
# OpenCV's fractional bits: it draws at sixteenths of a pixel.
_SHIFT: Final = 4
_FONT: Final = cv2.FONT_HERSHEY_SIMPLEX
# The width of an ordinary frame; in a larger picture lines and text are enlarged in proportion.
_ORDINARY_PX: Final = 1536
# A still of twelve megapixels would be a file of twenty megabytes, without visible benefit.
_WIDEST_PX: Final = 3072


def draw_calibration(
    image: NDArray[np.uint8], seen: Mapping[int, SeenBoard], measured: Mapping[int, BoardCalibration]
) -> NDArray[np.uint8]:
    """Return a copy of a picture, shape (height, width, 3), uint8, BGR, with grids, markers, cell names and figures.

    The copy is scaled down if it is wider than `_WIDEST_PX`.
    """
    drawn = image.copy()
    for seat, board in seen.items():
        ink = _INKS[seat - 1]
        for corners in board.mat.markers.values():
            _lines(drawn, [corners], ink, 2, closed=True)
        _grid(drawn, board.fit.cells_to_image, ink)
        _figures(drawn, seat, board, measured[seat], ink)
    smaller = _WIDEST_PX / drawn.shape[1]
    if smaller >= 1:
        return drawn
    return np.asarray(cv2.resize(drawn, None, fx=smaller, fy=smaller, interpolation=cv2.INTER_AREA), np.uint8)


def draw_grids(image: NDArray[np.uint8], places: Mapping[int, Homography]) -> NDArray[np.uint8]:
    """Return a copy of a frame, shape (height, width, 3), uint8, BGR, with the grids at their places."""
    drawn = image.copy()
    for seat, place in places.items():
        _grid(drawn, place, _INKS[seat - 1])
    return drawn


def _grid(drawn: NDArray[np.uint8], to_image: Homography, ink: tuple[int, int, int]) -> None:
    along = np.linspace(0, SIDE, 2 * SIDE + 1)
    for line in range(SIDE + 1):
        across = np.full_like(along, line)
        for points in (np.column_stack([across, along]), np.column_stack([along, across])):
            _lines(drawn, [to_image(points)], (255, 255, 255), 1)
    _lines(drawn, [to_image(GRID_CORNERS)], ink, 2, closed=True)
    for name, cell in (("A1", (0.5, 0.5)), ("I1", (8.5, 0.5)), ("A9", (0.5, 8.5)), ("I9", (8.5, 8.5))):
        _words(drawn, name, to_image([cell])[0], 0.42, ink)


def _figures(
    drawn: NDArray[np.uint8],
    seat: int,
    board: SeenBoard,
    measured: BoardCalibration,
    ink: tuple[int, int, int],
) -> None:
    """Write the residual above the board, where the mat shows the seat's name."""
    middle = board.fit.cells_to_image([(SIDE / 2, -0.95)])[0]
    says = f"seat {seat}: {measured.residual_mm:.2f} mm"
    _words(drawn, says, middle, 0.5, ink)


def _lines(
    drawn: NDArray[np.uint8],
    paths: list[NDArray[np.float64]],
    ink: tuple[int, int, int],
    width: int,
    *,
    closed: bool = False,
) -> None:
    fixed = [np.round(points * 2**_SHIFT).astype(np.int32).reshape(-1, 1, 2) for points in paths]
    cv2.polylines(drawn, fixed, closed, ink, round(width * _enlarged(drawn)), cv2.LINE_AA, _SHIFT)


def _words(
    drawn: NDArray[np.uint8], text: str, middle: NDArray[np.float64], scale: float, ink: tuple[int, int, int]
) -> None:
    """Write text on a light plate, so that it is readable on any print."""
    enlarged = _enlarged(drawn)
    stroke, edge, letters = round(enlarged), round(4 * enlarged), scale * enlarged
    (width, height), below = cv2.getTextSize(text, _FONT, letters, stroke)
    left, foot = round(float(middle[0]) - width / 2), round(float(middle[1]) + height / 2)
    plate = ((left - edge, foot - height - edge), (left + width + edge, foot + below + 1))
    cv2.rectangle(drawn, *plate, (250, 250, 250), -1)
    # Darker than the lines, for contrast with the plate.
    dark = tuple(round(value * 0.75) for value in ink)
    cv2.putText(drawn, text, (left, foot), _FONT, letters, dark, stroke, cv2.LINE_AA)


def _enlarged(drawn: NDArray[np.uint8]) -> float:
    return max(1.0, float(drawn.shape[1]) / _ORDINARY_PX)


def png_of(image: NDArray[np.uint8]) -> bytes:
    """Return the picture encoded as a PNG file."""
    return bytes(cv2.imencode(".png", image)[1].tobytes())
