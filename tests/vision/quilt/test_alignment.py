from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.geometry import CELLS_TO_VIEW, GRID_CORNERS, SIDE, VIEW_PX, FailedFit, Homography, translation
from vision.quilt.alignment import REACH_PX, Alignment, align, carried, far_move, find_pushed, likeness
from vision.quilt.look import look_at

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tests.vision.conftest import Scenes

CORNERS = CELLS_TO_VIEW(GRID_CORNERS)
MIDDLE = CELLS_TO_VIEW([SIDE / 2, SIDE / 2])


def _seen(view: NDArray[np.uint8]) -> NDArray[np.float32]:
    return np.asarray(np.log(view.astype(np.float32) + 6).mean(axis=2), np.float32)


def _similarity(turn_deg: float, size: float, x: float, y: float) -> Homography:
    about = cv2.getRotationMatrix2D((float(MIDDLE[0]), float(MIDDLE[1])), turn_deg, size)
    return translation(x, y).after(Homography(np.vstack([about, [0.0, 0.0, 1.0]])))


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    turn_deg=st.floats(-0.8, 0.8),
    size=st.floats(0.99, 1.01),
    x=st.floats(-4.5, 4.5),
    y=st.floats(-4.5, 4.5),
    seed=st.integers(0, 99),
)
def test_a_nudge_within_reach_is_found(
    scenes: type[Scenes], turn_deg: float, size: float, x: float, y: float, seed: int
) -> None:
    board, motion = scenes.board(seed), _similarity(turn_deg, size, x, y)
    aligned = align(_seen(scenes.noisy(scenes.moved(board, motion), seed)), _seen(board))
    assert isinstance(aligned, Alignment), aligned
    assert aligned.motion.residuals(CORNERS, motion(CORNERS)).max() < 0.6
    assert aligned.shift_px == pytest.approx(np.hypot(x, y), abs=0.3)
    assert aligned.share > 0.8
    assert aligned.agreeing >= 40


def test_a_board_at_rest_has_not_moved(scenes: type[Scenes]) -> None:
    board = _seen(scenes.board())
    aligned = align(board, board)
    assert isinstance(aligned, Alignment)
    assert aligned.motion.residuals(CORNERS, CORNERS).max() < 0.05
    assert aligned.share == 1.0


def test_the_motion_leads_from_the_remembered_view_to_the_current_one(scenes: type[Scenes]) -> None:
    board = scenes.board(2)
    aligned = align(_seen(np.roll(board, (2, 5), axis=(0, 1))), _seen(board))
    assert isinstance(aligned, Alignment)
    np.testing.assert_allclose(aligned.motion(MIDDLE) - MIDDLE, [5, 2], atol=0.1)


def test_another_exposure_and_light_from_one_side_change_nothing(scenes: type[Scenes]) -> None:
    board = scenes.board(5)
    lit = scenes.lit(scenes.moved(board, translation(3, -2)), 0.6, slope=0.6)
    aligned = align(_seen(lit), _seen(board))
    assert isinstance(aligned, Alignment)
    np.testing.assert_allclose(aligned.motion(CORNERS) - CORNERS, np.full((4, 2), [3, -2]), atol=0.4)


def test_patches_laid_since_do_not_disturb(scenes: type[Scenes]) -> None:
    board = scenes.board(6)
    laid = scenes.lay(board, [(row, column) for row in range(3, 7) for column in range(2, 6)])
    aligned = align(_seen(scenes.moved(laid, translation(-4, 3))), _seen(board))
    assert isinstance(aligned, Alignment)
    np.testing.assert_allclose(aligned.motion(CORNERS) - CORNERS, np.full((4, 2), [-4, 3]), atol=0.4)
    assert aligned.share < 0.9


@pytest.mark.parametrize("seed", range(6))
def test_another_picture_is_no_motion(scenes: type[Scenes], seed: int) -> None:
    aligned = align(_seen(scenes.board(seed, line=None)), _seen(scenes.board(seed + 100, line=None)))
    assert not aligned
    assert isinstance(aligned, FailedFit)
    assert aligned.reason.startswith("only ")


def test_a_move_beyond_reach_is_no_motion(scenes: type[Scenes]) -> None:
    board = scenes.board(1, line=None)
    far = REACH_PX * 2
    aligned = align(_seen(np.roll(board, (far, far), axis=(0, 1))), _seen(board))
    assert isinstance(aligned, FailedFit)


def test_a_flat_memory_holds_nothing_to_look_for(scenes: type[Scenes]) -> None:
    flat = np.full((VIEW_PX, VIEW_PX), 4.5, np.float32)
    aligned = align(_seen(scenes.board()), flat)
    assert isinstance(aligned, FailedFit)
    assert aligned.reason == "only 0 of 0 tiles were found again"


