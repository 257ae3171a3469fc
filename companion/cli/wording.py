"""Sentences as rich text for a terminal, in the language of whoever sits there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.cells import cell_len
from rich.text import Text

from companion.languages import tell

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.languages import Language, Sentence

DIM: Final = "#949494"
_ISOLATE, _END_ISOLATE = "\u2068", "\u2069"


def words(text: str, language: Language) -> str:
    """A text that stands beside others on a line, so that the terminal does not mix their directions."""
    return language.apart(tell(text, language))


def styled(
    sentence: Sentence, language: Language, style: str = "", values: str = "", styles: Mapping[str, str] | None = None
) -> Text:
    """A sentence beside others, with what stands in its placeholders set off.

    Args:
        sentence: what is shown.
        language: of the reader.
        style: of its words.
        values: of what stands in placeholders.
        styles: of single ones, by their names.
    """
    told = Text()
    for text, name in sentence.parts(language):
        told.append(text, style=style if name is None else (styles or {}).get(name, values))
    return Text.assemble(*_apart(told, language))


def padded(text: str, width: int, language: Language) -> str:
    """A text beside others, filled up with spaces to `width` columns; marks and joiners take none."""
    told = words(text, language)
    return told + " " * (width - cell_len(told))


def wrapped(text: str, width: int, language: Language) -> list[str]:
    """A text beside others, broken into lines of at most `width` columns; a word that is longer stays whole.

    A name or a command that goes on in the next line keeps its own direction there.
    """
    lines, line, opened = [], "", 0
    for word in tell(text, language).split():
        longer = f"{line} {word}" if line else word
        if line and cell_len(longer) > width:
            opened = line.count(_ISOLATE) - line.count(_END_ISOLATE)
            lines.append(line + _END_ISOLATE * opened)
            line = _ISOLATE * opened + word
        else:
            line = longer
    return [language.apart(each) for each in (*lines, *([line] if line else []))]


def _apart(told: Text, language: Language) -> tuple[str | Text, ...]:
    before, after = language.apart("|").split("|")
    return before, told, after
