"""The supported languages: their catalogues, digits, and reading direction."""

from collections.abc import Mapping
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
        """Return a text marked with the language's direction if it begins with a name, whose script may differ."""
        return f"{_RIGHT_TO_LEFT}{text}" if self.leftward and text.startswith(ISOLATE) else text


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
