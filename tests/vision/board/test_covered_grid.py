"""Test finding a partly covered grid to a few hundredths of a cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from vision.board.covered_grid import fit_covered_grid
from vision.geometry.homography import Homography, through_corners, translation
from vision.geometry.rectify import GRID_CORNERS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tests.vision.conftest import Scenes

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
