"""Errors on the command line, and the exit status."""

from typing import Final

from companion.errors import CompanionError
from companion.languages import ENGLISH, Language, harmless, reason, render

EXIT_GAVE_UP: Final = 1
EXIT_BAD_INPUT: Final = 2
EXIT_BROKEN_PIPE: Final = 141
"""The shell's status for a program that SIGPIPE (13) ends: 128 + 13."""


class OutputError(CompanionError):
    """Raised if the output cannot be written."""


def one_line(error: Exception | str, language: Language = ENGLISH) -> str:
    """Return the error as one line, in the user's language."""
    says = reason(error) if isinstance(error, Exception) else error
    return "companion: " + harmless(" ".join(render(says, language).split()))
