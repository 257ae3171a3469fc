"""Which of many fits are the pieces: those that together explain most of what is seen, without lying on one another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from vision.labelplaces import LabelPlace
    from vision.piecefit import Fit

_PRIOR: Final = 3.0
"""A piece must explain more than that."""
_MAY_OVERLAP: Final = 0.5
"""Cells by which two pieces may lie on each other."""
ONE_PLACE_CELLS: Final = 0.6
"""Pieces of two looks that share so much are in one place."""
_SAME_SHARE: Final = 0.5
"""Fits that share so much of the smaller one are of one piece."""
_HOPELESS: Final = 0.3
"""A fit whose quality is less by so much than that of one that covers nearly all of it is no piece."""
_ROUNDS: Final = 4
_FAR_CELLS: Final = 5.2
_RIVALS: Final = 30
_ELSEWHERE: Final = 3
"""So many of the best other places for a piece of which the box holds one are tried."""
_LABEL_WORTH: Final = 3.0
_WRONG_LABELS: Final = 6.0
"""What it costs a piece to have no label, or one too many."""
ONE_TOO_MANY: Final = 6.0
"""Nobody has two of what the box holds once: it would have to be this much better seen."""
_ON_CELL: Final = 0.65
"""From a cell's middle to that of a label on it, at most: labels are printed across the edge between two cells."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One piece.

    Attributes:
        best: the fit that was chosen.
        others: the best fit of every other shape that may lie there instead, best first.
        margin: by how much the neighbourhood is explained worse where this shape does not lie there.
    """

    best: Fit
    others: tuple[Fit, ...]
    margin: float


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """Where labels are printed; each piece has one.

    Attributes:
        places: shape (labels, 2), table space.
        plainness: how plainly each is seen, 0..1, shape (labels,).
        told: log-likelihood of each shape by what is printed there, shape (labels, shapes); 0 for the likeliest, and
            for all where it was not read.
    """

    places: NDArray[np.float64]
    plainness: NDArray[np.float64]
    told: NDArray[np.float64]

    @classmethod
    def of(cls, seen: Sequence[LabelPlace], told: NDArray[np.float64]) -> Labels:
        """Labels, and what each tells, shape (labels, shapes)."""
        places = np.array([place.at for place in seen], np.float64).reshape(-1, 2)
        return cls(places, np.array([place.plainness for place in seen], np.float64), told)

    @classmethod
    def unread(cls, seen: Sequence[LabelPlace], shapes: int) -> Labels:
        """Labels of which nothing is known but where they are."""
        return cls.of(seen, np.zeros((len(seen), shapes)))

    def worth(self, fit: Fit) -> float:
        """A piece has one label; two are two pieces, and none is hard to overlook."""
        return _LABEL_WORTH - self.against(fit)

    def against(self, fit: Fit) -> float:
        """What speaks against a fit, 0 for nothing: that no label or more than one is on it, or another shape's own.

        A label that is hardly seen is half a label: a piece may do without it, or have it besides its own.
        """
        apart = self.places[:, None] - fit.middles
        on = np.flatnonzero(np.hypot(apart[..., 0], apart[..., 1]).min(axis=1, initial=np.inf) < _ON_CELL)
        if not len(on):
            return _WRONG_LABELS
        plainest = int(on[self.plainness[on].argmax()])
        own = float(self.plainness[plainest])
        further = float(self.plainness[on].sum()) - own
        return _WRONG_LABELS * (1 - own + further) - float(self.told[plainest, fit.shape])


@dataclass(frozen=True, slots=True)
class Supply:
    """How many pieces of each shape there are.

    Attributes:
        counts: by the shape's number; of shapes beyond, there is any number.
        is_cut: whether a fit may be a part of a larger piece, which tells nothing of its shape.
    """

    counts: tuple[int, ...]
    is_cut: Callable[[Fit], bool]


ANY_NUMBER: Final = Supply((), lambda _: False)


def choose(
    fits: Sequence[Fit], labels: Labels | None = None, supply: Supply = ANY_NUMBER
) -> list[Slot]:
    """The pieces among fits that come best first.

    Args:
        fits: of all shapes, everywhere.
        labels: None where none can be seen.
        supply: how many of each shape there are.
    """
    field = _Field.of(_hopeful(fits), labels, supply)
    chosen = field.improved(field.filled(np.zeros(len(field.fits), np.bool_)))
    return [field.slot(int(number), chosen) for number in np.flatnonzero(chosen)]


def shared_cells(fits: Sequence[Fit]) -> NDArray[np.float64]:
    """Roughly the area that each two fits share, in cells, shape (fits, fits); 0 on the diagonal."""
    shared = np.zeros((len(fits), len(fits)))
    # Asked for again and again: a fit lays its cells out anew each time.
    middles = [fit.middles for fit in fits]
    padded, centres = _padded(middles), _centres(middles)
    # From a centre; beyond twice that, no cell of the one is less than a cell from one of the other.
    reach = np.array([np.hypot(*(each - each.mean(axis=0)).T).max() + 0.51 for each in middles])
    for one, those in enumerate(middles):
        apart = np.hypot(*(centres[one + 1 :] - centres[one]).T)
        near = np.flatnonzero(apart < np.minimum(_FAR_CELLS, reach[one + 1 :] + reach[one])) + one + 1
        shared[one, near] = shared[near, one] = _area(padded[near], those)
    return shared


def _padded(middles: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Middles of cells, each (n, 2), in one array; cells that a shape lacks lie too far from all to share anything."""
    padded = np.full((len(middles), max(map(len, middles), default=0), 2), np.inf)
    for number, each in enumerate(middles):
        padded[number, : len(each)] = each
    return padded


