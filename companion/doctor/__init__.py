"""What is wrong on this machine, in plain words with the remedy. A check takes what it looks at as arguments."""

from companion.doctor.finding import Finding, Level, fault, note, ok
from companion.doctor.machine import Machine

__all__ = ["Finding", "Level", "Machine", "fault", "note", "ok"]
