from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from vision.evidence import PER_CELL, RING, WINDOW_PX, Cues, by_cell, look_at, look_of_log, measure, own_windows
from vision.rectify import SIDE, VIEW_PX

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tests.vision.conftest import Scenes

PATCH = ((2, 3), (2, 4), (3, 4), (3, 5))


def _cues(current: NDArray[np.uint8], remembered: NDArray[np.uint8]) -> Cues:
    return measure(look_at(current), look_at(remembered))


def _inside(cue: NDArray[np.float32]) -> NDArray[np.float32]:
    """What was measured in the grid, without what lies around it."""
    return own_windows(cue)


def test_a_look_holds_what_its_docstring_says(scenes: type[Scenes]) -> None:
    look = look_at(scenes.board())
    assert look.log.shape == (VIEW_PX, VIEW_PX, 3)
    assert look.luminance.shape == look.structure.shape == (VIEW_PX, VIEW_PX)
    assert {each.dtype for each in (look.log, look.luminance, look.structure)} == {np.dtype(np.float32)}
    np.testing.assert_array_equal(look_of_log(look.log).structure, look.structure)
    np.testing.assert_allclose(look.luminance, look.log.mean(axis=2), atol=1e-5)


def test_black_and_white_views_have_a_finite_look() -> None:
    for grey in (0, 255):
        look = look_at(np.full((VIEW_PX, VIEW_PX, 3), grey, np.uint8))
        assert np.isfinite(look.log).all()
        assert np.abs(look.structure).max() < 1e-4


@pytest.mark.parametrize("gain", [0.6, 1.3])
def test_exposure_leaves_the_structure_alone(scenes: type[Scenes], gain: float) -> None:
    board = scenes.board()
    change = np.abs(look_at(scenes.lit(board, gain)).structure - look_at(board).structure)
    assert change.mean() < 0.004


def test_every_cue_is_finite_whatever_is_compared(scenes: type[Scenes]) -> None:
    black = np.zeros((VIEW_PX, VIEW_PX, 3), np.uint8)
    for current in (scenes.board(1), black, black + 255):
        for remembered in (scenes.board(), black):
            cues = _cues(current, remembered)
            for name in Cues.__dataclass_fields__:
                values = getattr(cues, name)
                assert values.dtype == np.float32, name
                assert np.isfinite(values).all(), name


def test_a_view_compared_with_itself_differs_nowhere(scenes: type[Scenes]) -> None:
    cues = _cues(scenes.board(), scenes.board())
    assert max(np.abs(_inside(each)).max() for each in (cues.discord, cues.leftover, cues.colour)) < 1e-2
    assert np.abs(_inside(cues.brightness)).max() < 1e-2
    np.testing.assert_array_equal(cues.texture, cues.new_texture)


@pytest.mark.parametrize("slope", [0.0, 0.3])
@pytest.mark.parametrize("gain", [0.7, 1.25])
def test_light_leaves_structure_leftover_and_colour_alone(scenes: type[Scenes], gain: float, slope: float) -> None:
    board = scenes.board()
    cues = _cues(scenes.lit(board, gain, slope), board)
    assert np.quantile(_inside(cues.discord), 0.98) < 0.03
    assert np.quantile(_inside(cues.leftover), 0.98) < 0.03
    assert np.quantile(_inside(cues.colour), 0.98) < 0.05


def test_the_boards_drift_of_light_is_taken_off_the_brightness(scenes: type[Scenes]) -> None:
    board = scenes.board()
    assert np.abs(_inside(_cues(scenes.lit(board, 0.7), board).brightness)).max() < 0.08
    shaded = board.copy()
    shaded[176:208, 176:208] = (shaded[176:208, 176:208] * 0.6).astype(np.uint8)  # E5
    brightness = _cues(shaded, board).brightness
    assert by_cell(brightness)[..., 5, 5].min() < -0.3
    assert np.abs(by_cell(brightness)[..., 8, 2]).max() < 0.05


def test_a_patch_shows_on_its_cells(scenes: type[Scenes]) -> None:
    board = scenes.board()
    cues = _cues(scenes.noisy(scenes.lay(board, PATCH), 3), board)
    for row, column in PATCH:
        there, far = np.s_[..., row + 1, column + 1], np.s_[..., 8, 8]
        for cue in (cues.discord, cues.leftover, cues.colour):
            assert np.median(by_cell(cue)[there]) > 2 * np.median(by_cell(cue)[far])


def test_a_neighbour_that_reaches_over_a_windows_edge_changes_nothing_in_it(scenes: type[Scenes]) -> None:
    board = scenes.board()
    overhung = board.copy()
    left = 48 + 4 * 32  # E1's left edge
    overhung[48:80, left : left + WINDOW_PX // 4] = (20, 20, 220)
    cues = _cues(overhung, board)
    cell = np.s_[..., 1, 5]
    assert by_cell(cues.colour)[cell].max() < 0.1
    assert by_cell(_cues(scenes.lay(board, ((0, 4),)), board).colour)[cell].min() > 0.1


def test_windows_belong_to_the_cells_that_they_lie_in() -> None:
    side = VIEW_PX // WINDOW_PX
    numbers = np.arange(side * side).reshape(side, side)
    cells = by_cell(numbers)
    assert cells.shape == (PER_CELL, PER_CELL, RING, RING)
    assert own_windows(numbers).shape == (SIDE * PER_CELL, SIDE * PER_CELL)
    assert cells[0, 0, 1, 1] == own_windows(numbers)[0, 0]
    assert cells[3, 3, 9, 9] == own_windows(numbers)[-1, -1]
    np.testing.assert_array_equal(by_cell(numbers, down=1)[0, :, 4, 4], cells[1, :, 4, 4])
    np.testing.assert_array_equal(by_cell(numbers, right=-1)[:, 0, 4, 4], cells[:, 3, 4, 3])
