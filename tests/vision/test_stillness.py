"""Test the detection of pictures at rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.geometry import VIEW_PX, Homography, cell_window, translation
from vision.stillness import StabilityGate, Stillness, Unrest, averaged, is_blank, shows_the_same

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tests.vision.conftest import Scenes


def test_the_mean_of_a_rest_has_less_noise(scenes: type[Scenes]) -> None:
    board = scenes.board()
    rest = [scenes.noisy(board, seed, 6.0) for seed in range(4)]
    noise = [np.abs(view.astype(float) - board).mean() for view in (rest[-1], averaged(rest))]
    assert noise[1] < 0.6 * noise[0]


@pytest.mark.parametrize("deviation", [1.0, 6.0, 12.0])
def test_a_patch_ends_what_is_averaged(scenes: type[Scenes], deviation: float) -> None:
    board = scenes.board()
    laid = scenes.lay(board, [(4, 4)])
    views = [scenes.noisy(board, 1, deviation), scenes.noisy(board, 2, deviation), scenes.noisy(laid, 3, deviation)]
    np.testing.assert_array_equal(averaged(views), views[-1])
    assert shows_the_same(views[0], views[1])


def test_a_patch_in_the_boards_own_colour_is_told_by_its_weave(scenes: type[Scenes]) -> None:
    board, other = scenes.board(1, line=None), scenes.board(2, line=None)
    laid = board.copy()
    laid[176:208, 176:208] = other[176:208, 176:208]
    assert not shows_the_same(scenes.noisy(board, 1), scenes.noisy(laid, 2))


def test_a_weave_of_the_same_mean_colour_is_told_by_its_spread_alone(scenes: type[Scenes]) -> None:
    board = scenes.board(1, line=None)
    laid = board.copy()
    for top in (176, 192):
        laid[top : top + 16, 176:208] = board[top : top + 16, 176:208][::-1]
    assert not shows_the_same(scenes.noisy(board, 1), scenes.noisy(laid, 2))


def test_a_shadow_that_moves_on_ends_it_too(scenes: type[Scenes]) -> None:
    board = scenes.board()
    shaded = board.copy()
    shaded[:, :180] = shaded[:, :180] // 2
    assert not shows_the_same(board, shaded)


def test_a_side_that_is_three_levels_lighter_shows_the_same(scenes: type[Scenes]) -> None:
    board = np.full_like(scenes.board(), 128)
    lighter = board.copy()
    lighter[:, :112] += 3
    assert shows_the_same(board, lighter)


def test_one_view_is_itself(scenes: type[Scenes]) -> None:
    board = scenes.board()
    np.testing.assert_array_equal(averaged([board]), board)


def _with_hand(view: NDArray[np.uint8], share: float) -> NDArray[np.uint8]:
    """Return the view with a dark hand over a share of it, from the left."""
    covered = view.copy()
    covered[: VIEW_PX // 2, : round(2 * share * VIEW_PX)] = 20
    return covered


def _swayed(x_px: float, y_px: float, turn_deg: float) -> Homography:
    """Return the motion of a view whose camera's stand sways."""
    turn = cv2.getRotationMatrix2D((VIEW_PX / 2, VIEW_PX / 2), turn_deg, 1.0)
    return translation(x_px, y_px).after(Homography(np.vstack([turn, [0.0, 0.0, 1.0]])))


@settings(max_examples=10, deadline=None, derandomize=True)
@given(needed=st.integers(2, 6), seed=st.integers(0, 99))
def test_a_view_at_rest_settles_with_the_frame_that_completes_the_number(
    scenes: type[Scenes], needed: int, seed: int
) -> None:
    gate, board = StabilityGate(needed), scenes.board(seed)
    told = [gate.watch(scenes.noisy(board, seed + index)) for index in range(needed + 2)]
    assert told == [False] * (needed - 1) + [True] * 3
    assert gate.settled
    assert gate.agreeing == needed + 2


@pytest.mark.parametrize("needed", [1, 0, -3])
def test_fewer_than_two_frames_cannot_agree(needed: int) -> None:
    with pytest.raises(ValueError, match=f"{needed} frames cannot agree, at least 2"):
        StabilityGate(needed)


