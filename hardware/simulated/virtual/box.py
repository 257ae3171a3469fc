"""The queue of moves for a remotely operated table."""

from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock
from typing import Final, Generic, TypeVar

from companion.languages import said

MoveT = TypeVar("MoveT")

# People request fewer moves between two frames.
_CAPACITY: Final = 32
TABLE_AWAY: Final = said("There is no longer a table.")
HANDS_FULL: Final = said("All hands are busy; try again.")


class MoveRefusedError(Exception):
    """A move cannot be made at the table; the message is a sentence for the client that asked for it."""


class MoveBox(Generic[MoveT]):
    """A queue of moves; any thread may add one, the table takes them."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: list[tuple[MoveT, Future[None]]] = []
        self._closed = False

    def put(self, move: MoveT) -> Future[None]:
        """Add a move; the future completes when the table has begun it, or with a MoveRefusedError."""
        outcome: Future[None] = Future()
        with self._lock:
            full = len(self._waiting) >= _CAPACITY
            if not (self._closed or full):
                self._waiting.append((move, outcome))
                return outcome
        outcome.set_exception(MoveRefusedError(TABLE_AWAY if self._closed else HANDS_FULL))
        return outcome

    def carry_out(self, begin: Callable[[MoveT], None], show: Callable[[], None]) -> None:
        """Begin the moves since the last call whose clients still wait.

        Args:
            begin: function that begins a move, or raises MoveRefusedError.
            show: function that publishes the result; clients are answered after it, so that none hears of an invisible
                change.
        """
        begun: list[tuple[Future[None], MoveRefusedError | None]] = []
        for move, outcome in self.take():
            refused = None
            try:
                begin(move)
            except MoveRefusedError as refusal:
                refused = refusal
            begun.append((outcome, refused))
        show()
        for outcome, refused in begun:
            if refused is None:
                outcome.set_result(None)
            else:
                outcome.set_exception(refused)

    @property
    def waits(self) -> bool:
        """True while a move waits to be taken."""
        with self._lock:
            return bool(self._waiting)

    def take(self) -> list[tuple[MoveT, Future[None]]]:
        """Return the moves since the last call whose clients still wait."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
        return [(move, outcome) for move, outcome in waiting if outcome.set_running_or_notify_cancel()]

    def close(self) -> None:
        """Refuse all present and future moves; may be called more than once."""
        with self._lock:
            self._closed = True
            waiting, self._waiting = self._waiting, []
        # Without the lock, because the future's callbacks run at once and may use this queue.
        for _, outcome in waiting:
            if outcome.set_running_or_notify_cancel():
                outcome.set_exception(MoveRefusedError(TABLE_AWAY))
