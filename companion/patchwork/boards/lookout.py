"""Announcements of boards that are not seen, which prevents a game without mats from beginning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from calibration.boards import FoundLocator
from companion.languages import said
from companion.patchwork.watching.displacement import sentence

if TYPE_CHECKING:
    from collections.abc import Callable

    from calibration.locator import QuiltLocator
    from companion.games.patchwork import History
    from companion.patchwork.watching.watch import TableWatch

_PATIENCE_S: Final = 8.0
"""Grace time in which players are still laying out the boards."""
_AGAIN_S: Final = 60.0
_NO_BOARD: Final = said(
    "No empty quilt board is seen. Place both in full view, with nothing on them and no hands over them."
)
_ONE_BOARD: Final = said(
    "Only one empty quilt board is seen. Place the other in full view too, with nothing on it and no hands over it."
)
_RESTLESS: Final = said("Both empty quilt boards are seen, but they are not still. Take all hands away for a moment.")
_BOTH: Final = said("Both quilt boards are seen.")
_SAYS: Final = {0: _NO_BOARD, 1: _ONE_BOARD, 2: _RESTLESS}


class Lookout:
    """A tick that announces why the boards are not ready, again on every change, and finally that they are.

    Args:
        watch: the watch over the boards.
        locator: the locator of the boards.
        history: the game.
        say: announces a sentence to the players.
    """

    def __init__(self, watch: TableWatch, locator: FoundLocator, history: History, say: Callable[[str], None]) -> None:
        self._watch, self._locator, self._history = watch, locator, history
        self._announce = say
        self._since_s: float | None = None
        self._said, self._said_s = "", 0.0

    def tick(self, now_s: float) -> None:
        """Process the next frame; `now_s` is its time, in seconds."""
        if self._watch.ready:
            if self._said:
                self._say(_BOTH, now_s)
                self._said = ""
            return
        self._since_s = now_s if self._since_s is None else self._since_s
        # No look announces them before the boards are ready.
        while self._watch.displacements:
            self._say(sentence(self._watch.displacements.popleft(), self._history.state), now_s)
        if not self._locator.relied_upon and now_s - self._since_s >= _PATIENCE_S:
            says = _SAYS[self._locator.found_count]
            if says != self._said or now_s - self._said_s >= _AGAIN_S:
                self._say(says, now_s)

    def _say(self, says: str, now_s: float) -> None:
        self._said, self._said_s = says, now_s
        self._announce(says)


def lookouts(
    watch: TableWatch, locator: QuiltLocator, history: History, say: Callable[[str], None]
) -> tuple[Callable[[float], None], ...]:
    """Return the ticks that announce boards out of view; none if mats lie under the boards."""
    return (Lookout(watch, locator, history, say).tick,) if isinstance(locator, FoundLocator) else ()
