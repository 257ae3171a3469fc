"""The strategy of players of various skill: sensible, seeded, and legal at every step."""

from __future__ import annotations

import random
from collections.abc import Callable
from statistics import mean

import pytest

from companion.games.kvilt.decisions import ColourCell, Decline, Done, Negate, Swap
from companion.games.kvilt.rules import apply, new_game
from companion.games.kvilt.sheet import Marks
from companion.games.kvilt.state import Bag, State, Variant
from companion.games.kvilt.strategy.choice import best_use_worth, choose, use_worth
from companion.games.strategy import ScoredDecision
from tests.companion.games.kvilt.played import play_game
from tests.companion.kvilt_setups import own_setup

Made = Callable[..., State]
Makes = Callable[..., Marks]


def test_the_same_seed_plays_the_same_game() -> None:
    games = [play_game(own_setup(tuple("ABC")), random.Random(seed)).decisions for seed in (1, 1, 2)]
    assert games[0] == games[1] != games[2]


def test_players_score_as_people_do() -> None:
    """Sensible play ends well within twice the rounds of the example and above its 97 points on the average."""
    games = [play_game(own_setup(), random.Random(seed)).state for seed in range(8)]
    assert all(7 <= game.round <= 16 for game in games)
    assert mean(game.score(seat).total for game in games for seat in (1, 2)) > 97


def test_the_lowest_rows_are_turned() -> None:
    history = play_game(own_setup(variants=frozenset([Variant.ALL_COUNTED])), random.Random(3))
    for decision in history.decisions[-2:]:
        assert isinstance(decision, Negate)
        rows = history.state.score(decision.seat).rows
        assert sorted(rows[row - 1] for row in decision.rows) == sorted(rows)[:2]


def test_a_careful_player_uses_every_pencil(colouring: Made) -> None:
    state, rng = colouring(hand=["red", "blue", "violet"]), random.Random(1)
    while not isinstance(decision := choose(state, 1, Bag(1), rng, carelessness=0).decision, Done):
        state = apply(state, decision).state
    assert state.seat(1).hand == ()
    assert sorted(state.seat(1).spent) == ["blue", "red", "violet"]


def test_poor_pencils_are_exchanged_and_good_ones_kept(colouring: Made, marks: Makes) -> None:
    rows = {1: ("red", 7), 2: ("yellow", 3), 3: ("green", 7), 4: ("violet", 1), 5: ("blue", 3)}
    state = colouring(marks(rows, threads="rr"), ["violet", "red", "yellow"])
    state = apply(state, ColourCell(1, "violet", 4)).state
    decision = choose(state, 1, Bag(1), random.Random(1), carelessness=0).decision
    assert isinstance(decision, Swap)
    assert decision.given == ("red",)
    good = apply(colouring(marks(rows), ["violet", "yellow"]), ColourCell(1, "violet", 4)).state
    assert choose(good, 1, Bag(1), random.Random(1), carelessness=0) == ScoredDecision(Decline(1), 0.0)


def test_worth_is_points_and_what_comes_with_them(colouring: Made, marks: Makes) -> None:
    state = colouring(marks({1: ("red", 5), 2: ("blue", 5)}), ["red", "blue"])
    assert use_worth(state, ColourCell(1, "red", 1)) == 5 + 4.5 + 2 * (2 - 5)
    assert best_use_worth(state, 1, "red") >= use_worth(state, ColourCell(1, "red", 1))


@pytest.mark.parametrize("colour", ["red", "blue"])
def test_the_score_of_a_use_is_its_worth(colouring: Made, marks: Makes, colour: str) -> None:
    state = colouring(marks({1: ("red", 5), 2: ("blue", 5)}), [colour])
    chosen = choose(state, 1, Bag(1), random.Random(1), carelessness=0)
    assert chosen.score == best_use_worth(state, 1, colour)


def test_a_seat_that_may_not_decide_is_refused() -> None:
    with pytest.raises(ValueError, match="seat 2 may not decide"):
        choose(new_game(own_setup()), 2, Bag(1), random.Random(1))
