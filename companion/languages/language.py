"""The supported languages: their catalogues, digits, and reading direction."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from gettext import NullTranslations, translation
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER: Final = Path(__file__).parent
DOMAIN: Final = "companion"
"""The catalogues are `FOLDER/<language>/LC_MESSAGES/DOMAIN.mo`, compiled from the `.po` beside them."""
_ISOLATE, _END_ISOLATE = "\u2068", "\u2069"
"""What stands between them has a direction of its own and leaves that of its neighbours alone (UAX 9, isolates)."""
_LEFT_TO_RIGHT, _RIGHT_TO_LEFT = "\u200e", "\u200f"
_MINUS: Final = "\u2212"


@dataclass(frozen=True, slots=True)
class Language:
    """A language that people read.

    Attributes:
        code: of ISO 639-1.
        name: what it calls itself.
        digits: its digits, from 0 to 9.
        point: stands before decimals.
        leftward: whether it is read from right to left.
    """

    code: str
    name: str
    digits: str = "0123456789"
    point: str = "."
    leftward: bool = False

    def template(self, one: str, other: str, count: int | None) -> str:
        """Return the translation of a message, with its placeholders; where it is `count`ed, the form for that many."""
        texts = _texts(self.code)
        return texts.gettext(one) if count is None else texts.ngettext(one, other, count)

    def number(self, value: float) -> str:
        """Return a number in its digits; a sign stays at the left of it."""
        written = f"{value:.15g}"
        if self.digits.isascii():
            return written.replace(".", self.point)
        shown = written.translate(_replacing(self.digits, self.point))
        return f"{_LEFT_TO_RIGHT}{_MINUS}{shown[1:]}" if value < 0 else shown

    def label(self, text: str) -> str:
        """Return the name of a place, such as "E6", in its digits."""
        return text.translate(_replacing(self.digits, "."))

    def apart(self, text: str) -> str:
        """Return a name, or a text that stands beside others in a line, isolated from their direction."""
        # An address is left alone: what clings to it would be opened with it.
        return f"{_ISOLATE}{text}{_END_ISOLATE}" if self.leftward and "://" not in text else text

    def begun(self, text: str) -> str:
        """Return a text in it, so that its direction is known even where it begins with a name in other letters."""
        return f"{_RIGHT_TO_LEFT}{text}" if self.leftward and text.startswith(_ISOLATE) else text


ENGLISH: Final = Language("en", "English")
RUSSIAN: Final = Language("ru", "Русский", point=",")
PERSIAN: Final = Language("fa", "فارسی", digits="۰۱۲۳۴۵۶۷۸۹", point="٫", leftward=True)
LANGUAGES: Final[Mapping[str, Language]] = MappingProxyType(
    {language.code: language for language in (ENGLISH, RUSSIAN, PERSIAN)}
)


@cache
def _texts(code: str) -> NullTranslations:
    """Return a language's catalogue; English has none, and is what is said if one was never compiled."""
    return translation(DOMAIN, FOLDER, [code], fallback=True)


@cache
def _replacing(digits: str, point: str) -> dict[int, str]:
    return str.maketrans({".": point, **{str(value): digit for value, digit in enumerate(digits)}})
