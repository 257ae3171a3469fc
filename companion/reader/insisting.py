"""Gives in to players who insist: whoever presses confirm again and again on what is complained of may be right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.reader import complaints
from companion.verdict import Complaint

if TYPE_CHECKING:
    from companion.games.patchwork import Decision
    from companion.verdict import Question, Reason, Verdict

TIMES: Final = 3
"""So often the same complaint is heard before a question takes its place."""


class Insistence:
    """Counts how often players have heard the same complaint, press by press.

    A camera can be wrong about an old patch or a shadow for good, and without a page at hand the buttons alone must
    lead on: where the complaint leaves a decision that the picture shows otherwise, the players are asked for that.
    """

    def __init__(self) -> None:
        self._heard: tuple[Reason, tuple[Decision, ...]] | None = None
        self._times = 0
        self._asked: Question | None = None

    def asked(self, question: Question) -> bool:
        """Whether a question has taken the place of a complaint."""
        return question is self._asked

    def weigh(self, verdict: Verdict) -> Verdict:
        """A verdict after a press: itself, or the question that takes the place of a complaint heard too often."""
        if not isinstance(verdict, Complaint):
            self._heard = None
            return verdict
        heard = (verdict.reason, verdict.otherwise)
        self._times = self._times + 1 if heard == self._heard else 1
        self._heard = heard
        if self._times < TIMES or not verdict.otherwise:
            return verdict
        self._asked = complaints.insisted(verdict)
        return self._asked
