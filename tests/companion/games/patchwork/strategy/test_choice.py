from __future__ import annotations

import random
from dataclasses import replace

import pytest

from companion.games.patchwork.cells import ALL_CELLS, mask_of
from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import Advance, PlaceLeather, TakePatch
from companion.games.patchwork.errors import GameOverError
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import apply, new_game, offers
from companion.games.patchwork.state import Setup, State
from companion.games.patchwork.strategy.choice import choose, raggedness


def _played(seed: int, randomness: float) -> State:
    state, rng = new_game(Setup()), random.Random(seed)
    while not state.finished:
        decision = choose(state, rng.gauss, randomness).decision
        assert decision in legal_decisions(state)
        state = apply(state, decision).state
    return state


@pytest.mark.parametrize("randomness", [0.0, 0.45, 1.0])
def test_every_decision_is_legal_to_the_end(randomness: float) -> None:
    assert _played(1, randomness).finished


def test_a_good_player_fills_the_quilt() -> None:
    empty = [seat.empty for seed in range(4) for seat in _played(seed, 0.02).seats]
    assert sum(empty) / len(empty) < 16


def test_randomness_costs_cells() -> None:
    good, wild = (sum(seat.empty for seed in range(4) for seat in _played(seed, each).seats) for each in (0.0, 1.0))
    assert good < wild


def test_a_lone_hole_is_ragged_and_leather_goes_there() -> None:
    hole, corner = mask_of(["E5"]), mask_of(["A1", "B1"])
    quilt = ALL_CELLS & ~hole & ~corner
    assert raggedness(quilt | corner) > raggedness(quilt | hole)
    assert raggedness(ALL_CELLS) == 0


def test_an_empty_quilt_is_ragged_at_its_border_alone() -> None:
    assert raggedness(0) == 36


def test_a_finished_game_has_no_decision() -> None:
    with pytest.raises(GameOverError):
        choose(_played(2, 0.1), random.Random(1).gauss)


def test_some_decisions_advance_and_some_place_leather() -> None:
    state, rng, kinds = new_game(Setup()), random.Random(4), set()
    while not state.finished:
        decision = choose(state, rng.gauss, 0.1).decision
        kinds.add(type(decision))
        state = apply(state, decision).state
    assert {Advance, PlaceLeather} <= kinds


def test_a_better_purchase_scores_higher() -> None:
    state = new_game(Setup(market=(*(patch for patch in PATCHES if patch != "domino"), "domino")))
    best = choose(state, random.Random(1).gauss)
    assert isinstance(best.decision, TakePatch)
    others = tuple(patch for patch in offers(state) if patch != best.decision.patch)
    assert best.score > choose(replace(state, unbought=others), random.Random(1).gauss).score
