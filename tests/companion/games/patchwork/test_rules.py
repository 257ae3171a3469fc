"""Test the effects of decisions: turns, the market, marks, leather, the 7x7 tile and the end."""

from dataclasses import replace

import pytest

from companion.games.patchwork.cells import ALL_CELLS, mask_of
from companion.games.patchwork.components import PATCHES, Edition, placements
from companion.games.patchwork.decisions import Advance, Decision, PlaceLeather, TakePatch
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
    TurnPassed,
)
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import Outcome, apply, new_game
from companion.games.patchwork.state import RuleProfile, SeatState, Setup, State, score

CIRCLE = (*(patch for patch in PATCHES if patch != "domino"), "domino")
SEVEN = sum(0b1111111 << 9 * row for row in range(7))


def side(time: int = 0, buttons: int = 5, income: int = 0, quilt: int = 0, bonus: bool = False) -> SeatState:
    return SeatState(buttons, income, time, quilt, bonus)


def game(one: SeatState, two: SeatState, turn: int = 1, setup: Setup | None = None) -> State:
    """Return a state in which the leather patches behind the foremost token have been taken."""
    start = new_game(setup or Setup())
    left = tuple(mark for mark in start.leather_left if mark > max(one.time, two.time))
    home = next((seat for seat, time in ((1, one.time), (2, two.time)) if time == 53), None)
    return replace(start, seats=(one, two), turn=turn, leather_left=left, first_home=home)


def take(state: State, patch: str, place: int = 0) -> Outcome:
    assert state.turn is not None
    return apply(state, TakePatch(state.turn, patch, placements(patch)[place]))


def kinds(facts: tuple[Fact, ...]) -> list[str]:
    return [type(fact).__name__ for fact in facts]


def test_a_purchase_pays_places_and_moves() -> None:
    outcome = take(new_game(Setup(market=CIRCLE)), "bar3", 4)
    cells = placements("bar3")[4]
    assert outcome.state.seat(1) == side(time=2, buttons=3, quilt=cells)
    assert outcome.facts == (PatchPlaced(1, "bar3", cells, 2), TokenMoved(1, 0, 2), TurnPassed(2))
    assert outcome.state.decisions_made == 1


def test_advancing_goes_one_past_the_other_token_for_a_button_a_space() -> None:
    outcome = apply(game(side(time=8), side(time=11)), Advance(1))
    assert outcome.facts == (TokenMoved(1, 8, 12), ButtonsEarned(1, 4), IncomePaid(1, 11, 0), TurnPassed(2))
    assert outcome.state.seat(1) == side(time=12, buttons=9)


def test_advancing_from_a_shared_space_is_one_space_for_one_button() -> None:
    outcome = apply(game(side(time=7), side(time=7), turn=2), Advance(2))
    assert outcome.state.seat(2) == side(time=8, buttons=6)
    assert outcome.state.turn == 1


def test_advancing_stops_in_the_centre_and_pays_only_spaces_really_moved() -> None:
    outcome = apply(game(side(time=51), side(time=53)), Advance(1))
    assert (outcome.state.seat(1).time, outcome.state.seat(1).buttons) == (53, 7)


def test_the_seat_further_behind_moves() -> None:
    state = take(game(side(time=3), side(time=9)), "bar3").state
    assert (state.seat(1).time, state.turn) == (5, 1)
    assert take(game(side(time=8), side(time=9)), "bar3").state.turn == 2


def test_landing_on_the_other_token_one_lies_on_top_and_moves_again() -> None:
    for turn in (1, 2):
        behind, ahead = side(time=7), side(time=9)
        state = game(behind, ahead, 1) if turn == 1 else game(ahead, behind, 2)
        outcome = take(state, "bar3")
        assert outcome.state.turn == turn
        assert "TurnPassed" not in kinds(outcome.facts)


@pytest.mark.parametrize("index", [0, 1, 2])
def test_skipped_patches_stay_in_the_circle_and_are_now_last(index: int) -> None:
    state = replace(new_game(Setup(market=CIRCLE)), seats=(side(buttons=20), side()))
    after = take(state, CIRCLE[index]).state
    assert after.market == (CIRCLE[1:], CIRCLE[2:] + CIRCLE[:1], CIRCLE[3:] + CIRCLE[:2])[index]
    assert after.box == set(PATCHES) - {CIRCLE[index]}


def test_the_income_of_the_patch_just_placed_counts_on_the_same_move() -> None:
    outcome = take(game(side(time=4, income=2), side(time=9)), "bar4")
    assert IncomePaid(1, 5, 3) in outcome.facts
    assert outcome.state.seat(1).buttons == 5 - 3 + 3


