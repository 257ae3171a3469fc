"""Which errors are the user's to mend, and how they read."""

from __future__ import annotations

from companion.errors import CompanionError
from companion.games.kvilt import KviltError
from companion.games.patchwork import PatchworkError
from companion.languages import ENGLISH, Language, reason, tell
from companion.record import RecordError
from hardware.ports import HardwareError

USER_ERRORS = (CompanionError, PatchworkError, KviltError, RecordError, HardwareError)
"""Roots of the errors whose message tells the user what to do; all others are faults of the program."""

EXIT_GAVE_UP = 1
EXIT_BAD_INPUT = 2
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141


def one_line(error: Exception | str, language: Language = ENGLISH) -> str:
    """The error as the one line that the user reads, in a language."""
    says = reason(error) if isinstance(error, Exception) else error
    return "companion: " + " ".join(tell(says, language).split())
