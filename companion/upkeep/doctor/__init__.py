"""The checks of `companion doctor`: faults of this machine, with remedies. All inputs are arguments."""

from companion.upkeep.doctor.finding import Finding, Level, fault, note, ok
from companion.upkeep.doctor.machine import Machine

__all__ = ["Finding", "Level", "Machine", "fault", "note", "ok"]
