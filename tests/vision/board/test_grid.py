"""Test finding a partly covered grid to a few hundredths of a cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.board.grid import GridFit, fit_covered_grid, fit_grid, fit_shown_grid, lines_between
from vision.geometry import GRID_CORNERS, SIDE, FailedFit, Homography, rectify, through_corners, translation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tests.vision.conftest import Scenes

EVERYWHERE = np.stack(np.meshgrid(np.arange(SIDE + 1.0), np.arange(SIDE + 1.0)), axis=-1).reshape(-1, 2)
DARK, LIGHT = 0.72, 1.25
_disturbances = st.lists(st.floats(-0.24, 0.24), min_size=8, max_size=8).map(np.array)


def _disturbed(place: Homography, offsets: NDArray[np.float64]) -> Homography:
    """Return a guess whose corners are off by a distance in cells."""
    return place.after(through_corners(GRID_CORNERS, GRID_CORNERS + offsets.reshape(4, 2)))


def _error_cells(fitted: GridFit | FailedFit, place: Homography) -> float:
    assert isinstance(fitted, GridFit), fitted
    return float(place.inverse.after(fitted.cells_to_image).residuals(EVERYWHERE, EVERYWHERE).max())


@settings(max_examples=20, deadline=None, derandomize=True)
@given(offsets=_disturbances, line=st.sampled_from([DARK, LIGHT]), seed=st.integers(0, 99))
def test_a_guess_up_to_a_quarter_cell_off_is_put_right(
    scenes: type[Scenes], offsets: NDArray[np.float64], line: float, seed: int
) -> None:
    place = scenes.placement()
    frame = scenes.noisy(scenes.frame(scenes.board(seed, line=line), place), seed)
    fitted = fit_grid(frame, _disturbed(place, offsets))
    assert _error_cells(fitted, place) < 0.05
    assert isinstance(fitted, GridFit)
    assert fitted.support > 0.9
    assert fitted.residual_cells < 0.02


def test_a_right_guess_stays_right(scenes: type[Scenes]) -> None:
    place = scenes.placement()
    assert _error_cells(fit_grid(scenes.frame(scenes.board(), place), place), place) < 0.03


@pytest.mark.parametrize("line", [DARK, LIGHT])
def test_light_from_one_side_does_not_move_the_grid(scenes: type[Scenes], line: float) -> None:
    place = scenes.placement()
    frame = scenes.lit(scenes.frame(scenes.board(1, line=line), place), 0.8, slope=0.8)
    assert _error_cells(fit_grid(frame, _disturbed(place, np.full(8, 0.15))), place) < 0.05


def test_patches_that_hide_lines_do_not_move_the_grid(scenes: type[Scenes]) -> None:
    place = scenes.placement()
    view = scenes.lay(scenes.board(), [(0, 0), (0, 1), (1, 1), (1, 2)], nudge_px=(3, -3))
    view = scenes.lay(view, [(5, 5), (5, 6), (6, 5), (6, 6), (7, 5)], 2, nudge_px=(-4, 2))
    fitted = fit_grid(scenes.frame(view, place), _disturbed(place, np.tile([0.1, -0.12], 4)))
    assert _error_cells(fitted, place) < 0.05
    assert isinstance(fitted, GridFit)
    assert fitted.support < 0.95


@pytest.mark.parametrize("speckle", [0.0, 0.06, 0.2])
@pytest.mark.parametrize("seed", range(6))
def test_a_board_without_lines_cannot_be_fitted(scenes: type[Scenes], speckle: float, seed: int) -> None:
    place = scenes.placement()
    frame = scenes.noisy(scenes.frame(scenes.board(seed, line=None, speckle=speckle), place), seed)
    fitted = fit_grid(frame, place)
    assert not fitted
    assert isinstance(fitted, FailedFit)
    assert "of the printed grid" in fitted.reason


@pytest.mark.parametrize("width_px", [1, 2, 4, 5])
@pytest.mark.parametrize("line", [DARK, LIGHT])
def test_lines_of_every_width_are_seen_whole(scenes: type[Scenes], width_px: int, line: float) -> None:
    place = scenes.placement()
    view = scenes.board(3, line=line, line_px=width_px, speckle=0.03)
    fitted = fit_grid(scenes.frame(view, place), _disturbed(place, np.tile([-0.2, 0.15], 4)))
    assert _error_cells(fitted, place) < 0.05
    assert isinstance(fitted, GridFit)
    assert fitted.support > 0.95


def test_faint_lines_and_a_guess_at_its_worst_are_fitted(scenes: type[Scenes]) -> None:
    place = scenes.placement()
    worst = np.array([0.24, 0.24, -0.24, 0.24, -0.24, -0.24, 0.24, -0.24])
    for seed in range(8):
        frame = scenes.noisy(scenes.frame(scenes.board(seed, line=0.9, line_px=1), place), seed)
        for turned in (worst, -worst, np.roll(worst, 2)):
            assert _error_cells(fit_grid(frame, _disturbed(place, turned)), place) < 0.05


def test_a_picture_of_one_colour_cannot_be_fitted(scenes: type[Scenes]) -> None:
    fitted = fit_grid(np.full((440, 520, 3), 120, np.uint8), scenes.placement())
    assert isinstance(fitted, FailedFit)
    assert fitted.reason == "only 0 of 180 segments of the printed grid can be seen"


def test_the_support_is_the_share_of_segments_that_are_there(scenes: type[Scenes]) -> None:
    place = scenes.placement()
    lined, bare = scenes.board(4), scenes.board(4, line=None)
    half = lined.copy()
    half[230:] = bare[230:]  # rows 6 to 9 lose their lines
    whole_fit, half_fit = fit_grid(scenes.frame(lined, place), place), fit_grid(scenes.frame(half, place), place)
    assert isinstance(whole_fit, GridFit)
    assert isinstance(half_fit, GridFit)
    assert whole_fit.support > 0.95
    assert 0.5 < half_fit.support < 0.8


PATCHES = (
    [(0, 0), (0, 1), (1, 0), (1, 1)],
    [(3, 3), (3, 4), (3, 5), (4, 4)],
    [(8, 0), (8, 1), (8, 2), (7, 2)],
    [(5, 7), (6, 7), (7, 7), (7, 8)],
    [(0, 6), (0, 7), (0, 8), (1, 8)],
)


def _worst(found: Homography, true: Homography) -> float:
    """Return the greatest error of the four corners, in cells."""
    return float(found.residuals(GRID_CORNERS, true(GRID_CORNERS)).max() / 31.5)


def _covered(scenes: type[Scenes], patches: int) -> NDArray[np.uint8]:
    view = scenes.board()
    for seed, cells in enumerate(PATCHES[:patches], start=1):
        view = scenes.lay(view, cells, seed)
    return view


@pytest.mark.parametrize("patches", [0, 3, 5])
@pytest.mark.parametrize("off", [(0.0, 0.0), (0.15, -0.1), (-0.2, 0.2)])
def test_a_board_that_lies_beside_its_frame(scenes: type[Scenes], patches: int, off: tuple[float, float]) -> None:
    true = scenes.placement()
    image = scenes.noisy(scenes.frame(_covered(scenes, patches), true), seed=1)
    guess = true.after(translation(*off))
    found, support = fit_covered_grid(image, guess)
    assert _worst(found, true) < 0.06
    assert support > 0.5


def test_light_lines_do_as_well(scenes: type[Scenes]) -> None:
    true = scenes.placement()
    image = scenes.frame(scenes.board(line=1.3), true)
    found, support = fit_covered_grid(image, true.after(translation(0.1, 0.1)))
    assert _worst(found, true) < 0.05
    assert support > 0.8


def test_a_guess_is_bent_no_further_than_a_hand_errs(scenes: type[Scenes]) -> None:
    """Without visible lines the guess stays."""
    true = scenes.placement()
    image = scenes.noisy(scenes.frame(scenes.board(line=None), true), seed=2)
    found, support = fit_covered_grid(image, true)
    assert _worst(found, true) < 0.25
    assert support < 0.4


def test_more_freedom_follows_a_guess_that_is_turned(scenes: type[Scenes]) -> None:
    true = scenes.placement()
    image = scenes.frame(_covered(scenes, 3), true)
    corners = [[0.1, -0.1], [9.1, 0.1], [8.9, 9.1], [-0.1, 8.9]]
    turned = true.after(through_corners(GRID_CORNERS, corners))
    found, _ = fit_covered_grid(image, turned, freedom=1.5)
    assert _worst(found, true) < 0.06


@pytest.mark.parametrize(
    ("corner", "astray"),
    [
        (0, (0.0, 0.0)),
        (0, (0.8, 0.3)),
        (0, (-0.2, -1.1)),
        (1, (-0.6, 0.9)),
        (2, (-0.2, -1.1)),
        (2, (0.8, 0.3)),
        (3, (0.8, 0.3)),
    ],
)
def test_a_corner_that_people_show_a_cell_off_is_put_right(
    scenes: type[Scenes], corner: int, astray: tuple[float, float]
) -> None:
    true = scenes.placement()
    image = scenes.noisy(scenes.frame(_covered(scenes, 5), true), seed=1)
    shown = np.array(GRID_CORNERS, np.float64)
    shown[corner] += astray
    assert _worst(fit_shown_grid(image, true.after(through_corners(GRID_CORNERS, shown))), true) < 0.06


def test_corners_that_people_show_are_believed_where_no_line_is_seen(scenes: type[Scenes]) -> None:
    true = scenes.placement()
    image = scenes.noisy(scenes.frame(scenes.board(line=None), true), seed=2)
    assert _worst(fit_shown_grid(image, true), true) < 0.25


@pytest.mark.parametrize("line", [DARK, LIGHT])
def test_the_lines_between_bare_cells_are_seen_unless_they_are_blurred(scenes: type[Scenes], line: float) -> None:
    place, bare = scenes.placement(), np.ones((SIDE, SIDE), np.bool_)
    bare[:, 4] = False
    frame = scenes.frame(scenes.board(1, line=line), place)
    seen, all_between = lines_between(rectify(frame, place), bare)
    # 6 of 8 lines in each of 9 rows, and 8 lines in each of 8 columns.
    assert all_between == 6 * 9 + 8 * 8
    assert seen > 0.95 * all_between
    view = np.asarray(cv2.GaussianBlur(rectify(frame, place), (0, 0), 12.0), np.uint8)
    blurred, all_between = lines_between(view, bare)
    assert blurred < 0.7 * all_between