@pytest.mark.parametrize(("start", "paid"), [(8, 0), (9, 4), (10, 4), (11, 0)])
def test_landing_exactly_on_the_space_of_a_mark_pays_and_standing_there_has_paid(start: int, paid: int) -> None:
    outcome = take(game(side(time=start, income=4), side(time=20)), "bar3")
    assert outcome.state.seat(1).buttons == 3 + paid


def test_two_marks_in_one_advance_pay_each() -> None:
    outcome = apply(game(side(time=4, income=6), side(time=10)), Advance(1))
    assert outcome.facts[2:4] == (IncomePaid(1, 5, 6), IncomePaid(1, 11, 6))
    assert outcome.state.seat(1).buttons == 5 + 7 + 12


def test_the_centre_pays() -> None:
    outcome = apply(game(side(time=52, income=9), side(time=53)), Advance(1))
    assert IncomePaid(1, 53, 9) in outcome.facts
    assert outcome.state.seat(1).buttons == 5 + 1 + 9


def test_patch_time_beyond_the_centre_is_cut_off() -> None:
    outcome = take(game(side(time=52, income=1), side(time=52)), "wide-cup")
    assert TokenMoved(1, 52, 53) in outcome.facts
    assert outcome.state.seat(1).buttons == 4 + 2


@pytest.mark.parametrize("by", ["purchase", "advance"])
def test_leather_goes_to_the_first_to_cross_and_must_be_placed_at_once(by: str) -> None:
    state = game(side(time=18), side(time=19))
    outcome = take(state, "bar3") if by == "purchase" else apply(state, Advance(1))
    assert LeatherWon(1, 20) in outcome.facts
    assert "TurnPassed" not in kinds(outcome.facts)
    after = outcome.state
    assert (after.leather_due, after.turn, after.leather_left) == (True, 1, (26, 32, 44, 50))
    placed = apply(after, PlaceLeather(1, 1 << 80))
    assert placed.facts == (LeatherPlaced(1, 1 << 80), TurnPassed(2))
    assert placed.state.seat(1).quilt == after.seat(1).quilt | 1 << 80
    assert (placed.state.leather_due, placed.state.turn) == (False, 2)


def test_leather_without_a_change_of_turn() -> None:
    after = take(game(side(time=18), side(time=20)), "bar3").state
    assert not after.leather_due  # the other token has taken it
    state = replace(game(side(time=18), side(time=20)), leather_left=(20, 26))
    due = take(state, "bar3").state
    assert apply(due, PlaceLeather(1, 1 << 80)).state.turn == 1


def test_a_mark_whose_patch_is_gone_brings_nothing() -> None:
    outcome = take(game(side(time=19), side(time=30)), "bar3")
    assert kinds(outcome.facts) == ["PatchPlaced", "TokenMoved"]


def test_the_editions_differ_at_20_and_38() -> None:
    revised = Setup(edition=Edition.REVISED)
    assert not take(game(side(time=18), side(time=19), setup=revised), "bar3").state.leather_due
    assert take(game(side(time=37), side(time=37), setup=revised), "bar3").state.leather_due
    assert not take(game(side(time=37), side(time=37)), "bar3").state.leather_due


def test_leather_that_finds_no_empty_cell_is_set_aside() -> None:
    outcome = apply(game(side(time=18, quilt=ALL_CELLS), side(time=19)), Advance(1))
    assert outcome.facts[-3:] == (LeatherWon(1, 20), LeatherSetAside(1), TurnPassed(2))
    assert (outcome.state.leather_due, outcome.state.leather_left) == (False, (26, 32, 44, 50))


def test_the_patch_that_fills_the_quilt_leaves_no_room_for_the_leather_it_wins() -> None:
    state = game(side(time=19, quilt=ALL_CELLS & ~0b111), side(time=19))
    assert kinds(take(state, "bar3").facts)[-3:] == ["LeatherWon", "LeatherSetAside", "TurnPassed"]


def test_marks_are_resolved_in_the_order_of_the_track() -> None:
    outcome = apply(game(side(time=17, income=1), side(time=22)), Advance(1))
    assert outcome.state.leather_due is False  # 20 is behind the other token
    state = replace(game(side(time=17, income=1), side(time=22)), leather_left=(20, 26))
    facts = apply(state, Advance(1)).facts
    assert facts[2:] == (LeatherWon(1, 20), IncomePaid(1, 23, 1))


@pytest.mark.parametrize("shift", [0, 1, 2, 9, 10, 11, 18, 19, 20])
def test_the_first_to_cover_seven_by_seven_takes_the_tile(shift: int) -> None:
    gap = (0b11 << 9 * 3) << shift
    state = game(side(quilt=SEVEN << shift & ~gap), side())
    outcome = apply(state, TakePatch(1, "domino", gap))
    assert kinds(outcome.facts)[:2] == ["PatchPlaced", "BonusTileTaken"]
    assert outcome.state.seat(1).bonus
    assert not outcome.state.seat(2).bonus


