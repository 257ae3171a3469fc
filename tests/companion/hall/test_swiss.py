"""Test pairings of the FIDE Dutch System: the Handbook's example of a first round, and its rules for any round."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from companion.hall.tournaments import Entrant, TournamentGame, points_of, swiss_round
from tests.companion.hall.exercise import away, exercise_rounds


def entrants(count: int) -> list[Entrant]:
    return [Entrant(number) for number in range(1, count + 1)]


def test_the_first_round_is_the_handbook_s_example_of_forty_players() -> None:
    # C.04.2.C: "1 v 21, 22 v 2, 3 v 23, 24 v 4, ... 40 v 20".
    games = swiss_round(entrants(40), [], 9)
    expected = [TournamentGame(n, n + 20) if n % 2 else TournamentGame(n + 20, n) for n in range(1, 21)]
    assert games == expected


def test_with_an_odd_number_the_last_on_the_list_is_left_over_first() -> None:
    # C.04.2.C: "If the number of players is uneven the lowest rated player in the Pairing List is given the Bye."
    assert swiss_round(entrants(7), [], 5) == [
        TournamentGame(1, 4),
        TournamentGame(5, 2),
        TournamentGame(3, 6),
        TournamentGame(7, None),
    ]


def test_the_second_round_pairs_winners_with_winners_and_lets_those_begin_who_did_not() -> None:
    first = [replace(game, score=float(game.first < (game.second or 99))) for game in swiss_round(entrants(8), [], 3)]
    games = swiss_round(entrants(8), [first], 3)
    # Top half against bottom half would be 1-3 and 2-4, but 1 and 3 both began: the next transposition is used.
    assert [{game.first, game.second} for game in games] == [{1, 4}, {2, 3}, {5, 8}, {6, 7}]
    # A player who began in the first round does not begin in the second.
    began = {game.first for game in first}
    assert not began & {game.first for game in games}


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_each_round_of_fide_s_exercise_is_paired_as_there(number: int) -> None:
    rounds = exercise_rounds()
    there = [Entrant(each, present=each not in away(number)) for each in range(1, 17)]
    paired = swiss_round(there, rounds[: number - 1], 5)
    published = [game for game in rounds[number - 1] if game.first not in away(number)]
    assert {frozenset((game.first, game.second)) for game in paired} == {
        frozenset((game.first, game.second)) for game in published
    }
    # Who begins is published only of the games that were played.
    began = {(game.first, game.second) for game in paired}
    assert {(game.first, game.second) for game in published if game.is_played} <= began


def test_a_player_with_a_point_without_a_game_gets_no_bye() -> None:
    games = swiss_round(entrants(3), [[TournamentGame(1, 2, absent=(2,)), TournamentGame(3, None)]], 3)
    assert games[-1] == TournamentGame(2, None)


@pytest.mark.parametrize(("count", "seed"), [(8, 1), (9, 2), (14, 3), (21, 4)])
def test_no_pair_meets_twice_no_player_rests_twice_and_scores_stay_close(count: int, seed: int) -> None:
    rng, rounds, of = random.Random(seed), list[list[TournamentGame]](), 5
    for _ in range(of):
        games = swiss_round(entrants(count), rounds, of)
        seated = [number for game in games for number in (game.first, game.second) if number is not None]
        assert sorted(seated) == list(range(1, count + 1))
        for game in games:
            if game.second is not None:
                apart = abs(points_of(game.first, rounds) - points_of(game.second, rounds))
                assert apart <= 1.5
        rounds.append([game if game.is_bye else replace(game, score=rng.choice([0.0, 0.5, 1.0])) for game in games])
    met = [frozenset((game.first, game.second)) for each in rounds for game in each]
    assert len(met) == len(set(met))
    for number in range(1, count + 1):
        began = sum(game.first == number for each in rounds for game in each if not game.is_bye)
        followed = sum(game.second == number for each in rounds for game in each)
        assert abs(began - followed) <= 2


def test_an_absent_player_is_not_paired() -> None:
    present = [Entrant(number, present=number != 3) for number in range(1, 7)]
    games = swiss_round(present, [], 3)
    assert all(3 not in (game.first, game.second) for game in games)
    assert sum(game.is_bye for game in games) == 1
