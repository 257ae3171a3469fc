"""Test the players' mistakes, and how they correct them."""

from __future__ import annotations

import random

import numpy as np
import pytest

from companion.games.patchwork.cells import cell_index
from companion.games.patchwork.components import PATCHES, fits
from companion.games.patchwork.decisions import Advance, PlaceLeather, TakePatch
from companion.games.patchwork.errors import IllegalDecisionError
from companion.games.patchwork.rules import affordable, apply, check, new_game, offers
from companion.games.patchwork.state import Setup, State
from companion.games.patchwork.strategy.choice import choose
from hardware.simulated.drawing import Pose
from hardware.simulated.people.slips import TEMPERS, Mishaps, Slip, Temper, drawn_slip, wrong_placement
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


PLACED = [Slip.OVERLAP, Slip.OVER_THE_EDGE, Slip.NOT_OFFERED, Slip.NOT_AFFORDABLE, Slip.WRONG_BOARD]


def _middle_of_a_game(seed: int = 1) -> tuple[State, TakePatch]:
    """Return a state with patches on both boards, and a legal purchase in it."""
    market = (*(patch for patch in PATCHES if patch != "domino"), "domino")
    state, rng = new_game(Setup(market=market)), random.Random(seed)
    while state.decisions_made < 10 or state.leather_due or not affordable(state):
        state = apply(state, choose(state, rng.gauss, 0.3).decision).state
    assert state.turn is not None
    patch = affordable(state)[0]
    return state, TakePatch(state.turn, patch, fits(patch, state.seat(state.turn).quilt)[0])


def _mask(cells: tuple[tuple[int, int], ...]) -> int | None:
    if not all(0 <= row < 9 and 0 <= column < 9 for row, column in cells):
        return None
    return sum(1 << row * 9 + column for row, column in cells)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("slip", PLACED)
def test_a_slips_placement_breaks_the_rules(slip: Slip, seed: int) -> None:
    state, decision = _middle_of_a_game(seed)
    wrong = wrong_placement(slip, state, decision, np.random.default_rng(seed))
    if wrong is None:
        # Nothing is too dear for a rich player, say.
        assert slip in (Slip.NOT_AFFORDABLE, Slip.NOT_OFFERED)
        return
    mask = _mask(wrong.cells)
    assert (mask is None) == (slip is Slip.OVER_THE_EDGE)
    assert (wrong.seat != decision.seat) == (slip is Slip.WRONG_BOARD)
    if mask is not None and wrong.seat == decision.seat:
        with pytest.raises(IllegalDecisionError):
            check(state, TakePatch(decision.seat, wrong.name, mask))


def test_a_patch_that_is_not_offered_has_not_the_shape_of_one_that_is() -> None:
    state, decision = _middle_of_a_game()
    for seed in range(20):
        wrong = wrong_placement(Slip.NOT_OFFERED, state, decision, np.random.default_rng(seed))
        assert wrong is not None
        assert wrong.name not in offers(state)


def test_slips_that_are_not_about_a_place_have_none() -> None:
    state, decision = _middle_of_a_game()
    rng = np.random.default_rng(1)
    assert wrong_placement(Slip.NUDGE, state, decision, rng) is None
    assert wrong_placement(Slip.OVERLAP, state, Advance(decision.seat), rng) is None


def test_slips_come_as_often_as_the_temper_says() -> None:
    rng = np.random.default_rng(1)
    temper = Temper(1.0, 0.0, slips={Slip.OVERLAP: 0.2})
    decision = TakePatch(1, "domino", 3)
    drawn = [drawn_slip(temper, decision, rng) for _ in range(2000)]
    assert 300 < sum(slip is Slip.OVERLAP for slip in drawn) < 500


def test_only_what_can_go_wrong_does() -> None:
    rng = np.random.default_rng(1)
    always = Temper(1.0, 0.0, slips=dict.fromkeys(Slip, 1.0))
    leather = PlaceLeather(1, 1 << cell_index("E5"))
    assert drawn_slip(always, leather, rng) in (Slip.NUDGE, Slip.LOST_BUTTON, Slip.LEATHER_FORGOTTEN)
    assert drawn_slip(always, Advance(1), rng) is Slip.UNDO
    forgotten = Temper(1.0, 0.0, slips={Slip.LEATHER_FORGOTTEN: 1.0})
    assert drawn_slip(forgotten, TakePatch(1, "domino", 3), rng) is None


def test_tidy_people_have_no_slips_and_forgetful_ones_have_them_all() -> None:
    assert not TEMPERS["tidy"].slips
    assert not TEMPERS["tidy"].marker_slips
    assert not TEMPERS["tidy"].purse_slips
    assert not TEMPERS["tidy"].circle_slips
    forgetful = TEMPERS["forgetful"]
    at_board = {*forgetful.marker_slips, *forgetful.purse_slips, *forgetful.circle_slips}
    assert {*forgetful.slips} | at_board == set(Slip)
    assert TEMPERS["hasty"].early
    assert TEMPERS["hasty"].unsteady > TEMPERS["tidy"].unsteady


@pytest.mark.parametrize("cells", [(44, 45), (0, 1, 2), (72, 73)])
def test_a_patch_over_the_edge_still_lies_on_the_board_in_part(cells: tuple[int, ...]) -> None:
    """Otherwise it could not be recognised as meant for the board."""
    state, _ = _middle_of_a_game(0)
    patch = {2: "domino", 3: "bar3"}[len(cells)]
    decision = TakePatch(1, patch, sum(1 << cell for cell in cells))
    for seed in range(12):
        wrong = wrong_placement(Slip.OVER_THE_EDGE, state, decision, np.random.default_rng(seed))
        assert wrong is not None
        inside = [0 <= row < 9 and 0 <= column < 9 for row, column in wrong.cells]
        assert any(inside)
        assert not all(inside)


def test_neighbours_that_leave_a_patch_no_room_are_pushed_straight(table: SimulatedTable) -> None:
    piece = table.pieces(1)[0]
    straight = piece.straight().pose
    table.move(1, piece, Pose(straight.x_mm + 3.0, straight.y_mm, straight.angle_deg))
    mishaps = Mishaps(table, np.random.default_rng(1))
    assert mishaps.mend() == []
    assert mishaps.straighten()
    assert table.pieces(1)[0].pose == straight
