"""The virtual table, which people operate from elsewhere: the inbox of their moves, and its side of a game."""

from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock
from typing import Any, Final, Generic, TypeVar

from companion.languages import SentenceError, said

MoveT = TypeVar("MoveT")

# People request fewer moves between two frames.
_CAPACITY: Final = 32
TABLE_AWAY: Final = said("There is no longer a table.")
HANDS_FULL: Final = said("All hands are busy; try again.")


class MoveRefusedError(SentenceError):
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


_OTHER_GAME: Final = said("That is not on this table.")


class VirtualTable:
    """One evening's table. It may be operated and read from any thread, even before the evening begins."""

    def __init__(self) -> None:
        self._moves: MoveBox[Any] = MoveBox()
        self._lock = Lock()
        self._kinds: tuple[type, ...] | None = None
        self._tabletop: Any = None
        self._listeners: list[Callable[[Any], None]] = []

    @property
    def tabletop(self) -> Any:
        """The table's present state, of a type of each game's own; None before the evening."""
        with self._lock:
            return self._tabletop

    @property
    def hands_busy(self) -> bool:
        """True while a moved piece is not in its final place yet."""
        tabletop = self.tabletop
        return self._moves.waits or (tabletop is not None and tabletop.hands_busy)

    def follow(self, listener: Callable[[Any], None]) -> None:
        """Register a callback for changes of the table's state; called in the thread of the turn loop."""
        self._listeners.append(listener)

    def move(self, move: object) -> Future[None]:
        """Request a move; the future completes when a hand has begun it, or with a MoveRefusedError."""
        with self._lock:
            kinds = self._kinds
        if kinds is None or isinstance(move, kinds):
            return self._moves.put(move)
        refused: Future[None] = Future()
        refused.set_exception(MoveRefusedError(_OTHER_GAME))
        return refused

    def take_over(self, kinds: tuple[type, ...]) -> MoveBox[Any]:
        """Change the table's game; return the queue of moves of its kinds."""
        with self._lock:
            self._kinds = kinds
        return self._moves

    def show(self, tabletop: object) -> None:
        """Store the table's new state, and pass it to the callbacks; called in the thread of the turn loop."""
        with self._lock:
            self._tabletop = tabletop
        # Without the lock, because a callback may ask for the state.
        for listener in self._listeners:
            listener(tabletop)

    def close(self) -> None:
        """Refuse all moves from now on; may be called more than once."""
        self._moves.close()
