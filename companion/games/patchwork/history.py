"""The history of a game: the present state, the decisions that led to it, and undo."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.games.patchwork.errors import NothingToUndoError
from companion.games.patchwork.rules import Outcome, apply, new_game
from companion.languages import said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.patchwork.decisions import Decision
    from companion.games.patchwork.state import Setup, State


class History:
    """The states of one game, from its start to now. States are values, so that going back is exact."""

    def __init__(self, setup: Setup) -> None:
        self._states: list[State] = [new_game(setup)]
        self._decisions: list[Decision] = []

    @property
    def setup(self) -> Setup:
        """The setup that the game began with."""
        return self._states[0].setup

    @property
    def state(self) -> State:
        """The state now."""
        return self._states[-1]

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The decisions, from the start."""
        return tuple(self._decisions)

    def know_market(self, market: Sequence[str]) -> None:
        """Learn the circle of patches as it lay at the start; what has been decided meanwhile is played again with it.

        Raises:
            SetupError: the circle cannot be.
            IllegalDecisionError: a decision does not agree with it; the history stays as it is.
        """
        states = [new_game(replace(self.setup, market=tuple(market)))]
        for decision in self._decisions:
            states.append(apply(states[-1], decision).state)
        self._states = states

    def apply(self, decision: Decision) -> Outcome:
        """Go one decision on.

        Raises:
            IllegalDecisionError: if the rules forbid it; the history stays as it is.
        """
        outcome = apply(self.state, decision)
        self.follow(decision, outcome)
        return outcome

    def follow(self, decision: Decision, outcome: Outcome) -> None:
        """Go one decision on to its outcome, which the rules have worked out for the present state."""
        self._states.append(outcome.state)
        self._decisions.append(decision)

    def undo(self) -> Decision:
        """Go one decision back and return it.

        Raises:
            NothingToUndoError: at the very start.
        """
        if not self._decisions:
            raise NothingToUndoError(said("there is no decision to take back"))
        self._states.pop()
        return self._decisions.pop()
