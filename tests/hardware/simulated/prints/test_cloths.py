from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from hardware.simulated.prints.cloths import FIGURES, Figure, camouflage, cloth

if TYPE_CHECKING:
    from hardware.simulated.drawing import Field


@pytest.mark.parametrize("figure", dict.fromkeys(FIGURES), ids=lambda figure: figure.__name__)
def test_a_figure_s_weights_are_shares(figure: Figure) -> None:
    y, x = np.mgrid[0:60, 0:80].astype(np.float32) / 20
    for weight in figure(x, y, 20.0, np.random.default_rng(1)):
        assert weight.shape == x.shape
        assert weight.dtype == np.float32
        assert weight.min() >= 0
        assert weight.max() <= 1.001


@pytest.mark.parametrize("figure", dict.fromkeys(FIGURES), ids=lambda figure: figure.__name__)
def test_a_cloth_shows_its_figure(figure: Figure) -> None:
    black, white = np.zeros(3, np.float32), np.full(3, 255, np.float32)
    picture = cloth(np.random.default_rng(2), (120, 120), 2.0, (black, white, white), figure)
    assert picture.std() > 25


def test_camouflage_hardly_differs_from_what_it_hides_on() -> None:
    board: Field = np.array([90.0, 130.0, 160.0], np.float32)
    rng = np.random.default_rng(3)
    grounds = np.array([camouflage(rng, board)[0] for _ in range(40)])
    assert np.abs(grounds - board).max() < 50
