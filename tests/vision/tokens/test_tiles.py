"""Tiles on a drawn table."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from calibration.locator import MatLocator
from calibration.mat import load_mats
from hardware.simulated.conditions import Conditions
from hardware.simulated.scene.table import SimulatedTable
from tests.vision.timeboard.conftest import true_place
from vision.tokens import tiles
from vision.tokens.tiles import Tile, find_tiles


@cache
def _table(seed: int) -> SimulatedTable:
    table = SimulatedTable(seed, Conditions())
    table.circle.clear()
    return table


def tiles_by_boards(seed: int, bonus: int | None) -> list[Tile]:
    table = _table(seed)
    table.books = replace(table.books, bonus=bonus, leather_out=(), first=None)
    image = table.frame(0.0)
    places = dict(sorted(MatLocator(*load_mats()).locate(image).items()))
    found = find_tiles(image, list(places.values()), true_place(table))
    return [tile for tile in found if min(tile.away_cells) < 8]


@pytest.mark.parametrize(("seed", "seat"), [(1, 2), (4, 1)])
def test_a_tile_is_found_by_its_owners_board(seed: int, seat: int) -> None:
    (tile,) = tiles_by_boards(seed, seat)
    assert min(tile.away_cells) < tile.off_track_cells < 60
    assert min(tile.away_cells) == tile.away_cells[seat - 1]
    assert tile.sides_cells[0] == pytest.approx(2.5, abs=0.5)
    assert tile.sides_cells[1] == pytest.approx(2.2, abs=0.5)


def test_a_tile_by_the_time_board_lies_by_nobodys() -> None:
    assert tiles_by_boards(1, None) == []


@pytest.mark.parametrize(
    ("sides_cells", "is_tile"),
    [((2.3, 2.2), True), ((3.4, 2.3), True), ((3.5, 1.5), False), ((3.4, 1.5), False), ((2.0, 1.2), False)],
)
def test_a_tile_is_no_longer_than_three_by_two(sides_cells: tuple[float, float], is_tile: bool) -> None:
    assert tiles._is_of_size(Tile((0, 0), sides_cells, 0.78, -2.9, (4.5,))) is is_tile
