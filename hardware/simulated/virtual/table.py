"""The virtual table: people move its pieces from elsewhere; the companion sees pictures of it."""

from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock
from typing import Any, Final

from companion.languages import said
from hardware.simulated.virtual.box import MoveBox, MoveRefusedError

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
