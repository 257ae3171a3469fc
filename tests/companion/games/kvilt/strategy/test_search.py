"""Test the search over a colouring."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from companion.games.kvilt.decisions import ColourCell, Done
from companion.games.kvilt.legal import legal_decisions
from companion.games.kvilt.rules import apply
from companion.games.kvilt.state import Bag, Phase
from companion.games.kvilt.strategy.choice import choose
from companion.games.kvilt.strategy.search import ColouringSearch, lead, with_pencils
from tests.companion.games.kvilt.played import play_game
from tests.companion.kvilt_setups import own_setup

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.games.kvilt.state import State

PLAYED = play_game(own_setup(), random.Random(3))
STATES = [PLAYED.state_after(number) for number in range(80)]
STARTS = [each for each in STATES if each.phase is Phase.COLOURING and len(each.seat(each.mover).hand) == 3]
"""States of one game in which a colouring begins."""


def searched(state: State, visits: int = 120) -> State:
    """Return the state once the mover has coloured as the search finds best, with pencils drawn at random."""
    seat, rng = state.mover, random.Random(1)
    while True:
        search = ColouringSearch(seat, rng, lambda made: made > visits)
        found = search.weighed(state)
        best = max(found, key=found.__getitem__)
        if isinstance(best, Done):
            return state
        state = apply(state, best).state


def by_thumb(state: State) -> State:
    seat, rng, bag = state.mover, random.Random(1), Bag(1)
    while not isinstance(decision := choose(state, seat, bag, rng, carelessness=0.0).decision, Done):
        state = apply(state, decision).state
    return state


def test_a_search_colours_better_than_rules_of_thumb() -> None:
    gains = [lead(searched(state), state.mover) - lead(by_thumb(state), state.mover) for state in STARTS[:3]]
    assert len(gains) > 1
    assert sum(gains) > 0


@pytest.mark.parametrize("visits", [0, 3, 20])
def test_a_search_that_must_end_has_a_legal_answer(visits: int) -> None:
    state = STARTS[0]
    found = ColouringSearch(state.mover, random.Random(1), lambda made: made > visits).weighed(state)
    assert found
    assert all(decision in legal_decisions(state) for decision in found)


def test_the_last_pencil_completes_the_row_that_is_worth_most(
    colouring: Callable[..., State], marks: Callable[..., object]
) -> None:
    state = colouring(
        marks(rows={1: ("red", 5), 2: ("green", 5), 3: ("brown", 5), 4: ("blue", 6), 5: ("violet", 5)}), ["blue"]
    )
    found = ColouringSearch(1, random.Random(1), lambda made: made > 500).weighed(state)
    assert max(found, key=found.__getitem__) == ColourCell(1, "blue", 4)


def test_a_pincushion_in_the_middle_is_weighed_as_if_it_were_taken() -> None:
    state = next(each for each in STATES if each.phase is Phase.PENCILS and any(c.pencils for c in each.cushions))
    number = next(number for number, each in enumerate(state.cushions, 1) if each.pencils and each.owner is None)
    taken = with_pencils(state, state.mover, number)
    assert [pencil.colour for pencil in taken.seat(state.mover).hand] == [*state.cushions[number - 1].pencils]
    assert taken.neutral is not None
    assert ColouringSearch(state.mover, random.Random(1), lambda made: made > 2000).value(taken) > lead(
        state, state.mover
    )
