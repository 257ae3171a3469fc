"""The program's sentences in each reader's language: languages, messages, their catalogues, numbers and lists.

The catalogues are gettext's (`<language>/LC_MESSAGES/companion.po`), compiled when the program is installed
(`setup.py`) and by `make`. Sentences keep their parts, so that each reader gets them in their own language. Messages of
the system and of libraries stay in English, as a search engine knows them, but for the few that users meet every day;
the sentences around them say which file and line is meant and what to do.
"""

import errno
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from gettext import NullTranslations, translation
from pathlib import Path
from string import Formatter
from types import MappingProxyType
from typing import Any, Final, Self, TypeAlias

FOLDER: Final = Path(__file__).parent
DOMAIN: Final = "companion"
"""The catalogues are `FOLDER/<language>/LC_MESSAGES/DOMAIN.mo`, compiled from the `.po` beside them."""
ISOLATE, END_ISOLATE = "\u2068", "\u2069"
"""Text between them has its own direction and does not affect that of its neighbours (UAX 9, isolates)."""
_LEFT_TO_RIGHT, _RIGHT_TO_LEFT = "\u200e", "\u200f"
_MINUS: Final = "\u2212"
# The beginning of a text whose first letter is Latin, or that begins with an isolate.
_FOREIGN: Final = re.compile(r"[\W\d_]*[A-Za-z\u2066\u2068]")
# The same in a script that is read from right to left.
_LEFTWARD: Final = re.compile(r"[\W\d_]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")


@dataclass(frozen=True, slots=True)
class Language:
    """A supported language.

    Attributes:
        code: the code in ISO 639-1.
        name: the language's own name for itself.
        digits: its digits, from 0 to 9.
        point: the decimal separator.
        leftward: whether it is read from right to left.
    """

    code: str
    name: str
    digits: str = "0123456789"
    point: str = "."
    leftward: bool = False

    def template(self, one: str, other: str, count: int | None) -> str:
        """Return a message's translation, with its placeholders; with a `count`, in the plural form for it."""
        texts = _texts(self.code)
        return texts.gettext(one) if count is None else texts.ngettext(one, other, count)

    def number(self, value: float) -> str:
        """Return a number in the language's digits, with a minus sign (not a hyphen) on its left if it is negative."""
        # A float is exact to 15 digits; more would show the remainder of its binary representation.
        shown = f"{value:.15g}".replace("-", _MINUS).translate(_replacing(self.digits, self.point))
        return f"{_LEFT_TO_RIGHT}{shown}" if self.leftward and value < 0 else shown

    def label(self, text: str) -> str:
        """Return the name of a place, such as "E6", with the language's digits."""
        return text.translate(_replacing(self.digits, "."))

    def isolated(self, text: str) -> str:
        """Return a name, or a text as part of a line, isolated from the direction of its neighbours."""
        # An address is not isolated: a terminal would include the isolates when opening it.
        return f"{ISOLATE}{text}{END_ISOLATE}" if self.leftward and "://" not in text else text

    def with_direction_mark(self, text: str) -> str:
        """Return a text marked with the language's direction if it begins with a name or a word of the other one."""
        mark, other = (_RIGHT_TO_LEFT, _FOREIGN) if self.leftward else (_LEFT_TO_RIGHT, _LEFTWARD)
        return f"{mark}{text}" if other.match(text) else text


ENGLISH: Final = Language("en", "English")
RUSSIAN: Final = Language("ru", "Русский", point=",")
PERSIAN: Final = Language("fa", "فارسی", digits="۰۱۲۳۴۵۶۷۸۹", point="٫", leftward=True)
LANGUAGES: Final[Mapping[str, Language]] = MappingProxyType(
    {language.code: language for language in (ENGLISH, RUSSIAN, PERSIAN)}
)


@cache
def _texts(code: str) -> NullTranslations:
    """Return a language's catalogue; if it is missing, as for English, messages stay in English."""
    return translation(DOMAIN, FOLDER, [code], fallback=True)


@cache
def _replacing(digits: str, point: str) -> dict[int, str]:
    return str.maketrans({".": point, **{str(value): digit for value, digit in enumerate(digits)}})


# The variables that gettext reads, in its order.
_VARIABLES: Final = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
# More than any browser sends; the header comes from strangers.
_MOST_TAGS: Final = 20


