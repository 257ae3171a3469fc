from __future__ import annotations

import pytest

from hardware.current import CappedStrip, drawn_ma
from hardware.gamma import GammaStrip
from hardware.simulated.devices.strip import SimulatedLightStrip


def shown(gamma: float, *values: int) -> list[int]:
    strip = SimulatedLightStrip(len(values))
    GammaStrip(strip, gamma).show([(value, value, value) for value in values])
    return [pixel[0] for pixel in strip.pixels]


def test_half_as_bright_to_the_eye_is_about_a_fifth_of_the_light() -> None:
    assert shown(2.2, 0, 128, 255) == [0, 56, 255]


def test_what_glows_faintly_stays_alight_and_nothing_outshines_what_is_brighter() -> None:
    light = shown(2.2, *range(256))
    assert light[0] == 0
    assert light[1] == 1
    assert light == sorted(light)


def test_one_changes_nothing() -> None:
    assert shown(1.0, *range(256)) == list(range(256))


@pytest.mark.parametrize("gamma", [1.0, 2.2])
def test_what_is_corrected_stays_within_the_supply(gamma: float) -> None:
    strip = SimulatedLightStrip(60)
    GammaStrip(CappedStrip(strip, 500), gamma).show([(255, 255, 255)] * 60)
    assert 450 < drawn_ma(strip.pixels) <= 500


def test_closing_closes_the_other_strip() -> None:
    strip = SimulatedLightStrip(2)
    corrected = GammaStrip(strip, 2.2)
    corrected.show([(9, 9, 9)] * 2)
    corrected.close()
    assert set(strip.pixels) == {(0, 0, 0)}
