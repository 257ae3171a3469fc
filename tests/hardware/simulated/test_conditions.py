"""Test the difficulties of simulated tables, and the tables by name."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pytest

from bench.stresses import STRESSES
from companion.config import SIMULATED_TABLES, SimulationConfig
from hardware.simulated.conditions import ORDINARY, TABLES, Conditions, normal
from hardware.simulated.scene.table import SimulatedTable

if TYPE_CHECKING:
    from numpy.typing import NDArray


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


BOOT: Final = ((0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1))
FEW: Final = ("boot", "square", "bar5", "fat-plus", "zig-b3")
SMALL: Final[dict[str, Any]] = {"width_px": 384, "height_px": 216}


def _table(conditions: Conditions) -> SimulatedTable:
    """Return a table with little of the circle in a small picture, which is drawn quickly."""
    table = SimulatedTable(3, conditions.but(**SMALL))
    table.circle.intersection_update(FEW)
    return table


@dataclasses.dataclass(frozen=True)
class Ordinary:
    """A table in ordinary conditions, and its pictures before and after a patch was laid."""

    table: SimulatedTable
    bare: NDArray[np.uint8]
    laid: NDArray[np.uint8]


@pytest.fixture(scope="module")
def ordinary() -> Ordinary:
    table, again = (_table(Conditions()) for _ in range(2))
    table.lay(1, "boot", BOOT)
    return Ordinary(table, again.frame(0.0), table.frame(0.0))


def test_conditions_cannot_be_changed_only_varied() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        normal().noise = 3.0  # type: ignore[misc]
    assert normal().but(noise=3.0) == Conditions(noise=3.0)
    with pytest.raises(TypeError, match="darkness"):
        normal().but(darkness=1)


@pytest.mark.parametrize("name", sorted(STRESSES))
def test_each_stress_changes_the_picture_in_steps_that_differ(name: str, ordinary: Ordinary) -> None:
    steps = STRESSES[name]
    assert len(set(steps)) == len(steps)
    assert normal() not in steps
    table = _table(steps[-1])
    table.lay(1, "boot", BOOT)
    table.strew(table.conditions.tokens_on_board, np.random.default_rng(1))
    table.knock()
    # Later, because some faults grow.
    seen = np.abs(table.frame(60.0).astype(int) - ordinary.laid.astype(int)).max() > 8
    assert seen or table.pieces(1) != ordinary.table.pieces(1)


@pytest.mark.parametrize("name", ["gradient", "glare", "dim", "defocus", "jpeg", "hard-shadow"])
def test_a_harsher_step_is_further_from_an_ordinary_evening(name: str, ordinary: Ordinary) -> None:
    frames = [_table(step).frame(0.0).astype(int) for step in STRESSES[name]]
    off = [np.abs(frame - ordinary.bare.astype(int)).mean() for frame in frames]
    assert off == sorted(off)
