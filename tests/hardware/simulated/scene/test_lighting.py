"""Test lamps, shadows and reflections, and how they change over an evening."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing import Pose
from hardware.simulated.drawing.pinhole import Pinhole, pinhole_for
from hardware.simulated.drawing.sprites import BOARD_MM, Item
from hardware.simulated.scene.lighting import (
    FLASH_S,
    LEAN_S,
    Bars,
    EveningLight,
    Lamp,
    Limb,
    Room,
    RoomField,
    arm,
    lit,
    lobe,
    person,
)
from hardware.simulated.scene.table import SimulatedTable

if TYPE_CHECKING:
    from hardware.simulated.drawing import Field


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


SMALL = {"width_px": 384, "height_px": 216}


def _camera() -> Pinhole:
    return pinhole_for(Conditions(**SMALL), np.random.default_rng(1))  # type: ignore[arg-type]


def _field(gloss: float) -> RoomField:
    return RoomField(_camera(), gloss, np.random.default_rng(2))


def test_a_patch_is_as_glossy_as_patches_are_and_the_table_is_not() -> None:
    patch = Item("patch", "plus", Pose(40, 20), BOARD_MM)
    gloss = _field(1.0).gloss([patch])
    at = _camera().frame_points(np.array([[40.0, 20.0]]), 2 * BOARD_MM)[0].round().astype(int)
    assert gloss[at[1], at[0]] > 80
    assert gloss[5, 5] != gloss[at[1], at[0]]


def test_nothing_shines_where_nothing_is_glossy() -> None:
    room = Room((0.4, 0.4, 0.4), (Lamp((0, 0, 1000), (1, 1, 1)),))
    assert _field(0.0).shine(room, [], []) is None
    field = _field(1.0)
    shine = field.shine(room, field.falls(room), [Item("board", "1", Pose(0, 60))])
    assert shine is not None
    assert shine.max() > 100


def test_a_mirrored_lamp_washes_a_board_out() -> None:
    plain, glossy = (
        SimulatedTable(4, Conditions(noise=0.0, gloss=gloss, people=1e-9, **SMALL)).frame(0.0)  # type: ignore[arg-type]
        for gloss in (0.0, 2.0)
    )
    lighter = glossy.astype(int) - plain.astype(int)
    assert (lighter > 60).mean() > 0.01


def test_shadows_move_from_look_to_look_and_go() -> None:
    table = SimulatedTable(3, Conditions(people=0.6, desk_lamp=0.8, noise=0.0, jitter_px=0.0, drift=0.0, **SMALL))  # type: ignore[arg-type]
    frames = [table.frame(2.0 * look + 0.5).astype(int) for look in range(6)]
    off = [np.abs(frame - frames[0]).max() for frame in frames]
    assert max(off) > 40
    assert len({int(frame.sum()) for frame in frames}) > 2
    assert np.array_equal(table.frame(0.5), frames[0])


@pytest.mark.parametrize("name", ["light", "shine"])
def test_a_lit_table_is_as_large_as_its_camera(name: str) -> None:
    room = Room((0.4, 0.4, 0.4), (Lamp((0, 0, 1000), (0.6, 0.6, 0.6)),))
    field = _field(1.0)
    falls = field.falls(room)
    picture = field.light(room, falls) if name == "light" else field.shine(room, falls, [])
    assert picture is not None
    assert picture.shape == ((54, 96, 3) if name == "light" else (216, 384, 3))


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


def test_a_limb_behind_or_beside_the_lamp_throws_no_shadow() -> None:
    assert _shade((Limb((0, 0, 1500), (0, 0, 1500), 80.0), Limb((0, 900, 400), (0, 900, 500), 80.0))).max() == 0


def test_a_person_and_an_arm_throw_shadows() -> None:
    assert _shade(person(0, 0, 90, 500)).max() == 1
    assert _shade(arm((300, 300, 300), (0, 0, 200))).max() == 1


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


def test_a_colder_sky_makes_a_lamps_shadow_bluer() -> None:
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
