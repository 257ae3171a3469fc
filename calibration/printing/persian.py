"""Persian words as a PDF needs them: each letter in its contextual form, from left to right."""

from __future__ import annotations

from typing import Final

from arabic_reshaper import reshape
from bidi.algorithm import get_display

_DECIMAL_MARK: Final = str.maketrans("\u066b", "/")
"""The types that are printed with have no Arabic decimal mark; on paper a slash is as usual."""


def shaped(text: str, *, leftwards: bool | None = None) -> str:
    """Return the text in presentation forms (UAX 44) and in the order in which it stands on paper (UAX 9).

    Args:
        text: one line.
        leftwards: whether the line reads from right to left as a whole; None if its first letter decides.
    """
    base = None if leftwards is None else "R" if leftwards else "L"
    return str(get_display(reshape(text.translate(_DECIMAL_MARK)), base_dir=base))
