from __future__ import annotations

import numpy as np
import pytest

from hardware.simulated.conditions import Conditions
from hardware.simulated.lighting.evening import FLASH_S, LEAN_S, EveningLight

EYE = (0.0, 150.0, 690.0)


def _evening(**strengths: float) -> EveningLight:
    return EveningLight(Conditions(**strengths), EYE, 5)  # type: ignore[arg-type]


def test_an_ordinary_evening_s_light_has_no_causes() -> None:
    assert _evening().at(0.0) is None
    assert _evening().falls is None


def test_people_come_and_go_and_stay_for_a_moment() -> None:
    evening = _evening(people=0.5)
    rooms = [evening.at((slot + 0.1) * LEAN_S) for slot in range(40)]
    shaded = [room is not None and bool(room.limbs) for room in rooms]
    assert 10 < sum(shaded) < 30
    assert evening.at(0.1 * LEAN_S) == evening.at(0.9 * LEAN_S)


def test_a_lamp_is_switched_off_and_on_again() -> None:
    evening = _evening(switching_s=10.0, desk_lamp=0.8)
    light = []
    for t_s in (1.0, 11.0, 21.0):
        room = evening.at(t_s)
        assert room is not None
        light.append(sum(sum(lamp.bgr) for lamp in room.lamps))
    assert light[1] < 0.5 * light[0]
    assert light[2] == pytest.approx(light[0])


def test_the_sun_creeps() -> None:
    evening = _evening(sun=1.0)
    shifts = []
    for t_s in (0.0, 120.0):
        room = evening.at(t_s)
        assert room is not None
        bars = room.lamps[-1].bars
        assert bars is not None
        shifts.append(bars.shift_mm)
    assert np.hypot(*np.subtract(shifts[1], shifts[0])) == pytest.approx(19.4, abs=0.5)


def test_a_screen_s_colour_changes() -> None:
    evening = _evening(television=0.5)
    first, same, other = (evening.at(t_s) for t_s in (0.1 * FLASH_S, 0.9 * FLASH_S, 1.1 * FLASH_S))
    assert first == same
    assert first != other


def test_what_a_lamp_does_not_reach_is_bluer_under_a_colder_sky() -> None:
    room = _evening(desk_lamp=0.5, shade_temperature_k=10000.0).at(0.0)
    assert room is not None
    blue, _, red = room.ambient
    assert blue > 1.3 * red


def test_the_light_in_the_middle_is_about_that_of_an_ordinary_evening() -> None:
    points = np.zeros((1, 1, 2), np.float32)
    for strengths in ({"desk_lamp": 0.5}, {"gloss": 1.0}, {"people": 1e-6}):
        room = _evening(**strengths).at(0.0)
        assert room is not None
        light = np.array(room.ambient) + sum(fallen[0, 0] for fallen in room.falls(points))
        assert light == pytest.approx(1.0, abs=0.12)
