"""Which of many fits are the pieces: those that together explain most of what is seen, without lying on one another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.piecefit import Fit

_PRIOR: Final = 3.0
"""A piece must explain more than that."""
_MAY_OVERLAP: Final = 0.5
"""Cells by which two pieces may lie on each other."""
_SAME_SHARE: Final = 0.5
"""Fits that share so much of the smaller one are of one piece."""
_HOPELESS: Final = 0.3
"""A fit whose quality is less by so much than that of one that covers nearly all of it is no piece."""
_ROUNDS: Final = 4
_FAR_CELLS: Final = 5.2
_RIVALS: Final = 30


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


def choose(fits: Sequence[Fit]) -> list[Slot]:
    """The pieces among fits that come best first."""
    field = _Field.of(_hopeful(fits))
    chosen = field.improved(field.filled(np.zeros(len(field.fits), np.bool_)))
    return [field.slot(int(number), chosen) for number in np.flatnonzero(chosen)]


def shared_cells(fits: Sequence[Fit]) -> NDArray[np.float64]:
    """Roughly the area that each two fits share, in cells, shape (fits, fits); 0 on the diagonal."""
    count = len(fits)
    shared = np.zeros((count, count))
    centres = np.array([fit.centre for fit in fits]).reshape(-1, 2)
    middles = [fit.middles for fit in fits]
    for one in range(count):
        near = np.flatnonzero(np.hypot(*(centres[one + 1 :] - centres[one]).T) < _FAR_CELLS) + one + 1
        for other in near.tolist():
            apart = middles[one][:, None] - middles[other][None]
            area = np.clip(1 - np.hypot(apart[..., 0], apart[..., 1]), 0, 1).sum()
            shared[one, other] = shared[other, one] = area
    return shared


def _hopeful(fits: Sequence[Fit]) -> list[Fit]:
    """Without those that a far better fit covers; the fits come best first."""
    kept: list[Fit] = []
    for fit in fits:
        middles = fit.middles
        rivals = [other for other in kept if other.quality - fit.quality > _HOPELESS]
        if not any(_covers(other, middles) for other in rivals):
            kept.append(fit)
    return kept


def _covers(fit: Fit, middles: NDArray[np.float64]) -> bool:
    if np.abs(fit.middles[0] - middles[0]).max() > 2 * _FAR_CELLS:
        return False
    apart = fit.middles[:, None] - middles[None]
    return bool((np.hypot(apart[..., 0], apart[..., 1]).min(axis=0) < 0.6).mean() > 0.7)


@dataclass(frozen=True, slots=True, eq=False)
class _Field:
    """Fits, and which of them cannot both be pieces. A choice is an array (fits,) of bool."""

    fits: list[Fit]
    worth: NDArray[np.float64]
    shared: NDArray[np.float64]
    clashes: NDArray[np.bool_]

    @classmethod
    def of(cls, fits: list[Fit]) -> _Field:
        shared = shared_cells(fits)
        return cls(fits, np.array([fit.score - _PRIOR for fit in fits]), shared, shared > _MAY_OVERLAP)

    def filled(self, chosen: NDArray[np.bool_], without: int | None = None) -> NDArray[np.bool_]:
        """With more of the fits, the best first, as far as they clash with none that is chosen."""
        grown = chosen.copy()
        free = (self.worth > 0) & ~grown & ~self.clashes[grown].any(axis=0)
        if without is not None:
            free[without] = False
        while free.any():
            number = int(free.argmax())
            grown[number] = True
            free &= ~self.clashes[number]
            free[number] = False
        return grown

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
        return float(self.worth[chosen].sum())

    def _instead(self, number: int, chosen: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
        """The choice itself, and choices without one fit: with each of its rivals put first, and with none."""
        choices = [chosen]
        for rival in (*np.flatnonzero(self.clashes[number])[:_RIVALS].tolist(), None):
            kept = chosen.copy()
            kept[number] = False
            if rival is not None:
                kept &= ~self.clashes[rival]
                kept[rival] = True
            choices.append(self.filled(kept, number))
        return choices

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
        return self._value(chosen) - max(map(self._value, elsewise))
