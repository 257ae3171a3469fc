"""The types of values in a browser's requests about Patchwork."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from companion.games.patchwork import PATCHES
from companion.play.page.values import between, different, one_of

Seat: TypeAlias = Annotated[int, between(1, 2)]
Patch: TypeAlias = Annotated[str, one_of(*PATCHES)]
Cell: TypeAlias = Annotated[str, one_of(*(f"{column}{row}" for row in range(1, 10) for column in "ABCDEFGHI"))]
Cells: TypeAlias = Annotated[tuple[Cell, ...], Meta(min_length=1, max_length=81), different()]
Circuit: TypeAlias = Annotated[tuple[Patch, ...], Meta(min_length=len(PATCHES), max_length=len(PATCHES)), different()]
"""The circle of all patches."""
