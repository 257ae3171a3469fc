"""The types of values in requests, which validate them and describe them in the schema."""

from __future__ import annotations

import re
from typing import Annotated, Final, TypeAlias

from msgspec import Meta

from companion.languages import LANGUAGES
from companion.play.arrangement import LONGEST_NAME

MOST_SEATS: Final = 8
"""The largest number of seats of any game; a page has colours for more."""


def one_of(*names: str) -> Meta:
    """Return the constraint that a text is one of these names."""
    # `$` alone would also match before a trailing newline.
    pattern = f"^(?:{'|'.join(map(re.escape, names))})$(?!\\n)"
    return Meta(pattern=pattern, extra_json_schema={"enum": [*names]})


def between(least: float, most: float) -> Meta:
    """Return the constraint that a number is between two others, inclusive."""
    return Meta(ge=least, le=most)


def different() -> Meta:
    """Return the schema of a list of distinct items; `Body.distinct` enforces it."""
    return Meta(extra_json_schema={"uniqueItems": True})


PlayerName: TypeAlias = Annotated[str, Meta(max_length=LONGEST_NAME, extra_json_schema={"minLength": 1})]
"""A player's name; an empty one is refused by the table, whose message is more specific."""
LanguageCode: TypeAlias = Annotated[str, one_of(*LANGUAGES)]
