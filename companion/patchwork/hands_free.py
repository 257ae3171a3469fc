"""Hands-free play: placements, take-backs and advances that are announced, and carried out after a pause."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.games.patchwork.decisions import Advance, Decision, PlaceLeather, TakePatch
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import State
from companion.languages import said
from companion.patchwork.foresight import PlacementForecaster
from companion.patchwork.reading.observer import QuiltComparer
from companion.patchwork.reading.reader import Reader
from companion.patchwork.reading.verdict import Complaint, Question, Reading, Reason
from companion.patchwork.timeboard import TimeBoardWatch
from companion.patchwork.watching.watch import TableWatch, lattice_of
from companion.play.events import DecisionForeseen, ForesightLapsed, UndoForeseen, UndoLapsed
from hardware.ports import Button, Frame
from vision.quilt.look import is_alike


@dataclass(frozen=True, slots=True)
class Due:
    """A foreseen decision whose pause is over.

    Attributes:
        button: the button that it replaces: `UNDO` takes the decision back, the others take it.
    """

    decision: Decision
    button: Button


Forecast: TypeAlias = DecisionForeseen | ForesightLapsed | UndoForeseen | UndoLapsed | Question | Complaint | Due
"""An event to announce, a doubt that has persisted for a while, or a decision to act upon now."""


class Forecaster:
    """A forecaster of decisions, take-backs and advances at a table without presses.

    Args:
        foresight: of placements, read from the quilts.
        take_backs: of placements that are lifted off again; None if each take-back needs a press.
        advances: of advances, read from the time board; None if each one needs a press.
    """

    def __init__(
        self,
        foresight: PlacementForecaster,
        take_backs: "UndoForecaster | None" = None,
        advances: "AdvanceForecaster | None" = None,
    ) -> None:
        self.foresight, self.advances, self._take_backs = foresight, advances, take_backs

    @property
    def can_see_advances(self) -> bool:
        """True if a time board is followed, on which an advance would be seen."""
        return self.advances is not None and self.advances.is_able

    def wait(self, now_s: float) -> None:
        """Let the time board be looked at when no new frame has come."""
        if self.advances is not None:
            self.advances.wait(now_s)

    def see(self, frame: Frame, history: History) -> Forecast | None:
        """Process the next frame, which the watch has seen; return None most of the time.

        At most one decision is announced at a time, and none while the latest patch is lifted off.
        """
        if self._take_backs is not None and not self._is_announced:
            forecast = self._see_take_back(self._take_backs, frame, history)
            if forecast is not None or self._take_backs.is_lifted:
                return forecast
        # Quilts come before markers, because some players move their marker before they lay the patch.
        foreseen = self.foresight.see(frame, history)
        if isinstance(foreseen, Reading):
            return Due(foreseen.decision, Button.CONFIRM)
        if foreseen is not None or self.advances is None or self.foresight.is_announced:
            return foreseen
        advance = self.advances.see(frame.t_s, history)
        return Due(advance, Button.ADVANCE) if isinstance(advance, Advance) else advance

    def lapse(self, history: History, *, stopped: bool) -> ForesightLapsed | None:
        """Drop any foreseen decision; one that a player `stopped` is not foreseen again.

        A foreseen take-back is dropped silently, because the next event covers it.
        """
        if self._take_backs is not None:
            self._take_backs.forget()
        lapsed = self.foresight.lapse(history, stopped=stopped)
        if lapsed is None and self.advances is not None:
            lapsed = self.advances.lapse(history, stopped=stopped)
        return lapsed

    def record(self, doubt: Question | Complaint, history: History) -> None:
        """Record a question or a complaint that was announced; it is not repeated while the quilts look the same."""
        self.foresight.record(doubt, len(history.decisions))

    def is_outdated(self, doubt: Question | Complaint, history: History) -> bool:
        """Return whether the announced doubt's quilt looks different now, at rest and without an arm over it."""
        return self.foresight.is_outdated(doubt, history)

    def forget_doubt(self) -> None:
        """Drop the doubt, announced or not, because the game has advanced or players have requested a look."""
        self.foresight.forget_doubt()

    def follow(self, decision: Decision) -> None:
        """Continue after a decision, in the light in which its quilt lies now."""
        self.foresight.forget_doubt()
        if isinstance(decision, TakePatch | PlaceLeather):
            self.foresight.learn(decision.seat)

    def refuse(self, undone: Decision, history: History) -> None:
        """Do not foresee an undone decision again until the table was seen without it, as `history` is now."""
        self.foresight.forget_doubt()
        self.foresight.refuse(undone)
        if self.advances is not None and isinstance(undone, Advance):
            self.advances.refuse(history)

    @property
    def _is_announced(self) -> bool:
        """True if a foreseen decision waits to be taken."""
        return self.foresight.is_announced or (self.advances is not None and self.advances.is_announced)

    def _see_take_back(
        self, take_backs: "UndoForecaster", frame: Frame, history: History
    ) -> UndoForeseen | UndoLapsed | Due | None:
        foreseen = take_backs.see(frame.t_s, history)
        return Due(foreseen, Button.UNDO) if isinstance(foreseen, TakePatch | PlaceLeather) else foreseen


