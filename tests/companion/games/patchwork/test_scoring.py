"""Scores and winners."""

from companion.games.patchwork.cells import ALL_CELLS
from companion.games.patchwork.state import RuleProfile, SeatState, Setup, State, score


def seat(buttons: int, empty: int, bonus: bool = False) -> SeatState:
    return SeatState(buttons=buttons, income=0, time=53, quilt=ALL_CELLS >> empty, bonus=bonus)


def ended(one: SeatState, two: SeatState, first_home: int, rules: RuleProfile = RuleProfile.OFFICIAL) -> State:
    return State(Setup(rules=rules), (one, two), (), None, False, (), first_home, 40)


def test_the_rulebooks_worked_example() -> None:
    state = ended(seat(14, 5, bonus=True), seat(18, 2), first_home=1)
    assert (score(state.seat(1)), score(state.seat(2))) == (11, 14)
    assert state.winner == 2


def test_a_score_may_be_negative() -> None:
    assert score(SeatState(buttons=5, income=0, time=53, quilt=0, bonus=False)) == 5 - 162


def test_official_tie_goes_to_the_first_in_the_centre() -> None:
    for first_home in (1, 2):
        assert ended(seat(6, 2), seat(10, 4), first_home).winner == first_home


def test_hobby_tie_goes_to_the_token_on_top_which_is_the_later_arrival() -> None:
    for first_home in (1, 2):
        assert ended(seat(6, 2), seat(10, 4), first_home, RuleProfile.MARKER_ON_TOP).winner == 3 - first_home


def test_order_of_arrival_does_not_matter_where_scores_differ() -> None:
    for rules in RuleProfile:
        for first_home in (1, 2):
            assert ended(seat(6, 2), seat(7, 2), first_home, rules).winner == 2
