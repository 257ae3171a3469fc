"""Test that a search's positions follow the rules."""

import random

from hypothesis import given
from hypothesis import strategies as st

from companion.games.patchwork.components import PATCHES, SMALLEST_PATCH, Edition
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import apply, new_game
from companion.games.patchwork.state import RuleProfile, Setup, State, score
from companion.games.patchwork.strategy.position import IDS, Position, decision_of, move_of, play, position_of

setups = st.builds(
    Setup,
    rules=st.sampled_from(RuleProfile),
    edition=st.sampled_from(Edition),
    first_seat=st.sampled_from((1, 2)),
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


def assert_equal(position: Position, state: State) -> None:
    """Compare all that both have."""
    assert position == position_of(state)
    assert tuple(IDS[number] for number in position.circle) == state.unbought
    assert [side.points for side in position.sides] == [score(seat) for seat in state.seats]