# The time that the marker must stand before an advance is announced: some people move it before they lay their patch.
_ANNOUNCED_S: Final = 3.0
# The time that the markers may be out of sight before their last spaces are forgotten.
_UNSEEN_S: Final = 1.5
# The time that the marker must stand elsewhere before its player is asked about it.
_ASKED_S: Final = 10.0
# The time that a marker must be off its space, recognised elsewhere or not, before it has left it.
_LEFT_S: Final = 3.0


class AdvanceForecaster:
    """A forecaster of advances at a table without presses of `advance`.

    Args:
        reader: the reader of the quilts, on neither of which a new piece may lie.
        pause_s: the time for which a foreseen advance can be stopped by `undo`.
    """

    def __init__(
        self,
        board: TimeBoardWatch,
        watch: TableWatch,
        reader: Reader,
        pause_s: float,
        say: Callable[[str], None],
    ) -> None:
        self._board, self._watch, self._reader, self._pause_s, self._say = board, watch, reader, pause_s, say
        self._stands: tuple[int, int, float] | None = None
        self._foreseen: DecisionForeseen | None = None
        self._ignored: tuple[int, int] | None = None
        self._left_s: float | None = None
        self._seen_s = float("-inf")

    @property
    def is_announced(self) -> bool:
        """True if a foreseen advance waits to be taken."""
        return self._foreseen is not None

    @property
    def is_able(self) -> bool:
        """True if a time board is followed, on which an advance would be seen."""
        return self._board.is_found

    @property
    def due_s(self) -> float | None:
        """The time at which to act if nothing changes until then, or None."""
        if self._foreseen is not None:
            return self._foreseen.takes_at_s
        return None if self._stands is None else self._stands[2] + _ANNOUNCED_S

    def wait(self, now_s: float) -> None:
        """Let the board be looked at when no new frame has come."""
        self._board.tick(now_s)

    def see(self, now_s: float, history: History) -> DecisionForeseen | ForesightLapsed | Advance | None:
        """Return an event to announce, the advance if it is to be taken now, or None."""
        state = history.state
        if self._board.standing is None and self._watch.ready and self._stands is not None:
            # Light flickers and arms pass; an announced advance is checked again before it is taken.
            if now_s - self._seen_s < _UNSEEN_S:
                return None
        else:
            self._seen_s = now_s
        space = self._moved_to(state)
        made = len(history.decisions)
        if self._is_back(state) or self._has_left(state, now_s):
            self._ignored = self._left_s = None
        if space is None or self._ignored == (made, space):
            self._stands = None
            return self.lapse(history, stopped=False)
        if self._stands is None or self._stands[:2] != (made, space):
            self._stands = (made, space, now_s)
        if self._foreseen is not None:
            return self._take_when_due(now_s, history)
        stood_s = now_s - self._stands[2]
        if space == _advance_space(state):
            return self._foresee(now_s, history) if stood_s >= _ANNOUNCED_S else None
        if stood_s >= _ASKED_S and self._is_unchanged(history):
            self._ignored = (made, space)
            self._say(_wrong_space_sentence(state, space))
        return None

    def lapse(self, history: History, *, stopped: bool) -> ForesightLapsed | None:
        """Drop the foreseen advance, if any; one that a player `stopped` is not foreseen until its marker moves."""
        foreseen, self._foreseen = self._foreseen, None
        if foreseen is None:
            return None
        if stopped and self._stands is not None:
            self._ignored = self._stands[:2]
        return ForesightLapsed(foreseen.decision, stopped, history.state)

    def refuse(self, history: History) -> None:
        """Do not foresee the advance that was just undone again before its marker is moved."""
        self._ignored = (len(history.decisions), _advance_space(history.state))

    def _foresee(self, now_s: float, history: History) -> DecisionForeseen | None:
        if not self._is_unchanged(history):
            self._stands = None
            return None
        advance = Advance(history.state.mover)
        self._foreseen = DecisionForeseen(advance, self._pause_s, now_s + self._pause_s, history.state)
        return self._foreseen

    def _take_when_due(self, now_s: float, history: History) -> Advance | ForesightLapsed | None:
        foreseen = self._foreseen
        if foreseen is None or now_s < foreseen.takes_at_s:
            return None
        # A patch may have been laid during the pause.
        if not self._is_unchanged(history):
            return self.lapse(history, stopped=False)
        self._foreseen = None
        return Advance(history.state.mover)

    def _moved_to(self, state: State) -> int | None:
        """Return the space of the mover's marker if it was moved forward and the other's is in its place, or None."""
        standing = self._board.standing
        if standing is None or state.turn is None or state.leather_due:
            return None
        mover, other = state.turn, 3 - state.turn
        space = standing[mover]
        # With the other marker out of place, too, it is not certain who has moved.
        if space is None or space <= state.seat(mover).time or standing[other] != state.seat(other).time:
            return None
        return space

    def _is_back(self, state: State) -> bool:
        """Return whether the mover's marker stands where the game has it, so that a later move is another one."""
        standing = self._board.standing
        return standing is not None and state.turn is not None and standing[state.turn] == state.seat(state.turn).time

    def _has_left(self, state: State, now_s: float) -> bool:
        """Return whether the mover's marker has been off the ignored space for long, while the other's was seen."""
        standing = self._board.standing
        if standing is None or state.turn is None or self._ignored is None:
            return False
        if standing[state.turn] == self._ignored[1] or standing[3 - state.turn] is None:
            self._left_s = None
            return False
        self._left_s = now_s if self._left_s is None else self._left_s
        return now_s - self._left_s >= _LEFT_S

    def _is_unchanged(self, history: History) -> bool:
        """Return whether the mover's quilt certainly agrees with the game."""
        seat = history.state.mover
        if not self._watch.readable(seat):
            return False
        verdict = self._reader.read(history)
        return isinstance(verdict, Complaint) and verdict.reason is Reason.NOTHING_PLACED


def _advance_space(state: State) -> int:
    """Return the space to which an advance takes the mover's marker: one past the other's."""
    return min(state.setup.track.last_space, state.seat(3 - state.mover).time + 1)


def _wrong_space_sentence(state: State, space: int) -> str:
    return said(
        "{name}’s marker was moved to {space}. To advance, move it to {right}; to take a patch, place the patch first.",
        name=state.name_of(state.mover),
        space=space,
        right=_advance_space(state),
    )


# The time for which the patch must be off before that is announced: some people lift it to straighten it.
_LIFTED_S: Final = 3.0


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


class UndoForecaster:
    """A forecaster of take-backs at a table without presses of `undo`.

    A take-back is announced when the quilt of the latest decision is still, with no arm over it, and looks as it did
    before that decision. It lapses if anything moves there before the end of the pause.

    Args:
        foresight: tells when an arm is over a quilt.
        pause_s: the time for which an announced take-back waits.
    """

    def __init__(
        self, watch: TableWatch, comparer: QuiltComparer, foresight: PlacementForecaster, pause_s: float
    ) -> None:
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
        if now_s - quilt.since_s < _LIFTED_S:
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
