"""Notices from devices, announced to all at the table."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from companion.play.announcing import announce
from companion.play.events import TableNoticed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.play.history import History


class Notices:
    """The queue of devices' sentences, until the turn loop, or the wait that replaces it, announces them.

    Sentences may be added from any thread, also before there is a listener.
    """

    def __init__(self) -> None:
        # A deque needs no lock: adding at one end and taking from the other are atomic.
        self._waiting: deque[tuple[str, object]] = deque()
        self._history: History | None = None
        self._listeners: tuple[Callable[[Any], None], ...] = ()

    def say(self, sentence: str, about: object = None) -> None:
        """Queue a sentence; `about` as in `TableNoticed`."""
        self._waiting.append((sentence, about))

    def address(self, history: History, listeners: Sequence[Callable[[Any], None]]) -> None:
        """Set the listeners for notices, and the game that they are about."""
        self._history, self._listeners = history, tuple(listeners)

    def deliver(self, now_s: float = 0.0) -> None:
        """Announce the queued sentences; a tick of the turn loop."""
        del now_s
        while self._waiting and self._history is not None:
            sentence, about = self._waiting.popleft()
            event: TableNoticed[Any] = TableNoticed(sentence, self._history.state, about)
            announce(event, self._listeners, event.says)
