"""The figures of the players."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from companion.statistics import longest_run

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.patchwork.statistics.course import FinishedGame


@dataclass(frozen=True, slots=True)
class PlayerFigures:
    """One player over all games.

    Attributes:
        name: the player's name.
        games: the number of finished games.
        won: how many of them the player won.
        best: the best score.
        mean: the mean score.
        income: the mean income at the end.
        empty: the mean number of empty squares at the end.
        patches: the mean number of patches bought in a game.
        bonuses: how often the player won the 7x7 tile.
        streak: the most games won in a row.
    """

    name: str
    games: int
    won: int
    best: int
    mean: float
    income: float
    empty: float
    patches: float
    bonuses: int
    streak: int


@dataclass(frozen=True, slots=True)
class _Part:
    """A player's part in one game."""

    won: bool
    score: int
    income: int
    empty: int
    patches: int
    bonus: bool


def player_figures(games: Iterable[FinishedGame]) -> list[PlayerFigures]:
    """Return the figures of all players, the one with most victories first.

    Args:
        games: the games in the order in which they were played.
    """
    parts: dict[str, list[_Part]] = defaultdict(list)
    for game in games:
        for seat, (name, stood) in enumerate(zip(game.players, game.standings, strict=True), start=1):
            bought = sum(each.seat == seat for each in game.purchases)
            part = _Part(game.winner == seat, stood.score, stood.income, stood.empty, bought, game.bonus == seat)
            parts[name].append(part)
    figures = [_figures(name, played) for name, played in parts.items()]
    return sorted(figures, key=lambda each: (-each.won, -each.mean, each.name))


def _figures(name: str, played: list[_Part]) -> PlayerFigures:
    return PlayerFigures(
        name,
        len(played),
        sum(part.won for part in played),
        max(part.score for part in played),
        fmean([part.score for part in played]),
        fmean([part.income for part in played]),
        fmean([part.empty for part in played]),
        fmean([part.patches for part in played]),
        sum(part.bonus for part in played),
        longest_run([part.won for part in played]),
    )
