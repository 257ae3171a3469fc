"""Statistics over many games of Kvilt: the players' figures, and the records."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import fmean
from typing import Final

from companion.games.kvilt.decisions import Decision
from companion.games.kvilt.sheet import Score  # Read by msgspec, when figures are.
from companion.games.kvilt.state import Setup, State
from companion.record import Play
from companion.statistics import BestResult, best_results, longest_run


@dataclass(frozen=True, slots=True)
class KviltGame:
    """A finished game.

    Attributes:
        game_id: its number in the journal.
        started_at: the time at which it was begun.
        players: the players' names, from seat 1.
        scores: the players' scores, from seat 1.
        winners: the seats that won.
        rounds: the number of rounds played.
    """

    game_id: int
    started_at: datetime
    players: tuple[str, ...]
    scores: tuple[Score, ...]
    winners: tuple[int, ...]
    rounds: int


def finished_kvilt(game_id: int, started_at: datetime, play: Play[Setup, Decision, State]) -> KviltGame:
    """Return the summary of a finished game for statistics."""
    state = play.state
    scores = tuple(state.score(seat) for seat in range(1, state.setup.seats + 1))
    return KviltGame(game_id, started_at, state.setup.players, scores, state.winners, state.round)


@dataclass(frozen=True, slots=True)
class KviltFigures:
    """One player over all games; averages unless stated otherwise.

    Attributes:
        name: the player's name.
        games: the number of finished games.
        won: the number of games won, including shared victories.
        best: the highest total.
        mean: the average total.
        rows: points of all rows, minus those that count negative.
        patches: points of the patches.
        spools: points of the spools.
        buttons: points of the buttons.
        streak: the most games won in a row.
    """

    name: str
    games: int
    won: int
    best: int
    mean: float
    rows: float
    patches: float
    spools: float
    buttons: float
    streak: int


def kvilt_figures(games: Iterable[KviltGame]) -> list[KviltFigures]:
    """Return the figures of all players, the one with most victories first.

    Args:
        games: the games in the order in which they were played.
    """
    parts: dict[str, list[tuple[Score, bool]]] = defaultdict(list)
    for game in games:
        for seat, (name, score) in enumerate(zip(game.players, game.scores, strict=True), start=1):
            parts[name].append((score, seat in game.winners))
    figures = [_figures(name, played) for name, played in parts.items()]
    return sorted(figures, key=lambda each: (-each.won, -each.mean, each.name))


def _figures(name: str, played: Sequence[tuple[Score, bool]]) -> KviltFigures:
    scores, wins = [score for score, _ in played], [won for _, won in played]
    return KviltFigures(
        name,
        len(played),
        sum(wins),
        max(score.total for score in scores),
        fmean([score.total for score in scores]),
        fmean([score.total - score.patches - score.spools - score.buttons for score in scores]),
        fmean([score.patches for score in scores]),
        fmean([score.spools for score in scores]),
        fmean([score.buttons for score in scores]),
        longest_run(wins),
    )


# The measure of each kind of record; "row" is the best row, "stitched" the points of the buttons.
_MEASURES: Final[dict[str, Callable[[Score], int]]] = {
    "score": lambda score: score.total,
    "row": lambda score: score.best_row,
    "patches": lambda score: score.patches,
    "spools": lambda score: score.spools,
    "stitched": lambda score: score.buttons,
}


def kvilt_records(games: Sequence[KviltGame]) -> list[BestResult]:
    """Return the records; see `best_results`."""
    return best_results(
        ((score, name, game.game_id) for game in games for name, score in zip(game.players, game.scores, strict=True)),
        _MEASURES,
    )