def test_a_hand_ends_the_rest_and_another_rest_begins_when_it_has_gone(scenes: type[Scenes]) -> None:
    gate, board = StabilityGate(3), scenes.board()
    hand = _with_hand(board, 0.2)
    told = [gate.watch(view) for view in (board, board, board, hand, board, board, board)]
    assert told == [False, False, True, False, False, False, True]


def test_a_hand_that_lies_still_counts_as_rest(scenes: type[Scenes]) -> None:
    gate, hand = StabilityGate(2), _with_hand(scenes.board(), 0.2)
    assert [gate.watch(hand), gate.watch(hand)] == [False, True]


def test_a_rest_ends_by_more_stir_than_lets_it_begin(scenes: type[Scenes]) -> None:
    board = scenes.board()
    small = board.copy()
    small[192:204, 192:204] = 20  # between the two thresholds
    resting, restless = StabilityGate(2), StabilityGate(2)
    resting.watch(board)
    assert resting.watch(board)
    assert resting.watch(small)
    assert resting.watch(board)
    restless.watch(board)
    assert not restless.watch(small)
    assert not restless.watch(board)
    assert restless.agreeing == 1


def test_a_finger_over_the_edge_is_enough_to_end_a_rest(scenes: type[Scenes]) -> None:
    gate, board = StabilityGate(2), scenes.board()
    gate.watch(board)
    assert gate.watch(board)
    assert not gate.watch(_with_hand(board, 0.02))


@pytest.mark.parametrize("gain", [0.75, 1.3])
def test_a_switched_lamp_has_to_settle_again(scenes: type[Scenes], gain: float) -> None:
    gate, board = StabilityGate(2), scenes.board()
    other = scenes.lit(board, gain)
    told = [gate.watch(view) for view in (board, board, other, other)]
    assert told == [False, True, False, True]


def test_drift_and_noise_do_not_end_a_rest(scenes: type[Scenes]) -> None:
    gate, board = StabilityGate(2), scenes.board()
    gate.watch(board)
    assert all(
        gate.watch(scenes.noisy(scenes.lit(board, 1 - 0.04 * (step % 6)), step, deviation=4)) for step in range(1, 6)
    )


@pytest.mark.parametrize("seed", range(3))
def test_a_stand_that_sways_is_no_motion(scenes: type[Scenes], seed: int) -> None:
    board, rng = scenes.lay(scenes.board(), [(2, 2), (2, 3), (5, 5)]), np.random.default_rng(seed)
    gate = StabilityGate(2)
    views = [scenes.noisy(scenes.moved(board, _swayed(*rng.normal(0, (2.0, 2.0, 0.15)))), each) for each in range(6)]
    assert [gate.watch(view) for view in views] == [False, True, True, True, True, True]


def test_a_table_that_is_pushed_is_motion_although_all_of_it_moves(scenes: type[Scenes]) -> None:
    gate, board = StabilityGate(2), scenes.lay(scenes.board(), [(2, 2), (2, 3)])
    assert not gate.watch(board)
    assert not gate.watch(scenes.moved(board, translation(20.0, 4.0)))
    assert gate.unrest is not None


def test_a_hand_under_a_camera_that_sways_is_told(scenes: type[Scenes]) -> None:
    gate, board = StabilityGate(2), scenes.lay(scenes.board(), [(2, 2), (2, 3), (5, 5)])
    gate.watch(board)
    assert gate.watch(scenes.moved(board, _swayed(2.5, -1.5, 0.1)))
    assert not gate.watch(scenes.moved(_with_hand(board, 0.1), _swayed(-1.0, 2.0, -0.1)))
    assert gate.unrest is Unrest.MOTION


def test_a_lens_that_breathes_is_no_motion(scenes: type[Scenes]) -> None:
    gate, board = StabilityGate(2), scenes.lay(scenes.board(), [(2, 2), (2, 3), (5, 5)])
    gate.watch(board)
    for scale, blur_px in ((1.003, 2.0), (0.998, 0.3), (1.0, 1.2)):
        moved = scenes.moved(board, Homography(np.diag([scale, scale, 1.0])))
        assert gate.watch(np.asarray(cv2.GaussianBlur(moved, (0, 0), blur_px), np.uint8))


