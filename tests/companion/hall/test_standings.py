from __future__ import annotations

import pytest

from companion.hall.tournaments import Entrant, PlayerStanding, TournamentGame, result_of, standings
from tests.companion.hall.exercise import SOLUTIONS, exercise_rounds


def entrants(count: int) -> list[Entrant]:
    return [Entrant(number) for number in range(1, count + 1)]


def by_number(found: list[PlayerStanding]) -> dict[int, PlayerStanding]:
    return {each.number: each for each in found}


PUBLISHED = (
    # Sensei's Library, "Sonneborn-Berger": four players, each against each twice; 1 beats 2, 3, 4 and then 3 only ...
    [TournamentGame(1, 2, 1.0), TournamentGame(3, 4, 1.0)],
    [TournamentGame(1, 3, 1.0), TournamentGame(2, 4, 1.0)],
    [TournamentGame(1, 4, 1.0), TournamentGame(2, 3, 1.0)],
    [TournamentGame(1, 2, 0.0), TournamentGame(3, 4, 1.0)],
    [TournamentGame(1, 3, 1.0), TournamentGame(2, 4, 1.0)],
    [TournamentGame(1, 4, 0.0), TournamentGame(2, 3, 0.0)],
)


def test_sonneborn_berger_is_that_of_the_published_example() -> None:
    found = by_number(standings(entrants(4), PUBLISHED, swiss=False))
    assert {number: each.points for number, each in found.items()} == {1: 4, 2: 4, 3: 3, 4: 1}
    assert {number: each.sonneborn_berger for number, each in found.items()} == {1: 11, 2: 9, 3: 6, 4: 4}
    assert [found[number].place for number in (1, 2, 3, 4)] == [1, 2, 3, 4]


def test_buchholz_adds_up_the_opponents_and_its_cut_leaves_the_lowest_out() -> None:
    rounds = [
        [TournamentGame(1, 3, 1.0), TournamentGame(4, 2, 0.0)],
        [TournamentGame(2, 1, 0.5), TournamentGame(3, 4, 1.0)],
    ]
    found = by_number(standings(entrants(4), rounds, swiss=True))
    assert {number: each.points for number, each in found.items()} == {1: 1.5, 2: 1.5, 3: 1.0, 4: 0.0}
    assert (found[1].buchholz, found[1].buchholz_cut) == (2.5, 1.5)
    assert (found[2].buchholz, found[2].buchholz_cut) == (1.5, 1.5)
    # They drew against each other, and the cut takes the same from both: the sum decides.
    assert (found[1].place, found[2].place) == (1, 2)


def test_a_direct_encounter_decides_before_the_opponents_strength() -> None:
    rounds = [
        [TournamentGame(1, 2, 0.0), TournamentGame(3, 4, 1.0)],
        [TournamentGame(1, 3, 1.0), TournamentGame(2, 4, 0.0)],
    ]
    found = by_number(standings(entrants(4), rounds, swiss=True))
    assert [found[number].points for number in (1, 2, 3, 4)] == [1.0, 1.0, 1.0, 1.0]
    two = [[TournamentGame(2, 1, 1.0)], [TournamentGame(1, 3, 1.0)], [TournamentGame(3, 2, 1.0)]]
    assert {each.place for each in standings(entrants(3), two, swiss=False)} == {1}
    three = [[TournamentGame(2, 1, 1.0), TournamentGame(3, 4, 0.0)], [TournamentGame(1, 3, 1.0)]]
    placed = by_number(standings(entrants(4), three, swiss=True))
    assert placed[2].place < placed[3].place


def test_a_bye_counts_as_a_win_against_somebody_as_good_as_oneself() -> None:
    rounds = [
        [TournamentGame(1, 2, 1.0), TournamentGame(3, None)],
        [TournamentGame(3, 1, 0.0), TournamentGame(2, None)],
    ]
    found = by_number(standings(entrants(3), rounds, swiss=True))
    assert (found[3].points, found[3].played, found[3].wins) == (1.0, 1, 0)
    assert found[3].buchholz == 1.0 + 2.0


def test_an_undecided_game_counts_for_no_player() -> None:
    found = standings(entrants(2), [[TournamentGame(1, 2)]], swiss=True)
    assert [(each.place, each.points, each.played, each.buchholz) for each in found] == [(1, 0, 0, 0), (1, 0, 0, 0)]


def test_more_points_win_and_equal_ones_are_a_draw() -> None:
    assert [result_of(12, 7), result_of(-3, -3), result_of(-9, 1)] == [1.0, 0.5, 0.0]


def test_tie_breaks_with_absences_are_those_of_fide_s_worked_examples() -> None:
    found = by_number(standings(entrants(16), exercise_rounds(), swiss=True))
    for number, solution in SOLUTIONS.items():
        each = found[number]
        assert [each.points, each.buchholz, each.buchholz_cut, each.sonneborn_berger] == solution, number


def test_games_of_a_round_robin_that_were_forfeited_count_like_others() -> None:
    rounds = [
        [TournamentGame(1, 2, 1.0), TournamentGame(3, 4, absent=(4,))],
        [TournamentGame(1, 3, 0.5), TournamentGame(2, 4, 1.0)],
        [TournamentGame(1, 4, 1.0), TournamentGame(2, 3, 0.0)],
    ]
    found = by_number(standings(entrants(4), rounds, swiss=False))
    assert {number: each.points for number, each in found.items()} == {1: 2.5, 2: 1.0, 3: 2.5, 4: 0.0}
    assert found[3].sonneborn_berger == 0.0 + 0.5 * 2.5 + 1.0


def test_nobody_wins_a_game_to_which_nobody_came() -> None:
    found = by_number(standings(entrants(2), [[TournamentGame(1, 2, absent=(1, 2))]], swiss=True))
    assert [(each.points, each.played, each.wins) for each in found.values()] == [(0.0, 0, 0)] * 2


@pytest.mark.parametrize(("played", "counts"), [(1, False), (2, True)])
def test_a_player_who_leaves_a_round_robin_before_half_of_the_games_is_left_out(played: int, counts: bool) -> None:
    rounds = [
        [TournamentGame(1, 4, 0.0), TournamentGame(2, 3, 0.5)],
        [TournamentGame(4, 3, 1.0) if played > 1 else TournamentGame(4, 3, absent=(4,)), TournamentGame(1, 2, 1.0)],
        [TournamentGame(2, 4, absent=(4,)), TournamentGame(3, 1, 0.5)],
    ]
    there = [Entrant(1), Entrant(2), Entrant(3), Entrant(4, present=False)]
    found = by_number(standings(there, rounds, swiss=False))
    assert {number: each.points for number, each in found.items()} == (
        {1: 1.5, 2: 1.5, 3: 1.0, 4: 2.0} if counts else {1: 1.5, 2: 0.5, 3: 1.0, 4: 0.0}
    )


def test_a_bye_leads_nobody_before_its_round_is_played() -> None:
    rounds = [[TournamentGame(1, 2), TournamentGame(3, None)]]
    assert {each.points for each in standings(entrants(3), rounds, swiss=True)} == {0.0}
    rounds = [[TournamentGame(1, 2, 1.0), TournamentGame(3, None)]]
    assert {each.points for each in standings(entrants(3), rounds, swiss=True)} == {1.0, 0.0}
