"""Test the levels of a partner in Kvilt."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from companion.games.kvilt.decisions import Decision, Fetch, FillNeutral, PlacePencil, Swap
from companion.games.kvilt.explaining import is_draw
from companion.games.kvilt.legal import legal_decisions
from companion.games.kvilt.rules import apply, new_game
from companion.games.kvilt.state import Bag, Phase, State, Variant
from companion.games.kvilt.strategy.levels import advise
from companion.games.strategy import Level
from tests.companion.kvilt_setups import own_setup


def drawn(state: State, decision: Decision, bag: Bag) -> Decision:
    """Return a decision with the pencils that really come out of the bag."""
    match decision:
        case PlacePencil():
            return replace(decision, drawn=bag.draw(state)[0])
        case FillNeutral() | Swap():
            return replace(decision, drawn=bag.draw(state, len(decision.drawn)))
        case Fetch() if is_draw(decision):
            return replace(decision, colour=bag.draw(state)[0])
    return decision


def played(levels: dict[int, Level | None], seed: int, *variants: Variant) -> State:
    """Return the end of a game between levels; None is a player who takes any legal decision."""
    state, bag, rng = new_game(own_setup(variants=frozenset(variants))), Bag(seed), random.Random(seed)
    while not state.finished:
        level, legal = levels[state.mover], legal_decisions(state)
        decision = legal.pick(rng) if level is None else advise(state, level, rng).chosen.decision
        assert decision in legal
        state = apply(state, drawn(state, decision, bag)).state
    return state


def colouring() -> State:
    """Return a state in which a colouring begins."""
    state, rng, bag = new_game(own_setup()), random.Random(2), Bag(2)
    while state.phase is not Phase.COLOURING:
        state = apply(state, drawn(state, advise(state, Level.CASUAL, rng).chosen.decision, bag)).state
    return state


@pytest.mark.parametrize(("weaker", "stronger"), [(None, Level.CHILD), (Level.CHILD, Level.CASUAL)])
def test_a_stronger_level_wins_most_games_to_their_end(weaker: Level | None, stronger: Level) -> None:
    won = 0
    for seed in range(4):
        seat = 1 + seed % 2
        state = played({seat: stronger, 3 - seat: weaker}, seed, *[Variant.ALL_COUNTED][: seed == 0])
        won += state.winners == (seat,)
    assert won >= 3


def test_without_a_time_the_answer_depends_on_the_seed_alone() -> None:
    state = colouring()
    answers = {advise(state, Level.SKILLED, random.Random(5)) for _ in range(2)}
    assert len(answers) == 1
    (advice,) = answers
    assert advice.chosen in advice.considered
    assert [each.value for each in advice.considered] == sorted(
        (each.value for each in advice.considered), reverse=True
    )


def test_an_answer_is_there_when_the_time_is_over() -> None:
    state = colouring()
    ticks = iter(range(1000))
    hurried = advise(state, Level.CHAMPION, random.Random(1), 20.0, lambda: float(next(ticks)))
    assert hurried.chosen.visits < 25
    assert hurried.chosen.decision in legal_decisions(state)
