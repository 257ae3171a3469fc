"""The guided test of a table's devices, independent of terminal, page and drivers."""

from companion.hardwaretest.course import HardwareTest
from companion.hardwaretest.report import Facts, connections, report_text
from companion.hardwaretest.step import HardwareStep, Moment, Prompt, StepOutcome, Verdict

__all__ = [
    "Facts",
    "HardwareStep",
    "HardwareTest",
    "Moment",
    "Prompt",
    "StepOutcome",
    "Verdict",
    "connections",
    "report_text",
]
