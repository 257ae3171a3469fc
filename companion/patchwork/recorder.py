"""The recorder of presses and commands in a table recording."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.patchwork import decision_to_json
from hardware.recorded import Instruction

if TYPE_CHECKING:
    from companion.patchwork.commands import Plan
    from hardware.ports import Press
    from hardware.recorded import RecordingWriter


class Recorder:
    """A writer of presses and commands before they are carried out.

    Args:
        writer: the writer of the recording.
    """

    def __init__(self, writer: RecordingWriter) -> None:
        self._writer = writer

    def press(self, press: Press, *, answers: bool) -> None:
        """Write a press; `answers` tells whether it answers a question."""
        self._writer.press(press, answers)

    def command(self, plan: Plan, now_s: float, *, answers: bool) -> None:
        """Write a command's plan, with its time on the frames' clock."""
        decision = None if plan.decision is None else decision_to_json(plan.decision)
        self._writer.instruction(Instruction(now_s, decision, answers, plan.takes_back, plan.looks, plan.insists))
