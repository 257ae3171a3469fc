"""The guided test of a table's devices, independent of terminal, page and drivers."""

from companion.upkeep.hardwaretest.course import HardwareTest
from companion.upkeep.hardwaretest.report import Facts, connections, report_text
from companion.upkeep.hardwaretest.step import HardwareStep, Moment, Prompt, StepOutcome, Verdict

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
