"""The ChArUco chart for the calibration of a lens: a chessboard with markers on its white squares.

Coordinate space: millimetres on the chart, origin at its top-left corner, x to the right, y down. The same chart fits
A4 and US Letter.
"""

from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

DICTIONARY: Final = "DICT_5X5_50"
"""Different from the mats' dictionary, so that a chart on the table is never taken for a mat."""
COLUMNS: Final = 7
ROWS: Final = 9
SQUARE_MM: Final = 26.0
MARKER_MM: Final = 20.0
CORNERS: Final = (COLUMNS - 1) * (ROWS - 1)
"""Number of inner corners, the points detected in a picture of the whole chart."""

SIZE_MM: Final = (COLUMNS * SQUARE_MM, ROWS * SQUARE_MM)


@cache
def charuco_board() -> cv2.aruco.CharucoBoard:
    """Return OpenCV's representation of the chart; with an odd number of rows its old and new layouts are equal."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    return cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE_MM, MARKER_MM, dictionary)


def black_squares_mm() -> list[NDArray[np.float64]]:
    """Return the chessboard's black squares, each its corners clockwise from the top left, shape (4, 2)."""
    places = [(column, row) for row in range(ROWS) for column in range(COLUMNS) if (row + column) % 2 == 0]
    unit = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    return [(unit + place) * SQUARE_MM for place in places]


def markers_mm() -> dict[int, NDArray[np.float64]]:
    """Return, by ID, the corners of each marker's black square, clockwise from the top left, shape (4, 2)."""
    board = charuco_board()
    numbers = np.asarray(board.getIds()).reshape(-1)
    return {
        int(number): np.asarray(corners, np.float64).reshape(4, 3)[:, :2]
        for number, corners in zip(numbers, board.getObjPoints(), strict=True)
    }


def inner_corners_mm() -> NDArray[np.float64]:
    """Return the inner corners, in the order of OpenCV's corner IDs, shape (CORNERS, 2)."""
    return np.asarray(charuco_board().getChessboardCorners(), np.float64).reshape(-1, 3)[:, :2]
