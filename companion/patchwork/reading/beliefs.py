"""Cells that players have confirmed; they cause no complaint while they look as they did then."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from companion.patchwork.watching.lattice import lattice_of
from vision.quilt.thumbnail import changed_squares

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from companion.patchwork.reading.observation import Observation

_AS_EXPECTED: Final = -2.0
"""Log-likelihood ratio given to a confirmed cell: low enough for its new look to be remembered as expected."""
_MOST: Final = 12
"""The most beliefs stored for a quilt; an evening seldom has more than two."""


@dataclass(frozen=True, slots=True, eq=False)
class _Belief:
    """Cells that players have confirmed to be right.

    Attributes:
        cells: the confirmed cells, shape (RING, RING), bool.
        covered: the cells covered at that time, of the same shape and type.
        look: the quilt's thumbnail at that time.
        made: the number of decisions made, including the one taken with the confirmation.
    """

    cells: NDArray[np.bool_]
    covered: NDArray[np.bool_]
    look: NDArray[np.float32]
    made: int


class Beliefs:
    """The cells that players have confirmed, by seat.

    Undoing a decision makes the reader forget how a quilt is expected to look, but not a belief: the players have not
    said that they were wrong about an old patch. Until another decision confirms it the belief is *shaken*, because it
    may result from a wrong decision.
    """

    def __init__(self) -> None:
        self._held: dict[int, list[_Belief]] = {}

    def add(self, seat: int, cells: int, quilt: int, look: NDArray[np.float32], made: int) -> None:
        """Record cells as confirmed.

        Args:
            seat: the quilt's seat.
            cells: the confirmed cells, as the rules' bit mask.
            quilt: the covered cells, as a bit mask too.
            look: the quilt's thumbnail.
            made: the number of decisions made, including the latest, with which the cells were confirmed.
        """
        belief = _Belief(lattice_of(cells), lattice_of(quilt), look, made)
        self._held[seat] = [*self._held.get(seat, ()), belief][-_MOST:]

    def applied(
        self, seat: int, observation: Observation, quilt: int, look: NDArray[np.float32], made: int
    ) -> Observation:
        """Return the observation with confirmed cells as expected; it is shaken if any of those beliefs is.

        Args:
            seat: the quilt's seat.
            observation: the observation of this quilt.
            quilt: the covered cells now, as the rules' bit mask.
            look: the quilt's thumbnail now.
            made: the number of decisions made.
        """
        vouched, shaken = np.zeros_like(lattice_of(0)), False
        for belief in self._held.get(seat, ()):
            # The squares show the quilt alone: nothing in the ring around it counts as alike.
            alike = ~np.pad(_cells_of(changed_squares(look, belief.look)), 1, constant_values=True)
            same = belief.cells & alike & (belief.covered == lattice_of(quilt))
            counts = same & (observation.ratios[0] > _AS_EXPECTED)
            vouched |= counts
            shaken = shaken or bool(belief.made > made and counts.any())
        if not vouched.any():
            return observation
        ratios = np.where(vouched, np.minimum(observation.ratios, _AS_EXPECTED), observation.ratios)
        core = np.where(vouched, np.minimum(observation.core, _AS_EXPECTED), observation.core)
        return replace(observation, ratios=ratios, core=core, is_shaken=shaken)


def _cells_of(squares: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which cells hold one of the squares, shape (SIDE, SIDE)."""
    side = squares.shape[0] // 2
    return np.asarray(squares.reshape(side, 2, side, 2).any(axis=(1, 3)))
