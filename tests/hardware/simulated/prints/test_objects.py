"""Test hands and other objects on the table."""

from __future__ import annotations

import numpy as np
import pytest

from companion.games.patchwork.components import PATCHES
from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing.footprint import patch_footprint, rectangle
from hardware.simulated.prints.dress import sprite_of, the_mat
from hardware.simulated.prints.objects import PX_PER_MM, REACH_MM, SKINS, THINGS, clutter_sprite, hand_sprite
from hardware.simulated.scene.circle import lay_circle
from hardware.simulated.scene.dressing import clutter, tile_places
from hardware.simulated.scene.layout import lay_table
from hardware.simulated.scene.table import SimulatedTable


@pytest.mark.parametrize("seed", range(3))
def test_clutter_lies_on_nothing_of_the_game(seed: int) -> None:
    rng = np.random.default_rng(seed)
    layout = lay_table(Conditions(), mats=True, rng=rng)
    circle = lay_circle(layout, tuple(PATCHES), Conditions(), rng)
    items = clutter(layout, circle.places, tile_places(layout, circle.places, rng), 4, rng)
    assert items
    mat = the_mat()
    things = [rectangle(page, *mat.page_mm) for page in layout.mats]
    things += [patch_footprint(patch, pose) for patch, pose in circle.places.items()]
    for item in items:
        place = rectangle(item.pose, *THINGS[item.name.split("/")[0]].size_mm)
        assert min(place.clearance_mm(thing) for thing in things) > 0


@pytest.mark.parametrize("name", sorted(THINGS))
def test_every_thing_can_be_drawn(name: str) -> None:
    sprite = clutter_sprite(f"{name}/3")
    assert sprite.picture.shape[:2] == sprite.mask.shape
    assert (sprite.mask > 127).mean() > 0.6
    assert not sprite.mask[0].any()
    assert sprite.thick_mm == THINGS[name].thick_mm


def test_a_table_has_as_much_clutter_as_was_asked_for() -> None:
    for count in (0, 2):
        table = SimulatedTable(5, Conditions(clutter=count))
        items = [item for item in table._dressing.ground(table._state()) if item.kind == "clutter"]
        assert len(items) == count
        assert all(sprite_of(item).px_per_mm > 0 for item in items)


@pytest.mark.parametrize("person", range(len(SKINS)))
def test_a_hand_reaches_from_the_middle_to_the_lower_edge(person: int) -> None:
    mask = hand_sprite(person, left=False).mask > 127
    middle = mask.shape[0] // 2
    fingertips = np.nonzero(mask.any(axis=1))[0].min()
    assert 10 <= (middle - fingertips) / PX_PER_MM <= 35
    assert mask[-3].any()
    assert mask.shape[0] == pytest.approx(2 * REACH_MM * PX_PER_MM, abs=2)


def test_skin_tones_vary() -> None:
    levels = []
    for person in range(len(SKINS)):
        sprite = hand_sprite(person, left=False)
        middle = sprite.mask.shape[0] // 2
        palm = slice(middle + round(80 * PX_PER_MM), middle + round(110 * PX_PER_MM))
        levels.append(sprite.picture[palm][sprite.mask[palm] > 127].mean())
    assert max(levels) - min(levels) > 70


def test_a_left_hand_is_a_right_hand_in_the_mirror() -> None:
    right, left = hand_sprite(0, left=False), hand_sprite(0, left=True)
    np.testing.assert_array_equal(left.mask, right.mask[:, ::-1])


def test_fingers_are_apart() -> None:
    mask = hand_sprite(1, left=False).mask > 127
    row = mask[mask.shape[0] // 2 + round(12 * PX_PER_MM)]
    assert (np.diff(row.astype(int)) == 1).sum() >= 3
