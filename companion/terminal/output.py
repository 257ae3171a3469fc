"""Text on a terminal: output and errors in any script and language, and the columns that they take."""

import json
import sys
from functools import cache
from typing import Final
from unicodedata import category, east_asian_width

from companion.languages import END_ISOLATE, ENGLISH, ISOLATE, Language, harmless, reason, render

# The categories of marks, joiners and isolates (UAX 44).
_NO_COLUMN: Final = ("Mn", "Me", "Cf", "Cc")


def words(text: str, language: Language) -> str:
    """Return a text as part of a line, isolated so that the terminal does not mix writing directions."""
    return language.isolated(harmless(render(text, language)))


def text_width(text: str) -> int:
    """Return the columns that a text takes on a terminal: two for a wide character, none for marks and joiners."""
    return sum(map(_columns, text))


def padded(text: str, width: int, language: Language) -> str:
    """Return a text padded with spaces to `width` columns; marks and joiners take none."""
    line = words(text, language)
    return line + " " * (width - text_width(line))


def wrapped(text: str, width: int, language: Language) -> list[str]:
    """Return a text wrapped to lines of at most `width` columns; a longer word is not split.

    A name or a command that continues on the next line keeps its own writing direction there.
    """
    lines, line, opened = [], "", 0
    for word in render(text, language).split():
        longer = f"{line} {word}" if line else word
        if line and text_width(longer) > width:
            # An isolate ends with its line; what goes on is isolated again.
            opened = line.count(ISOLATE) - line.count(END_ISOLATE)
            lines.append(line + END_ISOLATE * opened)
            line = ISOLATE * opened + word
        else:
            line = longer
    return [language.isolated(each) for each in (*lines, *([line] if line else []))]


@cache
def _columns(char: str) -> int:
    if category(char) in _NO_COLUMN:
        return 0
    return 2 if east_asian_width(char) in "FW" else 1


EXIT_GAVE_UP: Final = 1
EXIT_BAD_INPUT: Final = 2
EXIT_BROKEN_PIPE: Final = 141
"""The shell's status for a program that SIGPIPE (13) ends: 128 + 13."""


def one_line(error: Exception | str, language: Language = ENGLISH) -> str:
    """Return the error as one line, in the user's language."""
    says = reason(error) if isinstance(error, Exception) else error
    return "companion: " + harmless(" ".join(render(says, language).split()))


_DRAWN: Final = str.maketrans({"█": "#", "·": ".", "─": "-"})


def put(text: str) -> None:
    """Write to standard output and flush; unsupported characters are simplified or escaped as in JSON.

    A lone surrogate, which no encoding supports, stands for a byte of a file name that is not text. Control characters
    of a terminal are replaced by U+FFFD, because the text may come from a file.
    """
    text = harmless(text)
    encoding = sys.stdout.encoding or "utf-8"
    # Not `errors="replace"`: a question mark would hide which character it was, and drawings would be all alike.
    if not _fits(text, encoding):
        drawn = text.translate(_DRAWN)
        text = "".join(char if _fits(char, encoding) else json.dumps(char)[1:-1] for char in drawn)
    sys.stdout.write(text)
    sys.stdout.flush()


def _fits(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
