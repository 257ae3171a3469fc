"""Persian words as a PDF needs them: each letter in the form its neighbours give it, from left to right."""

from __future__ import annotations

from arabic_reshaper import reshape
from bidi.algorithm import get_display


def shaped(text: str) -> str:
    """Return the text in presentation forms (UAX 44) and in the order in which it stands on paper (UAX 9)."""
    return str(get_display(reshape(text)))
