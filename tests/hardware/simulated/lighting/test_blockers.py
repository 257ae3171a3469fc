from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from hardware.simulated.lighting.blockers import Limb, arm, lit, person

if TYPE_CHECKING:
    from hardware.simulated.drawing.images import Field

LAMP = (0.0, 0.0, 1000.0)


def _line() -> Field:
    """Points along the x axis, -400..400 mm."""
    x = np.linspace(-400, 400, 801, dtype=np.float32)
    return np.stack([x, np.zeros_like(x)], axis=-1)[None]


def _shade(limbs: tuple[Limb, ...], size_mm: float = 2.0) -> Field:
    return np.asarray(1 - lit(_line(), LAMP, size_mm, limbs)[0], np.float32)


def test_a_ball_half_way_up_throws_a_shadow_twice_as_wide() -> None:
    shade = _shade((Limb((0, 0, 500), (0, 0, 500), 50.0),))
    dark = _line()[0, shade > 0.5, 0]
    assert dark.min() == pytest.approx(-100, abs=6)
    assert dark.max() == pytest.approx(100, abs=6)


def test_the_shadow_falls_away_from_the_lamp() -> None:
    shade = _shade((Limb((100, 0, 500), (100, 0, 500), 20.0),))
    assert _line()[0, shade > 0.5, 0].mean() == pytest.approx(200, abs=5)


def test_a_larger_lamp_has_softer_shadows() -> None:
    widths = []
    for size_mm in (5.0, 150.0):
        shade = _shade((Limb((0, 0, 400), (0, 0, 400), 120.0),), size_mm)
        widths.append(((shade > 0.1) & (shade < 0.9)).sum())
    assert widths[1] > 5 * widths[0]


def test_what_is_behind_the_lamp_or_beside_it_throws_none() -> None:
    assert _shade((Limb((0, 0, 1500), (0, 0, 1500), 80.0), Limb((0, 900, 400), (0, 900, 500), 80.0))).max() == 0


def test_a_person_and_an_arm_throw_shadows() -> None:
    assert _shade(person(0, 0, 90, 500)).max() == 1
    assert _shade(arm((300, 300, 300), (0, 0, 200))).max() == 1
