"""Test the texture of strokes on paper, and objects over them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from vision.sheet.page import FLAT_PX_PER_MM
from vision.sheet.regions import (
    RegionLook,
    Window,
    darkest,
    free_paper,
    look_at,
    make_window,
    paper_grain,
    paper_inside,
    paper_noise,
    texture_of,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

SQUARE = ((10.0, 10.0), (20.0, 10.0), (20.0, 20.0), (10.0, 20.0))
MIDDLE = ((14.0, 14.0), (16.0, 14.0), (16.0, 16.0), (14.0, 16.0))
WHOLE = make_window([SQUARE], [], 0.0)
RED = np.array([0.7, 0.6, 0.1])


def _area_mm2(window: Window) -> float:
    return float(np.count_nonzero(window.mask)) / FLAT_PX_PER_MM**2


def _look(density: np.ndarray) -> RegionLook:
    return look_at(density.astype(np.float32), WHOLE, 0.2, 0.4)


def _page(pixels: np.ndarray) -> np.ndarray:
    density = np.zeros((200, 200, 3))
    density[WHOLE.box] = pixels
    return density


def test_a_window_keeps_its_distance() -> None:
    assert _area_mm2(WHOLE) == pytest.approx(100, rel=0.04)
    assert _area_mm2(make_window([SQUARE], [], 1.0)) == pytest.approx(64, rel=0.06)
    holed = make_window([SQUARE], [(MIDDLE, 1.0)], 1.0)
    assert _area_mm2(holed) == pytest.approx(64 - 4 - 8 - np.pi, rel=0.08)


def test_a_window_takes_less_off_what_is_small() -> None:
    thin = ((0.0, 0.0), (10.0, 0.0), (10.0, 1.0), (0.0, 1.0))
    assert _area_mm2(make_window([thin], [], 0.9)) > 0.8
    crowded = make_window([SQUARE], [(SQUARE, 1.0)], 0.5)
    assert _area_mm2(crowded) > 8


def test_a_region_off_the_page_cannot_be_read() -> None:
    with pytest.raises(ValueError, match="without an inside"):
        make_window([((-9.0, -9.0), (-8.0, -9.0), (-8.0, -8.0))], [], 0.0)


def test_two_outlines_make_one_window() -> None:
    other = tuple((x + 30, y) for x, y in SQUARE)
    assert _area_mm2(make_window([SQUARE, other], [], 0.0)) == pytest.approx(200, rel=0.04)


def test_free_paper_is_away_from_regions_and_edges() -> None:
    free = free_paper([SQUARE], 1.0, 2.0, (400, 320))
    assert free.shape == (320, 400)
    assert not free[:16].any()
    assert not free[:, -16:].any()
    assert not free[80 - 7 : 160 + 7, 80:160].any()
    assert not free[80:160, 80 - 7 : 160 + 7].any()
    assert free[120, 200]


def test_coverage_is_the_share_of_strokes() -> None:
    pixels = np.zeros((*WHOLE.mask.shape, 3))
    pixels[np.add.outer(np.arange(len(pixels)), np.arange(pixels.shape[1])) % 30 < 9] = RED
    look = _look(_page(pixels))
    assert look.coverage == pytest.approx(0.3, abs=0.03)
    assert look.hue == pytest.approx(RED / np.linalg.norm(RED), abs=0.01)


def test_strokes_from_one_side_cover_less() -> None:
    pixels = np.zeros((*WHOLE.mask.shape, 3))
    pixels[: round(0.4 * len(pixels))] = RED
    assert _look(_page(pixels)).coverage == pytest.approx(0.2, abs=0.02)


def test_the_hue_does_not_change_with_pressure() -> None:
    rng = np.random.default_rng(4)
    strokes = rng.uniform(0.3, 1.0, (*WHOLE.mask.shape, 1)) * RED
    faint, firm = _look(_page(strokes)), _look(_page(3 * strokes))
    assert faint.hue == pytest.approx(firm.hue, abs=1e-6)
    assert firm.strength == pytest.approx(3 * faint.strength, rel=1e-3)


def test_a_grey_veil_is_no_stroke_and_black_is() -> None:
    veil = np.full((*WHOLE.mask.shape, 3), 0.1)
    assert _look(_page(veil)).coverage == 0
    assert _look(_page(6 * veil)).coverage > 0.95


def test_a_little_print_does_not_turn_the_hue() -> None:
    pixels = np.tile(0.5 * RED, (*WHOLE.mask.shape, 1))
    pixels[:2] = 2.0
    assert _look(_page(pixels)).hue == pytest.approx(RED / np.linalg.norm(RED), abs=0.02)


def test_white_paper_has_some_hue_but_no_strength() -> None:
    look = _look(_page(np.zeros((*WHOLE.mask.shape, 3))))
    assert look.coverage == 0
    assert look.strength == 0
    assert np.linalg.norm(look.hue) == pytest.approx(1)


def _hatched(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return strokes of one pencil at the left and of another at the right."""
    pixels = np.zeros((*WHOLE.mask.shape, 3))
    columns = np.arange(pixels.shape[1])
    pixels[:, columns % 4 < 2] = first
    pixels[:, (columns % 4 < 2) & (columns > len(columns) / 2)] = second
    return _page(pixels)


