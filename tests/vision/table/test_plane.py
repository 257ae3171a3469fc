"""Test the overhead view of the table, always of the same part."""

from __future__ import annotations

import cv2
import numpy as np

from vision.geometry import Homography
from vision.table.plane import CELL_PX, TableCanvas

BOARD_PX = 24.0
"""A cell in the picture."""
BOARDS = [
    Homography(np.array([[BOARD_PX, 0.0, left], [0.0, BOARD_PX, 40.0], [0.0, 0.0, 1.0]])) for left in (40.0, 420.0)
]
STILL = Homography(np.eye(3))
POINTS = np.array([[80.0, 320.0], [600.0, 420.0]])


def picture() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A grey table, 700 x 480 pixels, with a red square of two cells at (200, 340)."""
    table = np.full((480, 700, 3), 120, np.uint8)
    cv2.rectangle(table, (200, 340), (247, 387), (30, 40, 200), -1)
    return table


def red(canvas: TableCanvas, image: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], shift: Homography) -> list[float]:
    """Return the left, top, right and bottom of the red area on the canvas."""
    seen = canvas.view(image, shift).picture
    rows, columns = np.nonzero(seen[..., 2] - seen[..., 1] > 60)
    return [float(columns.min()), float(rows.min()), float(columns.max() + 1), float(rows.max() + 1)]


def test_a_cell_is_as_large_everywhere() -> None:
    canvas = TableCanvas(BOARDS, POINTS, 1.0)
    left, top, right, bottom = red(canvas, picture(), STILL)
    assert np.allclose([right - left, bottom - top], 2 * CELL_PX, atol=1.01)
    assert np.allclose(canvas.to_picture.inverse([200.0, 340.0]), [left, top], atol=1.0)


def test_it_holds_what_was_asked_for_and_the_table_around() -> None:
    canvas = TableCanvas(BOARDS, POINTS, 2.0)
    height, width = canvas.shape
    assert np.allclose(canvas.to_picture.inverse(POINTS[0]), [20.0, 20.0])
    assert np.allclose(canvas.to_picture.inverse(POINTS[1]), [width - 20.0, height - 20.0], atol=1.01)


def test_a_moved_camera_shows_the_same_part() -> None:
    canvas = TableCanvas(BOARDS, POINTS, 1.0)
    nudge = Homography(np.array([[1.0, 0.01, -9.0], [-0.01, 1.0, 14.0], [0.0, 0.0, 1.0]]))
    moved = np.asarray(cv2.warpPerspective(picture(), nudge.matrix, (700, 480), borderValue=(120, 120, 120)), np.uint8)
    assert np.allclose(red(canvas, moved, nudge), red(canvas, picture(), STILL), atol=1.01)


def test_parts_of_the_canvas_beyond_the_picture_are_not_seen() -> None:
    canvas = TableCanvas(BOARDS, np.array([[10.0, 300.0], [600.0, 470.0]]), 3.0)
    view = canvas.view(picture(), STILL)
    x, y = canvas.to_picture.inverse([350.0, 400.0]).astype(int).tolist()
    assert view.seen[y, x]
    assert not view.seen[:, 0].any()
    assert not view.seen[-1].any()
