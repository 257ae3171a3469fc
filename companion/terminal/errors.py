"""Errors on the command line, and the exit status."""

from __future__ import annotations

from typing import Final

from companion.errors import CompanionError
from companion.languages import ENGLISH, Language, reason, tell

EXIT_GAVE_UP: Final = 1
EXIT_BAD_INPUT: Final = 2
EXIT_BROKEN_PIPE: Final = 141
_SHOWN: Final = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0)), "\ufffd")
"""Control characters are none for a terminal to obey where they come out of a file."""


class OutputError(CompanionError):
    """The output cannot be written."""


def one_line(error: Exception | str, language: Language = ENGLISH) -> str:
    """Return the error as one line, in the user's language."""
    says = reason(error) if isinstance(error, Exception) else error
    return "companion: " + " ".join(tell(says, language).split()).translate(_SHOWN)
