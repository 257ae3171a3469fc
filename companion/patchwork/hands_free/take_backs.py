"""Take-backs without a press: lifting off the patch placed last undoes its decision."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.games.patchwork import History, PlaceLeather, TakePatch
from companion.patchwork.hands_free.foresight import Foresight
from companion.patchwork.reading.observer import QuiltComparer
from companion.patchwork.watching.watch import TableWatch, lattice_of
from companion.play.events import UndoForeseen, UndoLapsed
from vision.quilt.thumbnail import is_alike

# The time for which the patch must be off before that is announced: some people lift it to straighten it.
_STANDS_S: Final = 3.0


@dataclass(slots=True, eq=False)
class _Quilt:
    """The look of the quilt since the latest decision.

    Attributes:
        made: the number of decisions made until then.
        read: the quilt's thumbnail at the last close look.
        is_lifted: whether the patch was off it then.
        since_s: the time since which it has been off, or None while it is not.
    """

    made: int
    read: NDArray[np.float32]
    is_lifted: bool = False
    since_s: float | None = None


class TakeBackForesight:
    """A forecaster of take-backs at a table without presses of `undo`.

    A take-back is announced when the quilt of the latest decision is still, with no arm over it, and looks as it did
    before that decision. It lapses if anything moves there before the end of the pause.

    Args:
        watch: the watch over both quilts.
        comparer: the comparer of the quilts with their expected looks.
        foresight: tells when an arm is over a quilt.
        pause_s: the time for which an announced take-back waits.
    """

    def __init__(self, watch: TableWatch, comparer: QuiltComparer, foresight: Foresight, pause_s: float) -> None:
        self._watch, self._comparer, self._foresight, self._pause_s = watch, comparer, foresight, pause_s
        self._quilt: _Quilt | None = None
        self._foreseen: UndoForeseen | None = None

    @property
    def is_lifted(self) -> bool:
        """True while the patch of the latest decision is off its quilt, so that the player may be reconsidering."""
        return self._quilt is not None and self._quilt.since_s is not None

    def see(self, now_s: float, history: History) -> UndoForeseen | UndoLapsed | TakePatch | PlaceLeather | None:
        """Process the next frame, which the watch has seen.

        Returns:
            An event to announce; the latest decision if it is to be taken back now; None most of the time.
        """
        last = history.decisions[-1] if history.decisions else None
        if history.state.turn is None or not isinstance(last, TakePatch | PlaceLeather):
            self._quilt = None
            return self.lapse(history)
        if not self._watch.readable(last.seat) or self._foresight.is_reached_over(last.seat):
            if self._quilt is not None:
                self._quilt.since_s = None
            return self.lapse(history)
        quilt = self._updated_quilt(last, history)
        if not quilt.is_lifted:
            quilt.since_s = None
            return self.lapse(history)
        quilt.since_s = now_s if quilt.since_s is None else quilt.since_s
        if self._foreseen is not None:
            return self._take_when_due(now_s, self._foreseen, last, history)
        if now_s - quilt.since_s < _STANDS_S:
            return None
        self._foreseen = UndoForeseen(last, self._pause_s, now_s + self._pause_s, history.state)
        return self._foreseen

    def lapse(self, history: History) -> UndoLapsed | None:
        """Drop the announced take-back, if any."""
        foreseen, self._foreseen = self._foreseen, None
        return None if foreseen is None else UndoLapsed(foreseen.decision, history.state)

    def forget(self) -> None:
        """Drop an announced take-back silently, because the game has continued."""
        self._foreseen = self._quilt = None

    def _take_when_due(
        self, now_s: float, foreseen: UndoForeseen, last: TakePatch | PlaceLeather, history: History
    ) -> UndoLapsed | TakePatch | PlaceLeather | None:
        """Look again at the end of the pause, because the patch must still be off the quilt."""
        if now_s < foreseen.takes_at_s:
            return None
        if not self._is_off(last, history):
            return self.lapse(history)
        self.forget()
        return last

    def _updated_quilt(self, last: TakePatch | PlaceLeather, history: History) -> _Quilt:
        """Return the quilt's look; it is examined closely after the decision, and whenever it looks different."""
        now, made, quilt = self._watch.thumbnail(last.seat), len(history.decisions), self._quilt
        if quilt is None or quilt.made != made:
            quilt = self._quilt = _Quilt(made, now, self._is_off(last, history))
        elif not is_alike(now, quilt.read):
            quilt.is_lifted, quilt.read = self._is_off(last, history), now
        return quilt

    def _is_off(self, last: TakePatch | PlaceLeather, history: History) -> bool:
        """Return whether the quilt certainly looks as before the decision, and no longer as after it."""
        covered, seat = history.state.seat(last.seat).quilt, last.seat
        # As the game expects it first: nearly always that settles it, with one look instead of two.
        with_it = self._comparer.compare(seat, covered)
        if with_it.ratios[0][lattice_of(last.cells)].min() <= 0:
            return False
        without = self._comparer.compare(seat, covered & ~last.cells)
        return bool(without.ratios[0][1:-1, 1:-1].max() < 0)
