"""Test that a search's positions follow the rules."""

import random
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from companion.games.patchwork.components import PATCHES, SMALLEST_PATCH, Edition
from companion.games.patchwork.decisions import Advance, MoveDecision, PlaceLeather
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import apply, new_game
from companion.games.patchwork.state import RuleProfile, Setup, State, score
from companion.games.patchwork.strategy.position import IDS, LEATHER, Move, Position, decision_of, play, position_of

CIRCLE = (*(patch for patch in PATCHES if patch != SMALLEST_PATCH), SMALLEST_PATCH)
# The legal decisions of a state of which whole trees are compared.
_FEW = 12

setups = st.builds(
    Setup,
    rules=st.sampled_from(RuleProfile),
    edition=st.sampled_from(Edition),
    first_seat=st.sampled_from((1, 2)),
    buttons=st.tuples(st.integers(0, 30), st.integers(0, 30)),
    market=st.none()
    | st.permutations([patch for patch in PATCHES if patch != SMALLEST_PATCH]).map(lambda row: (*row, SMALLEST_PATCH)),
)


@given(setups, st.integers(0, 2**32))
def test_a_random_game_has_the_same_positions_by_the_rules(setup: Setup, seed: int) -> None:
    rng, state = random.Random(seed), new_game(setup)
    position = position_of(state)
    while not state.finished:
        decision = legal_decisions(state).pick(rng)
        assert decision_of(position, move_of(decision)) == decision
        state, position = apply(state, decision).state, play(position, move_of(decision))
        assert_equal(position, state)
    assert position.winner + 1 == state.winner


def test_whatever_two_decisions_follow_the_positions_are_those_of_the_rules() -> None:
    for edition, rules, circle in product(Edition, RuleProfile, (None, CIRCLE)):
        setup, rng = Setup(rules=rules, edition=edition, market=circle), random.Random(8)
        state = new_game(setup)
        # Few placements are left then.
        while len(legal_decisions(state)) > _FEW:
            state = apply(state, legal_decisions(state).pick(rng)).state
        _follow(state, position_of(state), depth=2)


def move_of(decision: MoveDecision) -> Move:
    """Return a decision as a move."""
    if isinstance(decision, Advance):
        return None
    return (LEATHER if isinstance(decision, PlaceLeather) else IDS.index(decision.patch), decision.cells)


def _follow(state: State, position: Position, depth: int) -> None:
    """Compare what each legal decision makes of a state and a position, and each after it."""
    assert_equal(position, state)
    for decision in legal_decisions(state) if depth and not state.finished else ():
        _follow(apply(state, decision).state, play(position, move_of(decision)), depth - 1)


def assert_equal(position: Position, state: State) -> None:
    """Compare all that both have."""
    assert position == position_of(state)
    assert tuple(IDS[number] for number in position.circle) == state.unbought
    assert [side.points for side in position.sides] == [score(seat) for seat in state.seats]
