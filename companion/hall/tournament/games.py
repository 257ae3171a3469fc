"""The entrants and games of a tournament."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

WIN, DRAW, LOSS = 1.0, 0.5, 0.0
BYE_POINTS: Final = WIN
"""The points of a player without an opponent in a round: as many as for a win (FIDE Handbook C.04.1)."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of a tournament.

    Attributes:
        number: the place on the list of entrants, from 1, the strongest first; unique.
        rating: not used for tie-breaks or pairing, which go by `number`.
        present: whether the player is paired in the next round.
    """

    number: int
    rating: float = 1500.0
    present: bool = True


@dataclass(frozen=True, slots=True)
class TournamentGame:
    """A game of a round, or a bye.

    Attributes:
        first: the number of the player who begins.
        second: the number of the other player; None for a bye.
        score: the points of `first`, 0 to 1; None while the game is not decided. A bye always gives `BYE_POINTS`.
    """

    first: int
    second: int | None
    score: float | None = None

    @property
    def is_bye(self) -> bool:
        """True if the player has no opponent in this round."""
        return self.second is None

    def points(self, number: int) -> float:
        """Return a player's points in this game; 0 before it is decided."""
        if self.is_bye:
            return BYE_POINTS
        if self.score is None:
            return 0.0
        return self.score if number == self.first else 1.0 - self.score

    def opponent(self, number: int) -> int | None:
        """Return the number of the other player, or None for a bye."""
        return self.second if number == self.first else self.first


def games_of(number: int, rounds: Sequence[Sequence[TournamentGame]]) -> list[TournamentGame | None]:
    """Return a player's game of each round, or None for a round that the player missed."""
    return [next((game for game in games if number in (game.first, game.second)), None) for games in rounds]


def points_of(number: int, rounds: Iterable[Sequence[TournamentGame]]) -> float:
    """Return a player's total points over all rounds."""
    return sum(game.points(number) for games in rounds for game in games if number in (game.first, game.second))
