from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

from hardware.simulated.drawing import Pose
from hardware.simulated.drawing.footprint import patch_footprint
from hardware.simulated.scene.layout import pushed
from hardware.simulated.scene.table import SimulatedTable

TABLE = SimulatedTable(5)


def _lying() -> dict[str, Pose]:
    places = {}
    for name in TABLE.market:
        spot = TABLE.circle_spot_mm(name)
        assert spot is not None
        places[name] = Pose(*spot)
    return places


@pytest.mark.parametrize("seed", range(6))
def test_a_few_neighbours_are_moved_and_lie_on_nothing(seed: int) -> None:
    some = list(_lying())[:12]
    lying = {name: Pose(150.0 * (number % 6) - 400, 300.0 + 150 * (number // 6)) for number, name in enumerate(some)}
    moved = pushed(lying, TABLE.layout, np.random.default_rng(seed))
    assert len(moved) == 4
    away = [math.dist((pose.x_mm, pose.y_mm), (lying[name].x_mm, lying[name].y_mm)) for name, pose in moved.items()]
    assert max(away) > 10
    now = [patch_footprint(name, pose) for name, pose in {**lying, **moved}.items()]
    assert min(one.clearance_mm(other) for one, other in combinations(now, 2)) >= 0


def test_the_last_ones_are_left_alone() -> None:
    lying = dict(list(_lying().items())[:3])
    assert pushed(lying, TABLE.layout, np.random.default_rng(1)) == {}
