"""Push-buttons of which each seat has its own: only the seat to move is heard, and lamps tell which one that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from companion.events import GameOpened, LookStarted
from companion.sentences import turn_sentence
from hardware.ports import Button

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.bootstrap.played import Played
    from companion.kvilt.news import AnyEvent
    from hardware.ports import Controls, Press


class Lamps(Protocol):
    """Push-buttons with lamps in them."""

    def light(self, seats: Sequence[int]) -> None:
        """Light the lamps of these seats and no others."""


class SeatedControls:
    """Passes on what the seat to move has pressed, and everything that comes from buttons of no seat.

    `undo` is everybody's: whoever sees a mistake may take it back.

    Args:
        controls: the buttons.
        history: tells whose turn it is.
        say: told, in a sentence, of a press that did not count.
    """

    def __init__(self, controls: Controls, history: Played, say: Callable[[str], None]) -> None:
        self._controls, self._history, self._say = controls, history, say

    def presses(self) -> Sequence[Press]:
        """The presses that count since the last call, in order."""
        return [press for press in self._controls.presses() if self._counts(press)]

    def close(self) -> None:
        """Release the buttons."""
        self._controls.close()

    def _counts(self, press: Press) -> bool:
        state = self._history.state
        if press.seat in {None, state.turn} or state.turn is None or press.button is Button.UNDO:
            return True
        self._say(turn_sentence(state))
        return False


class TurnLamps:
    """A listener that lights the lamps of the seat from which a press is awaited; while the camera looks none is."""

    def __init__(self, lamps: Lamps) -> None:
        self._lamps = lamps
        self._lit: tuple[int, ...] | None = None

    def __call__(self, event: AnyEvent) -> None:
        """Take note of an event."""
        turn = event.state.turn
        lit = () if turn is None or isinstance(event, LookStarted) else (turn,)
        if lit != self._lit or isinstance(event, GameOpened):
            self._lit = lit
            self._lamps.light(lit)
