"""The lattice of evidence and every way a piece can lie on it, as arrays.

The lattice is the quilt's 9x9 grid with one ring of cells around it, where a patch over the edge is seen. A *lie* is
one orientation of one shape at one place; at least one of its cells is on the quilt, and it may overlap what lies
there: what the rules say of it is asked later. Cells further out than the ring cannot be observed and are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from companion.games.patchwork import PATCHES, SIDE, orientations, twins_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

RING: Final = SIDE + 2
LEATHER: Final = "leather"
"""Stands for the one-cell leather patch where shapes are named."""


@dataclass(frozen=True, slots=True, eq=False)
class Lies:
    """All lies of all shapes; row i of each array belongs to lie i.

    Attributes:
        incidence: shape (n, RING * RING), float32, 1 where the lie covers a cell of the lattice.
        shape: shape (n,), index into `shapes`.
        outside: shape (n,), how many of its cells are off the quilt.
        masks: the covered cells of the quilt, as the rules' bit masks.
        words: these masks, shape (n, 2), uint64: the low 64 bits and the rest.
        shapes: for each shape the ids of the patches that have it; `(LEATHER,)` is the last.
    """

    incidence: NDArray[np.float32]
    shape: NDArray[np.int64]
    outside: NDArray[np.int64]
    masks: tuple[int, ...]
    words: NDArray[np.uint64]
    shapes: tuple[tuple[str, ...], ...]


@cache
def all_lies() -> Lies:
    """Return every lie of the 30 shapes and of the leather patch; built once."""
    shapes = [*dict.fromkeys(_with_twins(patch) for patch in PATCHES), (LEATHER,)]
    rows: list[NDArray[np.float32]] = []
    shape: list[int] = []
    outside: list[int] = []
    masks: list[int] = []
    for number, patches in enumerate(shapes):
        for cells in _lies_of(patches[0]):
            inside = [(row, column) for row, column in cells if 0 <= row < SIDE and 0 <= column < SIDE]
            rows.append(_incidence(cells))
            shape.append(number)
            outside.append(len(cells) - len(inside))
            masks.append(sum(1 << row * SIDE + column for row, column in inside))
    words = np.array([words_of(mask) for mask in masks], np.uint64)
    return Lies(np.stack(rows), np.array(shape), np.array(outside), tuple(masks), words, tuple(shapes))


def words_of(mask: int) -> tuple[int, int]:
    """Return a quilt's bit mask as two words: the low 64 bits and the rest."""
    return mask & 0xFFFF_FFFF_FFFF_FFFF, mask >> 64


def _with_twins(patch: str) -> tuple[str, ...]:
    return tuple(sorted((patch, *twins_of(patch))))


def _lies_of(patch: str) -> list[tuple[tuple[int, int], ...]]:
    """Return cells (row, column) of each lie with at least one cell on the quilt."""
    turned = [((0, 0),)] if patch == LEATHER else [orientation.cells for orientation in orientations(patch)]
    lies = []
    for cells in turned:
        height = 1 + max(row for row, _ in cells)
        width = 1 + max(column for _, column in cells)
        for down in range(1 - height, SIDE):
            for right in range(1 - width, SIDE):
                moved = tuple((row + down, column + right) for row, column in cells)
                if any(0 <= row < SIDE and 0 <= column < SIDE for row, column in moved):
                    lies.append(moved)
    return lies


def _incidence(cells: tuple[tuple[int, int], ...]) -> NDArray[np.float32]:
    row_of = np.zeros((RING, RING), np.float32)
    for row, column in cells:
        if -1 <= row <= SIDE and -1 <= column <= SIDE:
            row_of[row + 1, column + 1] = 1.0
    return row_of.reshape(-1)


def lattice_of(mask: int) -> NDArray[np.bool_]:
    """Return a quilt's cells on the lattice, shape (RING, RING), bool; the ring is false."""
    bits = np.array([mask >> index & 1 for index in range(SIDE * SIDE)], np.bool_).reshape(SIDE, SIDE)
    return np.pad(bits, 1)


def mask_of_lattice(cells: NDArray[np.bool_]) -> int:
    """Return the cells of the quilt that are true on the lattice, as a bit mask."""
    return sum(1 << int(index) for index in np.flatnonzero(cells[1:-1, 1:-1]))
