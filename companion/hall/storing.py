"""The thread that stores collected messages, so that a slow database does not delay the page."""

from __future__ import annotations

import logging
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.hall.collector import Collector, Note
    from companion.mqtt.link import Arrived

_LOG: Final = logging.getLogger(__name__)
_TICK_S: Final = 0.25
_BATCH: Final = 500
_ENDS_IN_S: Final = 10.0
"""Longer than a database's time-out; what is not stored by then is asked for at the next start."""


class StorageThread:
    """A thread that stores messages with a collector, which sees them at once.

    Args:
        collector: sees and stores the messages.
    """

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self._notes: SimpleQueue[Note] = SimpleQueue()
        self._closing = Event()
        self._thread = Thread(target=self._run, name="hall-storing", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def take(self, messages: Sequence[Arrived]) -> None:
        """Let the collector see messages, and queue them for storing, in order; never waits."""
        for note in self._collector.see(messages):
            self._notes.put(note)

    def close(self) -> None:
        """Store the queued messages, and end the thread; may be called more than once."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(_ENDS_IN_S)

    def _run(self) -> None:
        # What was received before the end is stored before the thread ends.
        while not (self._closing.is_set() and self._notes.empty()):
            try:
                waiting = self._waiting()
                self._collector.store(waiting, more=not self._notes.empty())
            except Exception:
                # The tables keep their events and are asked again, whatever the error is.
                _LOG.exception("not stored")

    def _waiting(self) -> list[Note]:
        """Return up to `_BATCH` queued messages; wait up to `_TICK_S` for the first."""
        found: list[Note] = []
        with suppress(Empty):
            found.append(self._notes.get(timeout=_TICK_S))
            while len(found) < _BATCH:
                found.append(self._notes.get_nowait())
        return found
