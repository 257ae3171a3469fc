"""What devices have to say, told to everybody at the table."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from companion.events import TableNoticed
from companion.loop import announce

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.bootstrap.played import Played


class Notices:
    """Sentences of devices, kept until the turn loop, or whoever waits in its place, has them told.

    They may come from any thread, and before there is anybody to tell.
    """

    def __init__(self) -> None:
        self._waiting: deque[str] = deque()
        self._history: Played | None = None
        self._listeners: tuple[Callable[[Any], None], ...] = ()

    def say(self, sentence: str) -> None:
        """Have a sentence told."""
        self._waiting.append(sentence)

    def address(self, history: Played, listeners: Sequence[Callable[[Any], None]]) -> None:
        """Tell these listeners from now on, of this game."""
        self._history, self._listeners = history, tuple(listeners)

    def deliver(self, now_s: float = 0.0) -> None:
        """Tell what waits; a tick of the turn loop."""
        del now_s
        while self._waiting and self._history is not None:
            event: TableNoticed[Any] = TableNoticed(self._waiting.popleft(), self._history.state)
            announce(event, self._listeners, event.says)
