"""The supported languages, the choice among them, and invisible characters in names and texts."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from gettext import NullTranslations, translation
from pathlib import Path
from types import MappingProxyType
from typing import Final

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
