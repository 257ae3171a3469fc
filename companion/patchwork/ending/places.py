"""Places beside a board in which tokens lie, matched between looks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.tokens.discs import Disc

_SAME_CELLS: Final = 3.0
"""Distance within which heaps are in the same place; on table recordings a heap's middle moved by 1.2."""


def middle_of(discs: Sequence[Disc], outline: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean position of some tokens, (x, y) in cells from the middle of a board."""
    return np.asarray(np.mean([disc.middle for disc in discs], axis=0) - outline.mean(axis=0), np.float64)


def is_same(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    """Return whether two middles belong to one place."""
    return float(np.linalg.norm(one - other)) <= _SAME_CELLS
