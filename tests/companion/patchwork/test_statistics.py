"""Courses, purchases and figures over games that were played at random."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache

import pytest

from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import Advance, TakePatch
from companion.games.patchwork.facts import IncomePaid
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup, score
from companion.patchwork.arrangement import dealt_market
from companion.patchwork.statistics import (
    Purchase,
    course,
    finished,
    patch_figures,
    player_figures,
    purchases,
    records,
    worth,
)
from companion.play.page import ArchivedGame

BEGUN = datetime(2026, 11, 1, 20, tzinfo=UTC)
PAIRS = (("Anna", "Boris"), ("Clara", "Anna"), ("Boris", "Clara"))


@cache
def played(seed: int) -> tuple[ArchivedGame, History]:
    """Return a whole random game."""
    rng = random.Random(seed)
    history = History(Setup(players=PAIRS[seed % 3], market=dealt_market(seed)))
    while not history.state.finished:
        history.apply(legal_decisions(history.state).pick(rng))
    return ArchivedGame(seed, BEGUN + timedelta(days=seed), history.setup, history.decisions), history


GAMES = [played(seed)[0] for seed in range(1, 7)]
FINISHED = [finished(game.game_id, game.started_at, played(game.game_id)[1]) for game in GAMES]


@pytest.mark.parametrize("seed", range(1, 5))
def test_a_course_ends_where_the_game_did_and_goes_through_every_decision(seed: int) -> None:
    game, history = played(seed)
    stood = course(game.setup, game.decisions)
    assert len(stood) == len(game.decisions) + 1
    assert [(seat.time, seat.buttons, seat.empty) for seat in stood[0]] == [(0, 5, 81)] * 2
    assert [seat.score for seat in stood[-1]] == [score(seat) for seat in history.state.seats]
    for seat in (0, 1):
        times = [pair[seat].time for pair in stood]
        assert times == sorted(times)


@pytest.mark.parametrize("seed", range(1, 5))
def test_a_patch_pays_income_at_the_remaining_marks(seed: int) -> None:
    game, _ = played(seed)
    history, paid = History(game.setup), 0
    for decision in game.decisions:
        paid += sum(fact.buttons for fact in history.apply(decision).facts if isinstance(fact, IncomePaid))
    bought = list(purchases(game.setup, game.decisions))
    assert len(bought) == sum(isinstance(each, TakePatch) for each in game.decisions)
    assert sum(PATCHES[each.patch].income * each.paydays for each in bought) <= paid
    # Marks crossed in the move that buys a patch are paid with it already on the quilt.
    crossed = sum(
        PATCHES[each.patch].income
        * sum(each.space - PATCHES[each.patch].time < mark <= each.space for mark in game.setup.track.income)
        for each in bought
    )
    late = sum(PATCHES[each.patch].income for each in bought if each.space == 53)
    assert paid <= sum(PATCHES[each.patch].income * each.paydays for each in bought) + crossed + late


def test_worth_is_squares_and_income_less_the_price() -> None:
    patch = PATCHES["corner-b1"]
    bought = Purchase(1, "corner-b1", 1, 10, paydays=4)
    assert worth(bought) == 2 * len(patch.cells) + 4 * patch.income - patch.buttons


def test_patches_are_counted_over_all_games_the_dearest_first() -> None:
    figures = patch_figures(FINISHED)
    bought = [
        (each, played(game.game_id)[1].state.winner) for game in GAMES for each in purchases(game.setup, game.decisions)
    ]
    assert sum(each.bought for each in figures) == len(bought)
    assert sum(each.won for each in figures) == sum(each.seat == winner for each, winner in bought)
    assert [each.worth for each in figures] == sorted((each.worth for each in figures), reverse=True)
    first = figures[0]
    mine = [worth(each) for each, _ in bought if each.patch == first.patch]
    assert first.worth == pytest.approx(sum(mine) / len(mine))
    assert first.worth_a_space == pytest.approx(first.worth / PATCHES[first.patch].time)


def test_players_are_listed_with_what_they_made_of_their_games() -> None:
    bonuses = [1, 0, 0, 2, 0, 0]
    games = [replace(game, bonus=bonus) for game, bonus in zip(FINISHED, bonuses, strict=True)]
    figures = {each.name: each for each in player_figures(games)}
    assert set(figures) == {"Anna", "Boris", "Clara"}
    assert sum(each.games for each in figures.values()) == 12
    assert sum(each.won for each in figures.values()) == 6
    assert sum(each.bonuses for each in figures.values()) == 2
    scores = [
        score(played(game.game_id)[1].state.seat(seat))
        for game in GAMES
        for seat, name in enumerate(game.setup.players, start=1)
        if name == "Anna"
    ]
    assert figures["Anna"].best == max(scores)
    assert figures["Anna"].mean == pytest.approx(sum(scores) / len(scores))


def test_a_streak_is_the_longest_row_of_wins() -> None:
    game = FINISHED[0]
    figures = {each.name: each for each in player_figures([replace(game, winner=seat) for seat in (1, 1, 2, 1, 1, 1)])}
    assert [figures[name].streak for name in game.players] == [3, 1]


def test_records_are_held_by_who_was_first() -> None:
    held = {each.kind: each for each in records([*FINISHED, FINISHED[0]])}
    ends = [
        (game, seat, stood[seat - 1])
        for game in GAMES
        for stood in [course(game.setup, game.decisions)[-1]]
        for seat in (1, 2)
    ]
    game, seat, best = max(ends, key=lambda each: each[2].score)
    assert (held["score"].value, held["score"].name) == (best.score, game.setup.players[seat - 1])
    assert held["quilt"].value == min(stood.empty for _, _, stood in ends)
    assert held["margin"].value == max(
        abs(one.score - other.score) for one, other in (course(game.setup, game.decisions)[-1] for game in GAMES)
    )
    assert held["score"].game_id in {game.game_id for game in GAMES}
    assert records([]) == []


def test_a_game_without_purchases_has_figures_too() -> None:
    history = History(Setup(players=("Anna", "Boris")))
    history.apply(Advance(1))
    lonely = finished(1, BEGUN, history)
    assert lonely.purchases == ()
    assert patch_figures([lonely]) == []
    assert [each.patches for each in player_figures([lonely])] == [0.0, 0.0]


@pytest.mark.parametrize("seed", range(1, 7))
def test_a_summary_holds_the_end_and_the_purchases(seed: int) -> None:
    game, history = played(seed)
    kept, state = finished(seed, game.started_at, history), history.state
    assert (kept.game_id, kept.started_at, kept.players) == (seed, game.started_at, game.setup.players)
    assert kept.standings == course(game.setup, game.decisions)[-1]
    assert (kept.winner, list(kept.purchases)) == (state.winner, list(purchases(game.setup, game.decisions)))
    assert [kept.bonus == seat for seat in (1, 2)] == [state.seat(seat).bonus > 0 for seat in (1, 2)]
