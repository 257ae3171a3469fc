"""Phases 1 and 2: scrap tokens, pencils and pincushions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from companion.games.kvilt.decisions import Decision, FillNeutral, PlacePencil, TakeCushion, TakeToken
from companion.games.kvilt.errors import FaultCode, IllegalDecisionError
from companion.games.kvilt.facts import Fact, FirstPlayerChanged, NeutralFilled, PhaseBegan, TurnPassed
from companion.games.kvilt.legal import legal_decisions
from companion.games.kvilt.rules import apply, new_game
from companion.games.kvilt.state import Cushion, OwnPencil, Phase, Settings, State, Variant
from tests.companion.kvilt_setups import own_setup

if TYPE_CHECKING:
    from collections.abc import Sequence

COLOURS = ("red", "yellow", "green", "blue", "violet", "brown")


def played(state: State, *decisions: Decision) -> State:
    for decision in decisions:
        state = apply(state, decision).state
    return state


def facts_of(state: State, decision: Decision) -> tuple[Fact, ...]:
    return apply(state, decision).facts


def refused(state: State, decision: Decision) -> FaultCode:
    assert decision not in legal_decisions(state)
    with pytest.raises(IllegalDecisionError) as caught:
        apply(state, decision)
    return caught.value.code


def with_tokens(players: int = 2, first: int = 1, settings: Settings | None = None) -> State:
    setup = own_setup(tuple("ABCD"[:players]), first, settings=settings or Settings())
    tokens = [TakeToken(seat, colour) for seat, colour in zip(setup.seats_from(first), COLOURS, strict=False)]
    return played(new_game(setup), *tokens)


def standing(state: State, *cushions: Sequence[str]) -> State:
    """Return the state with these pencils on the pincushions instead of in the bag."""
    bag = dict(state.pencils_in_bag)
    for pencils in cushions:
        for colour in pencils:
            bag[colour] -= 1
    return replace(state, cushions=tuple(Cushion(tuple(it)) for it in cushions), bag=tuple(bag.values()))


FULL = (["red", "red", "yellow"], ["yellow", "green", "green"], ["blue", "blue", "violet"])


@pytest.mark.parametrize(
    ("players", "variants", "cushions", "pencils"),
    [(2, (), 3, 12), (3, (), 4, 18), (4, (), 5, 24), (4, (Variant.KVILTOMANIA,), 5, 18)],
    ids=["T1", "T2", "T3", "T4"],
)
def test_the_setup_follows_from_the_players(
    players: int, variants: Sequence[Variant], cushions: int, pencils: int
) -> None:
    state = new_game(own_setup(tuple("ABCD"[:players]), variants=frozenset(variants)))
    assert len(state.cushions) == cushions
    assert state.pencils_in_bag == dict.fromkeys(COLOURS, pencils // 6)


def test_everyone_takes_a_token_clockwise_from_the_first_player() -> None:
    state = new_game(own_setup(("A", "B", "C"), 2))
    turns = []
    for colour in ("red", "green", "blue"):
        turns.append(state.turn)
        state = played(state, TakeToken(state.turn or 0, colour))
    assert turns == [2, 3, 1]
    assert [seat.bonus for seat in state.seats] == ["blue", "red", "green"]
    assert state.free_tokens == ("yellow", "violet", "brown")
    assert (state.phase, state.turn) == (Phase.PENCILS, 2)


def test_a_token_goes_to_one_player_in_turn() -> None:
    state = played(new_game(own_setup()), TakeToken(1, "red"))
    assert refused(state, TakeToken(2, "red")) == FaultCode.TOKEN  # P1
    assert refused(state, TakeToken(1, "blue")) == FaultCode.TURN
    assert refused(state, TakeToken(2, "pink")) == FaultCode.TOKEN
    assert refused(state, TakeCushion(2, 1)) == FaultCode.TURN


def test_with_all_pincushions_empty_a_pencil_is_placed_first() -> None:
    state = with_tokens()
    assert refused(state, TakeCushion(1, 1)) == FaultCode.TAKE  # P2
    after = played(state, PlacePencil(1, "red", 1), TakeCushion(1, 1))  # P3
    assert after.seat(1).hand == (OwnPencil("red"),)
    assert (after.cushions[0], after.turn) == (Cushion((), 1), 2)


def test_after_placing_any_pincushion_with_a_pencil_may_be_taken() -> None:
    state = standing(with_tokens(), ["red", "blue"], [], [])
    after = played(state, PlacePencil(1, "green", 2), TakeCushion(1, 1))  # P4
    assert [pencil.colour for pencil in after.seat(1).hand] == ["red", "blue"]
    strict = standing(with_tokens(settings=Settings(take_just_filled=True)), ["red", "blue"], [], [])
    placed = played(strict, PlacePencil(1, "green", 2))
    assert refused(placed, TakeCushion(1, 1)) == FaultCode.TAKE
    assert TakeCushion(1, 2) in legal_decisions(placed)
    assert TakeCushion(1, 1) in legal_decisions(strict)


def test_two_placed_pencils_end_a_turn() -> None:
    state = played(with_tokens(), PlacePencil(1, "red", 1), PlacePencil(1, "blue", 1))
    assert (state.turn, state.placed) == (2, ())
    assert state.cushions[0].pencils == ("red", "blue")


def test_with_one_free_place_only_one_pencil_is_placed() -> None:
    state = standing(with_tokens(), FULL[0], FULL[1], FULL[2][:2])
    once = played(state, PlacePencil(1, "brown", 3))
    assert refused(once, PlacePencil(1, "brown", 3)) == FaultCode.PLACE  # P5
    assert played(once, TakeCushion(1, 3)).turn == 2


def test_a_full_pincushion_takes_no_pencil() -> None:
    state = standing(with_tokens(), FULL[0], [], [])
    assert refused(state, PlacePencil(1, "brown", 1)) == FaultCode.PLACE  # T5
    assert refused(state, PlacePencil(1, "brown", 4)) == FaultCode.PLACE
    full = standing(with_tokens(), *FULL)
    assert refused(full, PlacePencil(1, "brown", 1)) == FaultCode.PLACE  # P6
    assert {type(decision) for decision in legal_decisions(full)} == {TakeCushion}
    assert sum(full.bag) == 3  # P11


def test_the_first_to_take_gets_the_first_player_token_at_once_and_turns_go_on() -> None:
    state = played(with_tokens(4), PlacePencil(1, "red", 1), PlacePencil(1, "red", 2))
    state = played(state, PlacePencil(2, "blue", 1), PlacePencil(2, "blue", 2))
    taking = TakeCushion(3, 1)
    assert FirstPlayerChanged(3) in facts_of(state, taking)  # P7
    after = played(state, taking)
    assert (after.first, after.turn) == (3, 4)
    later = played(after, TakeCushion(4, 2), PlacePencil(1, "green", 3), TakeCushion(1, 3))
    assert later.first == 3
    assert later.turn == 2


def test_the_first_player_who_takes_first_keeps_the_token() -> None:
    state = played(with_tokens(), PlacePencil(1, "red", 1))
    facts = facts_of(state, TakeCushion(1, 1))
    assert not any(isinstance(fact, FirstPlayerChanged) for fact in facts)  # P8
    after = played(state, TakeCushion(1, 1), PlacePencil(2, "red", 2), TakeCushion(2, 2))
    assert after.first == 1


def test_a_seat_with_a_pincushion_is_skipped() -> None:
    state = played(with_tokens(3), PlacePencil(1, "red", 1), PlacePencil(1, "red", 2))
    state = played(state, PlacePencil(2, "blue", 1), TakeCushion(2, 1))
    state = played(state, PlacePencil(3, "blue", 3), PlacePencil(3, "green", 3))
    state = played(state, PlacePencil(1, "green", 4), PlacePencil(1, "violet", 4))
    assert state.turn == 3  # P9
    assert refused(state, TakeCushion(2, 2)) == FaultCode.TURN
    assert refused(state, TakeCushion(3, 1)) == FaultCode.TAKE
    assert refused(state, PlacePencil(3, "brown", 1)) == FaultCode.PLACE


def test_a_pencil_that_is_not_in_the_bag_cannot_be_drawn() -> None:
    state = standing(with_tokens(), ["red", "red"], [], [])
    assert refused(state, PlacePencil(1, "red", 2)) == FaultCode.BAG  # P10
    assert refused(state, PlacePencil(1, "pink", 2)) == FaultCode.BAG


@pytest.mark.parametrize("holds", [0, 1, 2, 3], ids="T6-{}".format)
def test_the_neutral_pincushion_is_filled_up_to_three(holds: int) -> None:
    state = standing(with_tokens(), ["red"], ["blue"], ["green", "green", "violet"][:holds])
    outcome = apply(played(state, TakeCushion(1, 1)), TakeCushion(2, 2))
    drawn = ("brown", "brown", "yellow")[: 3 - holds]
    if holds == 3:
        assert PhaseBegan(Phase.COLOURING, 1) in outcome.facts
        assert outcome.state.phase is Phase.COLOURING
        return
    assert (outcome.state.phase, outcome.state.neutral) == (Phase.NEUTRAL, 3)
    assert refused(outcome.state, FillNeutral(1, (*drawn, "yellow"))) == FaultCode.PLACE
    assert refused(outcome.state, FillNeutral(2, drawn)) == FaultCode.TURN
    facts = facts_of(outcome.state, FillNeutral(1, drawn))
    assert facts == (NeutralFilled(3, drawn), PhaseBegan(Phase.COLOURING, 1))
    after = played(outcome.state, FillNeutral(1, drawn))
    assert len(after.cushions[2].pencils) == 3
    assert (after.phase, after.turn) == (Phase.COLOURING, 1)


def test_the_neutral_pincushion_cannot_get_more_of_a_colour_than_there_is() -> None:
    state = standing(with_tokens(), ["red"], ["red"], [])
    state = played(state, TakeCushion(1, 1), TakeCushion(2, 2))
    assert refused(state, FillNeutral(1, ("blue", "red", "blue"))) == FaultCode.BAG
    assert refused(state, FillNeutral(1, ("blue", "blue", "blue"))) == FaultCode.BAG


def test_a_fact_reports_that_the_turn_passed() -> None:
    assert TurnPassed(2) in facts_of(new_game(own_setup()), TakeToken(1, "red"))
    state = with_tokens()
    assert not any(isinstance(fact, TurnPassed) for fact in facts_of(state, PlacePencil(1, "red", 1)))
