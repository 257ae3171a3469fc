"""Hands-free play: what a quilt at rest shows is foreseen, announced, and taken after a pause."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.events import DecisionForeseen, ForesightLapsed
from companion.games.patchwork import Advance
from companion.verdict import Complaint, Reading, Reason
from vision.quilt.glimpse import covered_around, is_alike

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from companion.games.patchwork import Decision, History
    from companion.reader.reader import Reader
    from companion.reader.watch import TableWatch
    from companion.verdict import Verdict
    from hardware.ports import Frame

DEFAULT_PAUSE_S: Final = 2.0
_BARE: Final = (Reason.NOTHING_PLACED, Reason.WRONG_SEAT)
"""Complaints which say that the mover's own quilt lies as the game has it."""
_ARM_SQUARES: Final = 4
"""So many squares around a quilt that show something else are an arm; a button token covers one or two."""


class Foresight:
    """Foresees decisions at a table where nobody presses `confirm`.

    Questions and complaints are for people who asked; here only a reading counts, and all else is silence. A quilt is
    read only when it is at rest and looks different from when it was read last, so that an idle table costs nothing;
    and only when no arm reaches over its border, for a hand can hold a patch above the board as still as if it lay.

    Args:
        watch: sees both quilts in the frames.
        reader: reads decisions off them.
        pause_s: how long a foreseen decision waits for an `undo` before it is taken.
    """

    def __init__(self, watch: TableWatch, reader: Reader, pause_s: float = DEFAULT_PAUSE_S) -> None:
        self._watch, self._reader, self._pause_s = watch, reader, pause_s
        self._foreseen: DecisionForeseen | None = None
        self._read_at = -1
        self._read: NDArray[np.float32] | None = None
        self._around: dict[int, NDArray[np.float32]] = {}
        self._refused: set[Decision] = set()

    def see(self, frame: Frame, history: History) -> DecisionForeseen | ForesightLapsed | Reading | None:
        """Take the next frame, which the watch has seen.

        Returns:
            News for the players; a reading if its decision is to be taken now; None most of the time.
        """
        state = history.state
        if state.turn is None or not (self._watch.ready and self._watch.settled(state.turn)):
            return self.lapse(history, stopped=False)
        now = self._watch.glimpse(state.turn)
        if self._foreseen is None:
            return None if self._is_known(now, history) else self._foresee(frame, now, history)
        if self._read is None or not is_alike(now, self._read):
            return self.lapse(history, stopped=False)
        return self._ripen(frame, self._foreseen, history)

    def lapse(self, history: History, *, stopped: bool) -> ForesightLapsed | None:
        """Let go of what was foreseen, if anything was; where a player `stopped` it, it is not foreseen again.

        A picture that was disturbed may be announced anew; one that was stopped only after its patch was gone.
        """
        foreseen, self._foreseen = self._foreseen, None
        if foreseen is None:
            return None
        self._read = None
        if stopped:
            self.refuse(foreseen.decision)
        return ForesightLapsed(foreseen.decision, stopped, history.state)

    def refuse(self, decision: Decision) -> None:
        """Do not foresee a decision until its quilt was seen without it: it was stopped, or taken back just now."""
        if not isinstance(decision, Advance):
            self._refused.add(decision)
        self._read = None

    def learn(self, seat: int) -> None:
        """A decision of this seat was taken with the quilt as it lies now: know it by today's light and tokens.

        Not where an arm may be over its border, as one often is when `confirm` is pressed: it would go unnoticed later.
        """
        if self._watch.settled(seat):
            now = self._watch.glimpse(seat)
            if not self._is_reached_over(now, seat):
                self._around[seat] = now

    def _is_known(self, now: NDArray[np.float32], history: History) -> bool:
        """Whether this quilt was read already, at this point of the game and looking like this."""
        return self._read_at == len(history.decisions) and self._read is not None and is_alike(now, self._read)

    def _foresee(self, frame: Frame, now: NDArray[np.float32], history: History) -> DecisionForeseen | None:
        """Read the quilt, and announce what it shows if it can be announced."""
        self._read_at, self._read = len(history.decisions), now
        if self._is_reached_over(now, history.state.turn or 0):
            return None
        verdict = self._reader.read(history)
        self._forgive(verdict)
        if not isinstance(verdict, Reading) or verdict.decision in self._refused:
            return None
        self._foreseen = DecisionForeseen(
            verdict.decision, self._pause_s, frame.t_s + self._pause_s, history.state
        )
        return self._foreseen

    def _is_reached_over(self, now: NDArray[np.float32], seat: int) -> bool:
        """Whether an arm is over the border of a quilt, by how it looked when it was last free of arms."""
        known = self._around.get(seat)
        return covered_around(now, self._watch.glimpse_empty(seat) if known is None else known) >= _ARM_SQUARES

    def _ripen(self, frame: Frame, foreseen: DecisionForeseen, history: History) -> Reading | ForesightLapsed | None:
        """Read again at the end of the pause: what is taken must be what was announced."""
        if frame.t_s < foreseen.takes_at_s:
            return None
        verdict = self._reader.read(history)
        if isinstance(verdict, Reading) and verdict.decision == foreseen.decision:
            self._foreseen = None
            return verdict
        return self.lapse(history, stopped=False)

    def _forgive(self, verdict: Verdict) -> None:
        """Let go of refusals whose patch is certainly not there any more."""
        if isinstance(verdict, Reading):
            seat = verdict.decision.seat
            self._refused = {each for each in self._refused if each.seat != seat or each == verdict.decision}
        elif isinstance(verdict, Complaint) and verdict.reason in _BARE:
            self._refused = {each for each in self._refused if each.seat != verdict.seat}
