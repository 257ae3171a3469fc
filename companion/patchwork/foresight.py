"""Hands-free play: a reading of a quilt at rest is announced, and taken after a pause; doubts are announced once."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.locator import SEATS
from companion.games.patchwork.decisions import Decision, PlaceLeather, TakePatch, cells_covered
from companion.games.patchwork.rules import History
from companion.patchwork.reading.reader import Reader
from companion.patchwork.reading.verdict import Complaint, Question, QuestionTopic, Reading, Reason, Verdict
from companion.patchwork.watching.watch import TableWatch
from companion.play.events import DecisionForeseen, ForesightLapsed
from hardware.ports import Frame
from vision.quilt.look import covered_around, is_alike, is_untouched


class RepeatedPlacement:
    """The latest question with a single option, and whether its quilt was seen bare since.

    Questions with several options cannot be answered this way.
    """

    def __init__(self) -> None:
        self._asked: tuple[int, Decision] | None = None
        self._is_lifted = False

    def record(self, question: Question, made: int) -> None:
        """Record a question that was announced after `made` decisions."""
        is_sole = question.asks is QuestionTopic.CELLS and len(question.options) == 1
        asked = (made, question.options[0]) if is_sole else None
        if asked != self._asked:
            self._asked, self._is_lifted = asked, False

    def weigh(self, verdict: Verdict, made: int) -> Verdict:
        """Return the verdict after `made` decisions: a reading if a placement was asked about and laid again."""
        if self._asked is None or self._asked[0] != made:
            return verdict
        if isinstance(verdict, Complaint):
            self._is_lifted = self._is_lifted or verdict.reason is Reason.NOTHING_PLACED
        elif self._is_lifted and isinstance(verdict, Question) and verdict.options == self._asked[1:]:
            # The placement alone is doubtful; after the question and a second laying it is not.
            return Reading(verdict.options[0], verdict.frame, 1.0)
        return verdict


DOUBT_PAUSE_S: Final = 4.0
"""The time that a quilt must lie unchanged before players are asked about it: they may be about to straighten a patch.
"""

Thumbnails = dict[int, "NDArray[np.float32]"]


@dataclass(slots=True, eq=False)
class _Doubt:
    """A verdict other than a clear reading.

    Attributes:
        seen: by seat, the thumbnails of the quilts.
        since_s: the time of the last motion, or None while something moves.
    """

    verdict: Question | Complaint
    seen: Mapping[int, NDArray[np.float32]]
    since_s: float | None


class Doubts:
    """A filter that lets each doubtful picture be announced once, after it has stayed the same for a while.

    A quilt that looks as it did when it was last understood causes no doubt, whatever the reader returns: it has not
    been touched since.
    """

    def __init__(self) -> None:
        self._understood: Thumbnails = {}
        self._doubt: _Doubt | None = None
        self._announced: _Doubt | None = None

    @property
    def due_s(self) -> float | None:
        """The time at which the doubt is announced if nothing changes until then, or None if there is none."""
        since_s = None if self._doubt is None else self._doubt.since_s
        return None if since_s is None else since_s + DOUBT_PAUSE_S

    def understand(self, seat: int, seen: NDArray[np.float32]) -> None:
        """Record that a quilt was understood as it looks now."""
        self._understood[seat] = seen

    def forget_look(self, seat: int) -> None:
        """Forget how a quilt looked when it was understood, because a decision there does not stand."""
        self._understood.pop(seat, None)

    def forget(self) -> None:
        """Reset, because the game has continued or players have requested a look themselves."""
        self._doubt = self._announced = None

    def record_motion(self) -> None:
        """Record that something moves."""
        if self._doubt is not None:
            self._doubt.since_s = None

    def weigh(self, verdict: Verdict, seen: Mapping[int, NDArray[np.float32]], now_s: float) -> None:
        """Record the verdict on a picture, with thumbnails, by seat, of the quilts that are in view and at rest."""
        before, self._doubt = self._doubt, None
        if isinstance(verdict, Reading):
            return
        if isinstance(verdict, Complaint) and verdict.reason is Reason.NOTHING_PLACED:
            self._understood.update({seat: look for seat, look in seen.items() if seat == verdict.seat})
            return
        quilt = _quilt(verdict)
        if quilt in seen and isinstance(verdict, Question) and verdict.none_first:
            # A quilt never seen before, on which rather nothing was laid, is no reason to ask unrequested.
            self._understood.setdefault(quilt, seen[quilt])
        known = self._understood.get(quilt)
        if quilt not in seen or (known is not None and is_untouched(seen[quilt], known)):
            return
        # Another verdict on the same picture is no news for the players either.
        if self._announced is not None and _is_same(self._announced, verdict, seen):
            return
        lasts = before is not None and before.since_s is not None and _is_same(before, verdict, seen)
        self._doubt = _Doubt(verdict, seen, before.since_s if before is not None and lasts else now_s)

    def is_due(self, now_s: float) -> bool:
        """Return whether the doubt has lasted long enough; a motion restarts its time."""
        if self._doubt is None:
            return False
        if self._doubt.since_s is None:
            self._doubt.since_s = now_s
        return now_s >= self._doubt.since_s + DOUBT_PAUSE_S

    def record_announced(self, verdict: Question | Complaint, seen: Mapping[int, NDArray[np.float32]]) -> None:
        """Record that a question or a complaint is announced."""
        self._doubt, self._announced = None, _Doubt(verdict, seen, None)

    def was_announced(self, doubt: Question | Complaint) -> bool:
        """Return whether this doubt was the last one announced."""
        return self._announced is not None and self._announced.verdict is doubt

    def is_outdated(self, seen: Mapping[int, NDArray[np.float32]]) -> bool:
        """Return whether the quilt of the announced doubt is at rest and looks different now."""
        last = self._announced
        return last is not None and _quilt(last.verdict) in seen and not _is_same(last, last.verdict, seen)


def _quilt(verdict: Question | Complaint) -> int:
    return verdict.quilt if isinstance(verdict, Complaint) else verdict.seat


def _is_same(doubt: _Doubt, verdict: Question | Complaint, seen: Mapping[int, NDArray[np.float32]]) -> bool:
    """Return whether the quilts that a doubt and a verdict concern are untouched since the doubt."""
    quilts = {_quilt(verdict), _quilt(doubt.verdict)}
    return all(seat in seen and seat in doubt.seen and is_untouched(seen[seat], doubt.seen[seat]) for seat in quilts)


DEFAULT_PAUSE_S: Final = 2.0
# Complaints that imply that the mover's own quilt agrees with the game.
_UNCHANGED: Final = (Reason.NOTHING_PLACED, Reason.WRONG_SEAT)
# The number of changed squares around a quilt from which they are an arm; a button token covers one or two.
_ARM_SQUARES: Final = 4

# The time after which a still object over a quilt is no arm, but a cup or a lamp's new shadow.
_STILL_S: Final = 8.0


class PlacementForecaster:
    """A forecaster of decisions at a table without presses of `confirm`.

    A reading is announced at once. An unrequested question or complaint is announced once, when its cause has been
    still for a while: until then the patch may be on its way.

    A quilt is read only when it is at rest and looks different from when it was last read, so that an idle table costs
    nothing; and only when no arm is over its border, because a hand can hold a patch above the board as still as if it
    lay there.

    Args:
        pause_s: the time during which a foreseen decision can be stopped by `undo` before it is taken.
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
        self._repeated = RepeatedPlacement()
        self._has_stirred = False

    @property
    def is_announced(self) -> bool:
        """True if a foreseen decision waits to be taken."""
        return self._foreseen is not None

    @property
    def due_s(self) -> float | None:
        """The time, on the frames' clock, at which to act if nothing changes until then, or None."""
        if self._foreseen is not None:
            return self._foreseen.takes_at_s
        return self._doubts.due_s if self._still is None else self._still[1] + _STILL_S

    def see(self, frame: Frame, history: History) -> DecisionForeseen | ForesightLapsed | Verdict | None:
        """Process the next frame, which the watch has seen.

        Returns:
            An event to announce; a reading if its decision is to be taken now; a question or a complaint that has
            persisted for a while; None most of the time.
        """
        state = history.state
        if state.turn is None or not self._watch.readable(state.turn):
            self._doubts.record_motion()
            return self.lapse(history, stopped=False)
        now = self._watch.thumbnail(state.turn)
        if self._foreseen is None:
            self._learn_surroundings(now, state.turn, frame.t_s)
            return self._doubt(frame, history) if self._is_known(now, history) else self._foresee(frame, now, history)
        if not self._stands(now):
            return self.lapse(history, stopped=False)
        return self._take_when_due(frame, self._foreseen, history)

    def lapse(self, history: History, *, stopped: bool) -> ForesightLapsed | None:
        """Drop the foreseen decision, if any; if a player `stopped` it, it is not foreseen again.

        A disturbed one may be announced again; a stopped one only after its patch was seen to be gone.
        """
        foreseen, self._foreseen = self._foreseen, None
        if foreseen is None:
            return None
        # Read anew, so that what still lies there is announced again.
        self._read = None
        if stopped:
            self.refuse(foreseen.decision)
        return ForesightLapsed(foreseen.decision, stopped, history.state)

    def record(self, doubt: Question | Complaint, made: int) -> None:
        """Record a question or a complaint that was announced after `made` decisions.

        It is not repeated while the quilts look the same.
        """
        self._doubts.record_announced(doubt, self._seen())
        self._has_stirred = False
        if isinstance(doubt, Question):
            self._repeated.record(doubt, made)

    def is_outdated(self, doubt: Question | Complaint, history: History) -> bool:
        """Return whether the announced doubt's quilt looks different now, at rest and without an arm over it."""
        if not self._doubts.was_announced(doubt):
            return False
        seat = history.state.turn
        if seat is None or not self._watch.readable(seat):
            self._has_stirred = True
            return False
        now, frame = self._watch.thumbnail(seat), self._watch.frame
        if frame is not None:
            # A board that was pushed has other surroundings; while a doubt is open nothing else learns them.
            self._learn_surroundings(now, seat, frame.t_s)
        if self._is_reached_over(now, seat):
            return False
        return self._doubts.is_outdated(self._seen()) or (isinstance(doubt, Question) and self._is_gone(doubt, history))

    def _is_gone(self, asked: Question, history: History) -> bool:
        """Return whether the quilt no longer supports the question asked; checked once after each motion on it."""
        if not self._has_stirred:
            return False
        self._has_stirred = False
        verdict = self._reader.read(history)
        return not isinstance(verdict, Question) or verdict.options != asked.options

    def forget_doubt(self) -> None:
        """Drop the doubt, announced or not, because the game has advanced or players have requested a look."""
        self._doubts.forget()

    def refuse(self, decision: Decision) -> None:
        """Do not foresee a stopped or undone decision again until its quilt was seen without the patch."""
        if isinstance(decision, TakePatch | PlaceLeather):
            self._refused.add(decision)
            # What is now to be bare there may never have been seen.
            self._doubts.forget_look(decision.seat)
        self._read = None

    def is_reached_over(self, seat: int) -> bool:
        """Return whether an arm is over the border of a quilt that is at rest."""
        return self._is_reached_over(self._watch.thumbnail(seat), seat)

    def learn(self, seat: int) -> None:
        """Record that a decision of this seat was taken with the quilt as it looks now, in this light.

        The surroundings are not recorded if an arm may be over the border, as often when `confirm` is pressed: a later
        arm would go unnoticed.
        """
        if self._watch.settled(seat):
            now = self._watch.thumbnail(seat)
            self._doubts.understand(seat, now)
            if not self._is_reached_over(now, seat):
                self._around[seat] = now

    def _is_known(self, now: NDArray[np.float32], history: History) -> bool:
        """Return whether both quilts were already read at this point of the game with their present look."""
        if self._read_at != len(history.decisions) or self._read is None or not is_alike(now, self._read):
            return False
        other = 3 - history.state.mover
        # The other quilt matters only once it is at rest: until then a look at it would find nothing.
        if not self._watch.settled(other):
            return True
        return self._beside is not None and is_untouched(self._watch.thumbnail(other), self._beside)

    def _stands(self, now: NDArray[np.float32]) -> bool:
        """Return whether the foreseen patch lies as it did, with no arm near; it is read again before it is taken."""
        read = self._read
        return read is not None and is_untouched(now, read) and covered_around(now, read) < _ARM_SQUARES

    def _foresee(self, frame: Frame, now: NDArray[np.float32], history: History) -> DecisionForeseen | None:
        """Read the quilt; if it shows a decision that may be announced, foresee it."""
        other = 3 - history.state.mover
        # Recorded before any check, so that an unchanged picture is not examined with every frame.
        self._read_at, self._read = len(history.decisions), now
        self._beside = self._watch.thumbnail(other) if self._watch.settled(other) else None
        if self._is_reached_over(now, history.state.mover):
            self._doubts.record_motion()
            return None
        verdict = self._verdict(history)
        if history.state.turn is not None:
            # The look may have corrected the board's place, which changes the view.
            self._read = self._watch.thumbnail(history.state.turn)
        self._drop_refusals(verdict)
        self._doubts.weigh(verdict, self._seen(), frame.t_s)
        if not isinstance(verdict, Reading) or self._refused_within(verdict.decision):
            return None
        self._foreseen = DecisionForeseen(verdict.decision, self._pause_s, frame.t_s + self._pause_s, history.state)
        return self._foreseen

    def _doubt(self, frame: Frame, history: History) -> Question | Complaint | None:
        """Read a doubtful quilt again once it has been still long enough; return its doubt if it persists."""
        if not self._doubts.is_due(frame.t_s):
            return None
        verdict = self._verdict(history)
        if isinstance(verdict, Reading):
            self._read = None  # It is foreseen with the next frame.
            self._doubts.forget()
            return None
        self._doubts.weigh(verdict, self._seen(), frame.t_s)
        # The look may have found another doubt, whose time begins now.
        if not self._doubts.is_due(frame.t_s):
            return None
        self.record(verdict, len(history.decisions))
        return verdict

    def _verdict(self, history: History) -> Verdict:
        return self._repeated.weigh(self._reader.read(history), len(history.decisions))

    def _seen(self) -> dict[int, NDArray[np.float32]]:
        """Return thumbnails of the quilts that are in view and at rest, by seat."""
        return {seat: self._watch.thumbnail(seat) for seat in SEATS if self._watch.settled(seat)}

    def _learn_surroundings(self, now: NDArray[np.float32], seat: int, now_s: float) -> None:
        """Accept an object over a border as part of the surroundings once it has been still too long for an arm."""
        if not self._is_reached_over(now, seat):
            self._still = None
        elif self._still is None or not is_untouched(now, self._still[0]) or covered_around(now, self._still[0]):
            self._still = (now, now_s)
        elif now_s - self._still[1] >= _STILL_S:
            # What was not read because of the suspected arm is read now.
            self._around[seat], self._read, self._still = now, None, None

    def _is_reached_over(self, now: NDArray[np.float32], seat: int) -> bool:
        """Return whether an arm is over the border of a quilt, compared with its look when last free of arms."""
        known = self._around.get(seat)
        if covered_around(now, self._watch.empty_thumbnail(seat) if known is None else known) < _ARM_SQUARES:
            return False
        # Shadows and lamps change the surroundings, too: a suspected cover is examined more closely, once.
        if self._reached is None or self._reached[0] != seat or not is_alike(now, self._reached[1]):
            self._reached = (seat, now, self._watch.reached_over(seat) >= _ARM_SQUARES)
        return self._reached[2]

    def _take_when_due(
        self, frame: Frame, foreseen: DecisionForeseen, history: History
    ) -> Reading | ForesightLapsed | None:
        """Read again at the end of the pause, because the decision taken must be the one announced."""
        if frame.t_s < foreseen.takes_at_s:
            return None
        verdict = self._verdict(history)
        if isinstance(verdict, Reading) and verdict.decision == foreseen.decision:
            self._foreseen = None
            return verdict
        return self.lapse(history, stopped=False)

    def _refused_within(self, decision: Decision) -> set[Decision]:
        """Return the refused decisions whose patches may be what was read: two of them may look like one patch."""
        cells = cells_covered(decision)
        return {each for each in self._refused if each.seat == decision.seat and not cells_covered(each) & ~cells}

    def _drop_refusals(self, verdict: Verdict) -> None:
        """Forget refusals whose patch is certainly gone."""
        if isinstance(verdict, Reading):
            seat, within = verdict.decision.seat, self._refused_within(verdict.decision)
            self._refused = {each for each in self._refused if each.seat != seat or each in within}
        elif isinstance(verdict, Complaint) and verdict.reason in _UNCHANGED:
            self._refused = {each for each in self._refused if each.seat != verdict.seat}
