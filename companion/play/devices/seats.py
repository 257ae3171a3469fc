"""Push-buttons for each seat: only those of the seat to move count, and lamps show which seat that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from companion.play.events import LookStarted
from hardware.ports import Button

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.play.events import Event
    from companion.play.history import History
    from hardware.ports import Controls, Press


class Lamps(Protocol):
    """Push-buttons with built-in lamps."""

    def light(self, seats: Sequence[int]) -> None:
        """Light the lamps of these seats and no others."""


class SeatedControls:
    """A filter that passes presses of the seat to move, and of buttons that belong to no seat.

    `undo` always passes: any player who sees a mistake may undo it.

    Args:
        controls: the buttons.
        history: the game, whose state has the seat to move.
        whose_turn: returns the sentence for whose turn it is in a state.
        say: announces that sentence when a player pressed out of turn.
    """

    def __init__(
        self,
        controls: Controls,
        history: History,
        whose_turn: Callable[[Any], str],
        say: Callable[[str], None],
    ) -> None:
        self._controls, self._history = controls, history
        self._whose_turn, self._say = whose_turn, say

    def presses(self) -> Sequence[Press]:
        """Return the presses since the last call that count, in order."""
        return [press for press in self._controls.presses() if self._counts(press)]

    def close(self) -> None:
        """Release the buttons; may be called more than once."""
        self._controls.close()

    def _counts(self, press: Press) -> bool:
        state = self._history.state
        if press.seat in {None, state.turn} or state.turn is None or press.button is Button.UNDO:
            return True
        self._say(self._whose_turn(state))
        return False


class TurnLamps:
    """A listener that lights the lamps of the seat that may press; none during a look."""

    def __init__(self, lamps: Lamps) -> None:
        self._lamps = lamps
        self._lit: tuple[int, ...] | None = None

    def __call__(self, event: Event) -> None:
        """Handle an event."""
        turn = event.state.turn
        lit = () if turn is None or isinstance(event, LookStarted) else (turn,)
        if lit != self._lit:
            self._lit = lit
            self._lamps.light(lit)
