"""Test grids that were found one line beside their true place."""

from __future__ import annotations

import numpy as np
import pytest

from companion.patchwork.photograph.photo import put_right
from hardware.simulated.conditions import Conditions
from hardware.simulated.scene.table import SimulatedTable
from vision.board.grid import fit_covered_grid
from vision.geometry import GRID_CORNERS, through_corners, translation


@pytest.fixture(scope="module")
def table() -> SimulatedTable:
    table = SimulatedTable(8, Conditions(ground_seed=1, creep_mm=0.5), mats=False)
    table.lay(1, "square", [(4, 4), (4, 5), (5, 4), (5, 5)])
    table.lay(1, "bar4", [(0, 0), (1, 0), (2, 0), (3, 0)])
    return table


@pytest.mark.parametrize(("right", "down"), [(0, 0), (0, 1), (-1, 0)])
def test_a_grid_a_line_beside_its_place_is_put_right(table: SimulatedTable, right: int, down: int) -> None:
    image, corners = table.frame(0.0), table.grid_corners_px()[0]
    beside, _ = fit_covered_grid(image, through_corners(GRID_CORNERS, corners).after(translation(right, down)))
    found = put_right(image, beside)
    assert found.clear
    cell_px = float(np.hypot(*(corners[1] - corners[0]))) / 9
    assert found.place.residuals(GRID_CORNERS, corners).max() < 0.25 * cell_px


def test_the_place_of_a_missing_quilt_is_not_clear(table: SimulatedTable) -> None:
    image = np.full_like(table.frame(0.0), 120)
    place = through_corners(GRID_CORNERS, table.grid_corners_px()[0])
    assert not put_right(image, place).clear
