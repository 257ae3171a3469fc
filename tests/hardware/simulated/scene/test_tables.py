from __future__ import annotations

import pytest

from companion.config import SIMULATED_TABLES, SimulationConfig
from hardware.simulated.conditions import Conditions
from hardware.simulated.scene.table import SimulatedTable
from hardware.simulated.scene.tables import ORDINARY, TABLES


def test_the_configuration_knows_every_table() -> None:
    assert tuple(TABLES) == SIMULATED_TABLES
    assert SimulationConfig().table == ORDINARY
    assert TABLES[ORDINARY] == Conditions()


@pytest.mark.parametrize("name", sorted(TABLES))
def test_every_table_can_be_seen(name: str) -> None:
    table = SimulatedTable(4, TABLES[name].but(width_px=384, height_px=216))
    table.circle.intersection_update({"boot", "square", "bar5", "fat-plus", "zig-b3"})
    first = table.frame(0.0)
    assert first.shape == (216, 384, 3)
    assert first.std() > 10