def test_strokes_are_rougher_than_what_is_even() -> None:
    rough, even = _look(_hatched(RED, RED)), _look(_page(np.ones((*WHOLE.mask.shape, 3)) * RED))
    assert rough.grain > 0.5
    assert even.grain < 0.01
    assert _look(_page(np.zeros((*WHOLE.mask.shape, 3)))).grain == np.inf


def test_the_papers_grain_is_that_of_its_bare_parts() -> None:
    density = np.zeros((60, 60, 3), np.float32)
    density[:, ::2] = 0.1
    density[30:] = 0.0
    upper = np.zeros((60, 60), np.bool_)
    upper[:20] = True
    assert paper_grain(density, upper) == pytest.approx(0.15, abs=0.03)
    assert paper_grain(density, ~upper) < 0.01
    assert paper_grain(density, np.zeros_like(upper)) == 0


def test_faint_strokes_keep_their_hue_under_what_strays_over_the_others() -> None:
    yellow, violet = np.array([0.9, 0.2, 0.05]), np.array([0.3, 0.9, 0.6])
    strayed = np.zeros((*WHOLE.mask.shape, 3))
    strayed[:] = yellow
    strayed[:, np.arange(strayed.shape[1]) % 5 < 2] += violet
    look = _look(_page(strayed + 0.02 * np.random.default_rng(4).standard_normal(strayed.shape[:2])[..., None]))
    assert look.faint_hue @ yellow / np.linalg.norm(yellow) > 0.999
    assert look.hue @ (yellow + violet) / np.linalg.norm(yellow + violet) > 0.999


def test_a_few_strokes_have_no_faint_ones() -> None:
    assert _look(_page(np.zeros((*WHOLE.mask.shape, 3)))).faint_hue is None


def test_halves_in_two_hues_lie_apart() -> None:
    blue = np.array([0.2, 0.5, 0.8])
    gap_deg = np.degrees(np.arccos(RED @ blue / np.linalg.norm(RED) / np.linalg.norm(blue)))
    assert _look(_hatched(RED, blue)).spread_deg == pytest.approx(gap_deg, abs=3)
    assert _look(_hatched(RED, RED)).spread_deg == pytest.approx(0, abs=0.1)
    assert _look(_hatched(RED, np.zeros(3))).spread_deg == pytest.approx(0, abs=0.1)


def test_print_round_a_region_is_its_darkest_part() -> None:
    flat = np.full((200, 200, 3), 250, np.uint8)
    assert darkest(flat, WHOLE) == 250
    flat[74:78, 70:170] = 90
    assert darkest(flat, WHOLE) == 90


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
