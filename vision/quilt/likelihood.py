"""Log-likelihood ratios of cells, changed against unchanged, from the windows' evidence."""

from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.quilt.windows import by_cell

SHIFTS: Final = tuple(product((0, -1, 1), repeat=2))
"""Shifts (down, right) of a patch, in windows; the first one is none."""
LIMIT: Final = 12.0
"""Limit of a single cell's evidence, so that glare or a thread cannot outweigh all other cells."""
# Limit of a single window's evidence.
_WINDOW_LIMIT: Final = 4.0
# Weight of a cell's half that looks bare: a patch covers both halves, so such a half counts again.
_BARE_HALF: Final = 0.7
_OUTER, _INNER = 0.7, 1.3
# The weights of a cell's windows: the outer ones are reached by a neighbour's overhang and its shadow.
_IMPORTANCE: Final = np.outer(*[np.sqrt([_OUTER**2 / _INNER, _INNER, _INNER, _OUTER**2 / _INNER])] * 2)
# Weight against correlation: neighbouring windows share a print, and their evidence counts less than its sum.
_SHARED: Final = 0.25


def log_likelihood_ratio(windows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return log p(look | changed) - log p(look | as expected) for each cell of the lattice at each shift.

    Args:
        windows: the ratio of each window, shape (WINDOWS, WINDOWS).

    Returns:
        Shape (len(SHIFTS), RING, RING), within +-LIMIT.
    """
    return np.stack([cell_ratios(by_cell(windows, down, right)) for down, right in SHIFTS])


def core_ratio(windows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean ratio of the four middle windows of each cell, (RING, RING), within +-_WINDOW_LIMIT."""
    middles = by_cell(windows)[1:-1, 1:-1]
    return np.asarray(np.clip(middles, -_WINDOW_LIMIT, _WINDOW_LIMIT).mean(axis=(0, 1)))


def cell_ratios(windows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the ratios of cells, shape (rows, columns), from those of their windows, shape (4, 4, rows, columns)."""
    weighed = np.clip(windows, -_WINDOW_LIMIT, _WINDOW_LIMIT) * (_SHARED * _IMPORTANCE[:, :, None, None])
    rows, columns = weighed.sum(axis=1), weighed.sum(axis=0)
    halves = np.stack([rows[:2].sum(axis=0), rows[2:].sum(axis=0), columns[:2].sum(axis=0), columns[2:].sum(axis=0)])
    bare = np.minimum(halves.min(axis=0), 0.0)
    return np.asarray(np.clip(rows.sum(axis=0) + _BARE_HALF * bare, -LIMIT, LIMIT))
