"""Gives in to players who insist: whoever presses confirm again on an unchanged picture may be right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.reader import complaints
from companion.verdict import Complaint
from vision.quilt.glimpse import is_untouched

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from companion.verdict import Question, Verdict

TIMES: Final = 3
"""So often in a row a complaint is heard before players are asked though the picture seemed to change: shadows do."""


class Insistence:
    """Remembers which complaint players have heard, and of which picture.

    A camera can be wrong about an old patch or a shadow for good, and without a page at hand the buttons alone must
    lead on. Who looks at what is complained of, finds nothing wrong and presses confirm again is asked; who has mended
    something shows a new picture, and is told what is wrong with that.
    """

    def __init__(self) -> None:
        self._heard: Complaint | None = None
        self._seen: Mapping[int, NDArray[np.float32]] = {}
        self._times = 0
        self._asked: Question | None = None

    def asked(self, question: Question) -> bool:
        """Whether a question has taken the place of a complaint."""
        return question is self._asked

    def forget(self) -> None:
        """Begin anew: the game has gone on."""
        self._heard, self._times = None, 0

    def weigh(self, verdict: Verdict, seen: Mapping[int, NDArray[np.float32]]) -> Verdict:
        """Return a verdict on a press: as it is, or what takes the place of a complaint that was heard before.

        Args:
            verdict: what the reader says.
            seen: by seat, the quilts at a glance (`vision.quilt.glimpse.glimpse`) that it was said of.
        """
        if not isinstance(verdict, Complaint):
            self.forget()
            return verdict
        insisted = self._is_insisted(verdict, seen)
        self.hear(verdict, seen)
        return self.ask(verdict) if insisted else verdict

    def hear(self, complaint: Complaint, seen: Mapping[int, NDArray[np.float32]]) -> None:
        """Take note of a complaint that players hear; arguments as for `weigh`."""
        same = self._heard is not None and self._heard.reason is complaint.reason
        self._times = self._times + 1 if same else 1
        self._heard, self._seen = complaint, seen

    def ask(self, complaint: Complaint) -> Question | Complaint:
        """Return what takes a complaint's place: a question, or if nothing can be asked the complaint with ways out."""
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
