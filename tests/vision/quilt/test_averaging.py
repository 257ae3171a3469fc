"""Test that averaging removes noise and keeps what was laid."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from vision.quilt.averaging import averaged, shows_the_same

if TYPE_CHECKING:
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
