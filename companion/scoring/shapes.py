"""Every way in which a piece of the box may lie on an empty quilt, in arrays."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from companion.games.patchwork import PATCHES, SIDE, TIME_TRACKS, placements

if TYPE_CHECKING:
    from numpy.typing import NDArray

CELLS = SIDE * SIDE


@dataclass(frozen=True, slots=True, eq=False)
class Placements:
    """All placements of all shapes, sorted by their first cell, row by row.

    Attributes:
        masks: cells covered, shape (n, 81), bool.
        shapes: number of each one's shape, shape (n,).
        copies: how many pieces of each shape there are, shape (shapes,); the last shape is the leather patch.
        starts: placements whose first cell is `i` are those from starts[i] to starts[i + 1], shape (82,).
    """

    masks: NDArray[np.bool_]
    shapes: NDArray[np.intp]
    copies: NDArray[np.intp]
    starts: NDArray[np.intp]


@cache
def all_placements() -> Placements:
    """The placements of the 33 patches and of the leather patches."""
    copies = Counter(placements(patch) for patch in PATCHES)
    leather = max(len(track.leather) for track in TIME_TRACKS.values())
    shapes = [*copies.items(), (tuple(1 << cell for cell in range(CELLS)), leather)]
    listed = [(mask, number) for number, (masks, _) in enumerate(shapes) for mask in masks]
    listed.sort(key=lambda each: each[0] & -each[0])
    bits = np.array([[mask >> cell & 1 for cell in range(CELLS)] for mask, _ in listed], np.bool_)
    return Placements(
        masks=bits,
        shapes=np.array([number for _, number in listed], np.intp),
        copies=np.array([count for _, count in shapes], np.intp),
        starts=np.searchsorted(bits.argmax(axis=1), np.arange(CELLS + 1)).astype(np.intp),
    )
