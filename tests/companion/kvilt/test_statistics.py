"""Figures of games of Kvilt."""

from __future__ import annotations

from datetime import UTC, datetime

from companion.games.kvilt.sheet import Score
from companion.kvilt.statistics import KviltGame, kvilt_figures, kvilt_records

WHEN = datetime(2026, 11, 1, tzinfo=UTC)


def game(number: int, winners: tuple[int, ...], **totals: int) -> KviltGame:
    """Return a game in which all players' points came from the first row, except ten from buttons."""
    scores = tuple(Score(0, (total - 10, 0, 0, 0, 0), 0, 10) for total in totals.values())
    return KviltGame(number, WHEN, tuple(totals), scores, winners, 9)


def test_players_are_ordered_by_their_victories() -> None:
    games = [
        game(1, (1,), Anna=80, Boris=60),
        game(2, (1, 3), Anna=90, Boris=40, Vera=90),
        game(3, (1,), Boris=99, Anna=20),
    ]
    anna, vera, boris = kvilt_figures(games)
    assert (anna.name, anna.games, anna.won, anna.best, anna.streak) == ("Anna", 3, 2, 90, 2)
    assert anna.mean == (80 + 90 + 20) / 3
    assert anna.rows == anna.mean - 10
    assert (boris.name, boris.won, boris.streak, boris.buttons) == ("Boris", 1, 1, 10)
    assert (vera.name, vera.won, vera.patches) == ("Vera", 1, 0)


def test_rows_that_count_negative_are_in_what_the_rows_bring() -> None:
    score = Score(5, (10, 1, 2, 20, 30), 7, 3, negative=(1, 2))
    (figures,) = kvilt_figures([KviltGame(1, WHEN, ("Anna",), (score,), (1,), 9)])
    assert figures.rows == 2 + 20 + 30 - 10 - 1
    assert figures.mean == figures.rows + 5 + 7 + 3


def test_the_first_player_to_set_a_record_holds_it() -> None:
    games = [game(1, (1,), Anna=80, Boris=60), game(2, (2,), Anna=70, Boris=80)]
    held = {record.kind: record for record in kvilt_records(games)}
    assert set(held) == {"score", "row", "patches", "spools", "stitched"}
    assert (held["score"].name, held["score"].value, held["score"].game_id) == ("Anna", 80, 1)
    assert (held["row"].value, held["stitched"].value) == (70, 10)
    assert kvilt_records([]) == []
