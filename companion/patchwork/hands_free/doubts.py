"""Doubts in hands-free play: the conditions for announcing a doubtful picture without a press."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.patchwork.reading.verdict import Complaint, Question, Reading, Reason
from vision.quilt.thumbnail import is_untouched

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from companion.patchwork.reading.verdict import Verdict

DOUBT_PAUSE_S: Final = 4.0
"""The time that a quilt must lie unchanged before players are asked about it: they may be about to straighten a patch.
"""

Thumbnails = dict[int, "NDArray[np.float32]"]


@dataclass(slots=True, eq=False)
class _Doubt:
    """A verdict other than a clear reading.

    Attributes:
        verdict: the question or the complaint.
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

    def forget(self) -> None:
        """Reset, because the game has continued or players have requested a look themselves."""
        self._doubt = self._announced = None

    def record_motion(self) -> None:
        """Record that something moves."""
        if self._doubt is not None:
            self._doubt.since_s = None

    def weigh(self, verdict: Verdict, seen: Mapping[int, NDArray[np.float32]], now_s: float) -> None:
        """Record the verdict on a picture at rest.

        Args:
            verdict: the reader's verdict.
            seen: by seat, thumbnails of the quilts that are in view and at rest.
            now_s: the time on the frames' clock.
        """
        before, self._doubt = self._doubt, None
        if isinstance(verdict, Reading):
            return
        if isinstance(verdict, Complaint) and verdict.reason is Reason.NOTHING_PLACED:
            self._understood.update({seat: look for seat, look in seen.items() if seat == verdict.seat})
            return
        quilt = _quilt(verdict)
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
