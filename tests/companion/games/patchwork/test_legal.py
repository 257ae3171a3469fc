"""All legal decisions of a state: counted, listed, indexed, picked and asked for are the same."""

import random
from collections import Counter
from dataclasses import replace

import pytest

from companion.games.patchwork.cells import ALL_CELLS
from companion.games.patchwork.components import PATCHES, fits
from companion.games.patchwork.decisions import Advance, PlaceLeather, TakePatch
from companion.games.patchwork.legal import LegalDecisions, legal_decisions
from companion.games.patchwork.rules import affordable, apply, new_game
from companion.games.patchwork.state import Setup, State

CIRCLE = (*(patch for patch in PATCHES if patch != "domino"), "domino")


def state_id(state: State) -> str:
    return f"{'unknown' if state.market is None else 'circle'}-{state.decisions_made}"


def some_states() -> list[State]:
    states: list[State] = []
    for market in (CIRCLE, None):
        rng, state = random.Random(4), new_game(Setup(market=market))
        while not state.finished and len(states) < 200:
            states.append(state)
            state = apply(state, legal_decisions(state).pick(rng)).state
    return states


@pytest.mark.parametrize("state", some_states(), ids=state_id)
def test_every_way_to_ask_gives_the_same(state: State) -> None:
    legal = legal_decisions(state)
    listed = list(legal)
    assert legal.count() == len(legal) == len(listed) == len(set(listed))
    assert [legal[index] for index in range(legal.count())] == listed
    assert bool(legal)
    for decision in (listed[0], listed[-1], listed[len(listed) // 2]):
        assert decision in legal
        assert apply(state, decision).state.decisions_made == state.decisions_made + 1


@pytest.mark.parametrize("state", some_states()[::5], ids=state_id)
def test_they_are_the_placements_that_fit_and_the_advance(state: State) -> None:
    turn = state.turn or 0
    quilt = state.seat(turn).quilt
    if state.leather_due:
        expected = {PlaceLeather(turn, 1 << cell) for cell in range(81) if not quilt >> cell & 1}
        assert set(legal_decisions(state)) == expected
    else:
        purchases = {TakePatch(turn, patch, mask) for patch in affordable(state) for mask in fits(patch, quilt)}
        assert set(legal_decisions(state)) == purchases | {Advance(turn)}


def test_purchases_come_in_the_order_of_the_offers_and_the_advance_last() -> None:
    listed = list(legal_decisions(new_game(Setup(market=CIRCLE))))
    patches = [decision.patch for decision in listed if isinstance(decision, TakePatch)]
    assert list(dict.fromkeys(patches)) == [patch for patch in CIRCLE[:3] if PATCHES[patch].buttons <= 5]
    assert listed[-1] == Advance(1)


def test_nothing_is_legal_after_the_end() -> None:
    legal = legal_decisions(replace(new_game(Setup()), turn=None))
    assert (legal.count(), list(legal), bool(legal)) == (0, [], False)
    with pytest.raises(IndexError):
        legal.pick(random.Random(1))


@pytest.mark.parametrize("index", [-1, 10**9])
def test_there_is_no_decision_outside_the_count(index: int) -> None:
    with pytest.raises(IndexError):
        legal_decisions(new_game(Setup()))[index]


def test_only_decisions_are_among_the_legal_ones() -> None:
    legal: LegalDecisions = legal_decisions(new_game(Setup()))
    assert "advance" not in legal
    assert None not in legal


def test_a_pick_is_uniform() -> None:
    state = replace(new_game(Setup()), leather_due=True)
    state = replace(state, seats=(replace(state.seat(1), quilt=ALL_CELLS & ~0b1011), state.seat(2)))
    rng = random.Random(3)
    picked = Counter(legal_decisions(state).pick(rng) for _ in range(3000))
    assert set(picked) == {PlaceLeather(1, 1), PlaceLeather(1, 2), PlaceLeather(1, 8)}
    assert all(900 < times < 1100 for times in picked.values())
