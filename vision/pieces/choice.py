"""Selection, from many candidate fits, of a consistent set of pieces that explains the picture best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from vision.pieces.fit import Fit
    from vision.pieces.maps import LabelPlace

_Apart: TypeAlias = NDArray[np.float32]

# Distance of centres beyond which fits cannot overlap: the longest shape is five cells long.
_FAR_CELLS: Final = 5.2
_ON_TOP, _MOSTLY = 0.6, 0.7
"""Distance to a cell of the other fit below which a cell is covered, and the share of covered cells from which a fit
is.
"""
# Fits, sorted by x, whose neighbours are searched for together.
_BLOCK: Final = 128
# Pairs of fits that are measured together: so many fit into the processor's cache.
_AT_ONCE: Final = 1 << 14


def shared_cells(fits: Sequence[Fit]) -> NDArray[np.float64]:
    """Return the approximate shared area of each two fits, in cells, shape (fits, fits); 0 on the diagonal."""
    shared = np.zeros((len(fits), len(fits)))
    laid = FitPlaces.of(fits)
    one, other = laid.pairs(laid.reach)
    shared[one, other] = shared[other, one] = laid.measured(one, other, _area)
    return shared


@dataclass(frozen=True, slots=True, eq=False)
class FitPlaces:
    """The places of fits, as arrays.

    Attributes:
        middles: of their cells, shape (fits, cells, 2); missing cells of smaller shapes are at infinity.
        sizes: numbers of cells.
        centres: shape (fits, 2).
        reach: radius around a centre, in cells: if the centres of two fits are further apart than the sum of both, no
            cell of the one is less than a cell from one of the other.
    """

    middles: NDArray[np.float32]
    sizes: NDArray[np.intp]
    centres: NDArray[np.float32]
    reach: NDArray[np.float32]

    @classmethod
    def of(cls, fits: Sequence[Fit]) -> FitPlaces:
        """Return the places of fits."""
        middles = [fit.middles for fit in fits]
        sizes = np.array([len(each) for each in middles], np.intp)
        padded = np.full((len(middles), sizes.max(initial=0), 2), np.inf, np.float32)
        for number, each in enumerate(middles):
            padded[number, : len(each)] = each
        centres = np.array([each.mean(axis=0) for each in middles], np.float32).reshape(-1, 2)
        reach = [np.hypot(*(each - at).T).max() for each, at in zip(middles, centres, strict=True)]
        return cls(padded, sizes, centres, np.array(reach, np.float32) + np.float32(0.51))

    def pairs(self, reach: NDArray[np.float32]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the numbers of all pairs of fits whose centres are nearer than both reaches together and `_FAR_CELLS`.

        The earlier fit comes first.
        """
        order = np.argsort(self.centres[:, 0], kind="stable")
        x, y, reach = self.centres[order, 0], self.centres[order, 1], reach[order]
        found = [np.zeros((2, 0), np.intp)]
        for begin in range(0, len(order), _BLOCK):
            rows = slice(begin, begin + _BLOCK)
            end = int(np.searchsorted(x, x[rows][-1] + _FAR_CELLS))
            right, down = x[begin:end] - x[rows, None], y[begin:end] - y[rows, None]
            within = np.minimum(reach[rows, None] + reach[begin:end], _FAR_CELLS)
            found.append(np.array(np.nonzero(np.triu(right * right + down * down < within * within, 1))) + begin)
        pairs = np.sort(order[np.concatenate(found, axis=1)], axis=0)
        return pairs[0], pairs[1]

    def measured(
        self, one: NDArray[np.intp], other: NDArray[np.intp], measure: Callable[[_Apart], _Apart]
    ) -> NDArray[np.float64]:
        """Return a measure of pairs of fits, computed from the distances between their cells."""
        measured = np.zeros(len(one))
        kinds = self.sizes[one] * (self.sizes.max(initial=0) + 1) + self.sizes[other]
        order = np.argsort(kinds, kind="stable")
        for alike in np.split(order, np.flatnonzero(np.diff(kinds[order])) + 1):
            for begin in range(0, len(alike), _AT_ONCE):
                some = alike[begin : begin + _AT_ONCE]
                these = self.middles[one[some], : self.sizes[one[some[0]]]]
                those = self.middles[other[some], : self.sizes[other[some[0]]]]
                x, y = (these[:, :, None, axis] - those[:, None, :, axis] for axis in (0, 1))
                measured[some] = measure(np.sqrt(x * x + y * y))
        return measured


def _area(apart: _Apart) -> _Apart:
    """Return the approximate shared area of pairs of fits from their cells' distances, shape (pairs, cells, cells)."""
    return np.asarray(np.maximum(1 - apart, 0).sum(axis=(1, 2)), np.float32)


