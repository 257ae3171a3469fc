"""The guided test of a table's devices, step by step; knows no terminal, no page and no driver."""

from companion.hardwaretest.course import HardwareTest
from companion.hardwaretest.report import Facts, connections, report_text
from companion.hardwaretest.step import Moment, Outcome, Prompt, Step, Verdict

__all__ = [
    "Facts",
    "HardwareTest",
    "Moment",
    "Outcome",
    "Prompt",
    "Step",
    "Verdict",
    "connections",
    "report_text",
]
