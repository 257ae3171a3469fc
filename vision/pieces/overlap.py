"""Overlap of fits, computed in batches because there are many thousands of pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from vision.pieces.fit import Fit

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
