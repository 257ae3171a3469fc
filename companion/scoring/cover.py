"""The likeliest ways to lay a quilt: which pieces of the box, where, explain what each cell and each edge looks like.

Cells alone cannot tell a patch in the board's own colour from the board. But patches have shapes, each is there once,
no line runs through them and a seam runs around them. So whole layings are compared: cell by cell, row by row, the
best few hundred beginnings are carried on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from companion.games.patchwork import SIDE
from companion.scoring.shapes import CELLS, all_placements
from vision.bareness import INSIDE, LINE, RIM, SEAM
from vision.quiltfield import BARE, COVERED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from companion.scoring.shapes import Placements

DEFAULT_WIDTH: Final = 300
_PIECE_PRIOR: Final = -5.0
_LEATHER_PRIOR: Final = -4.0
_CELL_PRIOR: Final = 1.0
"""A piece must explain more than itself; a patch of five cells is as good as no patch."""


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """How well each cell and edge looks like what it may be, as logarithms of likelihoods.

    Attributes:
        cells: [cell, BARE or COVERED], shape (81, 2), float64.
        beside: [cell, kind of edge] of the edge to the cell's right, shape (81, 4); of no meaning in the last column.
        below: likewise of the edge below it; of no meaning in the last row.
    """

    cells: NDArray[np.float64]
    beside: NDArray[np.float64]
    below: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Layings:
    """The best layings found.

    Attributes:
        covered: the cells that each covers, the best first, shape (n, 81), bool.
        log_weights: of each, shape (n,), float64.
    """

    covered: NDArray[np.bool_]
    log_weights: NDArray[np.float64]

    @property
    def probability(self) -> NDArray[np.float64]:
        """How likely each cell is covered, by the layings' shares, shape (81,)."""
        shares = np.exp(self.log_weights - self.log_weights[0])
        return np.asarray(shares @ self.covered / shares.sum())


def best_layings(looks: Looks, usual: NDArray[np.bool_], width: int = DEFAULT_WIDTH) -> Layings:
    """Compare layings.

    Args:
        looks: of cells and edges.
        usual: the cells that are covered as far as one can tell without pieces, shape (81,); what is undecided yet is
            taken to turn out as well as they do, so that a beginning that decided more is not thought the worse.
        width: how many beginnings are carried on.
    """
    search = _Search(_against(looks, usual), all_placements())
    for cell in range(CELLS):
        search.decide(cell, width)
    order = np.argsort(-search.scores, kind="stable")
    return Layings(search.covered[order], search.scores[order])


def _against(looks: Looks, usual: NDArray[np.bool_]) -> Looks:
    """Each cell and edge as against how it looks in the usual reading."""
    states = usual.astype(np.intp)
    cells = looks.cells - np.take_along_axis(looks.cells, states[:, None], axis=1)
    return Looks(cells, _edges_against(looks.beside, states, 1), _edges_against(looks.below, states, SIDE))


def _edges_against(edges: NDArray[np.float64], states: NDArray[np.intp], step: int) -> NDArray[np.float64]:
    pieces = states + np.roll(states, -step)
    readings = np.stack([edges[:, LINE], edges[:, RIM], edges[:, SEAM:].max(axis=1)])
    against = edges - np.take_along_axis(readings, pieces[None], axis=0)[0][:, None]
    against[-step:] = 0.0
    if step == 1:
        against[SIDE - 1 :: SIDE] = 0.0  # the last column has no right neighbour
    return np.asarray(against)


