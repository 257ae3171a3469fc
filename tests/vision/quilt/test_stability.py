from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.geometry.rectify import VIEW_PX
from vision.quilt.stability import StabilityGate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tests.vision.conftest import Scenes


def _with_hand(view: NDArray[np.uint8], share: float) -> NDArray[np.uint8]:
    """Return the view with a dark hand over a share of it, from the left."""
    covered = view.copy()
    covered[: VIEW_PX // 2, : round(2 * share * VIEW_PX)] = 20
    return covered


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
    small = _with_hand(board, 0.007)  # between the two thresholds
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
