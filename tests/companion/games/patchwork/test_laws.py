"""Test invariants that hold in every game."""

import random
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.patchwork.components import PATCHES, Edition
from companion.games.patchwork.decisions import Decision, PlaceLeather, TakePatch
from companion.games.patchwork.facts import (
    BonusTileTaken,
    ButtonsEarned,
    Fact,
    GameEnded,
    IncomePaid,
    LeatherPlaced,
    LeatherSetAside,
    LeatherWon,
    PatchPlaced,
    TokenMoved,
)
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History, new_game
from companion.games.patchwork.state import RuleProfile, Setup, State

CIRCLE = tuple(patch for patch in PATCHES if patch != "domino")
BANK = 162


@dataclass(frozen=True)
class Step:
    before: State
    decision: Decision
    facts: tuple[Fact, ...]
    after: State


def setups() -> st.SearchStrategy[Setup]:
    circles = st.none() | st.permutations(CIRCLE).map(lambda circle: (*circle, "domino"))
    seats = st.sampled_from([1, 2])
    return st.builds(Setup, st.sampled_from(RuleProfile), st.sampled_from(Edition), first_seat=seats, market=circles)


@st.composite
def games(draw: st.DrawFn) -> list[Step]:
    """Draw a whole game; sometimes a player only advances, or buys whenever possible."""
    setup, rng = draw(setups()), random.Random(draw(st.integers(0, 10**6)))
    thrift = draw(st.sampled_from([0.0, 0.3, 0.8]))
    history, steps = History(setup), list[Step]()
    while not history.state.finished:
        assert len(steps) < 2 * 54 + 5, "every move takes a token forward, and five leather patches are placed"
        before, legal = history.state, legal_decisions(history.state)
        decision = legal[legal.count() - 1] if rng.random() < thrift else legal.pick(rng)
        outcome = history.apply(decision)
        steps.append(Step(before, decision, outcome.facts, outcome.state))
    return steps


def buttons_are_conserved_with_the_bank(steps: list[Step]) -> None:
    bank = BANK - 10
    for step in steps:
        purses = [side.buttons for side in step.before.seats]
        for fact in step.facts:
            change = -fact.paid if isinstance(fact, PatchPlaced) else 0
            change += fact.buttons if isinstance(fact, ButtonsEarned | IncomePaid) else 0
            bank -= change
            purses[fact.seat - 1 if not isinstance(fact, GameEnded) else 0] += change
            assert min(purses) >= 0
        assert purses == [side.buttons for side in step.after.seats]
        assert bank + sum(purses) == BANK


def cells_never_overlap_and_never_come_loose(steps: list[Step]) -> None:
    for step in steps:
        cells = step.decision.cells if isinstance(step.decision, TakePatch | PlaceLeather) else 0
        for seat in (1, 2):
            before, after = step.before.seat(seat).quilt, step.after.seat(seat).quilt
            assert after == (before | cells if seat == step.decision.seat else before)
            assert after.bit_count() == before.bit_count() + (cells.bit_count() if seat == step.decision.seat else 0)


def only_the_movers_token_moves_and_only_forward(steps: list[Step]) -> None:
    for step in steps:
        moves = [fact for fact in step.facts if isinstance(fact, TokenMoved)]
        for seat in (1, 2):
            before, after = step.before.seat(seat).time, step.after.seat(seat).time
            assert 0 <= before <= after <= 53
            assert [TokenMoved(seat, before, after)] * (before < after) == [f for f in moves if f.seat == seat]
        assert bool(moves) == (not step.before.leather_due)


def the_turn_is_the_one_behind_and_ends_with_both_in_the_centre(steps: list[Step]) -> None:
    for step in steps:
        one, two = (side.time for side in step.after.seats)
        if step.after.leather_due:
            assert step.after.turn == step.decision.seat
        elif one == two:
            assert step.after.turn == (None if one == 53 else step.decision.seat)
        else:
            assert step.after.turn == (1 if one < two else 2)
    assert isinstance(steps[-1].facts[-1], GameEnded)


def leather_is_won_once_a_mark_and_placed_or_set_aside(steps: list[Step]) -> None:
    facts = [fact for step in steps for fact in step.facts]
    won = [fact.mark for fact in facts if isinstance(fact, LeatherWon)]
    assert sorted(won) == list(steps[0].before.leather_left)
    assert len(won) == 5 == sum(isinstance(fact, LeatherPlaced | LeatherSetAside) for fact in facts)
    assert all(sum(isinstance(fact, LeatherWon) for fact in step.facts) <= 1 for step in steps)


def each_seat_is_paid_at_each_of_the_nine_marks_once(steps: list[Step]) -> None:
    for seat in (1, 2):
        paid = [f.mark for step in steps for f in step.facts if isinstance(f, IncomePaid) and f.seat == seat]
        assert paid == [5, 11, 17, 23, 29, 35, 41, 47, 53]


def there_is_one_tile_at_most_and_it_is_kept(steps: list[Step]) -> None:
    taken = [fact.seat for step in steps for fact in step.facts if isinstance(fact, BonusTileTaken)]
    assert len(taken) <= 1
    assert [side.bonus for side in steps[-1].after.seats] == [seat in taken for seat in (1, 2)]


def every_patch_is_in_the_box_or_on_a_quilt(steps: list[Step]) -> None:
    bought: dict[str, int] = {}
    for step in steps:
        if isinstance(step.decision, TakePatch):
            bought[step.decision.patch] = step.decision.seat
        assert step.after.box == PATCHES.keys() - bought.keys()
        assert len(step.after.unbought) == len(step.after.box)
    for seat in (1, 2):
        icons = sum(PATCHES[patch].income for patch, owner in bought.items() if owner == seat)
        assert steps[-1].after.seat(seat).income == icons


def undo_is_exact_to_the_very_start(steps: list[Step]) -> None:
    history = History(steps[0].before.setup)
    for step in steps:
        assert history.apply(step.decision).state == step.after
    for step in reversed(steps):
        assert history.undo() == step.decision
        assert history.state == step.before
    assert history.state == new_game(history.setup)
    assert history.decisions == ()


LAWS = (
    buttons_are_conserved_with_the_bank,
    cells_never_overlap_and_never_come_loose,
    only_the_movers_token_moves_and_only_forward,
    the_turn_is_the_one_behind_and_ends_with_both_in_the_centre,
    leather_is_won_once_a_mark_and_placed_or_set_aside,
    each_seat_is_paid_at_each_of_the_nine_marks_once,
    there_is_one_tile_at_most_and_it_is_kept,
    every_patch_is_in_the_box_or_on_a_quilt,
    undo_is_exact_to_the_very_start,
)


@given(games())
@settings(max_examples=90)
def test_all_laws_hold_in_every_game(steps: list[Step]) -> None:
    for law in LAWS:
        law(steps)
