"""Test behaviour of any sensibly trained network; the thresholds leave room for a newly trained one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.quilt.changes import LIMIT, SHIFTS, cell_ratios, changed, log_likelihood_ratio
from vision.quilt.look import RING, look_at

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from tests.vision.conftest import Scenes

CORNER_PATCH = ((0, 0), (0, 1), (1, 0))
INNER_PATCH = ((4, 4), (4, 5), (5, 4), (5, 5), (6, 4))
EDGE_PATCH = ((3, 8), (4, 8), (5, 8))


def _on_grid(cells: Iterable[tuple[int, int]]) -> NDArray[np.bool_]:
    grid = np.zeros((RING - 2, RING - 2), np.bool_)
    for row, column in cells:
        grid[row, column] = True
    return grid


def _ratios(current: NDArray[np.uint8], remembered: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the ratios by shift and by cell of the grid, shape (len(SHIFTS), 9, 9)."""
    return log_likelihood_ratio(changed(look_at(remembered), look_at(current)))[:, 1:-1, 1:-1]


@settings(max_examples=12, deadline=None, derandomize=True)
@given(seed=st.integers(0, 99), deviation=st.floats(0.5, 3.5))
def test_an_unchanged_noisy_view_speaks_against_change_everywhere(
    scenes: type[Scenes], seed: int, deviation: float
) -> None:
    board = scenes.board(seed)
    assert _ratios(scenes.noisy(board, seed + 1, deviation), board).max() < 0


@pytest.mark.parametrize("cells", [CORNER_PATCH, INNER_PATCH, EDGE_PATCH])
@pytest.mark.parametrize("print_seed", range(4))
def test_a_patch_speaks_for_change_on_its_cells_and_nowhere_else(
    scenes: type[Scenes], cells: tuple[tuple[int, int], ...], print_seed: int
) -> None:
    board, on = scenes.board(1), _on_grid(cells)
    unshifted = _ratios(scenes.noisy(scenes.lay(board, cells, print_seed), 5), board)[0]
    assert unshifted[on].min() > 0
    assert unshifted[~on].max() < 0


def test_a_patch_put_in_another_ones_place_is_a_change(scenes: type[Scenes]) -> None:
    board, on = scenes.board(2), _on_grid(INNER_PATCH)
    before, after = scenes.lay(board, INNER_PATCH, 1), scenes.lay(board, INNER_PATCH, 2)
    unshifted = _ratios(scenes.noisy(after, 1), before)[0]
    assert unshifted[on].min() > 0
    assert unshifted[~on].max() < 0


def test_a_patch_taken_away_is_a_change(scenes: type[Scenes]) -> None:
    board, on = scenes.board(3), _on_grid(INNER_PATCH)
    unshifted = _ratios(scenes.noisy(board, 2), scenes.lay(board, INNER_PATCH))[0]
    assert unshifted[on].min() > 0
    assert unshifted[~on].max() < 0


@pytest.mark.parametrize("gain", [0.75, 1.2])
@pytest.mark.parametrize("slope", [0.0, 0.25])
def test_light_alone_is_no_change(scenes: type[Scenes], gain: float, slope: float) -> None:
    board = scenes.lay(scenes.board(4), INNER_PATCH)
    assert _ratios(scenes.noisy(scenes.lit(board, gain, slope), 1), board).max() < 0


@pytest.mark.parametrize("nudge_px", [(8, 0), (-8, 8), (0, -8)])
def test_a_patch_laid_a_quarter_cell_askew_is_best_explained_by_that_shift(
    scenes: type[Scenes], nudge_px: tuple[int, int]
) -> None:
    board, on = scenes.board(5), _on_grid(INNER_PATCH)
    ratios = _ratios(scenes.noisy(scenes.lay(board, INNER_PATCH, nudge_px=nudge_px), 1), board)
    speaks_for = ratios[:, on].sum(axis=1) - np.maximum(ratios[:, ~on], 0).sum(axis=1)
    right, down = (int(np.sign(step)) for step in nudge_px)
    assert SHIFTS[int(speaks_for.argmax())] == (down, right)
    assert ratios[speaks_for.argmax()][on].min() > 0


def test_the_first_shift_is_none() -> None:
    assert SHIFTS[0] == (0, 0)
    assert len(set(SHIFTS)) == len(SHIFTS)


def test_the_ratio_grows_with_how_much_of_the_cell_is_hidden(scenes: type[Scenes]) -> None:
    board = scenes.board(6)
    laid = scenes.lay(board, [(4, 4)])
    ratios = []
    for hidden in (0, 16, 32):
        view = board.copy()
        view[176:208, 176 : 176 + hidden] = laid[176:208, 176 : 176 + hidden]
        ratios.append(_ratios(scenes.noisy(view, 1), board)[0, 4, 4])
    assert ratios[0] < ratios[1] < ratios[2]


def _cell(windows: NDArray[np.float64]) -> float:
    """Return the ratio of one cell from those of its windows, shape (4, 4)."""
    return float(cell_ratios(windows[:, :, None, None])[0, 0])


@settings(max_examples=40, deadline=None, derandomize=True)
@given(turns=st.integers(0, 3), strength=st.floats(0.5, 4.0))
def test_a_half_bare_cell_counts_as_uncovered(turns: int, strength: float) -> None:
    half, aside = np.full((4, 4), strength), np.full((4, 4), strength)
    half[:, :2] = -strength
    aside[:, :1] = -strength
    assert _cell(np.rot90(half, turns)) < -strength, "for as much as against, but one half is bare"
    assert _cell(np.rot90(aside, turns)) > strength, "a patch that lies a quarter of a cell aside"
    assert _cell(np.full((4, 4), strength)) > 2 * strength
    assert _cell(np.full((4, 4), -strength)) < -2 * strength


def test_no_ratio_passes_the_limit_and_none_is_lost(scenes: type[Scenes]) -> None:
    flat = np.full_like(scenes.board(), 128)
    views = [scenes.board(), scenes.board(9), flat, np.zeros_like(flat), np.full_like(flat, 255)]
    for current in views:
        for remembered in views:
            ratios = log_likelihood_ratio(changed(look_at(remembered), look_at(current)))
            assert ratios.shape == (len(SHIFTS), RING, RING)
            assert np.isfinite(ratios).all()
            assert np.abs(ratios).max() <= LIMIT
