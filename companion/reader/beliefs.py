"""What players vouch for: cells that are not complained of again as long as they look as they did."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from companion.reader.lattice import lattice_of
from vision.quilt.glimpse import changed_squares

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from companion.reader.watch import Sight

_AS_EXPECTED: Final = -2.0
"""Log-likelihood ratio of a cell that players vouch for: certain enough for its new look to be remembered, too."""
_MOST: Final = 12
"""So many beliefs a quilt are kept; an evening has seldom more than two."""


@dataclass(frozen=True, slots=True, eq=False)
class _Belief:
    """Cells that are as they should be.

    Attributes:
        cells: which, shape (RING, RING), bool.
        covered: the quilt's covered cells then, likewise.
        look: the quilt at a glance then.
        made: how many decisions had been made, the one included that was taken with it.
    """

    cells: NDArray[np.bool_]
    covered: NDArray[np.bool_]
    look: NDArray[np.float32]
    made: int


class Beliefs:
    """By seat, what players vouch for.

    How a quilt is expected to look is forgotten with every decision that is taken back. A belief outlives that: the
    players have not said that they were wrong about an old patch. But until it is confirmed by another decision it is
    shaken, for it may have come from a wrong one.
    """

    def __init__(self) -> None:
        self._held: dict[int, list[_Belief]] = {}

    def add(self, seat: int, cells: int, quilt: int, look: NDArray[np.float32], made: int) -> None:
        """Believe that cells are as they should be.

        Args:
            seat: whose quilt.
            cells: which, as the rules' bit mask.
            quilt: the covered cells, likewise.
            look: the quilt at a glance.
            made: how many decisions have been made, the latest included, which was taken with the belief.
        """
        belief = _Belief(lattice_of(cells), lattice_of(quilt), look, made)
        self._held[seat] = [*self._held.get(seat, ()), belief][-_MOST:]

    def applied(
        self, seat: int, sight: Sight, quilt: int, look: NDArray[np.float32], made: int
    ) -> tuple[Sight, bool]:
        """Return what is seen with all cells as expected that players vouch for, and whether any of that is shaken.

        Args:
            seat: whose quilt.
            sight: what is seen of it.
            quilt: the covered cells now, as the rules' bit mask.
            look: the quilt at a glance, now.
            made: how many decisions have been made.
        """
        vouched, shaken = np.zeros_like(lattice_of(0)), False
        for belief in self._held.get(seat, ()):
            alike = ~np.pad(_cells_of(changed_squares(look, belief.look)), 1, constant_values=True)
            same = belief.cells & alike & (belief.covered == lattice_of(quilt))
            counts = same & (sight.ratios[0] > _AS_EXPECTED)
            vouched |= counts
            shaken = shaken or bool(belief.made > made and counts.any())
        if not vouched.any():
            return sight, False
        ratios = np.where(vouched, np.minimum(sight.ratios, _AS_EXPECTED), sight.ratios)
        core = np.where(vouched, np.minimum(sight.core, _AS_EXPECTED), sight.core)
        return replace(sight, ratios=ratios, core=core), shaken


def _cells_of(squares: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which cells hold one of the squares, shape (SIDE, SIDE)."""
    side = squares.shape[0] // 2
    return np.asarray(squares.reshape(side, 2, side, 2).any(axis=(1, 3)))
