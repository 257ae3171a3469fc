from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from hardware.simulated.lighting.blockers import Limb
from hardware.simulated.lighting.sources import Bars, Lamp, Room, lobe

if TYPE_CHECKING:
    from hardware.simulated.drawing.images import Field


def _square(side: int = 81, reach: float = 400) -> Field:
    axis = np.linspace(-reach, reach, side, dtype=np.float32)
    return np.stack(np.meshgrid(axis, axis), axis=-1)


def test_a_lamp_is_as_bright_below_it_as_it_says() -> None:
    room = Room((0, 0, 0), (Lamp((0, 0, 700), (0.5, 1.0, 2.0)),))
    (light,) = room.falls(_square())
    assert light[40, 40] == pytest.approx([0.5, 1.0, 2.0], rel=1e-3)
    assert light[40, 80, 1] < 0.7 * light[40, 40, 1]


def test_a_lamp_s_cone_ends() -> None:
    room = Room((0, 0, 0), (Lamp((0, 0, 500), (1, 1, 1), cone_deg=25),))
    (light,) = room.falls(_square())
    assert light[40, 40, 0] > 0.9
    assert light[40, 80, 0] == 0


def test_only_the_lamp_that_is_hidden_is_missing_in_its_shade() -> None:
    lamps = (Lamp((-600, 0, 600), (0, 0, 1)), Lamp((600, 0, 600), (1, 0, 0)))
    head = Limb((-300, 0, 300), (-300, 0, 300), 60.0)
    red, blue = Room((0, 0, 0), lamps, (head,)).falls(_square())
    assert red[40, 40, 2] == 0
    assert blue[40, 40, 0] > 0


def test_a_window_s_panes_creep_with_their_shift() -> None:
    points = _square()
    panes = [Bars(0, (100, 200), 30, (2, 2), (shift, 0), 2).passing(points) for shift in (0.0, 50.0)]
    assert panes[0][40, 40] < 0.01  # a bar in the middle
    assert panes[1].max() == panes[0].max() == 1
    assert np.argmax(panes[1][25] > 0.5) - np.argmax(panes[0][25] > 0.5) == 5  # fifty of ten millimetres each


def test_the_mirrored_lamp_is_seen_half_way() -> None:
    points = _square()
    lamp, eye = Lamp((-300, 0, 600), (1, 1, 1)), (300.0, 0.0, 600.0)
    flat = lobe(points, lamp, eye, np.zeros_like(points), 0.05)
    peak = np.unravel_index(int(flat.argmax()), flat.shape)
    assert points[peak] == pytest.approx([0, 0], abs=6)
    assert flat.max() == pytest.approx(1, abs=0.01)
    tilted = lobe(points, lamp, eye, np.full_like(points, 0.05), 0.05)
    assert np.unravel_index(int(tilted.argmax()), flat.shape) != peak


def test_a_rough_surface_smears_the_lamp() -> None:
    points = _square()
    lamp, eye = Lamp((0, -300, 600), (1, 1, 1)), (0.0, 300.0, 600.0)
    sharp, rough = (lobe(points, lamp, eye, np.zeros_like(points), roughness) for roughness in (0.05, 0.3))
    assert (rough > 0.5).sum() > 4 * (sharp > 0.5).sum()
