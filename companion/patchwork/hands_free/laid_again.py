"""An answer without a press: lifting a patch off and laying it in the same place again confirms it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.patchwork.reading.verdict import Complaint, Question, QuestionTopic, Reading, Reason

if TYPE_CHECKING:
    from companion.games.patchwork import Decision
    from companion.patchwork.reading.verdict import Verdict


class LaidAgain:
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
