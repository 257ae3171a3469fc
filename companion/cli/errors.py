"""How an error reads on the command line, and the status that the program ends with."""

from __future__ import annotations

from typing import Final

from companion.languages import ENGLISH, Language, reason, tell

EXIT_GAVE_UP: Final = 1
EXIT_BAD_INPUT: Final = 2
EXIT_INTERRUPTED: Final = 130
EXIT_BROKEN_PIPE: Final = 141


def one_line(error: Exception | str, language: Language = ENGLISH) -> str:
    """The error as the one line that the user reads, in a language."""
    says = reason(error) if isinstance(error, Exception) else error
    return "companion: " + " ".join(tell(says, language).split())