@pytest.mark.parametrize("strength", [0.07, 0.28])
@pytest.mark.parametrize("bands", [0.6, 1.3, 3.0])
@pytest.mark.parametrize("degrees", [0, 25, 90, 160])
def test_bands_of_flicker_that_wander_are_no_motion(
    scenes: type[Scenes], strength: float, bands: float, degrees: int
) -> None:
    gate, board = StabilityGate(2), scenes.lay(scenes.board(), [(2, 2), (2, 3), (5, 5)])
    y, x = np.indices((VIEW_PX, VIEW_PX)) / VIEW_PX
    across = y * np.cos(np.radians(degrees)) + x * np.sin(np.radians(degrees))
    for each in range(5):
        gain = (1 + strength * np.sin(2 * np.pi * bands * across + 2.1 * each)) ** (1 / 2.2)
        settled = gate.watch(scenes.noisy(np.asarray(np.clip(board * gain[..., None], 0, 255), np.uint8), each))
    assert settled


@pytest.mark.parametrize("degrees", [0, 30, 45, 90])
def test_an_arm_right_across_a_board_is_no_flicker(scenes: type[Scenes], degrees: int) -> None:
    gate, board = StabilityGate(2), scenes.board()
    y, x = np.indices((VIEW_PX, VIEW_PX)) - VIEW_PX / 2
    arm = board.copy()
    arm[np.abs(y * np.cos(np.radians(degrees)) + x * np.sin(np.radians(degrees))) < 35] = (60, 60, 66)
    gate.watch(board)
    assert not gate.watch(arm)
    assert gate.unrest is Unrest.MOTION


def test_a_leather_patch_that_is_laid_is_motion(scenes: type[Scenes]) -> None:
    gate, board = StabilityGate(2), scenes.board()
    laid = board.copy()
    laid[cell_window(4, 4, 0)] = (50, 70, 110)
    told = [gate.watch(scenes.noisy(view, each, 3.0)) for each, view in enumerate((board, board, laid, laid))]
    assert told == [False, True, False, True]


def test_a_patch_that_is_turned_on_the_spot_is_motion(scenes: type[Scenes]) -> None:
    gate, board = StabilityGate(2), scenes.board()
    upright, turned = (scenes.lay(board, cells) for cells in ([(3, 3), (4, 3), (5, 3)], [(4, 2), (4, 3), (4, 4)]))
    gate.watch(upright)
    assert not gate.watch(turned)


def test_a_shadow_that_travels_is_motion(scenes: type[Scenes]) -> None:
    gate, board = StabilityGate(2), scenes.board()

    def shaded(edge_px: int) -> NDArray[np.uint8]:
        across = np.arange(VIEW_PX)[None, :] + 0.5 * np.arange(VIEW_PX)[:, None]
        depth = 0.4 / (1 + np.exp((across - edge_px) / 10))
        return np.asarray(board * (1 - depth[..., None]), np.uint8)

    told = [gate.watch(shaded(edge_px)) for edge_px in (100, 160, 220, 220)]
    assert told == [False, False, False, True]


def test_a_place_that_always_glitters_is_learnt_and_a_hand_still_told(scenes: type[Scenes]) -> None:
    gate, board = StabilityGate(2), scenes.board()

    def glittering(step: int) -> NDArray[np.uint8]:
        view = board.copy()
        view[60:120, 60:120] = np.asarray(view[60:120, 60:120] * (1.0 if step % 2 else 0.82), np.uint8)
        return scenes.noisy(view, step)

    told = [gate.watch(glittering(step)) for step in range(40)]
    assert not told[1]
    assert all(told[-20:])
    assert not gate.watch(_with_hand(board, 0.1))


def test_noise_in_which_no_hand_could_be_seen_is_named() -> None:
    rng, gate, grey = np.random.default_rng(1), StabilityGate(2), np.full((VIEW_PX, VIEW_PX, 3), 30.0)
    for _ in range(3):
        blotches = cv2.resize(rng.normal(0, 30, (24, 24, 3)), (VIEW_PX, VIEW_PX), interpolation=cv2.INTER_CUBIC)
        settled = gate.watch(np.asarray(np.clip(grey + blotches, 0, 255), np.uint8))
    assert not settled
    assert gate.unrest is Unrest.NOISE


def test_a_lamp_that_is_switched_is_named(scenes: type[Scenes]) -> None:
    gate, board = StabilityGate(2), scenes.board()
    gate.watch(board)
    gate.watch(scenes.lit(board, 0.7))
    assert gate.unrest is Unrest.LIGHT
    gate.watch(scenes.lit(board, 0.7))
    assert gate.unrest is None


