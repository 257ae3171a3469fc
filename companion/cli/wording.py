"""Sentences beside others on a line of a terminal, in the language of whoever sits there."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final
from unicodedata import category, east_asian_width

from companion.languages import tell

if TYPE_CHECKING:
    from companion.languages import Language

_ISOLATE, _END_ISOLATE = "\u2068", "\u2069"
_NO_COLUMN: Final = ("Mn", "Me", "Cf", "Cc")
"""Categories of marks, joiners and isolates (UAX 44)."""


def words(text: str, language: Language) -> str:
    """A text that stands beside others on a line, so that the terminal does not mix their directions."""
    return language.apart(tell(text, language))


def text_width(text: str) -> int:
    """Columns of a terminal that a text takes: two for a wide sign, none for marks and joiners."""
    return sum(map(_columns, text))


def padded(text: str, width: int, language: Language) -> str:
    """A text beside others, filled up with spaces to `width` columns; marks and joiners take none."""
    told = words(text, language)
    return told + " " * (width - text_width(told))


def wrapped(text: str, width: int, language: Language) -> list[str]:
    """A text beside others, broken into lines of at most `width` columns; a word that is longer stays whole.

    A name or a command that goes on in the next line keeps its own direction there.
    """
    lines, line, opened = [], "", 0
    for word in tell(text, language).split():
        longer = f"{line} {word}" if line else word
        if line and text_width(longer) > width:
            opened = line.count(_ISOLATE) - line.count(_END_ISOLATE)
            lines.append(line + _END_ISOLATE * opened)
            line = _ISOLATE * opened + word
        else:
            line = longer
    return [language.apart(each) for each in (*lines, *([line] if line else []))]


@cache
def _columns(char: str) -> int:
    if category(char) in _NO_COLUMN:
        return 0
    return 2 if east_asian_width(char) in "FW" else 1
