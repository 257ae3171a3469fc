"""Games of Patchwork in the journal, as the page shows and exports them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.patchwork import History, decision_to_json, score
from companion.languages import render
from companion.patchwork.page.account import colours_of
from companion.patchwork.page.choices import turn_json
from companion.patchwork.page.seats import seats_json, track_json
from companion.patchwork.page.snapshot import result_json
from companion.patchwork.words import taken_sentences
from companion.play.page.archived import Rows

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.games.patchwork import Decision, Outcome
    from companion.journal import GameSummary
    from companion.languages import Language
    from companion.play.page.archived import ArchivedGame
    from companion.play.page.json_type import Json


def details(archived: ArchivedGame, language: Language) -> Json:
    """Return what a game's summary lacks: its set-up, its decisions and its result."""
    history, outcomes = _replayed(archived)
    setup = history.setup
    return {
        "edition": setup.edition.value,
        "rules": setup.rules.value,
        "first_seat": setup.first_seat,
        "market_known": setup.market is not None,
        "result": result_json(history.state, language),
        "decisions_list": _decisions_json(outcomes, language),
    }


def replay(archived: ArchivedGame, language: Language) -> Json:
    """Return the states of a game: the start, and the one after each decision."""
    history, colours = History(archived.setup), colours_of(archived.notes)
    states = [_frame(history, (), language, colours)]
    for decision in archived.decisions:
        outcome = history.apply(decision)
        states.append(_frame(history, taken_sentences(outcome.facts, outcome.state), language, colours))
    return {"states": states}


def decisions_rows(archived: ArchivedGame) -> Rows:
    """Return a game's decisions, one row each, with the standing of both seats after it."""
    _, outcomes = _replayed(archived)
    rows = (_row(number, decision, outcome) for number, (decision, outcome) in enumerate(outcomes, start=1))
    standing = (f"{what}_{seat}" for seat in (1, 2) for what in ("buttons", "income", "time", "empty", "score"))
    return Rows(("number", "seat", "player", "move", "patch", "cells", *standing), tuple(rows))


def games_rows(listed: Iterable[GameSummary]) -> Rows:
    """Return all games, one row each."""
    heading = ("id", "started_at", "player_1", "player_2", "score_1", "score_2", "winner", "decisions")
    return Rows(heading, tuple(map(_listed, listed)))


def _listed(game: GameSummary) -> tuple[Any, ...]:
    winner = game.winners[0] if len(game.winners) == 1 else ""
    players, scores = game.players or ("", ""), game.scores or ("", "")
    return (game.game_id, game.started_at.isoformat(), *players, *scores, winner, game.decisions)


def _replayed(archived: ArchivedGame) -> tuple[History, list[tuple[Decision, Outcome]]]:
    history = History(archived.setup)
    return history, [(decision, history.apply(decision)) for decision in archived.decisions]


def _decisions_json(outcomes: list[tuple[Decision, Outcome]], language: Language) -> list[Json]:
    return [
        {
            "number": number,
            "patch": None,
            "cells": [],
            **decision_to_json(decision),
            "says": [render(says, language) for says in taken_sentences(outcome.facts, outcome.state)],
        }
        for number, (decision, outcome) in enumerate(outcomes, start=1)
    ]


def _frame(history: History, says: tuple[str, ...], language: Language, colours: tuple[str, str]) -> Json:
    made = len(history.decisions)
    return {
        "number": made,
        "seats": seats_json(history.state, history.decisions, made or None, colours),
        "track": track_json(history.state),
        "turn": turn_json(history.state, language),
        "says": [render(each, language) for each in says],
    }


def _row(number: int, decision: Decision, outcome: Outcome) -> tuple[Any, ...]:
    line, state = decision_to_json(decision), outcome.state
    move = (line["move"], line.get("patch", ""), " ".join(line.get("cells", [])))
    standing = (
        value for seat in state.seats for value in (seat.buttons, seat.income, seat.time, seat.empty, score(seat))
    )
    return (number, decision.seat, state.setup.players[decision.seat - 1], *move, *standing)
