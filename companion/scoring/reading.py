"""One quilt from one view: what cells and edges look like, and which pieces of the box explain it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from companion.games.patchwork import SIDE
from companion.scoring.cover import Looks, best_layings
from companion.scoring.shapes import CELLS
from vision.bareness import Trust, read_bareness

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.bareness import Evidence

_TRUST: Final = Trust(cell=0.15, edge=0.4, border=0.2)
"""Found by trial on labelled pictures; a laying adds up more evidence of the same print than a cell does."""


def read_quilt(view: NDArray[np.uint8]) -> NDArray[np.float64]:
    """How likely each cell is covered.

    Cells and their neighbours are asked, and whole layings; half of the answer is either's, so that a cell on which
    they differ is never sure.

    Args:
        view: a rectified view, shape (VIEW_PX, VIEW_PX, 3), uint8, BGR.

    Returns:
        Shape (9, 9), float64, 0..1.
    """
    bareness = read_bareness(view)
    usual = bareness.covered.reshape(CELLS) > 0.5
    layings = best_layings(looks_of(bareness.evidence), usual)
    return np.asarray((bareness.covered + layings.probability.reshape(SIDE, SIDE)) / 2)


def looks_of(evidence: Evidence) -> Looks:
    """The evidence in the order in which layings are compared."""
    beside, below = np.zeros((SIDE, SIDE, 4)), np.zeros((SIDE, SIDE, 4))
    beside[:, :-1] = _TRUST.edge * evidence.edges[0].transpose(1, 0, 2)
    below[:-1] = _TRUST.edge * evidence.edges[1]
    cells = evidence.cells_with_border(_TRUST)
    return Looks(cells.reshape(CELLS, 2), beside.reshape(CELLS, 4), below.reshape(CELLS, 4))
