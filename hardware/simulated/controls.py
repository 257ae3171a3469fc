"""The push-buttons of the simulated table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.ports import Button, Clock, Press

if TYPE_CHECKING:
    from collections.abc import Sequence


class SimulatedControls:
    """Presses are queued until they are fetched. Players press here, and so may a test or a keyboard."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._queue: list[Press] = []
        self._closed = False

    def press(self, button: Button) -> None:
        """Press a button now; after `close` nothing is connected to it."""
        if not self._closed:
            self._queue.append(Press(button, self._clock.now()))

    def presses(self) -> Sequence[Press]:
        """The presses since the last call, in order."""
        fetched, self._queue = tuple(self._queue), []
        return fetched

    def close(self) -> None:
        """Disconnect the buttons; may be called more than once."""
        self._closed = True
        self._queue.clear()
