"""The buttons drawn on the page, as controls of the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from companion.play.inbox import (
    NOTHING_ASKED,
    PLAY_ENDED,
    QUESTION_CHANGED,
    TABLE_BUSY,
    CommandRefusedError,
    TableAwayError,
    asked_after,
)
from hardware.ports import Button, Press

if TYPE_CHECKING:
    from companion.play.page.interface import Happening

Outcome: TypeAlias = "Future[tuple[Happening, ...]]"
# In presses; more than anyone presses while a picture is read, so that only a faulty client is refused.
_CAPACITY = 16


class _Pressed(NamedTuple):
    """A queued call of `PageControls.press`."""

    button: Button
    question: int | None
    outcome: Outcome


class PageControls:
    """A queue of presses for the turn loop; each sender gets the events that follow its press.

    `press` may be called from any thread, all other methods only from the turn loop's. It listens to events; call
    `tick` after presses were taken and their events announced.

    Args:
        hands_busy: returns whether the virtual table's hand is still moving a piece; a press of `confirm` refers to
            that piece, and waits until it is placed.
    """

    def __init__(self, hands_busy: Callable[[], bool] = lambda: False) -> None:
        self._hands_busy = hands_busy
        self._lock = Lock()
        self._queue: list[_Pressed] = []
        self._asked = NOTHING_ASKED
        self._taken: list[Outcome] = []
        self._collected: list[Happening] = []
        self._now_s = 0.0
        self._closed = False

    def press(self, button: Button, question: int | None = None) -> Outcome:
        """Press a button; the future yields the events that follow, or CommandRefusedError.

        Args:
            button: the button.
            question: the number of the question shown to the sender, `NOTHING_ASKED` if none, None if unknown; the
                press is refused if another one is open.
        """
        outcome: Outcome = Future()
        with self._lock:
            full = self._closed or len(self._queue) >= _CAPACITY
            if not full:
                self._queue.append(_Pressed(button, question, outcome))
        if full:
            outcome.set_exception(TableAwayError(PLAY_ENDED if self._closed else TABLE_BUSY))
        return outcome

    @property
    def waits_for_hand(self) -> bool:
        """True while a press of `confirm` waits for the virtual table's hand; thread-safe."""
        return self._hands_busy() and self._confirms

    @property
    def _confirms(self) -> bool:
        with self._lock:
            return bool(self._queue) and self._queue[0].button is Button.CONFIRM

    def presses(self) -> Sequence[Press]:
        """Return the presses since the last call whose senders still wait, in order; none while `waits_for_hand`."""
        if self.waits_for_hand:
            return ()
        with self._lock:
            queue, self._queue = self._queue, []
        # A sender that has given up was shown that nothing happened; its press must not count afterwards.
        pressed = [each for each in queue if each.outcome.set_running_or_notify_cancel()]
        stale = [each for each in pressed if each.question not in (None, self._asked)]
        for each in stale:
            each.outcome.set_exception(CommandRefusedError(QUESTION_CHANGED))
        taken = [each for each in pressed if each not in stale]
        if taken:
            # Events from before these presses were not caused by them.
            self._collected.clear()
        self._taken += [each.outcome for each in taken]
        return tuple(Press(each.button, self._now_s) for each in taken)

    def __call__(self, event: Happening) -> None:
        """Collect an announced event if a sender waits for events."""
        self._asked = asked_after(self._asked, event)
        if self._taken:
            self._collected.append(event)

    def tick(self, now_s: float) -> None:
        """Resolve the futures of taken presses with their events; `now_s` is on the frames' clock."""
        self._now_s = now_s
        for outcome in self._taken:
            outcome.set_result(tuple(self._collected))
        self._taken.clear()

    def close(self) -> None:
        """Refuse all commands, waiting and new; may be called more than once."""
        with self._lock:
            self._closed = True
            waiting, self._queue = [each.outcome for each in self._queue], []
        for outcome in waiting:
            if outcome.set_running_or_notify_cancel():
                outcome.set_exception(TableAwayError(PLAY_ENDED))
        # Presses that were taken already are answered with the events so far.
        self.tick(self._now_s)
