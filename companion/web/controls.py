"""The buttons drawn on the page, as controls of the table."""

from __future__ import annotations

from concurrent.futures import Future
from threading import Lock
from typing import TYPE_CHECKING, TypeAlias

from companion.play.inbox import EVENING_OVER, TABLE_BUSY, TableAwayError
from hardware.ports import Button, Press

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.play.page.side import Happening

Outcome: TypeAlias = "Future[tuple[Happening, ...]]"
_CAPACITY = 16


class PageControls:
    """A queue of presses until the turn loop takes them; each sender gets the events that follow.

    `press` may be called from any thread, all else belongs to the thread of the turn loop. It listens to events, and
    `tick` comes after presses were taken and their events announced.

    Args:
        hands_busy: tells whether a hand is still on its way with a piece that the player has moved on the page; a
            press of `confirm` speaks of that piece, and waits until it lies there.
    """

    def __init__(self, hands_busy: Callable[[], bool] = lambda: False) -> None:
        self._hands_busy = hands_busy
        self._lock = Lock()
        self._queue: list[tuple[Button, Outcome]] = []
        self._fetched: list[Outcome] = []
        self._heard: list[Happening] = []
        self._now_s = 0.0
        self._closed = False

    def press(self, button: Button) -> Outcome:
        """Press a button; the future has its events, or TableAwayError."""
        outcome: Outcome = Future()
        with self._lock:
            full = self._closed or len(self._queue) >= _CAPACITY
            if not full:
                self._queue.append((button, outcome))
        if full:
            outcome.set_exception(TableAwayError(EVENING_OVER if self._closed else TABLE_BUSY))
        return outcome

    def presses(self) -> Sequence[Press]:
        """Return the presses since the last call whose sender still waits, in order."""
        busy = self._hands_busy()
        with self._lock:
            if busy and self._queue and self._queue[0][0] is Button.CONFIRM:
                return ()
            queue, self._queue = self._queue, []
        pressed = [(button, outcome) for button, outcome in queue if outcome.set_running_or_notify_cancel()]
        if pressed:
            self._heard.clear()
        self._fetched += [outcome for _, outcome in pressed]
        return tuple(Press(button, self._now_s) for button, _ in pressed)

    def __call__(self, event: Happening) -> None:
        """Collect an announced event, if a sender waits for it."""
        if self._fetched:
            self._heard.append(event)

    def tick(self, now_s: float) -> None:
        """Answer the senders of taken presses with their events; `now_s` is on the frames' clock."""
        self._now_s = now_s
        for outcome in self._fetched:
            outcome.set_result(tuple(self._heard))
        self._fetched.clear()

    def close(self) -> None:
        """Refuse all commands, waiting and new; may be called more than once."""
        with self._lock:
            self._closed = True
            waiting, self._queue = [outcome for _, outcome in self._queue], []
        for outcome in waiting:
            if outcome.set_running_or_notify_cancel():
                outcome.set_exception(TableAwayError(EVENING_OVER))
        self.tick(self._now_s)
