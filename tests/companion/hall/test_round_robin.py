from __future__ import annotations

from itertools import combinations

import pytest

from companion.hall.tournaments import TournamentGame, round_robin

BERGER = {
    4: ["1-4 2-3", "4-3 1-2", "2-4 3-1"],
    6: ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"],
    8: [
        "1-8 2-7 3-6 4-5",
        "8-5 6-4 7-3 1-2",
        "2-8 3-1 4-7 5-6",
        "8-6 7-5 1-4 2-3",
        "3-8 4-2 5-1 6-7",
        "8-7 1-6 2-5 3-4",
        "4-8 5-3 6-2 7-1",
    ],
    10: [
        "1-10 2-9 3-8 4-7 5-6",
        "10-6 7-5 8-4 9-3 1-2",
        "2-10 3-1 4-9 5-8 6-7",
        "10-7 8-6 9-5 1-4 2-3",
        "3-10 4-2 5-1 6-9 7-8",
        "10-8 9-7 1-6 2-5 3-4",
        "4-10 5-3 6-2 7-1 8-9",
        "10-9 1-8 2-7 3-6 4-5",
        "5-10 6-4 7-3 8-2 9-1",
    ],
}
"""FIDE Handbook C.05, annex 1, as published."""


@pytest.mark.parametrize("players", BERGER)
def test_the_rounds_are_those_of_the_published_tables(players: int) -> None:
    rounds = [" ".join(f"{game.first}-{game.second}" for game in games) for games in round_robin(players)]
    assert rounds == BERGER[players]


def test_everybody_meets_everybody_once_and_rests_once_if_the_number_is_odd() -> None:
    for players in range(2, 21):
        rounds = round_robin(players)
        games = [game for each in rounds for game in each]
        met = sorted(tuple(sorted((game.first, game.second))) for game in games if game.second is not None)
        assert met == sorted(combinations(range(1, players + 1), 2))
        assert sorted(game.first for game in games if game.is_bye) == list(range(1, players + 1)) * (players % 2)
        for each in rounds:
            seated = [number for game in each for number in (game.first, game.second) if number is not None]
            assert sorted(seated) == list(range(1, players + 1))


def test_a_bye_stands_last() -> None:
    assert round_robin(3)[0] == [TournamentGame(2, 3), TournamentGame(1, None)]
