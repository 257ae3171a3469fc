"""All places of a patch on a free area at once.

An anchor is the cell where the top left corner of an orientation's bounding box lies. For one cell of a shape at bit
offset s, `free >> s` holds the anchors that keep it on free cells; the conjunction over a shape's cells, within the
anchors that keep the box on the board, holds its placements. Cells in straight runs share that work: nine runs (one
cell, two to five across, two to five down) are shifted together once a quilt, and each orientation is a few of them.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, TypeAlias

from companion.games.patchwork.cells import SIDE
from companion.games.patchwork.placements import Orientation, orientations

if TYPE_CHECKING:
    from collections.abc import Iterator

Group: TypeAlias = tuple[int, str | None, int, int]
_Terms: TypeAlias = tuple[tuple[int, int], ...]

_LONGEST: Final = 5


def lowest_cells(mask: int) -> Iterator[int]:
    """The cells of a mask as masks of one cell, row by row."""
    while mask:
        lowest = mask & -mask
        yield lowest
        mask ^= lowest


def anchor_groups(patches: tuple[str, ...], free: int) -> list[Group]:
    """The placements on the free cells as (how many, patch, shape in the corner, anchors), an orientation each."""
    runs = _runs(free)
    groups: list[Group] = []
    for patch in patches:
        for shape, on_board, terms in _plan(patch):
            anchors = on_board
            for run, shift in terms:
                anchors &= runs[run] >> shift
            if anchors:
                groups.append((anchors.bit_count(), patch, shape, anchors))
    return groups


def _runs(free: int) -> tuple[int, ...]:
    """Where a run of free cells begins: one cell; two to five across; two to five down.

    A run across may wrap round the edge of a row: the anchors that keep a shape on the board exclude those.
    """
    across2 = free & free >> 1
    down2 = free & free >> SIDE
    across3 = across2 & free >> 2
    down3 = down2 & free >> 2 * SIDE
    across4 = across3 & free >> 3
    down4 = down3 & free >> 3 * SIDE
    across5 = across4 & free >> 4
    down5 = down4 & free >> 4 * SIDE
    return (free, across2, across3, across4, across5, down2, down3, down4, down5)


@cache
def _plan(patch: str) -> tuple[tuple[int, int, _Terms], ...]:
    """A patch's orientations as (shape in the corner, anchors on the board, runs that make it up)."""
    return tuple((turned.mask, _on_board(turned), _terms(turned)) for turned in orientations(patch))


def _on_board(turned: Orientation) -> int:
    rows, columns = SIDE - turned.height + 1, SIDE - turned.width + 1
    return sum(1 << row * SIDE + column for row in range(rows) for column in range(columns))


def _terms(turned: Orientation) -> _Terms:
    """A small cover of the shape by runs: always the run that adds the most cells."""
    wanted = set(turned.cells)
    candidates = _runs_within(turned)
    terms = []
    while wanted:
        best = max(candidates, key=lambda candidate: len(candidate[2] & wanted))
        terms.append(best[:2])
        wanted -= best[2]
    return tuple(terms)


def _runs_within(turned: Orientation) -> list[tuple[int, int, set[tuple[int, int]]]]:
    """Every run inside the shape: (its number in `_runs`, bit offset of its first cell, its cells)."""
    found = []
    cells = set(turned.cells)
    for row, column in turned.cells:
        for length in range(1, _LONGEST + 1):
            across = {(row, column + step) for step in range(length)}
            down = {(row + step, column) for step in range(length)}
            shift = row * SIDE + column
            if across <= cells:
                found.append((length - 1, shift, across))
            if length > 1 and down <= cells:
                found.append((_LONGEST + length - 2, shift, down))
    return found
