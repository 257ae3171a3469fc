"""Texts as voices read them well: cells by the names of their letters, signs and inflected numbers as words."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from companion.languages.language import Language

_NEXT_CELL: Final = re.compile(r"(?<=\b[A-I][1-9۱-۹])(?= [A-I][1-9۱-۹]\b)")
_TIMES: Final = re.compile(r"(?<=\d) ?[×x] ?(?=\d)")
_MINUS: Final = re.compile(r"\u2212(?=\d)")
_TIMES_WORD: Final[Mapping[str, str]] = MappingProxyType({"en": "by", "ru": "на", "fa": "در"})
_MINUS_WORD: Final[Mapping[str, str]] = MappingProxyType({"en": "minus", "ru": "минус", "fa": "منفی"})
_RUSSIAN_CELL: Final = re.compile(r"\b([A-I])([1-9])\b")
# As chess players name them; a voice would read them in English.
_RUSSIAN_LETTERS: Final = dict(zip("ABCDEFGHI", ("а", "бэ", "цэ", "дэ", "е", "эф", "же", "аш", "и"), strict=True))
_RUSSIAN_COUNT: Final = re.compile(r"(?<![\d.,:])(\d*)([127])(?![\d.,:]?\d)(?:[ \u00a0]([а-яё]+))?")
_FEMININE: Final = re.compile(
    "(?:пуговиц|клетк|нитк|катушк|строчк|ячейк|игольниц|вышивк|нашивк|фишк|кнопк|секунд|минут|парти|отметк|пометк|ошибк|част)"
    "[ауыияюь]"
)
_NEUTER: Final = re.compile("(?:очк|мест|одеял)[оа]|делени[ея]")
# One and two of each gender, by the ending of what is counted; other numbers are not inflected by voices either.
_ONE: Final = (("у", "одну"), ("ю", "одну"), ("ы", "одной"), ("и", "одной"), ("", "одна"))
_GENITIVES: Final = ("ов", "ев", "ей", "иц", "ток", "шек", "чек", "еек", "ий")


def aloud(text: str, language: Language) -> str:
    """Return a text as a voice is given it.

    Russian numbers agree with what is counted ("две пуговицы", which voices read as "два пуговицы"), and cells have the
    names of their letters.
    """
    text = _NEXT_CELL.sub("،" if language.leftward else ",", text)
    text = _TIMES.sub(f" {_TIMES_WORD[language.code]} ", text)
    text = _MINUS.sub(f"{_MINUS_WORD[language.code]} ", text)
    if language.code != "ru":
        return text
    text = _RUSSIAN_CELL.sub(lambda cell: f"{_RUSSIAN_LETTERS[cell[1]]} {cell[2]}", text)
    return _RUSSIAN_COUNT.sub(_counted, text)


def _counted(count: re.Match[str]) -> str:
    tens, last, noun = count.groups()
    word = _number(last, noun or "")
    if tens.endswith("1") or not word:
        return count[0]
    return " ".join(filter(None, (tens and f"{tens}0", word, noun)))


def _number(last: str, noun: str) -> str:
    """Return 1, 2 or 7 in the gender and case of a noun; "" if the digit is read as well as any word."""
    feminine = _FEMININE.fullmatch(noun)
    if last == "7":
        return "семь"
    if last == "2":
        return "двух" if noun.endswith(_GENITIVES) else "двумя" if noun.endswith("ами") else "две" if feminine else ""
    if noun.endswith("ом"):
        return "одним"
    if feminine:
        return next(word for ending, word in _ONE if noun.endswith(ending))
    if noun.endswith(("а", "я")):
        return "одного"
    return "одно" if _NEUTER.fullmatch(noun) else "один"
