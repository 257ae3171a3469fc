from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing.light import Drift, LightField
from hardware.simulated.drawing.pinhole import pinhole_for

if TYPE_CHECKING:
    from hardware.simulated.drawing import Image

DARKROOM = Conditions(
    width_px=256,
    height_px=144,
    gradient=0.0,
    window_shadow=0.0,
    hard_shadow=0.0,
    glare=0.0,
    colour_temperature_k=5500.0,
)
WHOLE = (0, 0, 256, 144)


def _lit(conditions: Conditions, seed: int = 1) -> Image:
    camera = pinhole_for(conditions, np.random.default_rng(seed))
    grey = np.full((144, 256, 3), 128, np.uint8)
    return LightField(conditions, camera, np.random.default_rng(seed)).apply(grey, WHOLE)


def test_even_light_leaves_the_middle_as_it_is_and_darkens_the_corners() -> None:
    lit = _lit(DARKROOM).astype(int)
    assert abs(lit[72, 128] - 128).max() <= 8
    assert lit[0, 0].mean() < lit[72, 128].mean()


def test_a_gradient_makes_one_side_darker_than_the_other() -> None:
    spans = []
    for strength in (0.0, 0.3, 0.7):
        lit = _lit(DARKROOM.but(gradient=strength)).mean(axis=2)
        spans.append(np.percentile(lit, 95) - np.percentile(lit, 5))
    assert spans[0] < spans[1] < spans[2]


def test_a_hard_shadow_has_two_levels_of_light_and_little_between() -> None:
    ratio = _lit(DARKROOM.but(hard_shadow=0.5)) / _lit(DARKROOM).astype(float)
    dark, bright = ratio < 0.5 ** (1 / 2.2) + 0.04, ratio > 0.96
    assert dark.mean() > 0.05
    assert bright.mean() > 0.05
    assert (dark | bright).mean() > 0.95


def test_a_warm_lamp_is_redder_and_a_cold_one_bluer() -> None:
    for kelvin, redder in ((3000.0, True), (9000.0, False)):
        blue, _, red = _lit(DARKROOM.but(colour_temperature_k=kelvin)).reshape(-1, 3).mean(axis=0)
        assert (red > blue) == redder


def test_glare_adds_light_in_one_place() -> None:
    added = _lit(DARKROOM.but(glare=0.8)).astype(int) - _lit(DARKROOM).astype(int)
    assert added.min() >= 0
    assert added.max() > 80
    assert (added.max(axis=2) > 40).mean() < 0.3


def test_a_part_of_the_frame_is_lit_like_the_whole() -> None:
    conditions = Conditions(width_px=256, height_px=144)
    camera = pinhole_for(conditions, np.random.default_rng(1))
    field = LightField(conditions, camera, np.random.default_rng(1))
    picture = np.random.default_rng(2).integers(0, 255, (144, 256, 3), dtype=np.uint8)
    whole = field.apply(picture, WHOLE)
    part = field.apply(np.ascontiguousarray(picture[20:60, 30:90]), (30, 20, 90, 60))
    np.testing.assert_array_equal(part, whole[20:60, 30:90])


def test_brightness_wanders_slowly_and_no_further_than_the_conditions_say() -> None:
    drift = Drift(Conditions(drift=0.05), np.random.default_rng(3))
    grey = np.full((2, 2, 3), 120, np.uint8)
    levels = [drift.apply(grey, t_s).mean() for t_s in range(0, 600, 5)]
    assert np.ptp(levels) > 2
    assert max(abs(level - 120) for level in levels) < 120 * ((1 + 0.05 * 2.2) ** (1 / 2.2) - 1) + 2
    assert max(abs(np.diff(levels))) < 1.5


@pytest.mark.parametrize(("exposure", "expected"), [(1.0, 120), (0.5, 120 * 0.5 ** (1 / 2.2))])
def test_exposure_scales_light_not_grey_levels(exposure: float, expected: float) -> None:
    drift = Drift(Conditions(drift=0.0, exposure=exposure), np.random.default_rng(1))
    assert drift.apply(np.full((1, 1, 3), 120, np.uint8), 0.0).mean() == pytest.approx(expected, abs=1.5)


def test_overexposed_prints_saturate_without_wrapping_round() -> None:
    drift = Drift(Conditions(drift=0.0, exposure=2.0), np.random.default_rng(1))
    ramp = np.repeat(np.arange(256, dtype=np.uint8)[None, :, None], 3, axis=2)
    out = drift.apply(ramp, 0.0).astype(int)
    assert (np.diff(out[0, :, 1]) >= 0).all()
    assert out.max() >= 250
