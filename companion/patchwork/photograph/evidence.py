"""The network's evidence on a quilt, in the order in which tilings are compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from companion.games.patchwork import SIDE
from companion.patchwork.photograph.shapes import CELLS
from companion.patchwork.photograph.tiling import Looks
from vision.quilt.network import BARE, LEATHER, LINE, PATCH, RIM, SPOT_MARGIN, QuiltLook

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FLOOR: Final = 0.05
"""Places that are less likely a spot's middle than this count nothing: there are hundreds of them."""
_BUTTON_REACH: Final = 1.5
_LABEL_REACH: Final = 2.5
"""In places of a quarter of a cell: buttons' middles lie 0.6 cells apart and more, labels' a little farther."""


@dataclass(frozen=True, slots=True)
class Trust:
    """Factors that reduce logarithms, since cells and edges see the same print.

    Attributes:
        cell: of cells by themselves, as far as they tell what is covered.
        kind: as far as they tell leather from patches: edges do not see that.
        edge: of edges.
        least: no single cell or edge counts for more than this, as a logarithm before it is made smaller.
    """

    cell: float = 0.5
    kind: float = 1.0
    edge: float = 0.5
    least: float = -9.0


USUAL_TRUST: Final = Trust()


def looks_of(look: QuiltLook, trust: Trust = USUAL_TRUST) -> Looks:
    """Return the evidence of cells and edges, and the printed buttons and labels on each cell."""
    cells = _cells(look.cells, trust)
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


def _cells(logs: NDArray[np.float64], trust: Trust) -> NDArray[np.float64]:
    """Return the log-likelihoods of BARE, PATCH and LEATHER for each cell."""
    covered = np.logaddexp(logs[..., PATCH], logs[..., LEATHER])[..., None]
    kinds = np.concatenate([np.zeros_like(covered), logs[..., [PATCH, LEATHER]] - covered], axis=2)
    states = np.concatenate([logs[..., [BARE]], covered, covered], axis=2)
    return np.asarray(trust.cell * np.maximum(states, trust.least) + trust.kind * np.maximum(kinds, trust.least))


def _outermost(edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the evidence of the outermost edges on the cells beside them: a line if bare, a piece's rim if not."""
    return np.asarray(edges[:, [LINE, RIM, RIM]])


def _spots(places: NDArray[np.float64], reach: float) -> NDArray[np.float64]:
    """Return the spots of a map, one by one, as rows of (x, y, probability), x and y in cells.

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
    """Return how many buttons lie on each cell, shape (SIDE, SIDE)."""
    counts = np.zeros((SIDE, SIDE))
    for x, y, chance in _spots(places, _BUTTON_REACH):
        if 0 <= x < SIDE and 0 <= y < SIDE:
            counts[int(y), int(x)] += chance
    return counts


def _shared(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return labels per cell; one between the middles of cells is shared among them, the nearer having more."""
    counts = np.zeros((SIDE, SIDE))
    middles = np.arange(SIDE) + 0.5
    for x, y, chance in _spots(places, _LABEL_REACH):
        across, down = (np.maximum(0, 1 - np.abs(np.clip(at, 0.5, SIDE - 0.5) - middles)) for at in (x, y))
        counts += chance * down[:, None] * across
    return counts