def uncovered(fits: Sequence[Fit], hopeless: float) -> list[Fit]:
    """Return the fits, given best first, without those that a far better one covers.

    Args:
        fits: of all shapes, everywhere.
        hopeless: the difference in quality from which a covered fit is dropped.
    """
    laid = FitPlaces.of(fits)
    qualities = np.array([fit.quality for fit in fits])
    one, other = laid.pairs(np.full(len(fits), _FAR_CELLS, np.float32))
    better = (qualities[one] - qualities[other] > hopeless) & (laid.sizes[one] >= laid.sizes[other])
    one, other = one[better], other[better]
    covers = laid.measured(one, other, _covered) > _MOSTLY
    kept = np.ones(len(fits), np.bool_)
    covered = zip(other[covers].tolist(), one[covers].tolist(), strict=True)
    for below, above in sorted(covered):
        # A dropped fit covers nothing: whether the upper one is kept is known by now.
        kept[below] &= not kept[above]
    return [fits[number] for number in np.flatnonzero(kept).tolist()]


def _covered(apart: _Apart) -> _Apart:
    """Return the share of the second fit's cells that the first one covers."""
    return np.asarray((apart.min(axis=1) < _ON_TOP).mean(axis=1), np.float32)


# The score that a piece must exceed.
_PRIOR: Final = 3.0
# Cells by which two pieces may lie on each other.
_MAY_OVERLAP: Final = 0.5
ONE_PLACE_CELLS: Final = 0.6
"""Shared area from which pieces of two looks are in one place."""
# Share of the smaller fit's area from which two fits are of one piece.
_SAME_SHARE: Final = 0.5
# A fit is dropped if its quality is lower by this than that of a fit that covers nearly all of it.
_HOPELESS: Final = 0.3
# The greatest number of passes over all chosen fits to improve the choice.
_ROUNDS: Final = 4
# Fits tried in place of a chosen one, best first; each trial fills the neighbourhood anew.
_RIVALS: Final = 30
# The number of other places, best first, that are tried for a piece of which the box holds one.
_ELSEWHERE: Final = 3
# Contribution of one label on a fit to its score, in log-odds; each piece has one.
_LABEL_WORTH: Final = 3.0
# Penalty for a piece with no label, or with one too many.
_WRONG_LABELS: Final = 6.0
ONE_TOO_MANY: Final = 6.0
"""Penalty for a piece beyond the number in the box, which must be better supported by this much."""
# The largest distance of a label from a cell's middle: labels are printed across the edge between two cells.
_ON_CELL: Final = 0.65


@dataclass(frozen=True, slots=True)
class Slot:
    """One chosen piece, and the alternatives in its place.

    Attributes:
        best: the fit that was chosen.
        others: the best fit of every other shape that is possible there, best first.
        margin: loss in score of the best choice without this shape in this place.
    """

    best: Fit
    others: tuple[Fit, ...]
    margin: float


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """The labels detected on a table; each piece has one.

    Attributes:
        places: shape (labels, 2), table space.
        plainness: clarity of each, 0..1, shape (labels,).
        log_likelihoods: of each shape by the label's text, shape (labels, shapes); 0 for the likeliest, and for all
            if the label was not read.
    """

    places: NDArray[np.float64]
    plainness: NDArray[np.float64]
    log_likelihoods: NDArray[np.float64]

    @classmethod
    def of(cls, seen: Sequence[LabelPlace], log_likelihoods: NDArray[np.float64]) -> Labels:
        """Return labels and their log-likelihoods of each shape, shape (labels, shapes)."""
        places = np.array([place.at for place in seen], np.float64).reshape(-1, 2)
        return cls(places, np.array([place.plainness for place in seen], np.float64), log_likelihoods)

    @classmethod
    def unread(cls, seen: Sequence[LabelPlace], shapes: int) -> Labels:
        """Return labels whose places alone are known."""
        return cls.of(seen, np.zeros((len(seen), shapes)))

    def worth(self, fit: Fit) -> float:
        """Return the evidence of labels for a fit, in log-odds.

        A piece has one label; a fit with two of them consists of two pieces, and a label is rarely missed.
        """
        return _LABEL_WORTH - self.against(fit)

    def against(self, fit: Fit) -> float:
        """Return the evidence of labels against a fit, 0 for none: no label, too many, or the label of another shape.

        Labels count by their clarity: a faint one may be missing, or be present besides the piece's own.
        """
        apart = self.places[:, None] - fit.middles
        on = np.flatnonzero(np.hypot(apart[..., 0], apart[..., 1]).min(axis=1, initial=np.inf) < _ON_CELL)
        if not len(on):
            return _WRONG_LABELS
        plainest = int(on[self.plainness[on].argmax()])
        own = float(self.plainness[plainest])
        further = float(self.plainness[on].sum()) - own
        return _WRONG_LABELS * (1 - own + further) - float(self.log_likelihoods[plainest, fit.shape])


