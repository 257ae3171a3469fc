"""The likeliest tilings of a quilt: the pieces of the box, and their places, that explain the evidence.

A quilt is a tiling: each patch of the box exists once, has one label and as many printed buttons as its income; no line
or seam runs through it, and one runs around it. So whole tilings are compared. That finds patches in the board's own
colour, and excludes quilts that cannot be laid.

The search is exact in most cases: cell by cell, row by row, the most promising partial tilings are extended, each
judged by the weight that it can reach at most. What is left out is known by its bound, so the result says how likely a
tiling that was not found is at most, and the search is repeated more widely while that is too much.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.games.patchwork.cells import SIDE
from companion.games.patchwork.components import PATCHES, TIME_TRACKS, placements, twins_of
from vision.quilt.network import BARE, INSIDE, LEATHER, LINE, PATCH, RIM, SEAM

CELLS: Final = SIDE * SIDE
MOST_LEATHER: Final = max(len(track.leather) for track in TIME_TRACKS.values())


@dataclass(frozen=True, slots=True)
class Lookalikes:
    """Pieces that differ only in the digits of their labels.

    Attributes:
        patches: their ids; empty for the leather patch.
        income: the number of buttons printed on each.
        copies: the number of them in the box.
    """

    patches: tuple[str, ...]
    income: int
    copies: int


@dataclass(frozen=True, slots=True, eq=False)
class Placements:
    """All placements of all kinds, sorted by their first cell, row by row.

    Attributes:
        masks: the cells covered, shape (n, 81), bool.
        kinds: the number of each placement's kind, shape (n,).
        starts: the placements whose first cell is `i` are those from starts[i] up to starts[i + 1], shape (82,).
    """

    masks: NDArray[np.bool_]
    kinds: NDArray[np.intp]
    starts: NDArray[np.intp]


@cache
def all_kinds() -> tuple[Lookalikes, ...]:
    """Return the kinds of pieces in the box; the last is the leather patch."""
    alike = [(each, *(twin for twin in twins_of(each) if _income(twin) == _income(each))) for each in PATCHES]
    distinct = dict.fromkeys(tuple(sorted(patches)) for patches in alike)
    kinds = [Lookalikes(patches, _income(patches[0]), len(patches)) for patches in distinct]
    return (*kinds, Lookalikes((), 0, MOST_LEATHER))


def _income(patch: str) -> int:
    return PATCHES[patch].income


@cache
def all_placements() -> Placements:
    """Return the placements of the 33 patches and of the leather patches."""
    lone = tuple(1 << cell for cell in range(CELLS))
    masks = [placements(kind.patches[0]) if kind.patches else lone for kind in all_kinds()]
    listed = [(mask, number) for number, those in enumerate(masks) for mask in those]
    # A mask's lowest bit is its first cell.
    listed.sort(key=lambda each: each[0] & -each[0])
    bits = np.array([[mask >> cell & 1 for cell in range(CELLS)] for mask, _ in listed], np.bool_)
    return Placements(
        masks=bits,
        kinds=np.array([number for _, number in listed], np.intp),
        starts=np.searchsorted(bits.argmax(axis=1), np.arange(CELLS + 1)).astype(np.intp),
    )


# The numbers of partial tilings that are extended, one search after another until the result is certain: of 25 drawn
# quilts of all difficulties, with 10 pieces and more, these left 10 without a proof, and a wider search takes seconds.
_WIDTHS: Final = (100, 500)
# The lead in log weight of the best tiling over all that were not found from which no wider search is made.
_CLEAR: Final = 5.0


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """The likelihoods of each cell and each edge.

    Attributes:
        cells: log-likelihood of BARE, PATCH and LEATHER, shape (81, 3), float64.
        beside: log-likelihood of LINE, RIM, SEAM and INSIDE for the edge to the cell's right, shape (81, 4); 0 in the
            last column.
        below: the same for the edge below the cell; 0 in the last row.
        buttons: the estimated number of printed buttons on the cell, shape (81,).
        labels: the same for labels; one that lies on two cells counts half on each.
    """

    cells: NDArray[np.float64]
    beside: NDArray[np.float64]
    below: NDArray[np.float64]
    buttons: NDArray[np.float64]
    labels: NDArray[np.float64]


# The log weights of what each piece must explain, chosen by trial on drawn boards that were not used to fit: of laying
# one at all, and what each printed button or label too many or too few costs, up to a number of them.
_LAID: Final = -2.0
_BUTTON, _LABEL, _MOST_MISSED = 3.5, 4.5, 2.0


@dataclass(frozen=True, slots=True, eq=False)
class Tilings:
    """The best tilings found, the best first.

    Attributes:
        covered: the cells that each covers, shape (n, 81), bool.
        placed: by each piece's first cell, the number of its placement, -1 elsewhere, shape (n, 81).
        used: the number of pieces of each kind, shape (n, kinds).
        log_weights: the log weight of each tiling, shape (n,), float64.
        missed: the log weight that no tiling exceeds that is not among these.
    """

    covered: NDArray[np.bool_]
    placed: NDArray[np.int32]
    used: NDArray[np.int8]
    log_weights: NDArray[np.float64]
    missed: float = -np.inf


def most_weight(looks: Looks) -> float:
    """Return a log weight that no tiling exceeds; it takes a sixth of a search's time, or less."""
    return float(_Search(looks).bounds[0])


