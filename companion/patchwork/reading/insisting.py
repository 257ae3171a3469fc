"""Questions to players who insist: a second `confirm` on an unchanged picture may be right."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from companion.patchwork.reading import complaints
from companion.patchwork.reading.alternatives import MOST_OPTIONS
from companion.patchwork.reading.verdict import Complaint, Question
from vision.quilt.thumbnail import is_untouched

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from companion.games.patchwork import Decision, PlaceLeather, TakePatch

TIMES: Final = 3
"""The number of complaints of one kind in a row after which players are asked even if the picture seems to have
changed, because shadows can change it."""


class Insistence:
    """The last complaint announced, the picture that caused it, and the decisions that players have refused.

    The camera can be wrong about an old patch or a shadow permanently, and without a page the push-buttons alone must
    suffice to continue. A player who finds nothing wrong and presses confirm again is asked a question; one who has
    corrected something causes a new picture, which gets a verdict of its own. Refused options are not offered again
    before the others: each refusal leads to less likely ones, and after the last the complaint lists other ways out.
    """

    def __init__(self) -> None:
        self._last: Complaint | None = None
        self._seen: Mapping[int, NDArray[np.float32]] = {}
        self._times = 0
        self._asked: Question | None = None
        self._refused: set[Decision] = set()

    def asked(self, question: Question) -> bool:
        """Return whether a question is the latest that replaced a complaint."""
        return question is self._asked

    def forget(self) -> None:
        """Reset, when the game has advanced."""
        self._last, self._times = None, 0
        self._refused.clear()

    def refuse(self, question: Question) -> None:
        """Record that none of a question's options is right."""
        self._refused.update(question.options)

    def weigh(self, verdict: Question | Complaint, seen: Mapping[int, NDArray[np.float32]]) -> Question | Complaint:
        """Return the doubt about a press, or its replacement: a question or a complaint with ways out.

        A complaint is replaced if players insist on it, a question if all its options were refused.

        Args:
            verdict: the reader's verdict.
            seen: by seat, the thumbnails (`vision.quilt.thumbnail.thumbnail`) of the quilts that the verdict is about.
        """
        if isinstance(verdict, Question):
            self._last, self._times = None, 0
            return self._widened(verdict)
        # Before it is recorded, because it is compared with the complaint before.
        insisted = self._is_insisted(verdict, seen)
        self.record(verdict, seen)
        return self.ask(verdict) if insisted else verdict

    def record(self, complaint: Complaint, seen: Mapping[int, NDArray[np.float32]]) -> None:
        """Record a complaint that was announced; arguments as for `weigh`."""
        same = self._last is not None and self._last.reason is complaint.reason
        self._times = self._times + 1 if same else 1
        self._last, self._seen = complaint, seen

    def ask(self, complaint: Complaint) -> Question | Complaint:
        """Return a question in place of a complaint, or the complaint with ways out if no alternatives are left."""
        left = self._left(complaint.otherwise)
        if not left:
            # All options were refused; start over, because the patch may have been placed again.
            self._refused.clear()
            return complaints.with_ways_out(complaint)
        self._asked = complaints.insisted(replace(complaint, otherwise=tuple(left[:MOST_OPTIONS])))
        return self._asked

    def _widened(self, question: Question) -> Question:
        """Return a question or, if all its options were refused, one with others and the likeliest refused one."""
        if not self._refused.issuperset(question.options):
            return question
        left = self._left(question.otherwise)
        if not left:
            self._refused.clear()
            return question
        again = [each for each in question.otherwise if each in question.options][:1]
        return complaints.which_else(question, (*left[: MOST_OPTIONS - len(again)], *again))

    def _left(self, ranked: Sequence[TakePatch | PlaceLeather]) -> Sequence[TakePatch | PlaceLeather]:
        """Return the decisions that were not refused."""
        return [each for each in ranked if each not in self._refused]

    def _is_insisted(self, complaint: Complaint, seen: Mapping[int, NDArray[np.float32]]) -> bool:
        last = self._last
        if last is None or last.seat != complaint.seat:
            return False
        # Neither press led to a look, so there are no pictures to compare.
        if not seen and not self._seen:
            return last.reason is complaint.reason
        is_third = last.reason is complaint.reason and self._times >= TIMES - 1
        return is_third or all(self._is_untouched(quilt, seen) for quilt in {complaint.seat, complaint.quilt})

    def _is_untouched(self, seat: int, seen: Mapping[int, NDArray[np.float32]]) -> bool:
        return seat in seen and seat in self._seen and is_untouched(seen[seat], self._seen[seat])
