"""Hands-free play: what a quilt at rest shows is foreseen, announced, and taken after a pause; doubts are told once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from calibration.locator import SEATS
from companion.events import DecisionForeseen, ForesightLapsed
from companion.games.patchwork import Advance
from companion.reader.doubting import Doubts
from companion.verdict import Complaint, Question, Reading, Reason
from vision.quilt.glimpse import covered_around, is_alike, is_untouched

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

_STILL_S: Final = 8.0
"""Nobody holds an arm over a quilt for so long without a stir; a cup or a lamp's new shadow stays."""


class Foresight:
    """Foresees decisions at a table where nobody presses `confirm`.

    A reading is announced at once. A question or a complaint that nobody asked for is told once, when what gives rise
    to it has lain still for a while: until then the patch may be on its way.

    A quilt is read only when it is at rest and looks different from when it was read last, so that an idle table costs
    nothing; and only when no arm reaches over its border, for a hand can hold a patch above the board as still as if
    it lay.

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
        self._beside: NDArray[np.float32] | None = None
        self._still: tuple[NDArray[np.float32], float] | None = None
        self._around: dict[int, NDArray[np.float32]] = {}
        self._reached: tuple[int, NDArray[np.float32], bool] | None = None
        self._refused: set[Decision] = set()
        self._doubts = Doubts()

    @property
    def due_s(self) -> float | None:
        """When there is something to be done if nothing changes until then, on the frames' clock; None: nothing is."""
        if self._foreseen is not None:
            return self._foreseen.takes_at_s
        return self._doubts.due_s if self._still is None else self._still[1] + _STILL_S

    def see(self, frame: Frame, history: History) -> DecisionForeseen | ForesightLapsed | Verdict | None:
        """Take the next frame, which the watch has seen.

        Returns:
            News for the players; a reading if its decision is to be taken now; a question or a complaint that has stood
            for a while; None most of the time.
        """
        state = history.state
        if state.turn is None or not (self._watch.ready and self._watch.settled(state.turn)):
            self._doubts.stir()
            return self.lapse(history, stopped=False)
        now = self._watch.glimpse(state.turn)
        if self._foreseen is None:
            self._get_used_to(now, state.turn, frame.t_s)
            return self._doubt(frame, history) if self._is_known(now, history) else self._foresee(frame, now, history)
        if not self._stands(now):
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

    def hear(self, doubt: Question | Complaint) -> None:
        """Take note of a question or a complaint that players are told; it is not told again of what lies there now."""
        self._doubts.tell(doubt, self._seen())

    def is_outdated(self, doubt: Question | Complaint, history: History) -> bool:
        """Whether what was told is about a quilt that lies otherwise now, at rest and without an arm over it."""
        if not self._doubts.told(doubt):
            return False
        seat = history.state.turn
        if seat is None or not (self._watch.ready and self._watch.settled(seat)):
            return False
        return not self._is_reached_over(self._watch.glimpse(seat), seat) and self._doubts.is_outdated(self._seen())

    def forget_doubt(self) -> None:
        """Let go of what was told or would have been: the game has gone on, or players look for themselves."""
        self._doubts.forget()

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
            self._doubts.understand(seat, now)
            if not self._is_reached_over(now, seat):
                self._around[seat] = now

    def _is_known(self, now: NDArray[np.float32], history: History) -> bool:
        """Whether both quilts were read already, at this point of the game and looking like this."""
        if self._read_at != len(history.decisions) or self._read is None or not is_alike(now, self._read):
            return False
        other = 3 - (history.state.turn or 0)
        if not self._watch.settled(other):
            return True
        return self._beside is not None and is_untouched(self._watch.glimpse(other), self._beside)

    def _stands(self, now: NDArray[np.float32]) -> bool:
        """Whether what was foreseen lies as it did, with no arm around it; it is read again before it counts."""
        read = self._read
        return read is not None and is_untouched(now, read) and covered_around(now, read) < _ARM_SQUARES

    def _foresee(self, frame: Frame, now: NDArray[np.float32], history: History) -> DecisionForeseen | None:
        """Read the quilt, and announce what it shows if it can be announced."""
        other = 3 - (history.state.turn or 0)
        self._read_at, self._read = len(history.decisions), now
        self._beside = self._watch.glimpse(other) if self._watch.settled(other) else None
        if self._is_reached_over(now, history.state.turn or 0):
            self._doubts.stir()
            return None
        verdict = self._reader.read(history)
        if history.state.turn is not None:
            # The look may have found the board a little beside its place, and views are taken from there now.
            self._read = self._watch.glimpse(history.state.turn)
        self._forgive(verdict)
        self._doubts.weigh(verdict, self._seen(), frame.t_s)
        if not isinstance(verdict, Reading) or verdict.decision in self._refused:
            return None
        self._foreseen = DecisionForeseen(
            verdict.decision, self._pause_s, frame.t_s + self._pause_s, history.state
        )
        return self._foreseen

    def _doubt(self, frame: Frame, history: History) -> Question | Complaint | None:
        """Read a doubtful quilt again once it has lain still for long enough: what is told must still hold."""
        if not self._doubts.is_due(frame.t_s):
            return None
        verdict = self._reader.read(history)
        if isinstance(verdict, Reading):
            self._read = None  # It is foreseen with the next frame.
            self._doubts.forget()
            return None
        self._doubts.weigh(verdict, self._seen(), frame.t_s)
        if not self._doubts.is_due(frame.t_s):
            return None
        self.hear(verdict)
        return verdict

    def _seen(self) -> dict[int, NDArray[np.float32]]:
        """By seat, the quilts at a glance that are in view and at rest."""
        return {seat: self._watch.glimpse(seat) for seat in SEATS if self._watch.settled(seat)}

    def _get_used_to(self, now: NDArray[np.float32], seat: int, now_s: float) -> None:
        """Take what reaches over a border for a thing that lies there once it was still for too long for an arm."""
        if not self._is_reached_over(now, seat):
            self._still = None
        elif self._still is None or not is_untouched(now, self._still[0]) or covered_around(now, self._still[0]):
            self._still = (now, now_s)
        elif now_s - self._still[1] >= _STILL_S:
            self._around[seat], self._read, self._still = now, None, None

    def _is_reached_over(self, now: NDArray[np.float32], seat: int) -> bool:
        """Whether an arm is over the border of a quilt, by how it looked when it was last free of arms."""
        known = self._around.get(seat)
        if covered_around(now, self._watch.glimpse_empty(seat) if known is None else known) < _ARM_SQUARES:
            return False
        # Shadows and lamps change what lies around a quilt, too: what covers it, is looked at more closely, once.
        if self._reached is None or self._reached[0] != seat or not is_alike(now, self._reached[1]):
            self._reached = (seat, now, self._watch.reached_over(seat) >= _ARM_SQUARES)
        return self._reached[2]

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
