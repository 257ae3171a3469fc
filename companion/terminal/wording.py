"""Sentences as parts of a terminal line, in the user's language."""

from functools import cache
from typing import Final
from unicodedata import category, east_asian_width

from companion.languages import Language, harmless, render
from companion.languages.language import END_ISOLATE, ISOLATE

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