def language_for(accepted: str) -> Language:
    """Return the language for an Accept-Language header (RFC 9110, 12.5.4): the supported one with the greatest weight.

    The result is English if it names no supported one.
    """
    weighed = [_weighed(part) for part in accepted.split(",")[:_MOST_TAGS]]
    # Sorting is stable: of equal weights the first one is preferred.
    return _first(tag for tag, weight in sorted(weighed, key=lambda each: -each[1]) if weight > 0)


def language_of_environment(environment: Mapping[str, str]) -> Language:
    """Return the language of a terminal by gettext's variables: the first one set decides; English by default."""
    wanted = next((environment[name] for name in _VARIABLES if environment.get(name)), "")
    return _first(wanted.split(":"))


def _first(tags: Iterable[str]) -> Language:
    """Return the language of the first tag that names a supported one ("fa", "fa-IR", "fa_IR.UTF-8"), or English."""
    codes = (tag.replace("_", "-").replace(".", "-").partition("-")[0].strip().lower() for tag in tags)
    return next((LANGUAGES[code] for code in codes if code in LANGUAGES), ENGLISH)


def _weighed(part: str) -> tuple[str, float]:
    tag, _, parameter = part.strip().partition(";")
    _, _, weight = parameter.strip().partition("q=")
    try:
        return tag, float(weight) if weight else 1.0
    except ValueError:
        return tag, 0.0


# ZERO WIDTH NON-JOINER, used in many Persian names, and ZERO WIDTH JOINER, as between emoji.
_JOINERS: Final = "\u200c\u200d"
# The direction characters that the program itself never writes; it isolates names by others.
_OVERRIDES: Final = range(0x202A, 0x202F)
_CONTROLS: Final = (*range(0x20), *range(0x7F, 0xA0))
_SHOWN: Final = dict.fromkeys((*(each for each in _CONTROLS if chr(each) not in "\n\t"), *_OVERRIDES), "\ufffd")


def is_plain(text: str) -> bool:
    """Return whether a single-line text has no invisible characters, except joiners between two letters."""
    # One kind of joiner is enough for the checks.
    for joiner in _JOINERS:
        text = text.replace(joiner, _JOINERS[0])
    return all(_is_joined(part) for part in text.split(" ")) and text.replace(_JOINERS[0], "").isprintable()


def _is_joined(word: str) -> bool:
    parts = word.split(_JOINERS[0])
    return len(parts) == 1 or all(parts)


def as_seen(text: str) -> str:
    """Return a text without joiners, for a comparison with another that may look the same."""
    return text.translate(dict.fromkeys(map(ord, _JOINERS)))


def harmless(text: str) -> str:
    """Return a text for a terminal, with control characters and direction overrides replaced by U+FFFD."""
    return text.translate(_SHOWN)


# Sentences.

Value: TypeAlias = "str | int | float"
"""The value of a placeholder: a name as it is, a number in the reader's digits, or a sentence."""


class Label(str):
    """The name of a place, or of several ("E6 F5"), which is not translated, but has the reader's digits."""


# In characters; a limit, because a placeholder's value may come from any file.
_LONGEST_VALUE: Final = 1000


class Sentence(str):
    """A message with its values. As a string it is its English text; `rendered` returns it in another language.

    Slicing or concatenation turns it into a plain string, which stays English: put sentences into placeholders instead.

    Args:
        one: the whole message in English, with named placeholders; for a count of one.
        other: the same for any other count.
        count: the count; None if nothing is counted.
        values: the values of the placeholders.
    """

    __slots__ = ("_count", "_one", "_other", "_rendered", "_values")

    _one: str
    _other: str
    _count: int | None
    _values: Mapping[str, Value]
    _rendered: dict[str, str]

    def __new__(cls, one: str, other: str, count: int | None, values: Mapping[str, Value]) -> Self:
        """Create a sentence with its English text."""
        sentence = super().__new__(cls, _filled(ENGLISH, one, other, count, values))
        sentence._one, sentence._other, sentence._count, sentence._values = one, other, count, values
        # A page with many news shows the same sentences again after every move.
        sentence._rendered = {ENGLISH.code: str(sentence)}
        return sentence

    @property
    def message(self) -> str:
        """The whole message in English, with its placeholders: the same for whatever values."""
        return self._one

    def rendered(self, language: Language) -> str:
        """Return the sentence in a language."""
        rendered = self._rendered.get(language.code)
        if rendered is None:
            rendered = self._rendered[language.code] = _filled(
                language, self._one, self._other, self._count, self._values
            )
        return rendered

    def parts(self, language: Language) -> tuple[tuple[str, str | None], ...]:
        """Return the sentence in a language in pieces, each with its placeholder's name or None."""
        template = language.template(self._one, self._other, self._count)
        pieces: list[tuple[str, str | None]] = []
        for text, name, _, _ in Formatter().parse(template):
            pieces += [(text, None)] if text else []
            pieces += [] if name is None else [(_worded(language, self._values[name]), name)]
        return tuple(pieces)

    # Pickling and copying would otherwise call `__new__` with the English text alone.
    def __reduce__(self) -> "tuple[type[Sentence], tuple[Any, ...]]":
        return Sentence, (self._one, self._other, self._count, self._values)


