"""Test every reason for which a decision can be illegal, and which decisions are legal."""

from dataclasses import replace

import pytest

from companion.games.patchwork.cells import ALL_CELLS, mask_of
from companion.games.patchwork.components import PATCHES, placements
from companion.games.patchwork.decisions import Advance, CountButtons, Decision, PlaceLeather, TakePatch
from companion.games.patchwork.errors import IllegalDecisionError, IllegalReason
from companion.games.patchwork.legal import AmbiguousDecisionError, legal_decisions, resolve
from companion.games.patchwork.rules import affordable, apply, check, new_game, offers
from companion.games.patchwork.state import Setup, State

FRONT = ("corner-b1", "corner-b3", "stairs", "bar3", "zig-b3")
CIRCLE = (*FRONT, *(patch for patch in PATCHES if patch not in (*FRONT, "domino")), "domino")
START = new_game(Setup(market=CIRCLE))
CORNER = mask_of(["A1", "A2", "B2"])


def with_seat(state: State, number: int = 1, **changes: object) -> State:
    sides = list(state.seats)
    sides[number - 1] = replace(sides[number - 1], **changes)  # type: ignore[arg-type]
    return replace(state, seats=(sides[0], sides[1]))


def refusal(state: State, decision: Decision) -> IllegalDecisionError:
    before = (state.seats, state.unbought)
    with pytest.raises(IllegalDecisionError) as caught:
        apply(state, decision)
    assert decision not in legal_decisions(state)
    assert (state.seats, state.unbought) == before
    return caught.value


@pytest.mark.parametrize(
    ("state", "decision", "reason", "cells"),
    [
        (replace(START, turn=None), Advance(1), IllegalReason.FINISHED, 0),
        (START, CountButtons(1, 5), IllegalReason.COUNTED_EARLY, 0),
        (START, Advance(2), IllegalReason.WRONG_TURN, 0),
        (START, TakePatch(2, "corner-b1", CORNER), IllegalReason.WRONG_TURN, 0),
        (replace(START, leather_due=True), Advance(1), IllegalReason.LEATHER_FIRST, 0),
        (replace(START, leather_due=True), TakePatch(1, "corner-b1", CORNER), IllegalReason.LEATHER_FIRST, 0),
        (START, PlaceLeather(1, 1), IllegalReason.NO_LEATHER, 0),
        (START, TakePatch(1, "carpet", CORNER), IllegalReason.UNKNOWN_PATCH, 0),
        (START, TakePatch(1, "bar3", placements("bar3")[0]), IllegalReason.NOT_OFFERED, 0),
        (START, TakePatch(1, "stairs", placements("stairs")[0]), IllegalReason.NOT_AFFORDABLE, 0),
        (START, TakePatch(1, "corner-b1", 1 << 81 | 3), IllegalReason.OVER_THE_EDGE, 3),
        (START, TakePatch(1, "corner-b1", -1), IllegalReason.OVER_THE_EDGE, ALL_CELLS),
        (START, TakePatch(1, "corner-b1", 0b111), IllegalReason.WRONG_SHAPE, 0b111),
        (START, TakePatch(1, "corner-b1", 0), IllegalReason.WRONG_SHAPE, 0),
        (with_seat(START, quilt=0b11), TakePatch(1, "corner-b1", CORNER), IllegalReason.OVERLAP, 0b1),
        (replace(START, leather_due=True), PlaceLeather(1, 1 << 81), IllegalReason.OVER_THE_EDGE, 0),
        (replace(START, leather_due=True), PlaceLeather(1, 0b11), IllegalReason.LEATHER_SHAPE, 0b11),
        (replace(START, leather_due=True), PlaceLeather(1, 0), IllegalReason.LEATHER_SHAPE, 0),
        (with_seat(replace(START, leather_due=True), quilt=1), PlaceLeather(1, 1), IllegalReason.OVERLAP, 1),
    ],
)
def test_reasons(state: State, decision: Decision, reason: IllegalReason, cells: int) -> None:
    error = refusal(state, decision)
    assert (error.reason, error.cells) == (reason, cells)


def test_the_fourth_patch_is_not_on_offer_and_the_third_is() -> None:
    state = with_seat(START, buttons=50)
    assert offers(state) == ("corner-b1", "corner-b3", "stairs")
    assert TakePatch(1, "stairs", placements("stairs")[0]) in legal_decisions(state)
    error = refusal(state, TakePatch(1, "bar3", placements("bar3")[0]))
    assert (error.reason, error.offers) == (IllegalReason.NOT_OFFERED, ("corner-b1", "corner-b3", "stairs"))