def _centres(middles: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    return np.array([each.mean(axis=0) for each in middles]).reshape(-1, 2)


def _area(these: NDArray[np.float64], those: NDArray[np.float64]) -> NDArray[np.float64]:
    """Roughly what each of many fits shares with one, by their cells' middles, shapes (fits, n, 2) and (m, 2)."""
    x, y = (these[:, :, None, axis] - those[:, axis] for axis in (0, 1))
    near = (np.abs(x) < 1) & (np.abs(y) < 1)
    area = np.zeros(near.shape)
    area[near] = np.clip(1 - np.hypot(x[near], y[near]), 0, 1)
    return np.asarray(area.sum(axis=(1, 2)))


def _hopeful(fits: Sequence[Fit]) -> list[Fit]:
    """Without those that a far better fit covers; the fits come best first."""
    middles = [fit.middles for fit in fits]
    padded, centres = _padded(middles), _centres(middles)
    qualities = np.array([fit.quality for fit in fits])
    sizes = np.array([len(fit.cells) for fit in fits])
    kept = np.zeros(len(fits), np.bool_)
    for number, those in enumerate(middles):
        better = kept & (qualities - qualities[number] > _HOPELESS) & (sizes >= sizes[number])
        others = np.flatnonzero(better)
        beside = others[np.hypot(*(centres[others] - centres[number]).T) < _FAR_CELLS]
        kept[number] = not _covers(padded[beside], those).any()
    return [fits[number] for number in np.flatnonzero(kept).tolist()]


def _covers(these: NDArray[np.float64], those: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which of many fits' cells, their middles of shape (fits, n, 2), cover most of one's, of shape (m, 2)."""
    x, y = (these[:, :, None, axis] - those[:, axis] for axis in (0, 1))
    return np.asarray((np.hypot(x, y).min(axis=1) < 0.6).mean(axis=1) > 0.7)


@dataclass(frozen=True, slots=True, eq=False)
class _Field:
    """Fits, and which of them cannot both be pieces. A choice is an array (fits,) of bool.

    `takes` are the numbers of what each takes of `stock`, of whose last there is any number.
    """

    fits: list[Fit]
    worth: NDArray[np.float64]
    shared: NDArray[np.float64]
    clashes: NDArray[np.bool_]
    takes: NDArray[np.intp]
    stock: NDArray[np.int64]

    @classmethod
    def of(cls, fits: list[Fit], labels: Labels | None, supply: Supply) -> _Field:
        """Fits again come best first: what labels say about them counts, too."""
        worth = np.array([fit.score - _PRIOR for fit in fits])
        if labels is not None:
            worth += [labels.worth(fit) for fit in fits]
        order = np.argsort(-worth, kind="stable")
        sorted_fits = [fits[number] for number in order.tolist()]
        shared = shared_cells(sorted_fits)
        plenty = len(supply.counts)
        takes = [plenty if fit.shape >= plenty or supply.is_cut(fit) else fit.shape for fit in sorted_fits]
        stock = np.array([*supply.counts, len(fits) + 1], np.int64)
        return cls(sorted_fits, worth[order], shared, shared > _MAY_OVERLAP, np.array(takes, np.intp), stock)

    def filled(self, chosen: NDArray[np.bool_], without: int | None = None) -> NDArray[np.bool_]:
        """With more of the fits, the best first, as far as they clash with none that is chosen."""
        grown = chosen.copy()
        free = ~grown & ~self.clashes[grown].any(axis=0)
        if without is not None:
            free[without] = False
        worth = np.where(free, self._further_worth(grown), 0.0)
        while worth.max(initial=0.0) > 0:
            number = int(worth.argmax())
            grown[number] = True
            free &= ~self.clashes[number]
            free[number] = False
            worth = np.where(free, self._further_worth(grown), 0.0)
        return grown

    def _further_worth(self, chosen: NDArray[np.bool_]) -> NDArray[np.float64]:
        """What each fit is worth beside a choice: less, where that has as many of its shape as there are."""
        used_up = self._taken(chosen) >= self.stock
        return self.worth - ONE_TOO_MANY * used_up[self.takes]

    def _taken(self, chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.asarray(np.bincount(self.takes[chosen], minlength=len(self.stock)), np.int64)

    def improved(self, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Two pieces side by side may look like one: tries to do without each piece, in favour of what it keeps out."""
        for _ in range(_ROUNDS):
            before = chosen
            for number in np.flatnonzero(before).tolist():
                if chosen[number]:
                    chosen = max(self._instead(number, chosen), key=self._value, default=chosen)
            if (chosen == before).all():
                break
        return chosen

    def _value(self, chosen: NDArray[np.bool_]) -> float:
        too_many = np.clip(self._taken(chosen) - self.stock, 0, None).sum()
        return float(self.worth[chosen].sum() - ONE_TOO_MANY * too_many)

    def _instead(self, number: int, chosen: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
        """The choice itself, and choices without one fit: with each of its rivals put first, and with none.

        Two places may have one piece's shape: then the other one is put first, too.
        """
        choices = [chosen]
        without = chosen.copy()
        without[number] = False
        worth = self._further_worth(without)
        rivals, alike = np.flatnonzero(self.clashes[number]), self._elsewhere(number, chosen)
        first = [each[np.argsort(-worth[each], kind="stable")] for each in (rivals, alike)]
        for rival in (*first[0][:_RIVALS].tolist(), *first[1][:_ELSEWHERE].tolist(), None):
            kept = without.copy()
            if rival is not None:
                kept &= ~self.clashes[rival]
                kept[rival] = True
            choices.append(self.filled(kept, number))
        return choices

    def _elsewhere(self, number: int, chosen: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Fits in other places of what the box holds no more of than is chosen, this fit with it."""
        kind = self.takes[number]
        if self._taken(chosen)[kind] < self.stock[kind]:
            return np.zeros(0, np.intp)
        return np.flatnonzero((self.takes == kind) & ~self.clashes[number] & ~chosen)

    def slot(self, number: int, chosen: NDArray[np.bool_]) -> Slot:
        """One chosen fit, and what else might lie there."""
        best = self.fits[number]
        beside = chosen.copy()
        beside[number] = False
        others: dict[int, Fit] = {}
        for other in np.flatnonzero(self.shared[number] > 0).tolist():
            fit = self.fits[other]
            least = _SAME_SHARE * min(len(fit.cells), len(best.cells))
            fits_in = (self.shared[other][beside] <= 2 * _MAY_OVERLAP).all()
            if fit.shape not in (best.shape, *others) and self.shared[number, other] >= least and fits_in:
                others[fit.shape] = fit
        return Slot(best, tuple(others.values()), self._margin(number, chosen))

    def _margin(self, number: int, chosen: NDArray[np.bool_]) -> float:
        """What the best choice loses in which no fit of this shape lies there."""
        same = np.array([fit.shape == self.fits[number].shape for fit in self.fits]) & (self.shared[number] > 1.0)
        same[number] = True
        elsewise = [choice for choice in self._instead(number, chosen) if not (choice & same).any()]
        return self._value(chosen) - max(map(self._value, elsewise), default=self._value(chosen & ~same))
