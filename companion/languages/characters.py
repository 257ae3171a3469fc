"""Characters that are written but not seen: those that names need, and those that no name and no terminal may get."""

from __future__ import annotations

from typing import Final

_JOINERS: Final = "\u200c\u200d"
"""ZERO WIDTH NON-JOINER, which many a Persian name is written with, and ZERO WIDTH JOINER, as between emoji."""
_TURNING: Final = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
"""Embeddings, overrides and isolates of writing direction (Unicode Annex 9): they turn round what stands after them."""
_OVERRIDES: Final = range(0x202A, 0x202F)
"""The direction characters that the program itself, which isolates names, never writes."""
_CONTROLS: Final = (*range(0x20), *range(0x7F, 0xA0))
_SHOWN: Final = dict.fromkeys((*(each for each in _CONTROLS if chr(each) not in "\n\t"), *_OVERRIDES), "\ufffd")


def is_plain(text: str) -> bool:
    """Return whether a text on one line shows all that it is made of; a joiner must stand between two letters."""
    for joiner in _JOINERS:
        text = text.replace(joiner, _JOINERS[0])
    return all(_is_joined(part) for part in text.split(" ")) and text.replace(_JOINERS[0], "").isprintable()


def _is_joined(word: str) -> bool:
    parts = word.split(_JOINERS[0])
    return len(parts) == 1 or all(parts)


def as_seen(text: str) -> str:
    """Return a text without its joiners, for comparing it with another that may look alike."""
    return text.translate(dict.fromkeys(map(ord, _JOINERS)))


def turns_text(text: str) -> bool:
    """Return whether a text changes the direction of what is written after it."""
    return any(ord(char) in _TURNING for char in text)


def harmless(text: str) -> str:
    """Return a text for a terminal: what the terminal would obey, or what turns a line round, is replaced by U+FFFD."""
    return text.translate(_SHOWN)
