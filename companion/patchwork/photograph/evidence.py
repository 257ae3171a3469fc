"""The network's evidence on a quilt, in the form in which tilings are compared."""

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
"""Probability below which a place is not counted as a spot's middle: there are hundreds of such places."""
_BUTTON_REACH: Final = 1.5
_LABEL_REACH: Final = 2.5
"""Radii in places of a quarter of a cell: buttons' middles lie at least 0.6 cells apart, labels' a little more."""


@dataclass(frozen=True, slots=True)
class Trust:
    """Factors that reduce log-likelihoods, because cells and edges see the same print.

    Attributes:
        cell: factor of the cells' evidence on whether they are covered.
        kind: factor of their evidence on leather or patch, which edges do not see.
        edge: factor of the edges' evidence.
        least: limit of a single cell's or edge's log-likelihood, before these factors.
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
    """Return the outermost edges' evidence on the cells beside them: a line if bare, a piece's rim otherwise."""
    return np.asarray(edges[:, [LINE, RIM, RIM]])


def _spots(places: NDArray[np.float64], reach: float) -> NDArray[np.float64]:
    """Return the spots of a map, one by one, as rows of (x, y, probability), x and y in cells.

    The likeliest place is a spot; places within `reach` of it belong to the same spot.
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
    """Return the number of buttons on each cell, shape (SIDE, SIDE)."""
    counts = np.zeros((SIDE, SIDE))
    for x, y, chance in _spots(places, _BUTTON_REACH):
        if 0 <= x < SIDE and 0 <= y < SIDE:
            counts[int(y), int(x)] += chance
    return counts


def _shared(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the labels per cell, shape (SIDE, SIDE); one between cells' middles is shared by distance."""
    counts = np.zeros((SIDE, SIDE))
    middles = np.arange(SIDE) + 0.5
    for x, y, chance in _spots(places, _LABEL_REACH):
        across, down = (np.maximum(0, 1 - np.abs(np.clip(at, 0.5, SIDE - 0.5) - middles)) for at in (x, y))
        counts += chance * down[:, None] * across
    return counts
