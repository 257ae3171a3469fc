"""The lattice of evidence: the quilt's 9x9 grid with one ring of cells around it, which shows patches over the edge."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from companion.games.patchwork import SIDE

if TYPE_CHECKING:
    from numpy.typing import NDArray


def lattice_of(mask: int) -> NDArray[np.bool_]:
    """Return a quilt's cells on the lattice, shape (RING, RING), bool; the ring is false."""
    bits = np.array([mask >> index & 1 for index in range(SIDE * SIDE)], np.bool_).reshape(SIDE, SIDE)
    return np.pad(bits, 1)


def mask_of_lattice(cells: NDArray[np.bool_]) -> int:
    """Return the cells of the quilt that are true on the lattice, as a bit mask."""
    return sum(1 << int(index) for index in np.flatnonzero(cells[1:-1, 1:-1]))
