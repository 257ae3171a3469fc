"""Invisible characters: those that names need, and those that names and terminals must not get."""

from typing import Final

# ZERO WIDTH NON-JOINER, used in many Persian names, and ZERO WIDTH JOINER, as between emoji.
_JOINERS: Final = "\u200c\u200d"
# Embeddings, overrides and isolates of writing direction (Unicode Annex 9), which may reverse the text after them.
_TURNING: Final = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
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


def turns_text(text: str) -> bool:
    """Return whether a text changes the writing direction of the text after it."""
    return any(ord(char) in _TURNING for char in text)


def harmless(text: str) -> str:
    """Return a text for a terminal, with control characters and direction overrides replaced by U+FFFD."""
    return text.translate(_SHOWN)
