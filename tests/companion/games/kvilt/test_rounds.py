"""The end of rounds and of the game, and the variant "all counted"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.games.kvilt.decisions import Done, Negate, TakeToken
from companion.games.kvilt.errors import FaultCode, IllegalDecisionError, IllegalReason
from companion.games.kvilt.facts import GameEnded, PhaseBegan, RoundEnded, RowsNegated
from companion.games.kvilt.legal import legal_decisions
from companion.games.kvilt.rules import apply, new_game
from companion.games.kvilt.sheet import Marks
from companion.games.kvilt.state import Cushion, Phase, SeatState, Settings, State, Variant
from tests.companion.kvilt_setups import own_setup

Makes = Callable[..., Marks]
THREE = {1: ("red", 7), 2: ("yellow", 7), 3: ("green", 7)}


def at_colouring(players: int, marks: dict[int, Marks], **more: object) -> State:
    """Return a state in which all seats have a pincushion and no pencils, with given marks; seat 2 is first."""
    state = new_game(own_setup(tuple("ABCD"[:players]), **more))  # type: ignore[arg-type]
    seats = tuple(
        SeatState(marks.get(number, seat.marks), bonus=state.setup.sheet.colours[number - 1], cushion=number)
        for number, seat in enumerate(state.seats, start=1)
    )
    cushions = (*(Cushion((), number) for number in range(1, players + 1)), Cushion(("red", "red", "blue")))
    return replace(
        state, phase=Phase.COLOURING, seats=seats, cushions=cushions, first=2, turn=2, round=5, first_taken=True
    )


def test_a_round_ends_with_everything_back_and_the_token_where_it_is() -> None:
    state = at_colouring(3, {})
    turns = []
    while state.phase is Phase.COLOURING:
        turns.append(state.turn)
        outcome = apply(state, Done(state.turn or 0))
        state = outcome.state
    assert turns == [2, 3, 1]
    assert outcome.facts[1:3] == (RoundEnded(5), PhaseBegan(Phase.SCRAPS, 6))
    assert (state.phase, state.round, state.first, state.turn) == (Phase.SCRAPS, 6, 2, 2)
    assert set(state.pencils_in_bag.values()) == {3}
    assert state.cushions == (Cushion(),) * 4
    assert state.free_tokens == state.setup.sheet.colours
    assert all(not seat.done and seat.cushion is None for seat in state.seats)


def test_all_players_finish_the_last_round(marks: Makes) -> None:
    state = at_colouring(4, {2: marks(THREE)})
    for seat in (2, 3, 4):  # W7
        state = apply(state, Done(seat)).state
        assert state.phase is Phase.COLOURING
    outcome = apply(state, Done(1))
    assert outcome.state.finished
    assert outcome.facts[-1] == GameEnded((2,))
    assert outcome.state.winners == (2,)
    assert not legal_decisions(outcome.state)
    with pytest.raises(IllegalDecisionError) as caught:
        apply(outcome.state, TakeToken(1, "red"))
    assert caught.value.reason is IllegalReason.FINISHED


def test_rows_of_different_players_do_not_add_up(marks: Makes) -> None:
    two = marks({1: ("red", 7), 2: ("yellow", 7)})
    state = at_colouring(2, {1: two, 2: marks({3: ("red", 7)})})
    state = apply(apply(state, Done(2)).state, Done(1)).state  # W8
    assert state.phase is Phase.SCRAPS


def test_a_victory_may_be_shared(marks: Makes) -> None:
    state = at_colouring(2, {1: marks(THREE), 2: marks(THREE)})
    state = apply(apply(state, Done(2)).state, Done(1)).state
    assert state.winners == (1, 2)


def counting(marks: Makes, **more: object) -> State:
    ending = {1: marks(THREE), 2: marks({1: ("red", 3), 5: ("blue", 4)})}
    state = at_colouring(2, ending, variants=frozenset([Variant.ALL_COUNTED]), **more)
    return apply(apply(state, Done(2)).state, Done(1)).state


def test_in_all_counted_each_player_picks_two_rows_from_the_first_on(marks: Makes) -> None:
    state = counting(marks)
    assert (state.phase, state.turn, legal_decisions(state).count()) == (Phase.COUNTING, 2, 10)
    assert state.winners == ()
    outcome = apply(state, Negate(2, (2, 3)))
    assert outcome.facts[0] == RowsNegated(2, (2, 3))
    ended = apply(outcome.state, Negate(1, (3, 5))).state
    assert [seat.negative for seat in ended.seats] == [(3, 5), (2, 3)]
    assert ended.score(1).total == 21 + 20 - 18
    assert ended.score(2).total == 3 + 8
    assert ended.winners == (1,)


@pytest.mark.parametrize("rows", [(1, 1), (2, 1), (0, 3), (4, 6)])
def test_two_different_rows_are_picked(marks: Makes, rows: tuple[int, int]) -> None:
    state = counting(marks)
    assert Negate(2, rows) not in legal_decisions(state)
    with pytest.raises(IllegalDecisionError) as caught:
        apply(state, Negate(2, rows))
    assert caught.value.code == FaultCode.ORDER


def test_by_a_setting_the_first_player_picks_for_all(marks: Makes) -> None:
    state = counting(marks, settings=Settings(same_rows_for_all=True))
    ended = apply(state, Negate(2, (1, 2))).state
    assert ended.finished
    assert [seat.negative for seat in ended.seats] == [(1, 2), (1, 2)]


def test_a_setting_passes_over_empty_rows_for_the_buttons(marks: Makes) -> None:
    for counts in (True, False):
        state = at_colouring(2, {1: marks(THREE)}, settings=Settings(empty_row_counts=counts))
        assert state.score(1).buttons == (0 if counts else 3 * 18)
