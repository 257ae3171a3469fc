from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from hardware.simulated.conditions import STRESSES, Conditions, normal
from hardware.simulated.scene.table import SimulatedTable


def test_conditions_cannot_be_changed_only_varied() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        normal().noise = 3.0  # type: ignore[misc]
    assert normal().but(noise=3.0) == Conditions(noise=3.0)
    with pytest.raises(TypeError, match="darkness"):
        normal().but(darkness=1)


@pytest.mark.parametrize("name", sorted(STRESSES))
def test_each_stress_changes_the_picture_in_steps_that_differ(name: str) -> None:
    steps = STRESSES[name]
    assert len(set(steps)) == len(steps)
    assert normal() not in steps
    table = SimulatedTable(3, steps[-1].but(width_px=384, height_px=216))
    table.lay(1, "boot", [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1)])
    table.strew(table.conditions.tokens_on_board, np.random.default_rng(1))
    table.knock()
    image = table.frame(0.0)
    plain = SimulatedTable(3, Conditions(width_px=384, height_px=216))
    plain.lay(1, "boot", [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1)])
    seen = np.abs(image.astype(int) - plain.frame(0.0).astype(int)).max() > 15
    assert seen or table.pieces(1) != plain.pieces(1)


@pytest.mark.parametrize("name", ["gradient", "glare", "dim", "defocus", "jpeg", "hard-shadow"])
def test_a_harsher_step_is_further_from_an_ordinary_evening(name: str) -> None:
    size = {"width_px": 384, "height_px": 216}
    ordinary = SimulatedTable(3, Conditions(**size)).frame(0.0).astype(int)  # type: ignore[arg-type]
    frames = [SimulatedTable(3, step.but(**size)).frame(0.0).astype(int) for step in STRESSES[name]]
    off = [np.abs(frame - ordinary).mean() for frame in frames]
    assert off == sorted(off)
