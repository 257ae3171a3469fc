"""Test homographies and rectified views."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.geometry import (
    CELL_PX,
    CELLS_TO_VIEW,
    GRID_CORNERS,
    SIDE,
    VIEW_PX,
    FailedFit,
    Homography,
    cell_window,
    cells_in_frame,
    fit_homography,
    rectify,
    through_corners,
    translation,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tests.vision.conftest import Scenes

SQUARE = np.array([[0.0, 0.0], [600.0, 0.0], [600.0, 600.0], [0.0, 600.0]])
SHEARED = Homography(np.array([[1.1, 0.2, 30.0], [-0.1, 0.9, 12.0], [2e-4, 1e-4, 1.0]]))

steady = settings(deadline=None, derandomize=True)
_offsets = st.lists(st.floats(-120, 120), min_size=8, max_size=8)
_quads = _offsets.map(lambda offsets: SQUARE + np.array(offsets).reshape(4, 2))
maps = _quads.map(lambda quad: through_corners(SQUARE, quad))
points = st.lists(st.tuples(st.floats(0, 600), st.floats(0, 600)), min_size=1, max_size=8).map(np.array)


@steady
@given(quad=_quads)
def test_four_corners_land_on_the_four_given(quad: NDArray[np.float64]) -> None:
    np.testing.assert_allclose(through_corners(SQUARE, quad)(SQUARE), quad, atol=2e-3)


@steady
@given(there=maps, places=points)
def test_the_inverse_leads_back_from_either_side(there: Homography, places: NDArray[np.float64]) -> None:
    np.testing.assert_allclose(there.inverse(there(places)), places, atol=1e-6)
    np.testing.assert_allclose(there(there.inverse(there(places))), there(places), atol=1e-6)


@steady
@given(first=maps, second=maps, places=points)
def test_one_after_another_is_one_map(first: Homography, second: Homography, places: NDArray[np.float64]) -> None:
    # Near the second map's horizon rounding errors are unbounded.
    depth = np.c_[first(places), np.ones(len(places))] @ second.matrix[2]
    far = np.abs(depth) > 0.1
    np.testing.assert_allclose(second.after(first)(places[far]), second(first(places[far])), atol=1e-6, rtol=1e-9)


@pytest.mark.parametrize("shape", [(2,), (5, 2), (3, 4, 2)])
def test_points_keep_their_shape(shape: tuple[int, ...]) -> None:
    places = np.arange(np.prod(shape), dtype=np.float64).reshape(shape)
    assert translation(3, -4)(places).shape == shape
    np.testing.assert_allclose(translation(3, -4)(places), places + np.array([3, -4]))


def test_points_may_be_whole_numbers_and_plain_lists() -> None:
    assert translation(0.5, 1)([[1, 2], [3, 4]]).tolist() == [[1.5, 3.0], [3.5, 5.0]]


def test_no_points_are_no_trouble() -> None:
    assert translation(1, 1)(np.empty((0, 2))).shape == (0, 2)


def test_residuals_are_distances_in_the_target_plane() -> None:
    doubled = Homography(np.diag([2.0, 2.0, 1.0]))
    np.testing.assert_allclose(doubled.residuals([[1, 1], [2, 3]], [[2, 2], [7, 10]]), [0.0, 5.0])


@steady
@given(truth=maps, seed=st.integers(0, 2**32 - 1))
def test_a_fit_leaves_out_the_points_that_are_wrong(truth: Homography, seed: int) -> None:
    rng = np.random.default_rng(seed)
    source = rng.uniform(0, 600, (24, 2))
    target = truth(source)
    target[:6] += rng.uniform(30, 90, (6, 2))
    fitted = fit_homography(source, target, 3.0)
    assert isinstance(fitted, Homography)
    assert fitted.residuals(SQUARE, truth(SQUARE)).max() < 0.1
    again = fit_homography(source, target, 3.0)
    assert isinstance(again, Homography)
    np.testing.assert_array_equal(fitted.matrix, again.matrix)


@steady
@given(truth=maps, seed=st.integers(0, 2**32 - 1))
def test_points_that_fit_about_as_well_as_they_must_all_count(truth: Homography, seed: int) -> None:
    """A curled sheet deviates by up to the tolerance: the fit must not jump with the noise of single points."""
    rng = np.random.default_rng(seed)
    source = rng.uniform(0, 600, (16, 2))
    curled = truth(source) + rng.uniform(-1.5, 1.5, (16, 2))
    one, other = (fit_homography(source, curled + rng.normal(0, 0.02, (16, 2)), 5.0) for _ in range(2))
    assert isinstance(one, Homography)
    assert isinstance(other, Homography)
    assert one.residuals(source, other(source)).max() < 0.5


def test_three_points_fit_nothing() -> None:
    fitted = fit_homography(SQUARE[:3], SQUARE[:3], 1.0)
    assert not fitted
    assert isinstance(fitted, FailedFit)
    assert fitted.reason == "3 point pairs, at least 4 are needed"


@pytest.mark.parametrize("target", ["in a row", "on one spot"])
def test_points_that_span_no_plane_fit_nothing(target: str) -> None:
    steps = np.arange(8.0)
    squeezed = np.column_stack([steps, steps]) if target == "in a row" else np.full((8, 2), 5.0)
    source = np.random.default_rng(4).uniform(0, 100, (8, 2))
    for pair in [(source, squeezed), (squeezed, source), (squeezed, squeezed)]:
        fitted = fit_homography(*pair, 1.0)
        assert isinstance(fitted, FailedFit), pair
        assert fitted.reason == "no homography explains the points"


def test_corners_squeezed_to_a_line_have_no_way_back_and_fit_nothing() -> None:
    # OpenCV fits them, with a matrix that cannot be inverted.
    for line in ([[0, 0], [1, 1], [2, 2], [3, 3]], [[0, 0], [1, 1], [2, 2], [9, 3]]):
        assert isinstance(fit_homography(SQUARE, line, 3.0), FailedFit)


def test_a_homography_is_truthy_and_a_failed_fit_is_not() -> None:
    assert bool(SHEARED)
    assert not bool(FailedFit("whatever"))


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


def test_pixels_outside_the_frame_repeat_its_edge() -> None:
    half_seen = np.full((40, 60, 3), 200, np.uint8)
    half_seen[:, :2] = 30
    view = rectify(half_seen, translation(-100, 0).after(CELLS_TO_VIEW))
    assert (view[:30, :100] == 30).all()
    assert (view[:, 170:] == 200).all()


@settings(max_examples=25, deadline=None, derandomize=True)
@given(quad=st.lists(st.floats(-350, 350), min_size=8, max_size=8), shift=st.floats(-500, 700))
def test_each_value_of_a_view_is_that_of_the_frame_s_own_channels(quad: list[float], shift: float) -> None:
    frame = np.random.default_rng(1).integers(0, 256, (360, 500, 3), np.uint8)
    place = through_corners(GRID_CORNERS, CORNERS_PX + np.array(quad).reshape(4, 2) / 8 + shift)
    matrix = CELLS_TO_VIEW.after(place.inverse).matrix
    view = cv2.warpPerspective(frame, matrix, (VIEW_PX, VIEW_PX), borderMode=cv2.BORDER_REPLICATE)
    np.testing.assert_array_equal(rectify(frame, place), view)


def test_a_view_that_the_horizon_crosses_is_that_of_the_whole_frame() -> None:
    frame = np.random.default_rng(2).integers(0, 256, (90, 120, 3), np.uint8)
    place = Homography(np.array([[6.0, 0, 20], [0, 6.0, 10], [0.2, 0, 1.0]]))
    matrix = CELLS_TO_VIEW.after(place.inverse).matrix
    view = cv2.warpPerspective(frame, matrix, (VIEW_PX, VIEW_PX), borderMode=cv2.BORDER_REPLICATE)
    np.testing.assert_array_equal(rectify(frame, place), view)


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
