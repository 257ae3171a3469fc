"""Random quilts, laid as compactly as players lay them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from companion.games.patchwork.cells import SIDE
from companion.games.patchwork.components import PATCHES, placements

if TYPE_CHECKING:
    from numpy.typing import NDArray

BOX: Final = tuple(PATCHES.values())
"""The patches in the order of their data file."""
LEATHER: Final = len(BOX)
"""The value of `Laid.patch` for a leather patch."""
_CELLS: Final = SIDE * SIDE
_COUNTS: Final = (0, 2, 4, 6, 8, 10, 12, 13, 14, 15, 16, 18, 22)
# The standard deviation of the random error added to a placement's contact.
_PULL: Final = 0.7


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """One piece on a quilt.

    Attributes:
        patch: the index into `BOX`, or LEATHER.
        cells: the (row, column) of each cell, shape (n, 2).
    """

    patch: int
    cells: NDArray[np.intp]


def random_quilt(rng: np.random.Generator) -> list[Laid]:
    """Return patches in random order, each placed with much contact, and leather on some of the cells left."""
    laid: list[Laid] = []
    covered = np.zeros(_CELLS, np.bool_)
    wanted, scatter = int(rng.choice(_COUNTS)), _PULL * rng.choice([0.3, 1.0, 4.0])
    for patch in rng.permutation(len(BOX)).tolist():
        masks = _masks(patch)
        free = masks[~(masks & covered).any(axis=1)]
        if len(laid) < wanted and len(free):
            here = free[int((_contact(free, covered) + rng.normal(0, scatter, len(free))).argmax())]
            laid.append(Laid(patch, np.argwhere(here.reshape(SIDE, SIDE))))
            covered |= here
    left = rng.permutation(np.flatnonzero(~covered))
    leather = left if wanted > 16 and rng.random() < 0.3 else left[: int(rng.integers(0, 6))]
    return laid + [Laid(LEATHER, np.array([divmod(int(cell), SIDE)])) for cell in leather]


def _masks(patch: int) -> NDArray[np.bool_]:
    if patch not in _KNOWN:
        rows = [[mask >> cell & 1 for cell in range(_CELLS)] for mask in placements(BOX[patch].id)]
        _KNOWN[patch] = np.array(rows, np.bool_)
    return _KNOWN[patch]


_KNOWN: Final[dict[int, NDArray[np.bool_]]] = {}


def _contact(masks: NDArray[np.bool_], covered: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the number of each placement's sides that touch a piece or the board's edge, relative to its size."""
    around = np.pad(covered.reshape(SIDE, SIDE), 1, constant_values=True)
    touched = sum(np.asarray(side, np.float64) for side in _neighbours(around))
    closed = masks @ np.asarray(touched).reshape(-1)
    return np.asarray(closed / (1 + 0.35 * masks.sum(axis=1)))


def _neighbours(around: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
    return [around[:-2, 1:-1], around[2:, 1:-1], around[1:-1, :-2], around[1:-1, 2:]]
