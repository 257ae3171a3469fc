from __future__ import annotations

import numpy as np
import pytest

from companion.games.patchwork import (
    ALL_CELLS,
    Advance,
    PlaceLeather,
    Setup,
    State,
    apply,
    legal_decisions,
    mask_of,
    new_game,
)
from hardware.simulated.people.strategy import choose, raggedness


def _played(seed: int, whim: float) -> State:
    state, rng = new_game(Setup()), np.random.default_rng(seed)
    while not state.finished:
        decision = choose(state, rng, whim)
        assert decision in legal_decisions(state)
        state = apply(state, decision).state
    return state


@pytest.mark.parametrize("whim", [0.0, 0.45, 1.0])
def test_every_decision_is_legal_to_the_end(whim: float) -> None:
    assert _played(1, whim).finished


def test_a_tidy_packer_fills_the_quilt() -> None:
    empty = [seat.empty for seed in range(4) for seat in _played(seed, 0.02).seats]
    assert sum(empty) / len(empty) < 16


def test_whims_cost_cells() -> None:
    tidy, wild = ([seat.empty for seed in range(4) for seat in _played(seed, whim).seats] for whim in (0.0, 1.0))
    assert sum(tidy) < sum(wild)


def test_a_lone_hole_is_ragged_and_leather_goes_there() -> None:
    hole, corner = mask_of(["E5"]), mask_of(["A1", "B1"])
    quilt = ALL_CELLS & ~hole & ~corner
    assert raggedness(quilt | corner) > raggedness(quilt | hole)
    assert raggedness(ALL_CELLS) == 0


def test_an_empty_quilt_is_ragged_at_its_border_alone() -> None:
    assert raggedness(0) == 36


def test_a_finished_game_has_no_decision() -> None:
    with pytest.raises(ValueError, match="ended"):
        choose(_played(2, 0.1), np.random.default_rng(1), 0.0)


def test_some_decisions_advance_and_some_place_leather() -> None:
    state, rng, kinds = new_game(Setup()), np.random.default_rng(4), set()
    while not state.finished:
        decision = choose(state, rng, 0.1)
        kinds.add(type(decision))
        state = apply(state, decision).state
    assert {Advance, PlaceLeather} <= kinds
