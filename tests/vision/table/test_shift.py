"""Test estimating how the table has moved in the picture."""

from __future__ import annotations

import numpy as np

from vision.geometry.homography import Homography
from vision.table.shift import table_shift

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


def test_where_both_have_moved_each_its_own_way_nothing_is_told() -> None:
    assert table_shift(BOARDS, {1: SLID.after(BOARDS[1]), 2: NUDGE.after(BOARDS[2])}) is None


def test_one_board_tells_only_that_nothing_has_moved() -> None:
    assert table_shift(BOARDS, {1: BOARDS[1]}) is not None
    assert table_shift(BOARDS, {1: NUDGE.after(BOARDS[1])}) is None
    assert table_shift(BOARDS, {}) is None
