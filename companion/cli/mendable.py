"""The errors that the user can correct."""

from companion.errors import CompanionError
from companion.record import RecordError
from companion.registry import codecs
from hardware.ports import HardwareError


def user_errors() -> tuple[type[Exception], ...]:
    """Return the base classes of errors whose message tells the user what to do; others are faults of the program."""
    return (CompanionError, RecordError, HardwareError, *(codec.errors for codec in codecs()))
