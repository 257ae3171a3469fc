from __future__ import annotations

import numpy as np
import pytest

from hardware.simulated.drawing.pose import Pose
from hardware.simulated.people.mishaps import Mishaps
from hardware.simulated.scene.table import SimulatedTable


@pytest.fixture
def table() -> SimulatedTable:
    table = SimulatedTable(1)
    table.lay(1, "domino", ((0, 0), (0, 1)))
    table.lay(1, "square", ((4, 4), (4, 5), (5, 4), (5, 5)))
    return table


def test_a_nudged_patch_is_put_back_where_it_was(table: SimulatedTable) -> None:
    before = table.pieces(1)
    mishaps = Mishaps(table, np.random.default_rng(1))
    mishaps.nudge(1)
    moved = [piece for piece in table.pieces(1) if piece not in before]
    assert len(moved) == 1
    assert len(mishaps.mend()) == 1
    assert table.pieces(1) == before
    assert mishaps.mend() == []


def test_the_patch_laid_last_is_not_the_one_that_is_nudged(table: SimulatedTable) -> None:
    last = table.pieces(1)[-1]
    for seed in range(8):
        Mishaps(table, np.random.default_rng(seed)).nudge(1)
    assert last in table.pieces(1)


def test_a_lone_patch_is_not_nudged() -> None:
    table = SimulatedTable(1)
    piece = table.lay(2, "domino", ((0, 0), (0, 1)))
    Mishaps(table, np.random.default_rng(1)).nudge(2)
    assert table.pieces(2) == (piece,)


def test_a_lost_token_lies_on_a_free_cell_until_it_is_picked_up(table: SimulatedTable) -> None:
    mishaps = Mishaps(table, np.random.default_rng(1))
    all_but_one = (1 << 81) - 1 & ~(1 << 40)
    mishaps.drop_token(1, all_but_one)
    ((seat, pose),) = table.strays
    assert seat == 1
    assert max(abs(pose.x_mm), abs(pose.y_mm)) <= 3
    assert len(mishaps.mend()) == 1
    assert table.strays == []


def test_a_token_that_was_there_before_is_picked_up_too(table: SimulatedTable) -> None:
    table.strew(1, np.random.default_rng(2))
    mishaps = Mishaps(table, np.random.default_rng(1))
    mishaps.forget()
    assert len(table.strays) == 1
    assert len(mishaps.mend()) == 1
    assert table.strays == []


def test_on_a_full_quilt_no_token_is_lost(table: SimulatedTable) -> None:
    Mishaps(table, np.random.default_rng(1)).drop_token(1, (1 << 81) - 1)
    assert table.strays == []


def test_after_the_turn_tokens_are_gone_and_nudged_patches_stay(table: SimulatedTable) -> None:
    mishaps = Mishaps(table, np.random.default_rng(1))
    mishaps.nudge(1)
    mishaps.drop_token(1, 0)
    nudged = table.pieces(1)
    mishaps.forget()
    assert table.pieces(1) == nudged
    assert table.strays == []
    assert mishaps.mend() == []


def test_a_patch_that_was_brushed_too_far_is_pushed_back_onto_its_cells(table: SimulatedTable) -> None:
    mishaps, piece = Mishaps(table, np.random.default_rng(1)), table.pieces(1)[0]
    cells = piece.cells()
    for by_mm, spots in ((6.0, 0), (8.5, 1)):
        straight = piece.straight().pose
        piece = table.move(1, piece, Pose(straight.x_mm + by_mm, straight.y_mm, straight.angle_deg + 1.0))
        assert len(mishaps.mend()) == spots
    assert table.pieces(1)[0].cells() == cells
    assert table.pieces(1)[0].pose == table.pieces(1)[0].straight().pose
