"""Questions for players who insist: a second `confirm` on an unchanged picture may be right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.patchwork.reading import complaints
from companion.patchwork.reading.verdict import Complaint
from vision.quilt.thumbnail import is_untouched

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from companion.patchwork.reading.verdict import Question, Verdict

TIMES: Final = 3
"""So often in a row a complaint is heard before players are asked though the picture seemed to change: shadows do."""


class Insistence:
    """A memory of which complaint was announced, and of which picture.

    A camera can be wrong about an old patch or a shadow for good, and without a page at hand the buttons alone must
    lead on. A player who finds nothing wrong and presses confirm again is asked; one who has corrected
    something shows a new picture, which gets a verdict of its own.
    """

    def __init__(self) -> None:
        self._heard: Complaint | None = None
        self._seen: Mapping[int, NDArray[np.float32]] = {}
        self._times = 0
        self._asked: Question | None = None

    def asked(self, question: Question) -> bool:
        """Return whether a question has replaced a complaint."""
        return question is self._asked

    def forget(self) -> None:
        """Reset: the game has gone on."""
        self._heard, self._times = None, 0

    def weigh(self, verdict: Verdict, seen: Mapping[int, NDArray[np.float32]]) -> Verdict:
        """Return the verdict on a press, or, if it is a complaint that was announced before, what replaces it.

        Args:
            verdict: what the reader says.
            seen: by seat, the quilts at a glance (`vision.quilt.thumbnail.thumbnail`) that it was said of.
        """
        if not isinstance(verdict, Complaint):
            self.forget()
            return verdict
        insisted = self._is_insisted(verdict, seen)
        self.hear(verdict, seen)
        return self.ask(verdict) if insisted else verdict

    def hear(self, complaint: Complaint, seen: Mapping[int, NDArray[np.float32]]) -> None:
        """Record a complaint that is announced; arguments as for `weigh`."""
        same = self._heard is not None and self._heard.reason is complaint.reason
        self._times = self._times + 1 if same else 1
        self._heard, self._seen = complaint, seen

    def ask(self, complaint: Complaint) -> Question | Complaint:
        """Return what replaces a complaint: a question, or, if there is none to ask, the complaint with ways out."""
        if not complaint.otherwise:
            return complaints.with_ways_out(complaint)
        self._asked = complaints.insisted(complaint)
        return self._asked

    def _is_insisted(self, complaint: Complaint, seen: Mapping[int, NDArray[np.float32]]) -> bool:
        heard = self._heard
        if heard is None or heard.seat != complaint.seat:
            return False
        if not seen and not self._seen:
            return heard.reason is complaint.reason
        is_third = heard.reason is complaint.reason and self._times >= TIMES - 1
        return is_third or all(self._is_untouched(quilt, seen) for quilt in {complaint.seat, complaint.quilt})

    def _is_untouched(self, seat: int, seen: Mapping[int, NDArray[np.float32]]) -> bool:
        return seat in seen and seat in self._seen and is_untouched(seen[seat], self._seen[seat])