@pytest.mark.parametrize("left", [0, 1, 2, 3])
def test_fewer_than_three_are_offered_once_each(left: int) -> None:
    assert offers(replace(START, unbought=CIRCLE[:left])) == CIRCLE[:left]


def test_a_bought_patch_is_gone_where_the_circle_is_unknown() -> None:
    state = apply(new_game(Setup()), TakePatch(1, "domino", 0b11)).state
    assert refusal(state, TakePatch(2, "domino", 0b11)).reason is IllegalReason.BOUGHT
    assert "domino" not in offers(state)
    assert TakePatch(2, "bar3", 0b111) in legal_decisions(state)


def test_a_price_paid_to_the_last_button_is_affordable() -> None:
    assert affordable(with_seat(START, buttons=3)) == ("corner-b1", "corner-b3")
    assert affordable(with_seat(START, buttons=2)) == ("corner-b1",)
    assert affordable(with_seat(START, buttons=0)) == ()


def test_nothing_is_offered_while_leather_is_due_and_after_the_end() -> None:
    for state in (replace(START, leather_due=True), replace(START, turn=None)):
        assert offers(state) == affordable(state) == ()


def test_advancing_is_legal_whatever_one_can_buy() -> None:
    check(START, Advance(1))
    check(with_seat(START, buttons=0), Advance(1))


def test_a_patch_that_fits_nowhere_cannot_be_bought() -> None:
    state = with_seat(START, quilt=ALL_CELLS & ~mask_of(["A1", "C1", "E5", "E6"]), buttons=50)
    assert list(legal_decisions(state)) == [Advance(1)]


def test_cells_resolve_to_the_patch_on_offer() -> None:
    state = with_seat(START, buttons=20)
    cells = placements("stairs")[5]
    assert resolve(state, 1, cells) == TakePatch(1, "stairs", cells)
    assert resolve(state, 1, cells, "stairs") == TakePatch(1, "stairs", cells)


def test_twins_on_offer_are_ambiguous_until_one_is_named_or_too_dear() -> None:
    both = (TakePatch(1, "corner-b1", CORNER), TakePatch(1, "corner-b3", CORNER))
    with pytest.raises(AmbiguousDecisionError) as caught:
        resolve(START, 1, CORNER)
    assert caught.value.candidates == both
    assert resolve(START, 1, CORNER, "corner-b3") == both[1]
    assert resolve(with_seat(START, buttons=2), 1, CORNER) == both[0]


def test_a_twin_further_on_in_the_circle_is_no_candidate() -> None:
    state = replace(START, unbought=("corner-b3", "bar4", "bar5", "corner-b1"))
    assert resolve(state, 1, CORNER) == TakePatch(1, "corner-b3", CORNER)


def test_leather_resolves_while_it_is_due() -> None:
    assert resolve(replace(START, leather_due=True), 1, 1 << 40) == PlaceLeather(1, 1 << 40)


@pytest.mark.parametrize(
    ("state", "seat", "cells", "reason"),
    [
        (START, 2, CORNER, IllegalReason.WRONG_TURN),
        (replace(START, turn=None), 1, CORNER, IllegalReason.FINISHED),
        (replace(START, leather_due=True), 1, CORNER, IllegalReason.LEATHER_SHAPE),
        (START, 1, 0b111, IllegalReason.NOT_OFFERED),
        (START, 1, 0, IllegalReason.NO_SUCH_SHAPE),
        (START, 1, mask_of(["A1", "I9"]), IllegalReason.NO_SUCH_SHAPE),
        (START, 1, 1 << 90, IllegalReason.OVER_THE_EDGE),
        (START, 1, placements("stairs")[0], IllegalReason.NOT_AFFORDABLE),
        (with_seat(START, buttons=0), 1, CORNER, IllegalReason.NOT_AFFORDABLE),
        (with_seat(START, quilt=1), 1, CORNER, IllegalReason.OVERLAP),
        (with_seat(START, quilt=1, buttons=2), 1, CORNER, IllegalReason.OVERLAP),
    ],
)
def test_cells_that_no_legal_decision_covers(state: State, seat: int, cells: int, reason: IllegalReason) -> None:
    with pytest.raises(IllegalDecisionError) as caught:
        apply(state, resolve(state, seat, cells))
    assert caught.value.reason is reason
