"""The history of a game of Patchwork."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.history import GameHistory
from companion.games.patchwork.decisions import Decision
from companion.games.patchwork.errors import NothingToUndoError
from companion.games.patchwork.rules import Outcome, apply, new_game
from companion.games.patchwork.state import Setup, State


class History(GameHistory[State, Decision, Outcome]):
    """The states of one game of Patchwork, from its start to now."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(new_game(setup), apply, NothingToUndoError)

    @property
    def setup(self) -> Setup:
        """The setup that the game began with, including the circle of patches once it is known."""
        return self._states[0].setup

    def with_market(self, market: Sequence[str] | None) -> History:
        """Return this game with another circle of patches, or with an unknown one.

        Raises:
            SetupError: the circle is not valid.
            IllegalDecisionError: a decision does not agree with it.
        """
        other = History(replace(self.setup, market=None if market is None else tuple(market)))
        for decision in self._decisions:
            other.apply(decision)
        return other

    def know_market(self, market: Sequence[str] | None) -> None:
        """Set the circle of patches at the start of the game, or set it to unknown.

        The decisions so far are replayed with it.

        Raises:
            SetupError: the circle is not valid.
            IllegalDecisionError: a decision does not agree with it; the history is not changed.
        """
        # The replay made the same decisions: only the states differ.
        self._states = self.with_market(market)._states