def test_noise_in_the_dark_is_no_motion(scenes: type[Scenes]) -> None:
    gate, dark = StabilityGate(2), scenes.lit(scenes.board(), 0.06)
    gate.watch(scenes.noisy(dark, 1))
    assert gate.watch(scenes.noisy(dark, 2))


def test_one_colour_that_changes_is_motion(scenes: type[Scenes]) -> None:
    gate, board = StabilityGate(2), scenes.board()
    blue = board.copy()
    blue[100:200, 100:200, 0] = 220
    gate.watch(board)
    assert not gate.watch(blue)


def test_forgetting_starts_anew(scenes: type[Scenes]) -> None:
    gate, board = StabilityGate(2), scenes.board()
    gate.watch(board)
    gate.watch(board)
    gate.forget()
    assert not gate.settled
    assert gate.agreeing == 0
    assert [gate.watch(board), gate.watch(board)] == [False, True]


def test_each_view_is_compared_with_the_one_before_it(scenes: type[Scenes]) -> None:
    gate, board = StabilityGate(2), scenes.board()
    hands = [_with_hand(board, 0.05 * step) for step in range(5)]  # a hand that creeps in
    assert not any(gate.watch(view) for view in [board, *hands[1:]])


def test_a_shadow_is_held_against_the_light_of_the_whole_view(scenes: type[Scenes]) -> None:
    gate, board = StabilityGate(2), scenes.board()
    dimmer = scenes.lit(board, 0.9)
    dimmer[100:200, 100:200] = (dimmer[100:200, 100:200] * 0.86).astype("uint8")  # beyond the threshold by itself
    gate.watch(board)
    assert gate.watch(dimmer)


GREYS = (0, 40, 255)


def _noisy_test_blankness(picture: np.ndarray) -> np.ndarray:
    rng = np.random.default_rng(4)
    return np.clip(np.rint(picture + rng.normal(0.0, 6.0, picture.shape)), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("grey", GREYS)
def test_one_grey_is_blank_whatever_the_sensor_adds(grey: int) -> None:
    assert is_blank(_noisy_test_blankness(np.full((540, 960, 3), grey, np.float64)))


@pytest.mark.parametrize("grey", GREYS)
def test_a_board_in_it_is_something(grey: int) -> None:
    picture = np.full((540, 960, 3), grey, np.float64)
    picture[200:300, 300:450] += 30 if grey < 128 else -30
    assert not is_blank(_noisy_test_blankness(picture))


def test_a_picture_that_differs_in_one_colour_alone_is_not_blank() -> None:
    picture = np.full((540, 960, 3), 90.0)
    picture[:, 500:, 0] += 20
    assert not is_blank(_noisy_test_blankness(picture))


TABLE = np.random.default_rng(1).integers(60, 200, (216, 384, 3)).astype(np.uint8)


def _noisy(image: np.ndarray, seed: int) -> np.ndarray:
    noise = np.random.default_rng(seed).normal(0, 4, image.shape)
    return np.clip(np.rint(image + noise), 0, 255).astype(np.uint8)


def test_noise_does_not_stir_and_one_frame_in_ten_is_looked_at_all_the_same() -> None:
    stillness = Stillness()
    held = [stillness.holds(_noisy(TABLE, seed)) for seed in range(21)]
    assert held == [False, *[True] * 9, False, *[True] * 9, False]


@pytest.mark.parametrize("at", [(0, 0), (100, 200), (199, 360)])
def test_the_smallest_patch_stirs_wherever_it_lies(at: tuple[int, int]) -> None:
    stillness, laid = Stillness(), TABLE.copy()
    laid[at[0] : at[0] + 17, at[1] : at[1] + 17] -= 15
    stillness.holds(TABLE)
    assert not stillness.holds(_noisy(laid, 1))


def test_light_that_creeps_adds_up() -> None:
    stillness = Stillness()
    held = [stillness.holds(np.clip(TABLE.astype(int) - level, 0, 255).astype(np.uint8)) for level in range(8)]
    assert held == [False, True, True, True, False, True, True, True]


def test_after_an_end_or_in_another_size_nothing_is_taken_for_known() -> None:
    stillness = Stillness()
    stillness.holds(TABLE)
    stillness.end()
    assert not stillness.holds(TABLE)
    assert not stillness.holds(TABLE[:200])