@dataclass(frozen=True, slots=True)
class Supply:
    """The number of pieces of each shape.

    Attributes:
        counts: by the shape's number; unlimited for shapes beyond.
        is_cut: predicate for fits that may be a part of a larger piece, which says nothing of its shape.
    """

    counts: tuple[int, ...]
    is_cut: Callable[[Fit], bool]


ANY_NUMBER: Final = Supply((), lambda _: False)
"""The supply of a table whose box is not known."""


def choose(fits: Sequence[Fit], labels: Labels | None = None, supply: Supply = ANY_NUMBER) -> list[Slot]:
    """Choose the pieces among fits, which come best first.

    Args:
        fits: of all shapes, everywhere.
        labels: the labels, or None if they cannot be seen.
        supply: how many of each shape there are.

    Returns:
        The pieces, each with the fits that may lie in its place instead.
    """
    field = _Field.of(uncovered(fits, _HOPELESS), labels, supply)
    chosen = field.improved(field.filled(np.zeros(len(field.fits), np.bool_)))
    return [field.slot(int(number), chosen) for number in np.flatnonzero(chosen)]


@dataclass(frozen=True, slots=True, eq=False)
class _Field:
    """The candidate fits and their conflicts. A choice is an array (fits,) of bool.

    `takes` is each fit's index into `stock`, whose last entry is unlimited; `tried` caches the last result of
    `_instead` for each fit, preceded by the choice that it started from.
    """

    fits: list[Fit]
    worth: NDArray[np.float64]
    shared: NDArray[np.float64]
    clashes: NDArray[np.bool_]
    takes: NDArray[np.intp]
    stock: NDArray[np.int64]
    tried: dict[int, list[NDArray[np.bool_]]] = field(default_factory=dict)

    @classmethod
    def of(cls, fits: list[Fit], labels: Labels | None, supply: Supply) -> _Field:
        """Return the fits with the labels' evidence added to their scores, best first."""
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
        """Return the choice extended greedily by the best fits that do not clash with it."""
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
        """Return each fit's score beside a choice, with a penalty for shapes whose supply is used up."""
        used_up = self._taken(chosen) >= self.stock
        return self.worth - ONE_TOO_MANY * used_up[self.takes]

    def _taken(self, chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.asarray(np.bincount(self.takes[chosen], minlength=len(self.stock)), np.int64)

    def improved(self, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return the choice after trying to replace each piece by the fits that it blocks.

        Two pieces side by side may look like one.
        """
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
        """Return the choice itself, and choices without one fit: with each of its rivals added first, and with none.

        If the box holds one piece that may lie in two places, the other place is tried, too. The last result for a fit
        is cached, because the final choice is evaluated once more for its margins.
        """
        tried = self.tried.get(number)
        if tried is None or (tried[0] != chosen).any():
            tried = self.tried[number] = self._choices(number, chosen)
        return tried

    def _choices(self, number: int, chosen: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
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
        """Return the fits in other places of this fit's shape if the choice uses up the box's supply of it."""
        kind = self.takes[number]
        if self._taken(chosen)[kind] < self.stock[kind]:
            return np.zeros(0, np.intp)
        return np.flatnonzero((self.takes == kind) & ~self.clashes[number] & ~chosen)

    def slot(self, number: int, chosen: NDArray[np.bool_]) -> Slot:
        """Return one chosen fit with the alternatives in its place."""
        best = self.fits[number]
        beside = chosen.copy()
        beside[number] = False
        others: dict[int, Fit] = {}
        for other in np.flatnonzero(self.shared[number] > 0).tolist():
            fit = self.fits[other]
            least = _SAME_SHARE * min(len(fit.cells), len(best.cells))
            if fit.shape in (best.shape, *others) or self.shared[number, other] < least:
                continue
            if (self.shared[other][beside] <= 2 * _MAY_OVERLAP).all():
                others[fit.shape] = fit
        return Slot(best, tuple(others.values()), self._margin(number, chosen))

    def _margin(self, number: int, chosen: NDArray[np.bool_]) -> float:
        """Return the loss in score of the best choice without a fit of this shape in this place."""
        same = np.array([fit.shape == self.fits[number].shape for fit in self.fits]) & (self.shared[number] > 1.0)
        same[number] = True
        elsewise = [choice for choice in self._instead(number, chosen) if not (choice & same).any()]
        return self._value(chosen) - max(map(self._value, elsewise), default=self._value(chosen & ~same))
