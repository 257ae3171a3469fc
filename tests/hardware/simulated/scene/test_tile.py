from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.games.patchwork import PATCHES
from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing.footprint import patch_footprint, rectangle
from hardware.simulated.drawing.sprites import TILE_MM
from hardware.simulated.scene.circle import lay_circle
from hardware.simulated.scene.dressing import tile_places
from hardware.simulated.scene.layout import Arrangement, arranged
from hardware.simulated.scene.table import SimulatedTable


@pytest.mark.parametrize("arrangement", list(Arrangement))
def test_the_tile_lies_beside_the_patches_near_where_it_belongs(arrangement: Arrangement) -> None:
    rng = np.random.default_rng(4)
    layout = arranged(arrangement, Conditions(), rng, mats=False)
    circle = lay_circle(layout, tuple(PATCHES), Conditions(), rng).places
    places = tile_places(layout, circle, rng)
    patches = [patch_footprint(patch, pose) for patch, pose in circle.items()]
    for place, near in zip(places, (layout.time_board, *layout.buttons), strict=True):
        tile = rectangle(place, *TILE_MM)
        assert min(tile.clearance_mm(patch) for patch in patches) > 0
        assert np.hypot(place.x_mm - near.x_mm, place.y_mm - near.y_mm) < 200


def test_the_tile_is_seen_to_go_to_who_has_won_it() -> None:
    table = SimulatedTable(4, Conditions(jitter_px=0.0, noise=0.0))
    before = table.frame(0.0).astype(int)
    table.books = replace(table.books, bonus=2)
    changed = np.argwhere(np.abs(table.frame(0.0).astype(int) - before).max(axis=2) > 40)
    assert len(changed) > 800
    assert np.ptp(changed[:, 1]) > 300
