"""Test the texture of strokes on paper, and objects over them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from vision.sheet.page import FLAT_PX_PER_MM
from vision.sheet.regions import make_window
from vision.sheet.texture import paper_inside, paper_noise, texture_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

HUE = np.array([0.9, 0.4, 0.17]) / np.linalg.norm([0.9, 0.4, 0.17])
WINDOW = make_window([np.array([[5.0, 5.0], [15.0, 5.0], [15.0, 13.0], [5.0, 13.0]])], [], 0.5)


@pytest.fixture
def paper() -> NDArray[np.float32]:
    """The density of bare paper, 20 x 18 mm."""
    shape = (round(18 * FLAT_PX_PER_MM), round(20 * FLAT_PX_PER_MM), 3)
    return np.random.default_rng(7).normal(0, 0.02, shape).astype(np.float32)


@pytest.fixture
def noise(paper: NDArray[np.float32]) -> NDArray[np.float64]:
    return paper_noise(paper, np.ones(paper.shape[:2], np.bool_))


def _coloured(paper: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return strokes all over, denser and fainter."""
    rng = np.random.default_rng(8)
    strokes = 0.6 + 0.25 * rng.standard_normal(paper.shape[:2])
    return np.asarray(paper + strokes[..., None] * HUE, np.float32)


def _angle_deg(hue: NDArray[np.float64]) -> float:
    return float(np.degrees(np.arccos(np.clip(hue @ HUE, -1, 1))))


def test_strokes_have_the_hue_of_their_pencil(paper: NDArray[np.float32], noise: NDArray[np.float64]) -> None:
    texture = texture_of(_coloured(paper), WINDOW, noise)
    assert _angle_deg(texture.hue) < 2
    assert texture.clearness > 10
    assert texture.depth == pytest.approx(0.25, rel=0.1)


@pytest.mark.parametrize("shade", [-0.5, 0.3, 0.8])
def test_a_shadow_or_a_reflection_does_not_turn_it(
    shade: float, paper: NDArray[np.float32], noise: NDArray[np.float64]
) -> None:
    shaded = _coloured(paper) + np.float32(shade)
    mean = shaded[WINDOW.box][WINDOW.mask].mean(axis=0)
    assert _angle_deg(np.asarray(mean / np.linalg.norm(mean), np.float64)) > 10
    assert _angle_deg(texture_of(shaded, WINDOW, noise).hue) < 2


def test_paper_has_no_texture_but_its_noise(paper: NDArray[np.float32], noise: NDArray[np.float64]) -> None:
    assert texture_of(paper + np.float32(0.4), WINDOW, noise).clearness < 0.2


def test_without_bare_paper_nothing_is_told(paper: NDArray[np.float32]) -> None:
    free = np.zeros(paper.shape[:2], np.bool_)
    free[20:80, 20:26] = True
    noise = paper_noise(paper, paper_inside(free))
    assert texture_of(_coloured(paper), WINDOW, noise).clearness == 0


def test_bare_paper_is_bare_all_round() -> None:
    free = np.ones((60, 60), np.bool_)
    free[30, 30] = False
    inside = paper_inside(free)
    assert inside[15, 15]
    assert not inside[33, 33]
    assert not inside[0, 0]
