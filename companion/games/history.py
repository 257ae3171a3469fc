"""The history of a game of any kind: the present state, the decisions that led to it, and undo."""

from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

from companion.languages import said

StateT = TypeVar("StateT")
DecisionT = TypeVar("DecisionT")


class DecisionOutcome(Protocol):
    """The result of a decision, by the rules of its game."""

    @property
    def state(self) -> Any:
        """The state after the decision."""


OutcomeT = TypeVar("OutcomeT", bound=DecisionOutcome)


class GameHistory(Generic[StateT, DecisionT, OutcomeT]):
    """The states of one game, from its start to now. States are immutable values, so that undo is exact.

    Args:
        start: the state before the first decision.
        decide: the game's rules: returns the outcome of a decision, or raises the game's `IllegalDecisionError`.
        nothing_to_undo: the error to raise for an undo at the start of the game.
    """

    def __init__(
        self, start: StateT, decide: Callable[[StateT, DecisionT], OutcomeT], nothing_to_undo: type[Exception]
    ) -> None:
        self._states: list[StateT] = [start]
        self._decisions: list[DecisionT] = []
        self._decide, self._nothing_to_undo = decide, nothing_to_undo

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

    def apply(self, decision: DecisionT) -> OutcomeT:
        """Apply a decision.

        Raises:
            IllegalDecisionError: if the rules forbid it; the history is not changed.
        """
        outcome = self._decide(self.state, decision)
        self.follow(decision, outcome)
        return outcome

    def follow(self, decision: DecisionT, outcome: OutcomeT) -> None:
        """Append a decision and its outcome, which the rules have already computed for the current state."""
        self._states.append(outcome.state)
        self._decisions.append(decision)

    def undo(self) -> DecisionT:
        """Undo the last decision and return it.

        Raises:
            NothingToUndoError: if no decision has been made.
        """
        if not self._decisions:
            raise self._nothing_to_undo(said("there is no decision to undo"))
        self._states.pop()
        return self._decisions.pop()
