"""The buttons drawn on the page, as controls of the table."""

from __future__ import annotations

from concurrent.futures import Future
from threading import Lock
from typing import TYPE_CHECKING, TypeAlias

from companion.inbox import EVENING_OVER, TABLE_BUSY, TableAwayError
from hardware.ports import Press

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.kvilt.news import AnyEvent
    from hardware.ports import Button

Outcome: TypeAlias = "Future[tuple[AnyEvent, ...]]"
_CAPACITY = 16


class PageControls:
    """Queues presses until the turn loop fetches them; whoever pressed learns what was announced thereupon.

    `press` may be called from any thread, all else belongs to the thread of the turn loop. It listens to events, and
    `tick` follows the fetching of presses once what came of them was announced.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._queue: list[tuple[Button, Outcome]] = []
        self._fetched: list[Outcome] = []
        self._heard: list[AnyEvent] = []
        self._now_s = 0.0
        self._closed = False

    def press(self, button: Button) -> Outcome:
        """Press a button; the events that come of it, or TableAwayError, are in the future."""
        outcome: Outcome = Future()
        with self._lock:
            full = self._closed or len(self._queue) >= _CAPACITY
            if not full:
                self._queue.append((button, outcome))
        if full:
            outcome.set_exception(TableAwayError(EVENING_OVER if self._closed else TABLE_BUSY))
        return outcome

    def presses(self) -> Sequence[Press]:
        """The presses since the last call that somebody still waits for, in order."""
        with self._lock:
            queue, self._queue = self._queue, []
        pressed = [(button, outcome) for button, outcome in queue if outcome.set_running_or_notify_cancel()]
        if pressed:
            self._heard.clear()
        self._fetched += [outcome for _, outcome in pressed]
        return tuple(Press(button, self._now_s) for button, _ in pressed)

    def __call__(self, event: AnyEvent) -> None:
        """Take note of what is announced, while somebody waits for it."""
        if self._fetched:
            self._heard.append(event)

    def tick(self, now_s: float) -> None:
        """Tell those whose presses were fetched what came of them; `now_s` is on the frames' clock."""
        self._now_s = now_s
        for outcome in self._fetched:
            outcome.set_result(tuple(self._heard))
        self._fetched.clear()

    def close(self) -> None:
        """Refuse what waits and what comes; may be called more than once."""
        with self._lock:
            self._closed = True
            waiting, self._queue = [outcome for _, outcome in self._queue], []
        for outcome in waiting:
            if outcome.set_running_or_notify_cancel():
                outcome.set_exception(TableAwayError(EVENING_OVER))
        self.tick(self._now_s)
