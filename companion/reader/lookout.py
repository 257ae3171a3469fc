"""Tells the players what keeps a game without mats from beginning: which boards are not seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.events import TableNoticed
from companion.languages import said
from companion.reader.displacement import sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calibration.boards import FoundLocator
    from companion.events import Listener
    from companion.games.patchwork import History
    from companion.reader.watch import TableWatch

_PATIENCE_S: Final = 8.0
"""People are still laying things out; a word before this would be impatient."""
_AGAIN_S: Final = 60.0
_NO_BOARD: Final = said(
    "No empty quilt board is seen. Lay both in full view, with nothing on them and no hand over them."
)
_ONE_BOARD: Final = said(
    "Only one empty quilt board is seen. Lay the other in full view too, with nothing on it and no hand over it."
)
_RESTLESS: Final = said(
    "Both empty quilt boards are seen, but do not come to rest. Take all hands away for a moment."
)
_BOTH: Final = said("Both quilt boards are seen.")
_SAYS: Final = {0: _NO_BOARD, 1: _ONE_BOARD, 2: _RESTLESS}


class Lookout:
    """Says after a while why the boards are not ready, again when that changes, and that all is well in the end.

    Args:
        watch: sees the boards.
        locator: finds them.
        history: the game.
        listeners: told of what players should know.
    """

    def __init__(
        self, watch: TableWatch, locator: FoundLocator, history: History, listeners: Sequence[Listener]
    ) -> None:
        self._watch, self._locator, self._history = watch, locator, history
        self._listeners = tuple(listeners)
        self._since_s: float | None = None
        self._said, self._said_s = "", 0.0

    def tick(self, now_s: float) -> None:
        """Called once a frame with the frame's time, in seconds."""
        if self._watch.ready:
            if self._said:
                self._say(_BOTH, now_s)
                self._said = ""
            return
        self._since_s = now_s if self._since_s is None else self._since_s
        for displacement in self._watch.displacements():
            self._say(sentence(displacement, self._history.state), now_s)
        if not self._locator.relied_upon and now_s - self._since_s >= _PATIENCE_S:
            says = _SAYS[self._locator.in_sight]
            if says != self._said or now_s - self._said_s >= _AGAIN_S:
                self._say(says, now_s)

    def _say(self, says: str, now_s: float) -> None:
        self._said, self._said_s = says, now_s
        for listener in self._listeners:
            listener(TableNoticed(says, self._history.state))
