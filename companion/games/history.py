"""The history of a game of any kind: the outcomes of its decisions, the present state, and undo."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

StateT = TypeVar("StateT")
DecisionT = TypeVar("DecisionT")
FactT = TypeVar("FactT")


class NothingToUndoError(Exception):
    """Raised if there is no decision to undo."""


@dataclass(frozen=True, slots=True)
class GameOutcome(Generic[StateT, FactT]):
    """The result of a decision by the rules: the state after it, and the facts on the way, in order."""

    state: StateT
    facts: tuple[FactT, ...]


DecisionOutcome: TypeAlias = GameOutcome[Any, Any]
"""The outcome of a decision in a game of any kind."""


class GameHistory(Generic[StateT, DecisionT, FactT]):
    """The states of one game, from its start to now. States are immutable values, so that undo is exact.

    Args:
        start: the state before the first decision.
        decide: the game's rules: returns the outcome of a decision, or raises the game's `IllegalDecisionError`.
    """

    def __init__(self, start: StateT, decide: Callable[[StateT, DecisionT], GameOutcome[StateT, FactT]]) -> None:
        self._states: list[StateT] = [start]
        self._decisions: list[DecisionT] = []
        self._decide = decide

    @property
    def state(self) -> StateT:
        """The current state."""
        return self._states[-1]

    @property
    def decisions(self) -> tuple[DecisionT, ...]:
        """The decisions, from the start."""
        return tuple(self._decisions)

    def state_after(self, made: int) -> StateT:
        """Return the state after that many decisions; 0 is the start.

        Raises:
            IndexError: if fewer decisions were made.
        """
        return self._states[made]

    def apply(self, decision: DecisionT) -> GameOutcome[StateT, FactT]:
        """Apply a decision.

        Raises:
            IllegalDecisionError: if the rules forbid it; the history is not changed.
        """
        outcome = self._decide(self.state, decision)
        self.follow(decision, outcome)
        return outcome

    def follow(self, decision: DecisionT, outcome: GameOutcome[StateT, FactT]) -> None:
        """Append a decision and its outcome, which the rules have already computed for the current state."""
        self._states.append(outcome.state)
        self._decisions.append(decision)

    def undo(self) -> DecisionT:
        """Undo the last decision and return it.

        Raises:
            NothingToUndoError: if no decision has been made.
        """
        if not self._decisions:
            raise NothingToUndoError
        self._states.pop()
        return self._decisions.pop()
