"""Looks at the tokens and the tile on the table, in play and after the end of a game."""

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future
from typing import Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from calibration.locator import SEATS
from companion.games.patchwork import History, State
from companion.patchwork.watching.watch import TableWatch
from vision.geometry.homography import Homography
from vision.geometry.rectify import rectify
from vision.quilt.thumbnail import is_untouched, thumbnail

_LOG: Final = logging.getLogger(__name__)
# Grace time after the last decision, in which players take their income.
_PATIENCE_S: Final = 10.0
# Seconds between two looks: a player may be counting at the moment.
_AGAIN_S: Final = 8.0
# The most looks after the end: each takes seconds, and a result uncertain so often remains uncertain.
_LOOKS: Final = 6
LAST: Final = 3
"""The most decisions after a game's last move: both players' counts, and the owner of the tile."""

# Grace time after a decision, in which players pay or take their income.
_PAID_S: Final = 6.0

SeenT = TypeVar("SeenT")


class _Looks(ABC, Generic[SeenT]):
    """Looks at a table at rest.

    Args:
        watch: the watch over the quilts.
        history: the game.
        executor: runs the looks, which take seconds.
        see: the look, given a picture and by seat the quilts' places in it.
    """

    def __init__(
        self,
        watch: TableWatch,
        history: History,
        executor: Executor,
        see: Callable[[NDArray[np.uint8], Mapping[int, Homography]], SeenT],
    ) -> None:
        self._watch, self._history, self._executor, self._see = watch, history, executor, see
        self._begin()

    @abstractmethod
    def _begin(self) -> None:
        """Forget all looks, as before the first."""


class PlayLooks(_Looks[SeenT]):
    """Looks at a table at rest in play, one after each decision once players have paid."""

    def _begin(self) -> None:
        self._look: tuple[Future[SeenT], State] | None = None
        self._made, self._look_at_s = -1, float("inf")

    def seen(self, now_s: float) -> tuple[SeenT, State] | None:
        """Process the next frame, which the watch has seen; return a finished look's result and its state, or None.

        Raises:
            Exception: any error of the look itself.
        """
        if self._made != len(self._history.decisions):
            self._made, self._look_at_s = len(self._history.decisions), now_s + _PAID_S
        if self._look is not None:
            look, state = self._look
            if not look.done():
                return None
            self._look = None
            return look.result(), state
        if now_s >= self._look_at_s and (shown := _at_rest(self._watch)) is not None:
            # One look for each decision: the next is due after the next decision.
            self._look_at_s = float("inf")
            # The state that belongs to the picture: by the end of the look the game may have moved on.
            self._look = self._executor.submit(self._see, *shown), self._history.state
        return None


class EndLooks(_Looks[SeenT]):
    """Several looks at a table at rest, from a while after the last decision until players clear the boards."""

    def _begin(self) -> None:
        self._look: Future[SeenT] | None = None
        self._looks_left, self._look_at_s = _LOOKS, float("inf")
        self._quilts: dict[int, NDArray[np.float32]] = {}

    def seen(self, now_s: float) -> SeenT | None:
        """Process the next frame, which the watch has seen; return the result of a finished look, or None."""
        if not self._history.state.finished:
            if self._look_at_s < float("inf"):
                self._begin()
        elif self._look_at_s == float("inf"):
            self._look_at_s = now_s + _PATIENCE_S
        elif self._look is not None:
            return self._result(self._look)
        elif now_s >= self._look_at_s and self._looks_left:
            self._begin_look(now_s)
        return None

    def _begin_look(self, now_s: float) -> None:
        shown = _at_rest(self._watch)
        if shown is None:
            return
        image, places = shown
        if self._is_cleared({seat: thumbnail(rectify(image, place)) for seat, place in places.items()}):
            self._looks_left = 0
            return
        self._looks_left, self._look_at_s = self._looks_left - 1, now_s + _AGAIN_S
        self._look = self._executor.submit(self._see, image, places)

    def _is_cleared(self, now: dict[int, NDArray[np.float32]]) -> bool:
        """Return whether players have begun to clear the table, when tokens go back to the bank."""
        if not self._quilts:
            self._quilts = now
        return not all(is_untouched(now[seat], quilt) for seat, quilt in self._quilts.items())

    def _result(self, look: Future[SeenT]) -> SeenT | None:
        if not look.done():
            return None
        self._look = None
        try:
            return look.result()
        except Exception:
            # The score does not depend on it.
            _LOG.exception("what lies before the players could not be looked at")
            self._looks_left = 0
            return None


def _at_rest(watch: TableWatch) -> tuple[NDArray[np.uint8], dict[int, Homography]] | None:
    """Return the latest picture and by seat the quilts' places in it, or None unless both are in view and at rest."""
    frame, places = watch.frame, dict(sorted(watch.places.items()))
    if frame is None or not watch.at_rest or len(places) < len(SEATS):
        return None
    return frame.image, places
