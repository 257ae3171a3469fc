"""The errors that the user can mend."""

from __future__ import annotations

from companion.errors import CompanionError
from companion.record import RecordError
from companion.registry import codecs
from hardware.ports import HardwareError


def user_errors() -> tuple[type[Exception], ...]:
    """Return the roots of the errors whose message tells the user what to do; all others are faults of the program."""
    return (CompanionError, RecordError, HardwareError, *(codec.errors for codec in codecs()))
