"""The virtual table: people move by hand what lies on it, from wherever they are; the companion sees pictures of it."""

from __future__ import annotations

from concurrent.futures import Future
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from companion.languages import said
from hardware.simulated.virtual.box import MoveBox, MoveRefusedError

if TYPE_CHECKING:
    from collections.abc import Callable

_OTHER_GAME: Final = said("That is not on this table.")


class VirtualTable:
    """One evening's table. It may be moved and looked at from any thread, before the evening has begun too."""

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
        """True while something that was moved does not lie yet where it is to lie."""
        tabletop = self.tabletop
        return self._moves.waits or (tabletop is not None and tabletop.hands_busy)

    def follow(self, listener: Callable[[Any], None]) -> None:
        """Have a callback receive the table's state whenever it has changed; called in the thread of the turn loop."""
        self._listeners.append(listener)

    def move(self, move: object) -> Future[None]:
        """Move something; the future ends once a hand has begun it, or in a MoveRefusedError."""
        with self._lock:
            kinds = self._kinds
        if kinds is None or isinstance(move, kinds):
            return self._moves.put(move)
        refused: Future[None] = Future()
        refused.set_exception(MoveRefusedError(_OTHER_GAME))
        return refused

    def take_over(self, kinds: tuple[type, ...]) -> MoveBox[Any]:
        """Lay another game on the table; return the box in which moves of its kinds wait from now on."""
        with self._lock:
            self._kinds = kinds
        return self._moves

    def show(self, tabletop: object) -> None:
        """Take the table's new state, and pass it to the followers; called in the thread of the turn loop."""
        with self._lock:
            self._tabletop = tabletop
        for listener in self._listeners:
            listener(tabletop)

    def close(self) -> None:
        """Refuse all moves from now on; may be called more than once."""
        self._moves.close()