def test_a_dead_picture_shows_no_board(scenes: type[Scenes]) -> None:
    black = np.full((VIEW_PX, VIEW_PX), np.log(6.0), np.float32)
    assert isinstance(align(black, _seen(scenes.board())), FailedFit)


def test_tiles_that_contradict_each_other_agree_on_nothing(scenes: type[Scenes]) -> None:
    board = scenes.board(7, line=None)
    torn = board.copy()
    rng = np.random.default_rng(7)
    for top in range(0, VIEW_PX, 32):
        for left in range(0, VIEW_PX, 32):
            down, right = rng.integers(-5, 6, 2)
            rows = np.clip(np.arange(top, top + 32) + down, 0, VIEW_PX - 1)
            columns = np.clip(np.arange(left, left + 32) + right, 0, VIEW_PX - 1)
            torn[top : top + 32, left : left + 32] = board[np.ix_(rows, columns)]
    aligned = align(_seen(torn), _seen(board))
    assert isinstance(aligned, FailedFit)
    assert aligned.reason.endswith("tiles agree on how the board moved")


@pytest.mark.parametrize(("x", "y"), [(20.0, -14.0), (-38.0, 6.0), (0.0, 32.0), (44.0, 44.0), (0.0, 0.0)])
@pytest.mark.parametrize("seed", [3, 8])
def test_a_far_move_is_guessed_well_enough_to_be_aligned(scenes: type[Scenes], x: float, y: float, seed: int) -> None:
    board = scenes.board(seed)
    for cells in ([(1, 1), (1, 2), (2, 2)], [(6, 3), (6, 4), (7, 4), (7, 5)], [(3, 7), (4, 7), (5, 7)]):
        board = scenes.lay(board, cells, print_seed=seed + len(cells))
    guess = far_move(_seen(scenes.noisy(scenes.moved(board, translation(x, y)), seed)), _seen(board))
    assert guess is not None
    assert guess == pytest.approx((x, y), abs=REACH_PX - 4)


def test_a_quilt_out_of_view_has_no_alignment(scenes: type[Scenes]) -> None:
    other = np.random.default_rng(1).normal(4.0, 0.3, (VIEW_PX, VIEW_PX)).astype(np.float32)
    assert far_move(other, _seen(scenes.board(3))) is None


def _pushed(view: NDArray[np.uint8], motion: Homography) -> NDArray[np.uint8]:
    """Return a view in which the board has moved on a plain table that has not."""
    grid = np.zeros((VIEW_PX, VIEW_PX), np.uint8)
    grid[40:-40, 40:-40] = 255
    moved, mask = (cv2.warpPerspective(each, motion.matrix, (VIEW_PX, VIEW_PX)) for each in (view, grid))
    table = np.full_like(view, 120)
    table[::16] = 60
    return np.where(mask[..., None] > 0, moved, table)


@settings(max_examples=12, deadline=None, derandomize=True)
@given(turn_deg=st.floats(-4, 4), x=st.floats(-24, 24), y=st.floats(-24, 24), seed=st.integers(0, 3))
def test_a_board_that_is_pushed_and_turned_is_found_though_the_table_stays(
    scenes: type[Scenes], turn_deg: float, x: float, y: float, seed: int
) -> None:
    motion = _similarity(turn_deg, 1.0, x, y)
    board = scenes.board(seed)
    before = look_at(_pushed(board, translation(0.0, 0.0)))
    after = look_at(scenes.lay(_pushed(board, motion), [(3, 3), (3, 4), (4, 4)], seed))
    found = find_pushed(after.structure, before.structure)
    assert found is not None
    assert found[0].residuals(CELLS_TO_VIEW(GRID_CORNERS), motion(CELLS_TO_VIEW(GRID_CORNERS))).max() < 1.0
    assert found[1] > 0.5


def test_a_board_is_like_itself_in_its_place_only(scenes: type[Scenes]) -> None:
    look = look_at(scenes.board(1))
    assert likeness(look.structure, look.structure) == pytest.approx(1.0, abs=0.01)
    assert likeness(carried(look.structure, translation(5.0, 0.0)), look.structure) < 0.5


def test_nothing_is_found_in_a_dead_picture(scenes: type[Scenes]) -> None:
    board, dead = look_at(scenes.board(1)), look_at(np.full((VIEW_PX, VIEW_PX, 3), 90, np.uint8))
    assert find_pushed(dead.structure, board.structure) is None


def test_blank_parts_of_the_expected_look_lower_no_likeness(scenes: type[Scenes]) -> None:
    look = look_at(scenes.board(1))
    covered = look.structure.copy()
    covered[:, VIEW_PX // 2 :] = 0.0
    assert likeness(look.structure, covered) > 0.9
    assert likeness(look.structure, np.zeros_like(look.structure)) == 0.0
