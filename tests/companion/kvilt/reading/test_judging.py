"""Regions drawn as densities: strokes, shade on strokes, shade alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
import pytest

from companion.kvilt.reading.evidence import Judge, SheetSigns, veiled
from vision.sheet.pencil import Pencils
from vision.sheet.regions import look_at, make_window, paper_grain, paper_noise

if TYPE_CHECKING:
    from numpy.typing import NDArray

FIGURES: Final = {"empty": 0.08, "marked": 0.35, "background_empty": 0.1, "background_marked": 0.3}
YELLOW, BLUE, BROWN = range(3)
HUES: Final = np.array([[0.97, 0.22, 0.06], [0.22, 0.6, 0.77], [0.66, 0.58, 0.47]])
BOXES: Final = {
    name: make_window([np.array([[x, 2.0], [x + 8, 2.0], [x + 8, 10.0], [x, 10.0]])], [], 0.3)
    for name, x in (("yellow", 2.0), ("blue", 12.0), ("brown", 22.0), ("mark", 32.0))
}


def _page(mark: NDArray[np.float64], grain: float = 0.01) -> NDArray[np.float32]:
    """Return a page with samples of three pencils and a mark; each pixel's density is its hue's plus a shade's."""
    rng = np.random.default_rng(5)
    page = rng.normal(0, grain, (96, 336, 3))
    for place, name in enumerate(("yellow", "blue", "brown")):
        page[BOXES[name].box] += _strokes(rng)[..., None] * HUES[place]
    page[BOXES["mark"].box] += mark
    return page.astype(np.float32)


def _strokes(rng: np.random.Generator) -> NDArray[np.float64]:
    return np.asarray(0.7 + 0.15 * rng.standard_normal(BOXES["mark"].mask.shape))


def _judge(page: NDArray[np.float32], hidden: frozenset[str] = frozenset()) -> Judge:
    free = np.zeros(page.shape[:2], np.bool_)
    free[84:] = True
    signs = SheetSigns(page, BOXES, paper_grain(page, free), paper_noise(page, free), hidden, frozenset())
    textures = [signs.texture(name) for name in ("yellow", "blue", "brown")]
    hues = HUES / np.linalg.norm(HUES, axis=1, keepdims=True)
    return Judge(FIGURES, Pencils(("yellow", "blue", "brown"), hues, np.full(3, 6.0)), textures, signs)


def _shares(mark: NDArray[np.float64], hidden: frozenset[str] = frozenset()) -> NDArray[np.float64]:
    """Return the probabilities that the mark is white, yellow, blue and brown."""
    page = _page(mark)
    return np.asarray(np.exp(_judge(page, hidden).weights("mark", look_at(page, BOXES["mark"], 0.2, 0.4))))


@pytest.fixture
def strokes() -> NDArray[np.float64]:
    """Strokes of yellow."""
    return np.asarray(_strokes(np.random.default_rng(6))[..., None] * HUES[YELLOW])


def test_strokes_are_their_pencils(strokes: NDArray[np.float64]) -> None:
    assert _shares(strokes)[1 + YELLOW] > 0.99


def test_nothing_is_white() -> None:
    assert _shares(np.zeros(3))[0] > 0.99


def test_a_shadow_on_yellow_is_no_certain_brown(strokes: NDArray[np.float64]) -> None:
    """It has brown's hue, and yellow's texture."""
    shares = _shares(strokes + np.array([0.6, 0.6, 0.55]))
    assert shares.max() < 0.9
    assert shares[1 + YELLOW] > 0.2


def test_another_pencil_straying_over_yellow_makes_no_certain_brown(strokes: NDArray[np.float64]) -> None:
    """Where they overlap they are as brown as brown itself; elsewhere the mark is yellow."""
    violet = np.maximum(HUES[BROWN] * 1.6 - HUES[YELLOW] * 0.7, 0)
    crossing = (np.arange(strokes.shape[1]) % 12 < 6)[None, :, None]
    shares = _shares(strokes + crossing * violet)
    assert shares.max() < 0.9
    assert min(shares[1 + YELLOW], shares[1 + BROWN]) > 0.2


def test_a_reflection_that_hides_yellow_is_no_certain_white(strokes: NDArray[np.float64]) -> None:
    """On white it would be as bright, but it has the texture of strokes."""
    assert _shares(strokes * 0.4 - 0.3)[0] < 0.99
    assert _shares(np.full(3, -0.3))[0] > 0.99


def test_smooth_brown_is_no_certain_brown() -> None:
    """The shadow of something warm on bare paper."""
    smooth = _shares(0.7 * HUES[BROWN])
    assert smooth[0] == pytest.approx(0.5, abs=0.05)
    rough = _shares(_strokes(np.random.default_rng(7))[..., None] * HUES[BROWN])
    assert rough[1 + BROWN] > 0.99


def test_a_region_as_rough_and_dark_as_strokes_is_not_certainly_white() -> None:
    """Too few of its pixels are coloured enough to count as strokes."""
    page = _page(np.zeros(3))
    judge = _judge(page)
    rough = replace(look_at(page, BOXES["mark"], 0.2, 0.4), strength=0.6, grain=5 * judge.signs.grain)
    assert 0.7 < np.exp(judge.weights("mark", rough)[0]) < 0.9
    for paper in (replace(rough, strength=0.4), replace(rough, grain=3 * judge.signs.grain)):
        assert np.exp(judge.weights("mark", paper)[0]) > 0.99


def test_a_hidden_region_may_have_any_state(strokes: NDArray[np.float64]) -> None:
    shares = _shares(strokes, frozenset(["mark"]))
    assert shares[1 + YELLOW] == shares.max()
    assert 0.8 < shares.max() < 0.95
    assert shares.min() > 0.01


def test_a_veil_leaves_a_distribution() -> None:
    told = np.log([0.97, 0.01, 0.01, 0.01])
    assert np.exp(veiled(told)).sum() == pytest.approx(1.0)
    assert np.argmax(veiled(told)) == 0
