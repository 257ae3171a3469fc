"""Test the levels of a partner."""

import random

import pytest

from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import apply
from companion.games.patchwork.strategy.evaluation import lead_of
from companion.games.patchwork.strategy.levels import advise
from companion.games.patchwork.strategy.position import position_of
from companion.games.strategy import Level
from tests.companion.games.patchwork.strategy.test_search import after

WEAKER = (Level.CHILD, Level.BEGINNER, Level.CASUAL, Level.SKILLED)


@pytest.mark.parametrize("level", WEAKER)
def test_a_level_errs_but_throws_nothing_away(level: Level) -> None:
    taken = 0
    for seed in range(12):
        state = after(3 * seed, seed)
        if state.finished:
            continue
        advice = advise(state, level, random.Random(seed))
        leads = [lead_of(position_of(state), each.value) for each in advice.considered]
        chosen = lead_of(position_of(state), advice.chosen.value)
        assert advice.chosen.decision in legal_decisions(state)
        assert max(leads) - chosen <= 24
        taken += advice.chosen is not advice.considered[0]
    assert taken


def test_the_champion_uses_the_time_that_it_is_given_and_others_only_what_they_need() -> None:
    state, moments = after(9), iter(range(100_000))

    def clock() -> float:
        return next(moments) / 1000

    champion = advise(state, Level.CHAMPION, random.Random(1), 0.2, clock)
    casual = advise(state, Level.CASUAL, random.Random(1), 0.2, clock)
    assert 150 < champion.visits < 200
    assert casual.visits < 50


def test_a_decision_without_an_alternative_is_taken_at_once() -> None:
    state = next(each for seed in range(99) if len(legal_decisions(each := after(4, seed))) == 1 and not each.finished)
    assert advise(state, Level.CHAMPION, random.Random(1), 60.0).visits == 1


def test_a_stronger_level_wins_against_a_weaker_one() -> None:
    won = 0
    for game in range(4):
        state, rng = after(0, game), random.Random(game)
        strong = 1 + game % 2
        while not state.finished:
            level = Level.SKILLED if state.turn == strong else Level.CHILD
            state = apply(state, advise(state, level, rng).chosen.decision).state
        won += state.winner == strong
    assert won >= 3
