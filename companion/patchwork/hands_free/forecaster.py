"""Hands-free play as a whole: what the quilts and the time board show, in place of presses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from companion.games.patchwork import Advance, Decision, History, PlaceLeather, TakePatch
from companion.patchwork.reading.verdict import Complaint, Question, Reading
from companion.play.events import DecisionForeseen, ForesightLapsed, UndoForeseen, UndoLapsed
from hardware.ports import Button, Frame

if TYPE_CHECKING:
    from companion.patchwork.hands_free.foresight import Foresight
    from companion.patchwork.hands_free.take_backs import TakeBackForesight
    from companion.patchwork.timeboard.advancing import AdvanceForesight


@dataclass(frozen=True, slots=True)
class Due:
    """A foreseen decision whose pause is over.

    Attributes:
        decision: the decision.
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

    Attributes:
        foresight: as given.
        advances: as given.
    """

    def __init__(
        self,
        foresight: Foresight,
        take_backs: TakeBackForesight | None = None,
        advances: AdvanceForesight | None = None,
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
        """Drop any foreseen decision; a foreseen take-back is dropped silently, because the next event covers it.

        Args:
            history: the game so far.
            stopped: whether a player stopped the decision, which is then not foreseen again.
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
        """Do not foresee an undone decision again until the table was seen without it.

        Args:
            undone: the decision.
            history: the game without it.
        """
        self.foresight.forget_doubt()
        self.foresight.refuse(undone)
        if self.advances is not None and isinstance(undone, Advance):
            self.advances.refuse(history)

    @property
    def _is_announced(self) -> bool:
        """True if a foreseen decision waits to be taken."""
        return self.foresight.is_announced or (self.advances is not None and self.advances.is_announced)

    def _see_take_back(
        self, take_backs: TakeBackForesight, frame: Frame, history: History
    ) -> UndoForeseen | UndoLapsed | Due | None:
        foreseen = take_backs.see(frame.t_s, history)
        return Due(foreseen, Button.UNDO) if isinstance(foreseen, TakePatch | PlaceLeather) else foreseen
