from __future__ import annotations

import numpy as np
import pytest

from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing.items import BOARD_MM, Item
from hardware.simulated.drawing.pinhole import Pinhole, pinhole_for
from hardware.simulated.drawing.pose import Pose
from hardware.simulated.lighting.evening import RoomField
from hardware.simulated.lighting.sources import Lamp, Room
from hardware.simulated.scene.table import SimulatedTable

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
