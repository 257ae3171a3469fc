"""What values in a browser's request may be: types that are checked by, and described by."""

from __future__ import annotations

import re
from typing import Annotated, Final, TypeAlias

from msgspec import Meta

from companion.bootstrap.arrangement import LONGEST_NAME
from companion.bootstrap.kviltarrangement import SEATS
from companion.games.patchwork import PATCHES

LANGUAGES: Final = ("en", "fa", "ru")


def one_of(*names: str) -> Meta:
    """Return what lets a text be one of these names alone."""
    # No newline behind: `$` would let one pass.
    pattern = f"^(?:{'|'.join(map(re.escape, names))})$(?!\\n)"
    return Meta(pattern=pattern, extra_json_schema={"enum": [*names]})


def between(least: float, most: float) -> Meta:
    """Return what lets a number be from one to another, both of them allowed."""
    return Meta(ge=least, le=most)


def different() -> Meta:
    """Return what tells of a list that its items differ; `Body.distinct` is what checks it."""
    return Meta(extra_json_schema={"uniqueItems": True})


Seat: TypeAlias = Annotated[int, between(1, 2)]
KviltSeat: TypeAlias = Annotated[int, between(1, max(SEATS))]
Patch: TypeAlias = Annotated[str, one_of(*PATCHES)]
Cell: TypeAlias = Annotated[str, one_of(*(f"{column}{row}" for row in range(1, 10) for column in "ABCDEFGHI"))]
Cells: TypeAlias = Annotated[tuple[Cell, ...], Meta(min_length=1, max_length=81), different()]
Circuit: TypeAlias = Annotated[tuple[Patch, ...], Meta(min_length=len(PATCHES), max_length=len(PATCHES)), different()]
"""The circle of all patches."""
PlayerName: TypeAlias = Annotated[str, Meta(max_length=LONGEST_NAME, extra_json_schema={"minLength": 1})]
"""Of an empty one the table says more than that it will not do."""
LanguageCode: TypeAlias = Annotated[str, one_of(*LANGUAGES)]
