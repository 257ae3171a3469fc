"""Test invariants that hold in every game."""

from __future__ import annotations

import json
import random
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.kvilt.decisions import decision_from_json, decision_to_json
from companion.games.kvilt.judging import judge_sheet
from companion.games.kvilt.legal import legal_decisions
from companion.games.kvilt.rules import History, apply
from companion.games.kvilt.sheet import ends_game
from companion.games.kvilt.state import CUSHION_HOLDS, Phase, Settings, Setup, State, Variant
from companion.kvilt.codec import setup_from_json, setup_to_json, summary
from tests.companion.games.kvilt.played import play_game
from tests.companion.kvilt_setups import own_setup

flags = st.booleans()
switches = st.builds(Settings, flags, flags, flags, flags, flags, flags, flags, flags)


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    players = draw(st.integers(2, 4))
    variants = {Variant.ALL_COUNTED} if draw(flags) else set()
    if players == 4 and draw(flags):
        variants.add(Variant.KVILTOMANIA)
    first = draw(st.integers(1, players))
    return own_setup(
        tuple("ABCD"[:players]), first, variants=frozenset(variants), settings=draw(switches), simultaneous=draw(flags)
    )


def check_pencils(state: State) -> None:
    """Assert that every colour has as many pencils as there are sets, wherever they are."""
    for colour, in_bag in state.pencils_in_bag.items():
        middle = sum(cushion.pencils.count(colour) for cushion in state.cushions)
        seats = 0
        for seat in state.seats:
            pencils = [pencil.colour for pencil in seat.hand] + [pencil.colour for pencil in seat.held]
            seats += (*pencils, *seat.spent).count(colour)
        assert in_bag >= 0
        assert in_bag + middle + seats == state.setup.sets
    assert all(len(cushion.pencils) <= CUSHION_HOLDS for cushion in state.cushions)


def check_marks(state: State) -> None:
    """Assert that each sheet, as seen now, has no faults by its own rules and yields the same marks."""
    sheet = state.setup.sheet
    for seat in state.seats:
        verdict = judge_sheet(sheet, seat.marks.regions(sheet))
        assert verdict.errors == ()
        assert verdict.marks == replace(seat.marks, bodies=verdict.marks.bodies)


def check_state(state: State) -> None:
    check_pencils(state)
    check_marks(state)
    assert bool(legal_decisions(state)) is not state.finished
    assert (state.turn is None) is state.finished
    assert set(state.active) == (set() if state.finished else {*state.active, state.turn})
    if state.phase is not Phase.COLOURING:
        assert all(not seat.tasks for seat in state.seats)


def random_history(setup: Setup, seed: int, decisions: int) -> History:
    rng, history = random.Random(seed), History(setup)
    while not history.state.finished and len(history.decisions) < decisions:
        history.apply(legal_decisions(history.state).pick(rng))
    return history


@given(setups(), st.integers(0, 2**32), st.integers(0, 250))
@settings(max_examples=35, deadline=None)
def test_every_state_of_a_random_game_is_sound(setup: Setup, seed: int, decisions: int) -> None:
    history = random_history(setup, seed, decisions)
    state = History(setup).state
    for number, decision in enumerate(history.decisions):
        if number % 7 == 0:
            check_state(state)
        state = apply(state, decision).state
    check_state(state)
    assert state == history.state


@given(setups(), st.integers(0, 2**32), st.integers(0, 120))
@settings(max_examples=30, deadline=None)
def test_all_that_is_listed_is_accepted_and_no_two_alike(setup: Setup, seed: int, decisions: int) -> None:
    state = random_history(setup, seed, decisions).state
    listed = legal_decisions(state)
    assert len(set(listed)) == listed.count() == len(listed)
    assert all(decision in listed for decision in list(listed)[:60])


@given(setups(), st.integers(0, 2**32), st.integers(1, 150))
@settings(max_examples=30, deadline=None)
def test_taking_back_leads_to_the_very_state_before(setup: Setup, seed: int, decisions: int) -> None:
    history = random_history(setup, seed, decisions)
    before = random_history(setup, seed, decisions - 1).state
    if len(history.decisions) == decisions:
        last = history.undo()
        assert history.state == before
        assert last not in history.decisions[decisions - 1 :]


@given(setups(), st.integers(0, 2**32))
@settings(max_examples=8, deadline=None)
def test_simulated_players_end_their_game_and_its_record_replays(setup: Setup, seed: int) -> None:
    history = play_game(setup, random.Random(seed))
    state = history.state
    assert (state.phase, state.turn, state.active) == (Phase.END, None, ())
    assert any(ends_game(setup.sheet, seat.marks) for seat in state.seats)
    assert state.winners
    assert all(len(seat.negative) == 2 * (Variant.ALL_COUNTED in setup.variants) for seat in state.seats)
    lines = [json.dumps(decision_to_json(decision)) for decision in history.decisions]
    again = History(setup_from_json(json.loads(json.dumps(setup_to_json(setup)))))
    for line in lines:
        again.apply(decision_from_json(json.loads(line)))
    assert again.state == state
    assert again.decisions == history.decisions
    assert summary(again.state) == summary(state)