def said(message: str, /, **values: Value) -> Sentence:
    """Return a message for users, to be translated for each reader.

    It must be a literal, so that the extraction for translation finds it: `said("It is {name}'s turn.", name=name)`.
    """
    return Sentence(message, "", None, values)


def counted(one: str, other: str, count: int, /, **values: Value) -> Sentence:
    """Return a message about a number of things, which is `{count}` in it.

    A language may have more than two plural forms.
    """
    return Sentence(one, other, count, {"count": count, **values})


class SentenceError(Exception):
    """An error whose message is a sentence for users."""

    @classmethod
    def said(cls, message: str, /, **values: Value) -> Self:
        """Return the error with a message, which must be a literal; see the function of this name."""
        return cls(Sentence(message, "", None, values))


def render(text: str, language: Language) -> str:
    """Return a sentence in a language; a plain string is returned as it is."""
    return text.rendered(language) if isinstance(text, Sentence) else text


def reason(error: BaseException) -> str:
    """Return an error's message, as the translatable sentence with which it was raised, if any."""
    first = error.args[0] if error.args else None
    return first if isinstance(first, Sentence) else str(error)


def halves(says: str) -> tuple[str, str]:
    """Return the parts of a sentence before and after its last semicolon.

    Each can be rendered in every language.
    """
    return (_Half(says, 0), _Half(says, 1)) if isinstance(says, Sentence) else _parted(says)


class _Half(Sentence):
    """A part of a sentence, split after translation.

    Args:
        whole: the sentence.
        side: 0 for the part before the semicolon, 1 for the part after it.
    """

    __slots__ = ("_side", "_whole")

    _whole: Sentence
    _side: int

    def __new__(cls, whole: Sentence, side: int) -> Self:
        """Create a part with its English text."""
        half = super().__new__(cls, "{half}", "", None, {"half": _parted(str(whole))[side]})
        half._whole, half._side = whole, side
        return half

    def rendered(self, language: Language) -> str:
        """Return the part of the sentence in a language."""
        return _parted(self._whole.rendered(language))[self._side]

    def parts(self, language: Language) -> tuple[tuple[str, str | None], ...]:
        """Return the text as one piece: it has no placeholders of its own."""
        return ((self.rendered(language), None),)

    def __reduce__(self) -> tuple[type[Sentence], tuple[Any, ...]]:
        return _Half, (self._whole, self._side)


def _parted(text: str) -> tuple[str, str]:
    """Return the parts of a text before and after the last semicolon; the text and "" if there is none."""
    # The Persian semicolon is a character of its own.
    before, found, after = text.replace("\u061b ", "; ").rpartition("; ")
    return (before.strip(), after.strip()) if found else (text, "")


def _filled(language: Language, one: str, other: str, count: int | None, values: Mapping[str, Value]) -> str:
    template = language.template(one, other, count)
    return language.with_direction_mark(
        template.format_map({name: _worded(language, value) for name, value in values.items()})
    )


def _worded(language: Language, value: Value) -> str:
    if isinstance(value, Sentence):
        return value.rendered(language)
    if isinstance(value, Label):
        return language.isolated(language.label(value))
    return language.isolated(_shortened(value)) if isinstance(value, str) else language.number(value)


