"""Sentences for people, which keep what they are made of, so that every reader gets them in the own language."""

from __future__ import annotations

from string import Formatter
from typing import TYPE_CHECKING, Self, TypeAlias

from companion.languages.language import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.languages.language import Language

Value: TypeAlias = "str | int | float"
"""What stands in a placeholder: a name as it is, a number in the reader's digits, or a sentence of its own."""


class Sentence(str):
    """A message with its values. As a string it is its English; `told` gives it in another language.

    What cuts or glues strings makes plain ones of it, which stay English: put sentences into placeholders instead.

    Args:
        one: the message in English, whole, with named placeholders; for one of what is counted.
        other: likewise, for another count.
        count: how many; None where nothing is counted.
        values: what stands in the placeholders.
    """

    __slots__ = ("_count", "_one", "_other", "_told", "_values")

    _one: str
    _other: str
    _count: int | None
    _values: Mapping[str, Value]
    _told: dict[str, str]

    def __new__(cls, one: str, other: str, count: int | None, values: Mapping[str, Value]) -> Self:
        """Its English is made at once."""
        sentence = super().__new__(cls, _filled(ENGLISH, one, other, count, values))
        sentence._one, sentence._other, sentence._count, sentence._values = one, other, count, values
        # A page that is full of news shows the same sentences again with every move.
        sentence._told = {ENGLISH.code: str(sentence)}
        return sentence

    def told(self, language: Language) -> str:
        """The sentence in a language."""
        told = self._told.get(language.code)
        if told is None:
            told = self._told[language.code] = _filled(language, self._one, self._other, self._count, self._values)
        return told

    def parts(self, language: Language) -> tuple[tuple[str, str | None], ...]:
        """The sentence in a language, piece by piece, each with the name of the placeholder that it fills, if any."""
        template = language.template(self._one, self._other, self._count)
        pieces: list[tuple[str, str | None]] = []
        for text, name, _, _ in Formatter().parse(template):
            pieces += [(text, None)] if text else []
            pieces += [] if name is None else [(_worded(language, self._values[name]), name)]
        return tuple(pieces)

    def __reduce__(self) -> tuple[type[Sentence], tuple[str, str, int | None, Mapping[str, Value]]]:
        return Sentence, (self._one, self._other, self._count, self._values)


def said(message: str, /, **values: Value) -> Sentence:
    """A message for people; literal, so that it is found for translation: `said("It is {name}'s turn.", name=name)`."""
    return Sentence(message, "", None, values)


def counted(one: str, other: str, count: int, /, **values: Value) -> Sentence:
    """A message about so many of something, which is `{count}` in it; other languages have more forms than two."""
    return Sentence(one, other, count, {"count": count, **values})


def tell(text: str, language: Language) -> str:
    """A sentence in a language; what is no sentence stays as it is."""
    return text.told(language) if isinstance(text, Sentence) else text


def _filled(language: Language, one: str, other: str, count: int | None, values: Mapping[str, Value]) -> str:
    template = language.template(one, other, count)
    return language.begun(template.format_map({name: _worded(language, value) for name, value in values.items()}))


def _worded(language: Language, value: Value) -> str:
    if isinstance(value, Sentence):
        return value.told(language)
    return language.apart(value) if isinstance(value, str) else language.number(value)
