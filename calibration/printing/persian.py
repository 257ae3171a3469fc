"""Persian text for PDF: each letter in its contextual form, from left to right."""

from __future__ import annotations

from typing import Final

from arabic_reshaper import reshape
from bidi.algorithm import get_display

_DECIMAL_MARK: Final = str.maketrans("\u066b", "/")
"""The printed typefaces have no Arabic decimal mark; on paper a slash is as usual."""


def shaped(text: str, *, leftwards: bool | None = None) -> str:
    """Return the text in presentation forms (UAX 44) and in visual order (UAX 9).

    Args:
        text: one line.
        leftwards: whether the line's base direction is right to left; None for that of its first letter.
    """
    base = None if leftwards is None else "R" if leftwards else "L"
    return str(get_display(reshape(text.translate(_DECIMAL_MARK)), base_dir=base))
