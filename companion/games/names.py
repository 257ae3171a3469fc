"""The check of players' names, the same in every game."""

from typing import Final
from unicodedata import bidirectional, category

# Control characters would break plain lines; lone surrogates cannot be encoded.
_UNPRINTABLE: Final = ("Cc", "Cs")
# Embeddings, overrides and isolates of writing direction (Unicode Annex 9), which may reverse the text after them.
_TURNING: Final = ("LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI")


def is_printable(name: str) -> bool:
    """Return whether a name has no control characters, and none that turns the text after it."""
    return not any(category(each) in _UNPRINTABLE or bidirectional(each) in _TURNING for each in name)
