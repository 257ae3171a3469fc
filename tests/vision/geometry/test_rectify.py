from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.geometry.homography import translation
from vision.geometry.rectify import (
    CELL_PX,
    CELLS_TO_VIEW,
    GRID_CORNERS,
    SIDE,
    VIEW_PX,
    cell_window,
    cells_in_frame,
    rectify,
)

if TYPE_CHECKING:
    from tests.vision.conftest import Scenes

CORNERS_PX = np.array([[110.0, 70.0], [395.0, 84.0], [402.0, 366.0], [96.0, 350.0]])


def test_a_view_seen_as_it_is_stays_as_it_is(scenes: type[Scenes]) -> None:
    board = scenes.board()
    np.testing.assert_array_equal(rectify(board, CELLS_TO_VIEW), board)


@settings(max_examples=15, deadline=None, derandomize=True)
@given(offsets=st.lists(st.floats(-25, 25), min_size=8, max_size=8))
def test_rectifying_undoes_the_camera(scenes: type[Scenes], offsets: list[float]) -> None:
    soft = cv2.GaussianBlur(scenes.board(), (0, 0), 3.0)
    place = scenes.placement(CORNERS_PX + np.array(offsets).reshape(4, 2))
    view = rectify(scenes.frame(np.asarray(soft, np.uint8), place), place)
    inside = slice(CELL_PX * 2, -CELL_PX * 2)
    assert view.shape == (VIEW_PX, VIEW_PX, 3)
    assert view.dtype == np.uint8
    assert np.abs(view[inside, inside].astype(int) - soft[inside, inside]).max() <= 6


def test_a_shift_of_one_cell_shows_every_cell_in_its_neighbours_place(scenes: type[Scenes]) -> None:
    board = scenes.board(3)
    view = rectify(board, CELLS_TO_VIEW.after(translation(1, 0)))
    np.testing.assert_array_equal(view[:, :-CELL_PX], board[:, CELL_PX:])


def test_what_lies_outside_the_frame_repeats_its_edge() -> None:
    half_seen = np.full((40, 60, 3), 200, np.uint8)
    half_seen[:, :2] = 30
    view = rectify(half_seen, translation(-100, 0).after(CELLS_TO_VIEW))
    assert (view[:30, :100] == 30).all()
    assert (view[:, 170:] == 200).all()


def test_cell_windows_tile_the_view_around_their_middles() -> None:
    covered = np.zeros((VIEW_PX, VIEW_PX), int)
    for row in range(-1, SIDE + 1):
        for column in range(-1, SIDE + 1):
            rows, columns = cell_window(row, column, 0)
            covered[rows, columns] += 1
            middle = CELLS_TO_VIEW([column + 0.5, row + 0.5])
            assert middle[0] == pytest.approx((columns.start + columns.stop - 1) / 2)
            assert middle[1] == pytest.approx((rows.start + rows.stop - 1) / 2)
    assert covered.sum() == (SIDE + 2) ** 2 * CELL_PX**2
    assert covered.max() == 1


def test_an_inset_takes_as_much_from_every_side() -> None:
    (rows, columns), (inner_rows, inner_columns) = cell_window(4, 2, 0), cell_window(4, 2, 5)
    assert (inner_rows.start - rows.start, rows.stop - inner_rows.stop) == (5, 5)
    assert (inner_columns.start - columns.start, columns.stop - inner_columns.stop) == (5, 5)


def test_the_grids_corners_are_a1_i1_i9_a9() -> None:
    assert GRID_CORNERS.tolist() == [[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]]


def test_cells_beyond_the_frame_are_told_from_those_within() -> None:
    place = CELLS_TO_VIEW  # a frame that shows one and a half cells around the grid
    assert cells_in_frame(place, VIEW_PX, VIEW_PX).all()
    right_cut = cells_in_frame(place, VIEW_PX - 2 * CELL_PX, VIEW_PX)
    assert right_cut[:, :-2].all()
    assert not right_cut[:, -2:].any()
    low_cut = cells_in_frame(place, VIEW_PX, VIEW_PX - CELL_PX)
    assert low_cut[:-1].all()
    assert not low_cut[-1].any()
