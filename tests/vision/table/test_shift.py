"""Test estimating how the table has moved in the picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.geometry import GRID_CORNERS, Homography, translation
from vision.table.plane import table_plane, table_shift, view_table

CELL_PX = 12
CAMERA = Homography(np.array([[24.0, -3.0, 210.0], [2.0, 21.0, 90.0], [0.0004, -0.004, 1.0]]))
TURNED = Homography(np.array([[np.cos(0.3), -np.sin(0.3), 14.0], [np.sin(0.3), np.cos(0.3), 2.0], [0.0, 0.0, 1.0]]))
"""The second board's placement in the first one's cells."""
TWO_BOARDS = (CAMERA, CAMERA.after(TURNED))


def test_two_boards_give_one_plane() -> None:
    plane = table_plane(TWO_BOARDS)
    far = np.array([[-9.0, -3.0], [25.0, 14.0], [5.0, 20.0]])
    assert np.abs(plane(far) - CAMERA(far)).max() < 0.1


def test_two_boards_tell_more_than_one_that_is_seen_inexactly() -> None:
    rng = np.random.default_rng(5)
    matrix, _ = cv2.findHomography(GRID_CORNERS, CAMERA(GRID_CORNERS) + rng.normal(0, 0.7, (4, 2)))
    rough = Homography(np.asarray(matrix, np.float64))
    far = np.array([[22.0, 4.0], [20.0, 10.0]])

    def error(plane: Homography) -> float:
        return float(np.abs(plane(far) - CAMERA(far)).max())

    assert error(table_plane([rough, TWO_BOARDS[1]])) < error(table_plane([rough]))


def test_a_square_on_the_table_is_a_square_in_the_view() -> None:
    image = np.full((700, 1000, 3), 60, np.uint8)
    square = np.array([[3.0, 12.0], [6.0, 12.0], [6.0, 15.0], [3.0, 15.0]])
    cv2.fillPoly(image, [np.rint(CAMERA(square)).astype(np.int32)], (200, 200, 200), cv2.LINE_AA)
    view = view_table(image, TWO_BOARDS, CELL_PX)
    corners = view.to_image.inverse(CAMERA(square))
    sides = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    assert sides == pytest.approx(np.full(4, 3.0), abs=0.02)
    bright = view.picture[..., 0] > 130
    assert bright.sum() == pytest.approx((3 * CELL_PX) ** 2, rel=0.05)
    rows, columns = np.nonzero(bright)
    middle = (np.array([columns.mean(), rows.mean()]) + 0.5) / CELL_PX
    assert middle == pytest.approx(corners.mean(axis=0), abs=0.1)


def test_parts_of_the_table_outside_the_picture_are_not_seen() -> None:
    image = np.full((700, 1000, 3), 60, np.uint8)
    view = view_table(image, TWO_BOARDS, CELL_PX)
    assert view.seen.shape == view.picture.shape[:2]
    rows, columns = np.nonzero(view.seen)
    shown = view.to_image((np.stack([columns, rows], axis=1) + 0.5) / CELL_PX)
    assert (shown > -1).all()
    assert (shown < [1000, 700]).all()
    assert 0.3 < view.seen.mean() < 1.0


def test_boards_are_told_in_the_view() -> None:
    view = view_table(np.zeros((700, 1000, 3), np.uint8), TWO_BOARDS, CELL_PX)
    for grid, board in zip(view.boards, TWO_BOARDS, strict=True):
        assert view.to_image(grid) == pytest.approx(board(GRID_CORNERS), abs=0.01)


def test_a_slanted_view_ends_before_the_horizon() -> None:
    steep = Homography(np.array([[24.0, 0.0, 300.0], [0.0, 24.0, 300.0], [0.0, -0.05, 1.0]]))
    view = view_table(np.zeros((700, 1000, 3), np.uint8), [steep], CELL_PX)
    assert max(view.picture.shape) < 90 * CELL_PX


def test_a_tiny_picture_shows_the_boards_alone() -> None:
    tiny = [Homography(np.diag([0.2, 0.2, 1.0]) @ board.matrix) for board in TWO_BOARDS]
    view = view_table(np.zeros((140, 200, 3), np.uint8), tiny, CELL_PX)
    for grid, board in zip(view.boards, tiny, strict=True):
        assert view.to_image(grid) == pytest.approx(board(GRID_CORNERS), abs=0.01)
        assert grid.min() > 0
        assert grid.max() < max(view.picture.shape) / CELL_PX


def test_a_shift_is_kept() -> None:
    moved = [board.after(translation(1.0, 0.0)) for board in TWO_BOARDS[:1]]
    assert table_plane(moved)([0.0, 0.0]) == pytest.approx(CAMERA([1.0, 0.0]))


def test_the_black_corners_of_a_straightened_picture_are_not_seen() -> None:
    """A black spot on the table is."""
    image = np.full((700, 1000, 3), 60, np.uint8)
    cv2.fillPoly(image, [np.array([[0, 0], [0, 120], [200, 0]], np.int32)], (0, 0, 0))
    cv2.circle(image, (500, 350), 12, (0, 0, 0), -1)
    view = view_table(image, TWO_BOARDS, CELL_PX)

    def seen(x: float, y: float) -> bool:
        column, row = np.floor(view.to_image.inverse([[x, y]])[0] * CELL_PX).astype(int)
        return bool(view.seen[row, column])

    assert not seen(40.0, 40.0)
    assert not seen(10.0, 100.0)
    assert seen(500.0, 350.0)
    assert seen(160.0, 80.0)


BOARDS = {
    1: Homography(np.array([[20.0, 1.0, 30.0], [-1.0, 20.0, 60.0], [0.0, 0.0, 1.0]])),
    2: Homography(np.array([[20.0, -1.0, 420.0], [1.0, 20.0, 50.0], [0.0, 0.0, 1.0]])),
}
NUDGE = Homography(np.array([[1.0, 0.02, 12.0], [-0.02, 1.0, -7.0], [1e-5, 0.0, 1.0]]))
SLID = Homography(np.array([[1.0, 0.0, 8.0], [0.0, 1.0, 3.0], [0.0, 0.0, 1.0]]))
POINTS = np.array([[10.0, 20.0], [320.0, 240.0]])


def test_a_table_at_rest_has_not_moved() -> None:
    shift = table_shift(BOARDS, BOARDS)
    assert shift is not None
    assert np.allclose(shift(POINTS), POINTS)


def test_a_nudged_camera_moves_everything_as_one() -> None:
    shift = table_shift(BOARDS, {seat: NUDGE.after(place) for seat, place in BOARDS.items()})
    assert shift is not None
    assert np.allclose(shift(POINTS), NUDGE(POINTS), atol=0.01)


def test_a_board_that_slides_leaves_the_rest_where_it_is() -> None:
    shift = table_shift(BOARDS, {1: SLID.after(BOARDS[1]), 2: BOARDS[2]})
    assert shift is not None
    assert np.allclose(shift(POINTS), POINTS)


def test_boards_that_moved_separately_have_no_common_shift() -> None:
    assert table_shift(BOARDS, {1: SLID.after(BOARDS[1]), 2: NUDGE.after(BOARDS[2])}) is None


def test_one_board_tells_only_that_nothing_has_moved() -> None:
    assert table_shift(BOARDS, {1: BOARDS[1]}) is not None
    assert table_shift(BOARDS, {1: NUDGE.after(BOARDS[1])}) is None
    assert table_shift(BOARDS, {}) is None
