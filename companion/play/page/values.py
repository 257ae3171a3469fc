"""The types of values in requests, which check them and describe them."""

from __future__ import annotations

import re
from typing import Annotated, Final, TypeAlias

from msgspec import Meta

LANGUAGES: Final = ("en", "fa", "ru")
LONGEST_NAME: Final = 40
"""Characters; as in the configuration."""


def one_of(*names: str) -> Meta:
    """Return the constraint that a text is one of these names."""
    # No newline behind: `$` would let one pass.
    pattern = f"^(?:{'|'.join(map(re.escape, names))})$(?!\\n)"
    return Meta(pattern=pattern, extra_json_schema={"enum": [*names]})


def between(least: float, most: float) -> Meta:
    """Return the constraint that a number lies between two others, both of them allowed."""
    return Meta(ge=least, le=most)


def different() -> Meta:
    """Return the description of a list of different items; `Body.distinct` checks it."""
    return Meta(extra_json_schema={"uniqueItems": True})


PlayerName: TypeAlias = Annotated[str, Meta(max_length=LONGEST_NAME, extra_json_schema={"minLength": 1})]
"""A player's name; of an empty one the table says more than that it will not do."""
LanguageCode: TypeAlias = Annotated[str, one_of(*LANGUAGES)]
