"""The results of strategies, in any game: decisions with their scores; and the levels at which a partner plays."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Generic, Literal, TypeAlias, TypeVar

DecisionT = TypeVar("DecisionT")
DecisionT_co = TypeVar("DecisionT_co", covariant=True)


@dataclass(frozen=True, slots=True)
class ScoredDecision(Generic[DecisionT]):
    """A decision that a strategy has found.

    Attributes:
        decision: legal in the state that it was found for.
        score: its estimated worth to the seat that decides, in points; higher is better.
    """

    decision: DecisionT
    score: float


class Level(StrEnum):
    """A strength of play, from a child's first games to the best that the program can."""

    CHILD = "child"
    BEGINNER = "beginner"
    CASUAL = "casual"
    SKILLED = "skilled"
    EXPERT = "expert"
    CHAMPION = "champion"


ADAPTIVE: Final = "adaptive"
"""The choice of the level that suits the players opposite, by their last games."""
LevelChoice: TypeAlias = Level | Literal["adaptive"]
LEVELS: Final = tuple(Level)
LEVEL_CHOICES: Final[tuple[LevelChoice, ...]] = (*Level, ADAPTIVE)


def level_named(name: str) -> LevelChoice:
    """Return a level, or the choice of one that suits, by its name.

    Raises:
        ValueError: there is no such level.
    """
    return ADAPTIVE if name == ADAPTIVE else Level(name)


def suiting(played: Sequence[tuple[Level, bool]]) -> Level:
    """Return the level that suits people by their games against the robot.

    It is that of their last game, or the next stronger one after two victories in a row at it, or the next weaker one
    after two defeats.

    Args:
        played: the level of each game and whether the people won, the latest first.
    """
    if not played:
        return Level.CASUAL
    level = played[0][0]
    if len(played) < 2 or played[0] != played[1]:
        return level
    place = LEVELS.index(level) + (1 if played[0][1] else -1)
    return LEVELS[max(0, min(place, len(LEVELS) - 1))]


@dataclass(frozen=True, slots=True)
class Considered(Generic[DecisionT_co]):
    """A decision that a search has weighed.

    Attributes:
        decision: legal in the state that was searched.
        value: the chance that the seat to move wins after it, from 0 to 1.
        visits: how often the search passed it.
    """

    decision: DecisionT_co
    value: float
    visits: int


@dataclass(frozen=True, slots=True)
class Advice(Generic[DecisionT_co]):
    """The answer to the question what to decide.

    Attributes:
        chosen: the decision that a player of the level would take.
        considered: all that were weighed, best first.
    """

    chosen: Considered[DecisionT_co]
    considered: tuple[Considered[DecisionT_co], ...]

    @property
    def visits(self) -> int:
        """The number of visits of the whole search."""
        return sum(each.visits for each in self.considered)


@dataclass(frozen=True, slots=True)
class Judged(Generic[DecisionT_co]):
    """A decision of a finished game beside the best that was found in its place.

    Attributes:
        decision: the decision that was taken.
        best: the best that was found; the same if none was better.
        chance: the chance that the seat which decided wins after its decision, from 0 to 1.
        best_chance: the same after the best.
    """

    decision: DecisionT_co
    best: DecisionT_co
    chance: float
    best_chance: float

    @property
    def loss(self) -> float:
        """The winning chance that the decision lost, at least 0."""
        return self.best_chance - self.chance
