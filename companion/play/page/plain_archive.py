"""Stored games of which only the players and their points are known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from companion.play.page.archived import Part, Rows

if TYPE_CHECKING:
    from companion.journal import GameSummary
    from companion.play.page.archived import ArchivedGame
    from companion.play.page.json_type import Json
    from companion.record import Codec


@dataclass(frozen=True, slots=True)
class FinishedPlain:
    """The summary of a finished game for statistics.

    Attributes:
        game_id: its number in the journal.
        started_at: the time when it was begun.
        players: their names, by seat.
        scores: their points, by seat.
        winners: the seats that won.
    """

    game_id: int
    started_at: datetime
    players: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]


def decisions_rows(record: Codec[Any, Any, Any], archived: ArchivedGame) -> Rows:
    """Return a game's decisions, one row each, with all players' points after it."""
    play, rows = record.begin(archived.setup), []
    for number, decision in enumerate(archived.decisions, start=1):
        play.apply(decision)
        what = "; ".join(f"{key} {value}" for key, value in record.decision_to_json(decision).items())
        rows.append((number, what, *record.scores(play.state)))
    scores = (f"score_{seat}" for seat in range(1, len(record.scores(play.state)) + 1))
    return Rows(("number", "what", *scores), tuple(rows))


def games_rows(listed: Iterable[GameSummary]) -> Rows:
    """Return all games, one row each."""
    heading = ("id", "started_at", "players", "scores", "winners", "decisions")
    return Rows(heading, tuple(map(_listed, listed)))


def _listed(game: GameSummary) -> tuple[Any, ...]:
    players, scores = ", ".join(game.players or ()), " ".join(map(str, game.scores or ()))
    winners = " ".join(map(str, game.winners))
    return (game.game_id, game.started_at.isoformat(), players, scores, winners, game.decisions)


def statistics_json(finished: Sequence[FinishedPlain]) -> Json:
    """Return the statistics of all finished games: the result of each, and the figures of each player."""
    points: dict[str, list[Part]] = {}
    for part in parts(finished):
        points.setdefault(part.name, []).append(part)
    players = [_figures(name, played) for name, played in points.items()]
    return {"games": [_played(each) for each in finished], "players": players, "records": []}


def parts(finished: Iterable[FinishedPlain]) -> Iterator[Part]:
    """Yield the parts of all players in all finished games."""
    for game in finished:
        for seat, (name, score) in enumerate(zip(game.players, game.scores, strict=True), start=1):
            yield Part(name, score, game.winners == (seat,))


def _played(game: FinishedPlain) -> Json:
    return {
        "id": game.game_id,
        "started_at": game.started_at.isoformat(),
        "players": list(game.players),
        "scores": list(game.scores),
        "winners": list(game.winners),
    }


def _figures(name: str, played: Sequence[Part]) -> Json:
    points = [part.points for part in played]
    won = sum(part.won for part in played)
    mean = round(sum(points) / len(points), 2)
    return {"name": name, "games": len(played), "won": won, "best": max(points), "mean": mean}