class _Search:
    """The beginnings: by row of `covered`, `bare` and `used`, and of `scores`."""

    def __init__(self, looks: Looks, placed: Placements) -> None:
        self._looks, self._placed = looks, placed
        masks = placed.masks.astype(np.float64)
        leather = placed.shapes == len(placed.copies) - 1
        self._own = masks @ (looks.cells[:, COVERED] + _CELL_PRIOR) + np.where(leather, _LEATHER_PRIOR, _PIECE_PRIOR)
        self._own += _inside(masks, looks.beside[:, INSIDE], 1) + _inside(masks, looks.below[:, INSIDE], SIDE)
        self._seams = _around(masks, looks.beside[:, SEAM], 1) + _around(masks, looks.below[:, SEAM], SIDE)
        self._rims = _around(masks, looks.beside[:, RIM], 1) + _around(masks, looks.below[:, RIM], SIDE)
        single = np.eye(CELLS)
        self._lines = _around(single, looks.beside[:, LINE], 1) + _around(single, looks.below[:, LINE], SIDE)
        self._bare_rims = _around(single, looks.beside[:, RIM], 1) + _around(single, looks.below[:, RIM], SIDE)
        self.covered, self.bare = np.zeros((1, CELLS), np.bool_), np.zeros((1, CELLS), np.bool_)
        self.used = np.zeros((1, len(placed.copies)), np.int8)
        self.scores = np.zeros(1)

    def decide(self, cell: int, width: int) -> None:
        """Carry each beginning on to where this cell is bare or covered, and keep the best."""
        done = self.covered[:, cell]
        options = np.full((len(done), 2 + self._last(cell) - self._first(cell)), -np.inf)
        options[done, 0] = self.scores[done]
        options[~done, 1] = (self.scores + self._bareness(cell))[~done]
        options[~done, 2:] = (self.scores[:, None] + self._layable(cell))[~done]
        flat = options.reshape(-1)
        kept = np.argsort(-flat, kind="stable")[:width]
        kept = kept[np.isfinite(flat[kept])]
        states, choices = np.divmod(kept, options.shape[1])
        self._carry_on(cell, states, choices)
        self.scores = flat[kept]

    def _first(self, cell: int) -> int:
        return int(self._placed.starts[cell])

    def _last(self, cell: int) -> int:
        return int(self._placed.starts[cell + 1])

    def _bareness(self, cell: int) -> NDArray[np.float64]:
        beside = self.bare @ self._lines[cell] + self.covered @ self._bare_rims[cell]
        return np.asarray(self._looks.cells[cell, BARE] + beside)

    def _layable(self, cell: int) -> NDArray[np.float64]:
        """What each placement adds to each beginning; minus infinity where it cannot lie."""
        here = slice(self._first(cell), self._last(cell))
        masks, shapes = self._placed.masks[here], self._placed.shapes[here]
        covered, bare = self.covered.astype(np.float64), self.bare.astype(np.float64)
        added = self._own[here] + covered @ self._seams[here].T + bare @ self._rims[here].T
        taken = covered @ masks.T.astype(np.float64) > 0
        spent = self.used[:, shapes] >= self._placed.copies[shapes]
        return np.where(taken | spent, -np.inf, added)

    def _carry_on(self, cell: int, states: NDArray[np.intp], choices: NDArray[np.intp]) -> None:
        self.covered, self.bare, self.used = self.covered[states], self.bare[states], self.used[states]
        self.bare[choices == 1, cell] = True
        laying = np.flatnonzero(choices >= 2)
        placed = choices[laying] - 2 + self._first(cell)
        self.covered[laying] |= self._placed.masks[placed]
        self.used[laying, self._placed.shapes[placed]] += 1


def _inside(masks: NDArray[np.float64], edges: NDArray[np.float64], step: int) -> NDArray[np.float64]:
    """The sum over edges whose two cells are both in the mask, by mask."""
    return np.asarray((masks[:, :-step] * masks[:, step:]) @ edges[:-step])


def _around(masks: NDArray[np.float64], edges: NDArray[np.float64], step: int) -> NDArray[np.float64]:
    """[mask, cell outside it]: the sum over edges between the two."""
    found = np.zeros_like(masks)
    found[:, step:] += masks[:, :-step] * edges[:-step]
    found[:, :-step] += masks[:, step:] * edges[:-step]
    return np.asarray(found * (1 - masks))
