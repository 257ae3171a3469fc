"""Persian words as a PDF needs them: each letter in the form its neighbours give it, from left to right."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Final

_FORMS: Final = (range(0xFB50, 0xFE00), range(0xFE70, 0xFEFD))
"""Unicode's Arabic presentation forms A and B."""


def shaped(text: str) -> str:
    """The text in presentation forms and in the order in which it stands on paper.

    Digits keep their own order. Vowel signs and ligatures, which the labels do without, are not known.
    """
    letters = [_form(before, letter, after) for before, letter, after in _neighbours(text)]
    backwards = "".join(reversed(letters))
    return "".join(reversed_digits(part) for part in _runs(backwards))


def reversed_digits(part: str) -> str:
    """A run of digits turned round again; anything else as it is."""
    return part[::-1] if part.isdigit() else part


def _runs(text: str) -> list[str]:
    runs: list[str] = []
    for char in text:
        if runs and runs[-1][-1].isdigit() and char.isdigit():
            runs[-1] += char
        else:
            runs.append(char)
    return runs


def _neighbours(text: str) -> list[tuple[str, str, str]]:
    return list(zip(" " + text, text, text[1:] + " ", strict=False))


def _form(before: str, letter: str, after: str) -> str:
    """A letter joins the one before it if that one joins onwards and it joins back itself."""
    forms = _table()
    joins_back = "<initial>" in forms.get(before, {}) and "<final>" in forms.get(letter, {})
    joins_on = "<initial>" in forms.get(letter, {}) and "<final>" in forms.get(after, {})
    name = {(False, False): "<isolated>", (False, True): "<initial>", (True, True): "<medial>"}.get(
        (joins_back, joins_on), "<final>"
    )
    return forms.get(letter, {}).get(name, letter)


@cache
def _table() -> dict[str, dict[str, str]]:
    """By letter its forms by the names that Unicode gives them."""
    forms: dict[str, dict[str, str]] = {}
    for code in (code for block in _FORMS for code in block):
        name, *letters = unicodedata.decomposition(chr(code)).split() or [""]
        if name in ("<isolated>", "<initial>", "<medial>", "<final>") and len(letters) == 1:
            forms.setdefault(chr(int(letters[0], 16)), {})[name] = chr(code)
    return forms