def best_tilings(looks: Looks, widths: Sequence[int] = _WIDTHS) -> Tilings:
    """Return the best tilings.

    Args:
        looks: the likelihoods of cells and edges.
        widths: the numbers of partial tilings to extend from cell to cell, each tried if the one before leaves a doubt.
    """
    searches = (_search(looks, width) for width in widths)
    found = next(searches)
    while found.missed > found.log_weights[0] - _CLEAR and (wider := next(searches, None)) is not None:
        found = wider
    return found


def _search(looks: Looks, width: int) -> Tilings:
    search = _Search(looks)
    for cell in range(CELLS):
        search.decide(cell, width)
    order = np.argsort(-search.bounds, kind="stable")
    tilings = (search.covered[order], search.placed[order], search.used[order], search.bounds[order])
    return Tilings(*tilings, search.missed)


class _Search:
    """The partial tilings: one per row of `covered`, `empty`, `placed`, `used` and `bounds`.

    A partial tiling's bound is the log weight that it reaches if each undecided cell is explained as well as any piece
    on it, or none, can explain it. Of an edge between two cells each has a half. So a bound is never below the weight
    of any tiling that continues it, and at the end it is the weight itself.
    """

    def __init__(self, looks: Looks) -> None:
        self._placements = all_placements()
        self._copies = np.array([kind.copies for kind in all_kinds()])
        looks = _against_usual(looks)
        seams, rims, lines = (_between_neighbours(looks, kind) for kind in (SEAM, RIM, LINE))
        of_piece, of_bare = 0.5 * np.maximum(seams, rims), 0.5 * np.maximum(lines, rims)
        stray = np.minimum(looks.buttons, _MOST_MISSED) * _BUTTON
        empty = looks.cells[:, BARE] - stray - np.minimum(looks.labels, _MOST_MISSED) * _LABEL
        empty += of_bare.sum(axis=1)
        own = _own_scores(looks) + _rim_scores(of_piece)
        best = _best_scores(own, empty)
        # What is gained against the bound, which falls with every decision.
        self._own, self._empty = own - self._placements.masks @ best, empty - best
        self._seams, self._rims, self._lines = seams - 2 * of_piece, rims - of_piece - of_bare, lines - 2 * of_bare
        self.covered, self.empty = np.zeros((1, CELLS), np.bool_), np.zeros((1, CELLS), np.bool_)
        self.placed = np.full((1, CELLS), -1, np.int32)
        self.used = np.zeros((1, len(self._copies)), np.int8)
        self.bounds, self.missed = np.array([best.sum()]), -np.inf

    def decide(self, cell: int, width: int) -> None:
        """Extend each partial tiling by making this cell empty or covered, and keep the best."""
        done = self.covered[:, cell]
        first, last = (int(self._placements.starts[each]) for each in (cell, cell + 1))
        options = np.full((len(done), 2 + last - first), -np.inf)
        options[done, 0] = self.bounds[done]
        options[~done, 1] = (self.bounds + self._empty_scores(cell))[~done]
        options[~done, 2:] = self.bounds[~done, None] + self._layable(slice(first, last), ~done)
        flat = options.reshape(-1)
        kept = np.arange(len(flat))
        if len(flat) > width:
            kept = np.argpartition(-flat, width)
            self.missed = max(self.missed, float(flat[kept[width]]))
            kept = kept[:width]
        kept = kept[np.isfinite(flat[kept])]
        states, choices = np.divmod(kept, options.shape[1])
        self._carry_on(cell, states, choices, first)
        self.bounds = flat[kept]

    def _empty_scores(self, cell: int) -> NDArray[np.float64]:
        return np.asarray(self._empty[cell] + self.empty @ self._lines[cell] + self.covered @ self._rims[cell])

    def _layable(self, here: slice, states: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return what each placement adds to the bound of each partial tiling; minus infinity if it does not fit."""
        lain, kinds = self._placements.masks[here], self._placements.kinds[here]
        # Placements here extend over a few rows: no other cells and edges are evidence on them.
        reached = np.flatnonzero(lain.any(axis=0))
        cells = slice(reached[0], reached[-1] + 1)
        around = slice(max(cells.start - SIDE, 0), cells.stop + SIDE)
        masks = lain[:, cells].T.astype(np.float64)
        covered, bare = (each[states, around].astype(np.float64) for each in (self.covered, self.empty))
        edges = covered @ self._seams[around, cells] + bare @ self._rims[around, cells]
        # Edges inside the piece itself are not counted here: if it fits, its cells are still undecided.
        added = self._own[here] + edges @ masks
        taken = self.covered[states, cells].astype(np.float32) @ masks.astype(np.float32) > 0
        spent = (self.used[states] >= self._copies)[:, kinds]
        return np.where(taken | spent, -np.inf, added)

    def _carry_on(self, cell: int, states: NDArray[np.intp], choices: NDArray[np.intp], first: int) -> None:
        self.covered, self.empty = self.covered[states], self.empty[states]
        self.used, self.placed = self.used[states], self.placed[states]
        self.empty[choices == 1, cell] = True
        laying = np.flatnonzero(choices >= 2)
        chosen = choices[laying] - 2 + first
        self.placed[laying, cell] = chosen
        self.covered[laying] |= self._placements.masks[chosen]
        self.used[laying, self._placements.kinds[chosen]] += 1


def _against_usual(looks: Looks) -> Looks:
    """Return the evidence relative to the reading in which every cell is what it looks like by itself."""
    usual = looks.cells.argmax(axis=1)
    cells = looks.cells - np.take_along_axis(looks.cells, usual[:, None], axis=1)
    states = (usual != BARE).astype(np.intp)
    beside, below = _edges_against(looks.beside, states, 1), _edges_against(looks.below, states, SIDE)
    return Looks(cells, beside, below, looks.buttons, looks.labels)


def _edges_against(edges: NDArray[np.float64], states: NDArray[np.intp], step: int) -> NDArray[np.float64]:
    pieces = states + np.roll(states, -step)
    readings = np.stack([edges[:, LINE], edges[:, RIM], edges[:, SEAM:].max(axis=1)])
    against = edges - np.take_along_axis(readings, pieces[None], axis=0)[0][:, None]
    against[-step:] = 0.0
    if step == 1:
        against[SIDE - 1 :: SIDE] = 0.0  # the last column has no right neighbour
    return np.asarray(against)


def _own_scores(looks: Looks) -> NDArray[np.float64]:
    """Return the score of each placement by itself."""
    placed = all_placements()
    masks = placed.masks.astype(np.float64)
    income = np.array([kind.income for kind in all_kinds()])[placed.kinds]
    leather = placed.kinds == len(all_kinds()) - 1
    own = np.where(leather, masks @ looks.cells[:, LEATHER], masks @ looks.cells[:, PATCH])
    own += _LAID
    own += _inside(masks, looks.beside[:, INSIDE], 1) + _inside(masks, looks.below[:, INSIDE], SIDE)
    own -= _BUTTON * np.minimum(np.abs(masks @ looks.buttons - income), _MOST_MISSED)
    own -= _LABEL * np.minimum(np.abs(masks @ looks.labels - ~leather), _MOST_MISSED)
    return np.asarray(own)


def _rim_scores(halves: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sum over the edges around each placement, given by [cell, cell] the half of an edge's evidence."""
    masks = all_placements().masks.astype(np.float64)
    inside = np.einsum("ij,ij->i", masks @ halves, masks)
    return np.asarray(masks @ halves.sum(axis=1) - inside)


def _best_scores(own: NDArray[np.float64], empty: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the best score of each cell, shape (81,): as an empty one, or its share of a placement that covers it."""
    masks = all_placements().masks
    shares = own / masks.sum(axis=1)
    return np.asarray(np.maximum(empty, [shares[masks[:, cell]].max() for cell in range(CELLS)]), np.float64)


def _inside(masks: NDArray[np.float64], edges: NDArray[np.float64], step: int) -> NDArray[np.float64]:
    """Return the sum over edges whose two cells are both in the mask, by mask."""
    return np.asarray((masks[:, :-step] * masks[:, step:]) @ edges[:-step])


def _between_neighbours(looks: Looks, kind: int) -> NDArray[np.float64]:
    """Return, by [cell, cell], the evidence for this kind of edge between two cells; 0 if they are not adjacent."""
    # The edges in the last column are 0, so that no cell adjoins the first one of the next row.
    half = np.diag(looks.beside[:-1, kind], 1) + np.diag(looks.below[:-SIDE, kind], SIDE)
    return np.asarray(half + half.T)
