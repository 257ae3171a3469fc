"""What people told the companion beside the buttons: written into a recording, and told again when it is replayed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.patchwork import PatchworkError, decision_from_json, decision_to_json
from companion.inbox import Inbox
from companion.languages import reason, said
from companion.orders import Clerk, Plan
from hardware.recorded import RecordingError, Told

if TYPE_CHECKING:
    from companion.bootstrap.attached import Attached
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
        self._writer.told(Told(now_s, decision, answers, plan.takes_back, plan.looks))


class RecordedClerk(Clerk):
    """Brings to the table what a recording holds of such orders.

    Args:
        tape: the recording.
    """

    def __init__(self, tape: Tape) -> None:
        super().__init__(Inbox())
        self._tape = tape

    def serve(self, table: Orderly, now_s: float) -> None:
        """Have done what was told after the latest frame.

        Raises:
            RecordingError: it is no decision, or the rules forbid it at this point.
        """
        del now_s
        for told in self._tape.told():
            # It answered a question that this version of the reader did not have to ask.
            if not told.answers or table.question is not None:
                _tell(table, told)


def _tell(table: Orderly, told: Told) -> None:
    try:
        decision = None if told.decision is None else decision_from_json(dict(told.decision))
        looks = told.looks and decision is not None and not table.out_of_sight(decision.seat)
        table.carry_out(Plan(decision, looks, told.takes_back))
    except PatchworkError as error:
        raise RecordingError(
            said("what was told at {seconds} s cannot be done here: {fault}", seconds=told.t_s, fault=reason(error))
        ) from error
