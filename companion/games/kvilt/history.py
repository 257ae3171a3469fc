"""The history of a game of Kvilt."""

from companion.games.history import GameHistory
from companion.games.kvilt.decisions import Decision
from companion.games.kvilt.errors import NothingToUndoError
from companion.games.kvilt.rules import Outcome, apply, new_game
from companion.games.kvilt.setup import Setup
from companion.games.kvilt.state import State


class History(GameHistory[State, Decision, Outcome]):
    """The states of one game of Kvilt, from its start to now."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(new_game(setup), apply, NothingToUndoError)

    @property
    def setup(self) -> Setup:
        """The setup that the game began with."""
        return self._states[0].setup