def _shortened(text: str) -> str:
    """Return a text without its middle if it is longer than any reasonable name."""
    half = _LONGEST_VALUE // 2
    return text if len(text) <= _LONGEST_VALUE else f"{text[:half]}…{text[-half:]}"


def all_of(words: Sequence[str]) -> str:
    """Return "one", "one and another", or "one, another and a third".

    Raises:
        ValueError: if there is nothing to join.
    """
    first, last = _split(words)
    return last if first is None else said("{first} and {last}", first=first, last=last)


def any_of(words: Sequence[str]) -> str:
    """Return "one", "one or another", or "one, another or a third".

    Raises:
        ValueError: if there is nothing to join.
    """
    first, last = _split(words)
    return last if first is None else said("{first} or {last}", first=first, last=last)


def listed(words: Sequence[str]) -> str:
    """Return the words joined by commas.

    Raises:
        ValueError: if there is nothing to join.
    """
    if not words:
        raise ValueError("there is nothing to list")
    # By twos, so that the comma is part of a message, as languages have commas of their own.
    return reduce(_comma, words)


def in_turn(sentences: Sequence[str]) -> str:
    """Return whole sentences joined one after the other.

    Raises:
        ValueError: if there is nothing to join.
    """
    if not sentences:
        raise ValueError("there is nothing to list")
    return reduce(lambda first, following: said("{first} {next}", first=first, next=following), sentences)


def _split(words: Sequence[str]) -> tuple[str | None, str]:
    """Return all words but the last, joined, or None if there is only one; and the last word."""
    if not words:
        raise ValueError("there is nothing to list")
    return listed(words[:-1]) if len(words) > 1 else None, words[-1]


def _comma(first: str, following: str) -> Sentence:
    return said("{first}, {next}", first=first, next=following)


# In the wording of the GNU C library in English.
_SYSTEM: Final[Mapping[int, Sentence]] = {
    errno.ENOENT: said("No such file or directory"),
    errno.EACCES: said("Permission denied"),
    errno.EISDIR: said("Is a directory"),
    errno.ENOSPC: said("No space left on device"),
    errno.EROFS: said("Read-only file system"),
    errno.EADDRINUSE: said("Address already in use"),
    errno.ECONNREFUSED: said("Connection refused"),
    errno.ETIMEDOUT: said("Connection timed out"),
    # Of getaddrinfo(3), whose numbers are below zero.
    -2: said("Name or service not known"),
}


def system_says(error: Exception) -> str:
    """Return the system's reason in an OSError, without the file's name."""
    if not isinstance(error, OSError):
        return reason(error)
    # A socket's own time-out has no number, unlike the system's.
    if isinstance(error, TimeoutError) and error.errno is None:
        return _SYSTEM[errno.ETIMEDOUT]
    return _SYSTEM.get(error.errno or 0, error.strerror or str(error) or type(error).__name__)


def unreadable(path: object, error: Exception) -> Sentence:
    """Return the sentence that a file cannot be read, and why."""
    return said("{path}: cannot be read: {fault}", path=str(path), fault=system_says(error))


def unwritable(path: object, error: Exception) -> Sentence:
    """Return the sentence that a file or a folder cannot be written, and why."""
    return said("{path}: cannot be written: {fault}", path=str(path), fault=system_says(error))


def toml_says(error: Exception) -> str:
    """Return the fault that tomllib found in a text, and its place."""
    if isinstance(error, RecursionError):
        return said("it is nested too deeply")
    if isinstance(error, UnicodeDecodeError):
        return said("byte {number} is not {encoding}", number=error.start + 1, encoding="UTF-8")
    text = str(error).partition("\n")[0]
    placed = re.fullmatch(r"(?P<fault>.+) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)", text)
    if placed is None:
        return text
    if placed["line"] is None:
        return said("{fault} (at end of document)", fault=placed["fault"])
    line, column = int(placed["line"]), int(placed["column"])
    return said("{fault} (at line {line}, column {column})", fault=placed["fault"], line=line, column=column)


def json_says(error: Exception) -> str:
    """Return the fault that the JSON decoder found in a line of text, and its place."""
    if not isinstance(error, json.JSONDecodeError):
        return said("not to be decoded")
    return said("{fault}, column {column}", fault=error.msg, column=error.colno)
