"""Every placement of every shape on the lattice of a quilt and the ring around it, as arrays.

A *placement* is one orientation of one shape at one place, with at least one cell on the quilt; it may overlap other
pieces: the rules are applied later. Cells beyond the ring cannot be observed and are left out.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.games.patchwork.cells import SIDE
from companion.games.patchwork.components import PATCHES, orientations, twins_of
from vision.quilt.look import RING

LEATHER: Final = "leather"
"""Stands for the one-cell leather patch among shapes."""


@dataclass(frozen=True, slots=True, eq=False)
class LatticePlacements:
    """All placements of all shapes; row i of each array belongs to placement i.

    Attributes:
        incidence: shape (n, RING * RING), float32, 1 where the placement covers a cell of the lattice.
        cells: the same cells as indices into the lattice, shape (most cells, n); RING * RING for none.
        sizes: shape (n,), the number of these cells.
        shape: shape (n,), index into `shapes`.
        outside: shape (n,), the number of the placement's cells off the quilt.
        masks: the covered cells of the quilt, as the rules' bit masks.
        words: these masks, shape (n, 2), uint64: the low 64 bits and the rest.
        shapes: for each shape the ids of the patches that have it; the last is `(LEATHER,)`.
    """

    incidence: NDArray[np.float32]
    cells: NDArray[np.int64]
    sizes: NDArray[np.int64]
    shape: NDArray[np.int64]
    outside: NDArray[np.int64]
    masks: tuple[int, ...]
    words: NDArray[np.uint64]
    shapes: tuple[tuple[str, ...], ...]


@cache
def all_lattice_placements() -> LatticePlacements:
    """Return every placement of the 30 shapes and of the leather patch; built once."""
    shapes = [*dict.fromkeys(_with_twins(patch) for patch in PATCHES), (LEATHER,)]
    placements = [(number, cells) for number, patches in enumerate(shapes) for cells in _placements_of(patches[0])]
    words = np.concatenate([_words(cells) for _, cells in placements])
    incidence = np.concatenate([_incidence(cells) for _, cells in placements])
    sizes = np.count_nonzero(incidence, axis=1)
    numbers = np.arange(sizes.max())[:, None]
    return LatticePlacements(
        incidence=incidence,
        cells=np.where(numbers < sizes, np.argsort(-incidence, axis=1, kind="stable")[:, : sizes.max()].T, RING**2),
        sizes=sizes,
        shape=np.concatenate([np.full(len(cells), number) for number, cells in placements]),
        outside=np.concatenate([np.count_nonzero(~_on_quilt(cells), axis=1) for _, cells in placements]),
        masks=tuple(low | high << 64 for low, high in words.tolist()),
        words=words,
        shapes=tuple(shapes),
    )


def words_of(mask: int) -> tuple[int, int]:
    """Return a quilt's bit mask as two words: the low 64 bits and the rest."""
    return mask & 0xFFFF_FFFF_FFFF_FFFF, mask >> 64


def _with_twins(patch: str) -> tuple[str, ...]:
    return tuple(sorted((patch, *twins_of(patch))))


def _placements_of(patch: str) -> Iterator[NDArray[np.int64]]:
    """Yield for each orientation its placements with a cell on the quilt, shape (n, cells, 2): row and column."""
    for cells in [((0, 0),)] if patch == LEATHER else [orientation.cells for orientation in orientations(patch)]:
        height, width = (1 + max(cell[axis] for cell in cells) for axis in (0, 1))
        down, right = np.meshgrid(np.arange(1 - height, SIDE), np.arange(1 - width, SIDE), indexing="ij")
        placements = np.array(cells) + np.stack([down, right], axis=-1).reshape(-1, 1, 2)
        yield placements[_on_quilt(placements).any(axis=1)]


def _on_quilt(placements: NDArray[np.int64]) -> NDArray[np.bool_]:
    return np.asarray(((placements >= 0) & (placements < SIDE)).all(axis=2))


def _words(placements: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return the placements' cells on the quilt in the form of `words_of`, shape (placements, 2)."""
    # A quilt's 81 cells need two words, because numpy's integers have at most 64 bits.
    bits = placements[..., 0] * SIDE + placements[..., 1]
    word, bit = np.divmod(np.where(_on_quilt(placements), bits, 0), 64)
    values = np.where(_on_quilt(placements), np.left_shift(np.uint64(1), bit.astype(np.uint64)), np.uint64(0))
    return np.stack([np.where(word == each, values, np.uint64(0)).sum(axis=1) for each in range(2)], axis=1)


def _incidence(placements: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return a 1 for each cell of the lattice that a placement covers, shape (placements, RING * RING)."""
    incidence = np.zeros((len(placements), RING, RING), np.float32)
    number, cell = np.nonzero(((placements >= -1) & (placements <= SIDE)).all(axis=2))
    row, column = placements[number, cell].T + 1
    incidence[number, row, column] = 1.0
    return incidence.reshape(len(placements), -1)
