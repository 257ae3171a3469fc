"""Doubts of a table that plays hands-free: when what lies there is worth a word that nobody has asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.verdict import Complaint, Question, Reading, Reason
from vision.quilt.glimpse import is_untouched

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from companion.verdict import Verdict

DOUBT_PAUSE_S: Final = 4.0
"""So long a quilt must lie as it is before players are asked about it: they may be about to straighten a patch."""

Glimpses = dict[int, "NDArray[np.float32]"]


@dataclass(slots=True, eq=False)
class _Doubt:
    """What is no clear reading.

    Attributes:
        verdict: the question or the complaint.
        seen: by seat, both quilts at a glance.
        since_s: since when nothing has moved; None while something does.
    """

    verdict: Question | Complaint
    seen: Mapping[int, NDArray[np.float32]]
    since_s: float | None


class Doubts:
    """Tells once of each picture that shows something, but nothing clear, and goes on doing so.

    A quilt that looks as it did when it was last understood gives rise to no doubt, whatever is read off it: nobody
    has done anything to it.
    """

    def __init__(self) -> None:
        self._understood: Glimpses = {}
        self._doubt: _Doubt | None = None
        self._told: _Doubt | None = None

    @property
    def due_s(self) -> float | None:
        """When the players are to be told if nothing changes until then; None if there is nothing to tell."""
        since_s = None if self._doubt is None else self._doubt.since_s
        return None if since_s is None else since_s + DOUBT_PAUSE_S

    def understand(self, seat: int, seen: NDArray[np.float32]) -> None:
        """Take note that a quilt was understood as it looks now."""
        self._understood[seat] = seen

    def forget(self) -> None:
        """Begin anew: the game has gone on, or players have asked for a look themselves."""
        self._doubt = self._told = None

    def stir(self) -> None:
        """Take note that something moves."""
        if self._doubt is not None:
            self._doubt.since_s = None

    def weigh(self, verdict: Verdict, seen: Mapping[int, NDArray[np.float32]], now_s: float) -> None:
        """Take note of what was read off a picture at rest.

        Args:
            verdict: what the reader says.
            seen: by seat, the quilts at a glance that are in view and at rest.
            now_s: on the frames' clock.
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
        if self._told is not None and _is_same(self._told, verdict, seen):
            return
        lasts = before is not None and before.since_s is not None and _is_same(before, verdict, seen)
        self._doubt = _Doubt(verdict, seen, before.since_s if before is not None and lasts else now_s)

    def is_due(self, now_s: float) -> bool:
        """Whether the doubt has lasted long enough; after a motion it begins to last anew."""
        if self._doubt is None:
            return False
        if self._doubt.since_s is None:
            self._doubt.since_s = now_s
        return now_s >= self._doubt.since_s + DOUBT_PAUSE_S

    def tell(self, verdict: Question | Complaint, seen: Mapping[int, NDArray[np.float32]]) -> None:
        """Take note that players are told."""
        self._doubt, self._told = None, _Doubt(verdict, seen, None)

    def told(self, doubt: Question | Complaint) -> bool:
        """Whether it was what players were told last."""
        return self._told is not None and self._told.verdict is doubt

    def is_outdated(self, seen: Mapping[int, NDArray[np.float32]]) -> bool:
        """Whether the quilt that players were told of looks otherwise now."""
        return self._told is not None and not _is_same(self._told, self._told.verdict, seen)


def _quilt(verdict: Question | Complaint) -> int:
    return verdict.quilt if isinstance(verdict, Complaint) else verdict.seat


def _is_same(doubt: _Doubt, verdict: Question | Complaint, seen: Mapping[int, NDArray[np.float32]]) -> bool:
    """Whether nobody has touched what a doubt is about."""
    quilts = {verdict.seat, _quilt(verdict), _quilt(doubt.verdict)}
    return all(
        seat in seen and seat in doubt.seen and is_untouched(seen[seat], doubt.seen[seat]) for seat in quilts
    )
