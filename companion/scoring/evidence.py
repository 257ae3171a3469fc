"""What the network saw of a quilt, in the order in which tilings are compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from companion.games.patchwork import SIDE
from companion.scoring.shapes import CELLS
from companion.scoring.tiling import Looks
from vision.quilt.network import LINE, RIM, SPOT_MARGIN, QuiltLook

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FLOOR: Final = 0.05
"""Places that are less likely a spot's middle than this count nothing: there are hundreds of them."""
_BUTTON_REACH: Final = 1.5
_LABEL_REACH: Final = 2.5
"""In places of a quarter of a cell: buttons' middles lie 0.6 cells apart and more, labels' a little farther."""


@dataclass(frozen=True, slots=True)
class Trust:
    """By how much logarithms are made smaller, since cells and edges see the same print.

    Attributes:
        cell: of cells by themselves.
        edge: of edges.
        least: no single cell or edge counts for more than this, as a logarithm before it is made smaller.
    """

    cell: float = 0.5
    edge: float = 0.5
    least: float = -9.0


USUAL_TRUST: Final = Trust()


def looks_of(look: QuiltLook, trust: Trust = USUAL_TRUST) -> Looks:
    """The evidence of cells and edges, and the printed buttons and labels on each cell."""
    cells = trust.cell * np.maximum(look.cells, trust.least)
    beside, below = (trust.edge * np.maximum(edges, trust.least) for edges in (look.beside, look.below))
    for row in (0, -1):
        cells[row] += _outermost(below[row])
    for column in (0, -1):
        cells[:, column] += _outermost(beside[:, column])
    inner_beside, inner_below = np.zeros((SIDE, SIDE, 4)), np.zeros((SIDE, SIDE, 4))
    inner_beside[:, :-1], inner_below[:-1] = beside[:, 1:-1], below[1:-1]
    return Looks(
        cells=cells.reshape(CELLS, 3),
        beside=inner_beside.reshape(CELLS, 4),
        below=inner_below.reshape(CELLS, 4),
        buttons=_whole(look.buttons).reshape(-1),
        labels=_shared(look.labels).reshape(-1),
    )


def _outermost(edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """What the grid's outermost edges tell of the cells beside them: a line if bare, the rim of a piece if not."""
    return np.asarray(edges[:, [LINE, RIM, RIM]])


def _spots(places: NDArray[np.float64], reach: float) -> NDArray[np.float64]:
    """The spots of a map, one by one, as rows of (x, y, probability), x and y in cells.

    The likeliest place is one; what lies within reach of it, in places, is the same one seen beside its middle.
    """
    left = np.where(places > _FLOOR, places, 0.0)
    rows, columns = np.indices(left.shape)
    found = []
    while left.any():
        row, column = np.unravel_index(int(left.argmax()), left.shape)
        near = np.hypot(rows - row, columns - column) <= reach
        mass = left * near
        total = float(mass.sum())
        middle = np.array([(mass * columns).sum(), (mass * rows).sum()]) / total
        found.append([*((middle + 0.5) / SPOT_MARGIN - 1), min(1.0, total)])
        left[near] = 0.0
    return np.array(found).reshape(-1, 3)


def _whole(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """How many buttons lie on each cell, shape (SIDE, SIDE)."""
    counts = np.zeros((SIDE, SIDE))
    for x, y, chance in _spots(places, _BUTTON_REACH):
        if 0 <= x < SIDE and 0 <= y < SIDE:
            counts[int(y), int(x)] += chance
    return counts


def _shared(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """How many labels; one between the middles of cells is shared among these, the nearer having more."""
    counts = np.zeros((SIDE, SIDE))
    middles = np.arange(SIDE) + 0.5
    for x, y, chance in _spots(places, _LABEL_REACH):
        across, down = (np.maximum(0, 1 - np.abs(np.clip(at, 0.5, SIDE - 0.5) - middles)) for at in (x, y))
        counts += chance * down[:, None] * across
    return counts
