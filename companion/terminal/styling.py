"""Sentences as rich text for a terminal, in the user's language."""

from collections.abc import Mapping
from typing import Final

from rich.text import Text

from companion.languages import Language, Sentence, harmless

DIM: Final = "#949494"


def styled(
    sentence: Sentence, language: Language, style: str = "", values: str = "", styles: Mapping[str, str] | None = None
) -> Text:
    """Return a sentence as an isolated part of a line, with the values of its placeholders styled.

    Args:
        sentence: the sentence.
        language: the reader's language.
        style: the style of its words.
        values: the style of placeholders' values.
        styles: the styles of single placeholders' values, by name.
    """
    styled_text = Text()
    for text, name in sentence.parts(language):
        styled_text.append(harmless(text), style=style if name is None else (styles or {}).get(name, values))
    return Text.assemble(*_isolated_parts(styled_text, language))


def _isolated_parts(styled_text: Text, language: Language) -> tuple[str | Text, ...]:
    before, after = language.isolated("|").split("|")
    return before, styled_text, after
