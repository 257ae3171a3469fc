"""Test the poses of pieces on a board, and the coins and the tile beside it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.patchwork.components import PATCHES, fits, placements
from hardware.simulated.conditions import LEATHER, Conditions
from hardware.simulated.drawing import Pose
from hardware.simulated.drawing.footprint import patch_footprint, rectangle
from hardware.simulated.drawing.sprites import CELL_MM, TILE_MM
from hardware.simulated.scene.circle import lay_circle
from hardware.simulated.scene.dressing import tile_places
from hardware.simulated.scene.layout import Arrangement, arranged
from hardware.simulated.scene.placing import (
    BOX,
    Coin,
    Layer,
    Lying,
    first_purse,
    nudged,
    purse_of,
    settled,
    turned_to,
    worth,
)
from hardware.simulated.scene.table import SimulatedTable, cells_of

if TYPE_CHECKING:
    from numpy.typing import NDArray


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


DUES = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 60)), max_size=12)


@given(DUES, st.booleans())
def test_paying_and_taking_brings_a_player_to_the_buttons_due(dues: list[tuple[int, int]], stacks: bool) -> None:
    purses = [first_purse(5), first_purse(5)]
    for seat, due in dues:
        purses[seat] = settled(purses[seat], purses[1 - seat], due, stacks=stacks)
        assert worth(purses[seat]) == due
        large = Counter(coin.value for purse in purses for coin in purse if coin.value > 1)
        assert not large - Counter(BOX)


def test_the_exact_sum_is_paid_in_small_tokens_if_they_have_it() -> None:
    purse = (Coin(10, 0), Coin(1, 1), Coin(1, 2), Coin(1, 3))
    assert settled(purse, (), 11) == (Coin(10, 0), Coin(1, 1))


def test_change_is_given_for_a_large_token() -> None:
    assert Counter(coin.value for coin in settled((Coin(10, 0),), (), 7)) == {5: 1, 1: 2}


def test_many_ones_are_changed() -> None:
    assert Counter(coin.value for coin in settled(first_purse(7), (), 9)) == {5: 1, 1: 4}


def test_a_token_that_stays_keeps_its_place() -> None:
    before = purse_of(17)
    after = settled(before, (), 16)
    assert after == before[:-1]


def test_a_stacking_player_lays_a_token_on_one_of_its_value() -> None:
    assert purse_of(23, stacks=True) == (Coin(20, 0), Coin(1, 1), Coin(1, 1), Coin(1, 1))
    assert len({coin.spot for coin in purse_of(23)}) == 4


STEADY = Conditions(offset_mm=0.0, rotation_deg=0.0, creep_mm=0.0)


def _layer(conditions: Conditions = STEADY, seed: int = 1) -> Layer:
    return Layer(conditions, np.random.default_rng(seed))


def test_every_placement_of_every_patch_can_be_laid_and_read_back() -> None:
    for patch in PATCHES:
        layer = _layer()
        for mask in placements(patch)[::7]:
            assert set(layer.lay(patch, cells_of(mask), []).cells()) == set(cells_of(mask)), patch


def test_leather_covers_its_cell() -> None:
    assert _layer().lay(LEATHER, [(3, 7)], []).cells() == ((3, 7),)


def test_cells_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="domino does not have the shape"):
        _layer().lay("domino", [(0, 0), (1, 1)], [])


def test_a_drawn_patch_is_neither_turned_nor_flipped() -> None:
    cells = tuple(sorted(PATCHES["boot"].cells))
    assert turned_to("boot", cells) == (False, 0)


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.floats(0, 6.7), st.floats(0, 3), st.floats(0, 6))
def test_a_lone_patch_lies_at_most_a_third_of_a_cell_and_three_degrees_off(
    seed: int, offset_mm: float, rotation_deg: float, creep_mm: float
) -> None:
    cells = cells_of(fits("arrow", 0)[seed % 30])
    laid = _layer(Conditions(offset_mm=offset_mm, rotation_deg=rotation_deg, creep_mm=creep_mm), seed)
    crooked, straight = laid.lay("arrow", cells, []).pose, _layer().lay("arrow", cells, []).pose
    reach_mm = CELL_MM / 3 + creep_mm
    assert abs(crooked.x_mm - straight.x_mm) <= reach_mm
    assert abs(crooked.y_mm - straight.y_mm) <= reach_mm
    assert abs(crooked.angle_deg - straight.angle_deg) <= 3


def test_creep_makes_a_full_row_longer_than_the_grid() -> None:
    layer = _layer(STEADY.but(creep_mm=6.0))
    first, last = (layer.lay(LEATHER, [(0, column)], []).pose.x_mm for column in (0, 8))
    assert last - first == pytest.approx(8 * CELL_MM + 6.0 * 8 / 9)


def _overlap_mm2(one: Lying, other: Lying) -> float:
    """Return the overlap by testing points of a fine grid, independently of the raster used for pushing."""
    axis = np.arange(-100, 100, 0.5)
    points = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    return float((_inside(one, points) & _inside(other, points)).sum() * 0.25)


def _inside(piece: Lying, points: NDArray[np.float64]) -> NDArray[np.bool_]:
    shape = PATCHES[piece.name].cells
    local = (points - [piece.pose.x_mm, piece.pose.y_mm]) @ piece.pose.matrix[:2, :2]
    rows, columns = 1 + max(r for r, _ in shape), 1 + max(c for _, c in shape)
    mirrored = [(r, columns - 1 - c) if piece.flipped else (r, c) for r, c in shape]
    cell = np.floor(local / CELL_MM + [columns / 2, rows / 2]).astype(int)
    return np.isin(cell[:, 1] * 100 + cell[:, 0], [r * 100 + c for r, c in mirrored])


@pytest.mark.parametrize("seed", range(6))
def test_neighbours_push_one_another_instead_of_lying_on_top(seed: int) -> None:
    layer = _layer(Conditions(offset_mm=2.5, rotation_deg=1.5, creep_mm=2.0), seed)
    first = layer.lay("square", [(3, 3), (3, 4), (4, 3), (4, 4)], [])
    second = layer.lay("domino", [(3, 5), (4, 5)], [first])
    assert _overlap_mm2(first, second) < 25
    assert second.layer == 0


def test_a_patch_meant_to_lie_on_another_lies_on_top_of_it() -> None:
    layer = _layer()
    first = layer.lay("square", [(3, 3), (3, 4), (4, 3), (4, 4)], [])
    second = layer.lay("domino", [(4, 4), (4, 5)], [first])
    assert set(second.cells()) == {(4, 4), (4, 5)}
    assert second.layer == 1


def test_a_brushed_piece_slides_as_far_as_it_is_brushed_and_to_where_there_is_room() -> None:
    layer = _layer()
    piece = layer.lay("domino", [(4, 0), (4, 1)], [])
    wall = layer.lay("bar3", [(3, 2), (4, 2), (5, 2)], [piece])
    moved = nudged(piece, [wall], 3.0, np.random.default_rng(3))
    assert np.hypot(moved.x_mm - piece.pose.x_mm, moved.y_mm - piece.pose.y_mm) == pytest.approx(3.0)
    assert moved.x_mm <= piece.pose.x_mm + 0.5


def test_a_pose_on_another_is_both_of_them() -> None:
    placed = Pose(10, 0, 5).on(Pose(100, 50, 90))
    assert (placed.x_mm, placed.y_mm, placed.angle_deg) == pytest.approx((100, 60, 95))
