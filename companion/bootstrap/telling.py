"""What people told the companion beside the buttons: written into a recording, and told again when it is replayed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.events import Asked, Complained, DecisionTaken
from companion.games.patchwork import PatchworkError, check, decision_from_json, decision_to_json
from companion.inbox import Inbox
from companion.languages import reason, said
from companion.orders import Clerk, Plan
from hardware.recorded import RecordingError, Told

if TYPE_CHECKING:
    from companion.bootstrap.attached import Attached
    from companion.events import Event
    from companion.games.patchwork import Decision, History
    from companion.orders import Orderly
    from hardware.recorded import RecordingWriter, Tape


def clerk_of(attached: Attached | None, writer: RecordingWriter | None) -> Clerk | None:
    """Brings the orders of what is attached to the table, and has them recorded; None where nothing is attached."""
    if attached is None:
        return None
    return Clerk(attached.inbox, None if writer is None else _Noting(writer))


class _Noting:
    """Writes down what is done at people's orders."""

    def __init__(self, writer: RecordingWriter) -> None:
        self._writer = writer

    def __call__(self, plan: Plan, now_s: float, answers: bool) -> None:  # as a clerk calls it
        decision = None if plan.decision is None else decision_to_json(plan.decision)
        self._writer.told(Told(now_s, decision, answers, plan.takes_back, plan.looks, plan.insists))


class RecordedClerk(Clerk):
    """Brings to the table what a recording holds of such orders.

    They were given to another version of the reader, which may have erred elsewhere than this one.

    Args:
        tape: the recording.
    """

    def __init__(self, tape: Tape) -> None:
        super().__init__(Inbox())
        self._tape = tape
        self._is_read = False

    def __call__(self, event: Event) -> None:
        """Take note of what came of the latest look."""
        if isinstance(event, DecisionTaken | Complained | Asked):
            self._is_read = isinstance(event, DecisionTaken)

    def serve(self, table: Orderly, now_s: float) -> None:
        """Have done what was told after the latest frame.

        Raises:
            RecordingError: it is no decision, or the rules forbid it at this point.
        """
        del now_s
        for told in self._tape.told():
            # It answered a question that this version of the reader did not have to ask.
            if not told.answers or table.question is not None:
                self._tell(table, told)

    def _tell(self, table: Orderly, told: Told) -> None:
        try:
            decision = None if told.decision is None else decision_from_json(dict(told.decision))
            # Nothing is to be taken back if this version has asked or complained where another one erred.
            takes_back = told.takes_back and self._is_read
            if takes_back or not _was_read_already(table.history, decision):
                table.carry_out(Plan(decision, told.looks, takes_back, told.insists))
        except PatchworkError as error:
            raise RecordingError(
                said("what was told at {seconds} s cannot be done here: {fault}", seconds=told.t_s, fault=reason(error))
            ) from error


def _was_read_already(history: History, decision: Decision | None) -> bool:
    """Whether this version of the reader has read what people had to tell another one."""
    if decision is None or not history.decisions or history.decisions[-1] != decision:
        return False
    try:
        check(history.state, decision)
    except PatchworkError:
        return True
    return False
