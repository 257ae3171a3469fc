"""The visibility of each cell of a quilt, and the worth of evidence from there.

Blur, a smeared lens, noise, darkness and few pixels all do the same to a print that lies where it is expected: less of
it is found again. So a cell is seen as well as the prints in it and around it that look as expected correlate with what
they are expected to be. `python -m bench.changes calibrate` shows how often evidence is right at each visibility,
on boards drawn for it and seen through degraded cameras; the tables here are its result, rounded down.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import CELL_PX, MARGIN_CELLS
from vision.quilt.changes import LIMIT
from vision.quilt.look import RING, Look

# Edge of the blocks in which products of the two looks are summed.
_BLOCK_PX: Final = 4
# Edge of the part that is compared for each cell, in blocks: the cell, and as much around it as shows the lines.
_PART: Final = CELL_PX // _BLOCK_PX + 2
# The first part's place, in blocks.
_FIRST: Final = round((MARGIN_CELLS - 1) * CELL_PX) // _BLOCK_PX - 1
_PARTS: Final = slice(_FIRST, _FIRST + RING * CELL_PX // _BLOCK_PX, CELL_PX // _BLOCK_PX)
# Energy of the print below which little of it is left, whatever correlates: a contrast of a hundredth, by which
# visibility best predicted which ratios were right (of 0.0003 to 0.03).
_LEAST_ENERGY: Final = 1e-4
# Edges of the squares of cells around one that count for it: the nearest, or more if too few of them look as expected.
_AROUND: Final = (9, 5, 3)
# Cells that are enough.
_ENOUGH: Final = 1.8

_VISIBILITY: Final = (0.0, 0.1, 0.2, 0.3, 0.45, 0.6, 0.75)
# What a ratio at its limit that speaks for a bare or unchanged cell is worth at these visibilities, as its share.
# Of the cells that look surely bare where nothing can be seen, a twentieth were not: no fewer than of all cells.
_AS_EXPECTED: Final = (0.02, 0.05, 0.14, 0.24, 0.34, 0.58, 0.58)
# What a ratio that speaks for a change is worth; half of what it says, at any visibility that was measured.
_CHANGED: Final = (0.4, 0.5, 0.5, 0.5, 0.5, 0.55, 0.8)
# Visibility at which all is seen well: ratios keep the scale on which the reader's limits were chosen.
_WELL: Final = 0.9


def visibility(expected: Look, current: Look, as_expected: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return how well each cell of the lattice is seen, from 0, not at all, to 1; shape (RING, RING).

    Args:
        expected: the expected look of the quilt.
        current: the current look, registered like the expected one.
        as_expected: the cells that show no change, at any shift, shape (RING, RING), bool: only there can a print be
            found again.
    """
    found = np.where(as_expected, _found_again(expected, current), 0.0)
    around = np.zeros((RING, RING))
    for reach in _AROUND:
        count = _sum(as_expected.astype(np.float64), reach)
        around = np.where(count > _ENOUGH, _sum(found, reach) / np.maximum(count, 1.0), around)
    return around


def _found_again(expected: Look, current: Look) -> NDArray[np.float64]:
    """Return the correlation of the two looks in each cell of the lattice, from 0 to 1."""
    both, one, other = (
        _energy(products)
        for products in (
            expected.detail * current.detail,
            expected.detail * expected.detail,
            current.detail * current.detail,
        )
    )
    return np.asarray(np.clip(both / np.sqrt((one + _LEAST_ENERGY) * (other + _LEAST_ENERGY)), 0.0, 1.0))


def _energy(products: NDArray[np.float32]) -> NDArray[np.float64]:
    blocks = cv2.resize(products, None, fx=1 / _BLOCK_PX, fy=1 / _BLOCK_PX, interpolation=cv2.INTER_AREA)
    parts = cv2.boxFilter(blocks, -1, (_PART, _PART), anchor=(0, 0), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(parts[_PARTS, _PARTS], np.float64)


def _sum(values: NDArray[np.float64], reach: int) -> NDArray[np.float64]:
    return np.asarray(cv2.boxFilter(values, -1, (reach, reach), normalize=False, borderType=cv2.BORDER_CONSTANT))


def worth(ratios: NDArray[np.float64], seen: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return log-likelihood ratios, changed / as expected, as what pictures of this visibility have shown them to be.

    Args:
        ratios: shape (..., RING, RING).
        seen: the cells' visibility, shape (RING, RING).
    """
    as_expected, changed = (np.interp(seen, _VISIBILITY, each) for each in (_AS_EXPECTED, _CHANGED))
    # Twice as strong a ratio speaks four times as surely for a bare cell.
    factor = np.where(ratios < 0, as_expected * np.abs(ratios) / LIMIT, changed)
    well = np.clip((seen - _VISIBILITY[-1]) / (_WELL - _VISIBILITY[-1]), 0.0, 1.0)
    return np.asarray(ratios * (factor + (1 - factor) * well))
