"""The computation of all placements of a patch on a free area at once.

An anchor is the cell where the top left corner of an orientation's bounding box lies. For one cell of a shape at bit
offset s, `free >> s` holds the anchors that put it on a free cell. The conjunction over the shape's cells, within the
anchors that keep the box on the board, holds every placement: a few shifts instead of a test per placement, which
is about five times as fast (`bench/costs/rules.py`).
"""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

from companion.games.patchwork.cells import SIDE
from companion.games.patchwork.placements import Orientation, orientations

# (number of placements, patch or None for leather, shape in the top left corner, anchors)
Group: TypeAlias = tuple[int, str | None, int, int]


def anchor_groups(patches: tuple[str, ...], free: int) -> tuple[list[Group], int]:
    """Return the placements of patches on free cells, one group for each orientation that fits, and their number."""
    groups: list[Group] = []
    total = 0
    for patch in patches:
        for shape, on_board, offsets in _plan(patch):
            anchors = on_board
            for offset in offsets:
                anchors &= free >> offset
                if not anchors:
                    break
            else:
                count = anchors.bit_count()
                total += count
                groups.append((count, patch, shape, anchors))
    return groups, total


@cache
def _plan(patch: str) -> tuple[tuple[int, int, tuple[int, ...]], ...]:
    """Return a patch's orientations: shape in the corner, anchors that keep it on the board, its cells' bit offsets."""
    return tuple(
        (turned.mask, _on_board(turned), tuple(row * SIDE + column for row, column in turned.cells))
        for turned in orientations(patch)
    )


def _on_board(turned: Orientation) -> int:
    rows, columns = SIDE - turned.height + 1, SIDE - turned.width + 1
    return sum(1 << row * SIDE + column for row in range(rows) for column in range(columns))
