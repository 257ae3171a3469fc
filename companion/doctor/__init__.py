"""The checks of `companion doctor`: faults of this machine, with remedies. All inputs are arguments."""

from companion.doctor.finding import Finding, Level, fault, note, ok
from companion.doctor.machine import Machine

__all__ = ["Finding", "Level", "Machine", "fault", "note", "ok"]
