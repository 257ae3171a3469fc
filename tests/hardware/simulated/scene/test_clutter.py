from __future__ import annotations

import numpy as np
import pytest

from companion.games.patchwork import PATCHES
from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing.footprint import patch_footprint, rectangle
from hardware.simulated.prints.looks import sprite_of, the_mat
from hardware.simulated.prints.objects import THINGS, clutter_sprite
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
