"""All placements of the box's pieces on an empty quilt, as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from companion.games.patchwork import PATCHES, SIDE, TIME_TRACKS, placements, twins_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

CELLS: Final = SIDE * SIDE
MOST_LEATHER: Final = max(len(track.leather) for track in TIME_TRACKS.values())


@dataclass(frozen=True, slots=True)
class Lookalikes:
    """Pieces that differ only in the digits of their labels.

    Attributes:
        patches: their ids; empty for the leather patch.
        income: the number of buttons printed on each.
        copies: the number of them in the box.
    """

    patches: tuple[str, ...]
    income: int
    copies: int


@dataclass(frozen=True, slots=True, eq=False)
class Placements:
    """All placements of all kinds, sorted by their first cell, row by row.

    Attributes:
        masks: the cells covered, shape (n, 81), bool.
        kinds: the number of each placement's kind, shape (n,).
        starts: the placements whose first cell is `i` are those from starts[i] up to starts[i + 1], shape (82,).
    """

    masks: NDArray[np.bool_]
    kinds: NDArray[np.intp]
    starts: NDArray[np.intp]


@cache
def all_kinds() -> tuple[Lookalikes, ...]:
    """Return the kinds of pieces in the box; the last is the leather patch."""
    alike = [(each, *(twin for twin in twins_of(each) if _income(twin) == _income(each))) for each in PATCHES]
    distinct = dict.fromkeys(tuple(sorted(patches)) for patches in alike)
    kinds = [Lookalikes(patches, _income(patches[0]), len(patches)) for patches in distinct]
    return (*kinds, Lookalikes((), 0, MOST_LEATHER))


def _income(patch: str) -> int:
    return PATCHES[patch].income


@cache
def all_placements() -> Placements:
    """Return the placements of the 33 patches and of the leather patches."""
    lone = tuple(1 << cell for cell in range(CELLS))
    masks = [placements(kind.patches[0]) if kind.patches else lone for kind in all_kinds()]
    listed = [(mask, number) for number, those in enumerate(masks) for mask in those]
    # A mask's lowest bit is its first cell.
    listed.sort(key=lambda each: each[0] & -each[0])
    bits = np.array([[mask >> cell & 1 for cell in range(CELLS)] for mask, _ in listed], np.bool_)
    return Placements(
        masks=bits,
        kinds=np.array([number for _, number in listed], np.intp),
        starts=np.searchsorted(bits.argmax(axis=1), np.arange(CELLS + 1)).astype(np.intp),
    )
