"""Test the search for the best decision."""

import random

import pytest

from companion.games.patchwork.components import PATCHES, SMALLEST_PATCH
from companion.games.patchwork.decisions import Advance, PlaceLeather, TakePatch
from companion.games.patchwork.errors import GameOverError
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import apply, new_game
from companion.games.patchwork.state import Setup, State
from companion.games.patchwork.strategy import choice
from companion.games.patchwork.strategy.search import search


def circle(rng: random.Random) -> tuple[str, ...]:
    patches = [patch for patch in PATCHES if patch != SMALLEST_PATCH]
    rng.shuffle(patches)
    return (*patches, SMALLEST_PATCH)


def after(decisions: int, seed: int = 1) -> State:
    """Return a game some decisions after its start."""
    rng = random.Random(seed)
    state = new_game(Setup(market=circle(rng)))
    for _ in range(decisions):
        state = apply(state, choice.choose(state, rng.gauss, 0.1).decision).state
    return state


@pytest.mark.parametrize("decisions", [0, 7, 18, 30])
def test_every_decision_considered_is_legal_and_the_best_is_visited_most(decisions: int) -> None:
    state = after(decisions)
    found = search(state, lambda visits: visits >= 60, random.Random(1))
    assert all(each.decision in legal_decisions(state) for each in found)
    assert sum(each.visits for each in found) == 60
    assert [each.visits for each in found] == sorted((each.visits for each in found), reverse=True)
    assert all(0 <= each.value <= 1 for each in found)


def test_the_same_seed_and_visits_give_the_same_answer() -> None:
    state = after(9)
    once, again = (search(state, lambda visits: visits >= 80, random.Random(4)) for _ in range(2))
    assert once == again


def test_without_a_known_circle_any_patch_left_may_be_considered() -> None:
    found = search(new_game(Setup()), lambda visits: visits >= 200, random.Random(1))
    bought = {each.decision.patch for each in found if isinstance(each.decision, TakePatch)}
    assert len(bought) > 3


def test_a_due_leather_patch_can_only_be_placed() -> None:
    state = next(each for each in map(after, range(60)) if each.leather_due)
    found = search(state, lambda visits: visits >= 50, random.Random(1))
    assert all(isinstance(each.decision, PlaceLeather) for each in found)


def test_a_search_wins_against_players_without_one() -> None:
    rng, won = random.Random(2), 0
    for game in range(4):
        state = new_game(Setup(market=circle(rng), first_seat=1 + game % 2))
        while not state.finished:
            if state.turn == 1:
                state = apply(state, search(state, lambda visits: visits >= 30, rng)[0].decision).state
            else:
                state = apply(state, choice.choose(state, rng.gauss).decision).state
        won += state.winner == 1
    assert won == 4


def test_a_finished_game_cannot_be_advised_on() -> None:
    state = after(0)
    while not state.finished:
        state = apply(state, Advance(state.mover) if not state.leather_due else legal_decisions(state)[0]).state
    with pytest.raises(GameOverError):
        search(state, lambda _: True, random.Random(1))