def test_cover_around_the_square_does_no_harm() -> None:
    state = game(side(quilt=ALL_CELLS & ~mask_of(["A1", "E5", "F5"])), side())
    assert apply(state, TakePatch(1, "domino", mask_of(["E5", "F5"]))).state.seat(1).bonus


def test_a_square_with_a_hole_or_a_long_rectangle_is_none() -> None:
    holed = game(side(quilt=ALL_CELLS & ~mask_of(["E5", "A1", "B1"])), side())
    assert not apply(holed, TakePatch(1, "domino", mask_of(["A1", "B1"]))).state.seat(1).bonus
    six_rows = (1 << 54) - 1
    rectangle = game(side(quilt=six_rows & ~0b11), side())
    assert not apply(rectangle, TakePatch(1, "domino", 0b11)).state.seat(1).bonus


def test_leather_may_complete_the_square() -> None:
    state = replace(game(side(quilt=SEVEN & ~1), side()), leather_due=True)
    outcome = apply(state, PlaceLeather(1, 1))
    assert outcome.facts[:2] == (LeatherPlaced(1, 1), BonusTileTaken(1))
    assert outcome.state.seat(1).bonus


def test_there_is_one_tile() -> None:
    state = game(side(quilt=SEVEN & ~0b11), side(time=5, quilt=SEVEN, bonus=True))
    outcome = apply(state, TakePatch(1, "domino", 0b11))
    assert "BonusTileTaken" not in kinds(outcome.facts)
    assert not outcome.state.seat(1).bonus


@pytest.mark.parametrize("decision", [TakePatch(1, "domino", 0b11 << 7), Advance(1), PlaceLeather(1, 1 << 80)])
def test_the_tile_stays_with_its_owner(decision: Decision) -> None:
    for owner in (1, 2):
        state = game(side(quilt=SEVEN, bonus=owner == 1), side(time=5, quilt=SEVEN, bonus=owner == 2))
        outcome = apply(replace(state, leather_due=isinstance(decision, PlaceLeather)), decision)
        assert [seat.bonus for seat in outcome.state.seats] == [owner == 1, owner == 2]
        assert "BonusTileTaken" not in kinds(outcome.facts)


def test_the_seven_points_cannot_be_spent() -> None:
    rich = game(side(buttons=4, quilt=SEVEN, bonus=True), side())
    assert TakePatch(1, "tall-tee", mask_of(["G8", "H8", "I8", "H9", "I9"])) not in legal_decisions(rich)
    assert score(rich.seat(1)) == 4 + 7 - 2 * 32


def test_the_other_seat_plays_on_alone_until_the_centre() -> None:
    state = apply(game(side(time=52), side(time=52)), Advance(1)).state
    assert (state.seat(1).time, state.turn, state.first_home, state.finished) == (53, 2, 1, False)
    again = take(replace(state, seats=(state.seat(1), side(time=45))), "bar3").state
    assert (again.turn, again.first_home) == (2, 1)


@pytest.mark.parametrize("rules", RuleProfile)
@pytest.mark.parametrize("last", [1, 2])
def test_the_game_ends_with_the_second_arrival_and_a_tie_is_settled(last: int, rules: RuleProfile) -> None:
    seats = [side(time=53, buttons=6), side(time=53, buttons=6)]
    seats[last - 1] = side(time=52, buttons=5)
    outcome = apply(game(seats[0], seats[1], last, Setup(rules=rules)), Advance(last))
    assert score(outcome.state.seat(1)) == score(outcome.state.seat(2))
    winner = 3 - last if rules is RuleProfile.OFFICIAL else last
    assert (outcome.state.finished, outcome.state.turn, outcome.state.winner) == (True, None, winner)
    assert outcome.facts[-1] == GameEnded(winner)
    assert not legal_decisions(outcome.state)


def test_the_last_leather_is_placed_before_the_end() -> None:
    state = replace(game(side(time=49), side(time=53)), leather_left=(50,))
    due = apply(state, Advance(1))
    assert due.facts == (TokenMoved(1, 49, 53), ButtonsEarned(1, 4), LeatherWon(1, 50), IncomePaid(1, 53, 0))
    assert (due.state.turn, due.state.finished, due.state.winner) == (1, False, None)
    ended = apply(due.state, PlaceLeather(1, 1))
    assert ended.facts == (LeatherPlaced(1, 1), GameEnded(1))
    assert ended.state.finished
