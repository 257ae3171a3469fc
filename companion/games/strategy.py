"""The result of a strategy, in any game: a decision with its score."""

from dataclasses import dataclass
from typing import Generic, TypeVar

DecisionT = TypeVar("DecisionT")


@dataclass(frozen=True, slots=True)
class ScoredDecision(Generic[DecisionT]):
    """A decision that a strategy has found.

    Attributes:
        decision: legal in the state that it was found for.
        score: its estimated worth to the seat that decides, in points; higher is better.
    """

    decision: DecisionT
    score: float
