"""Exact probabilities of a field of 9x9 cells that are bare or covered, where neighbours know of each other.

The cells are taken one by one, row by row; what lies ahead depends on what lies behind through the last nine cells
alone, which is 512 cases. So no approximation is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.rectify import SIDE

if TYPE_CHECKING:
    from numpy.typing import NDArray

BARE: Final = 0
COVERED: Final = 1
_CASES: Final = 1 << SIDE


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """Log-weights of the cells' states, BARE or COVERED, and of neighbours' states together.

    Attributes:
        cells: [row, column, state], shape (SIDE, SIDE, 2), float64.
        beside: [row, column, left state, right state] of a cell and its right neighbour, shape (SIDE, SIDE - 1, 2, 2).
        below: [row, column, upper state, lower state] of a cell and the one below, shape (SIDE - 1, SIDE, 2, 2).
    """

    cells: NDArray[np.float64]
    beside: NDArray[np.float64]
    below: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    """What a field says.

    Attributes:
        covered: probability that a cell is covered, shape (SIDE, SIDE), float64.
        log_weight: logarithm of the sum of all 2**81 weights.
    """

    covered: NDArray[np.float64]
    log_weight: float


def posterior(field: Field) -> Posterior:
    """The exact probability of each cell."""
    forward = [np.zeros(_CASES)]
    forward[0][1:] = -np.inf  # before the first cell there is one case: nothing
    for index in range(SIDE * SIDE):
        forward.append(_step(forward[-1], _weights(field, index)))
    backward = np.zeros(_CASES)
    covered = np.empty(SIDE * SIDE)
    for index in reversed(range(SIDE * SIDE)):
        here = forward[index + 1] + backward
        covered[index] = np.exp(_log_sum(here[1::2]) - _log_sum(here))
        backward = _step_back(backward, _weights(field, index))
    return Posterior(covered.reshape(SIDE, SIDE), float(_log_sum(forward[-1])))


def _weights(field: Field, index: int) -> NDArray[np.float64]:
    """[state above, state to the left, own state]: what a cell adds, shape (2, 2, 2)."""
    row, column = divmod(index, SIDE)
    added = np.zeros((2, 2, 2)) + field.cells[row, column]
    if row:
        added = added + field.below[row - 1, column][:, None, :]
    if column:
        added = added + field.beside[row, column - 1][None, :, :]
    return np.asarray(added)


def _step(cases: NDArray[np.float64], added: NDArray[np.float64]) -> NDArray[np.float64]:
    """A case is the last nine cells as bits, the latest lowest; the cell above is the bit that falls out."""
    spread = cases.reshape(2, _CASES // 4, 2)[:, :, :, None] + added[:, None, :, :]
    return np.asarray(np.logaddexp(spread[0], spread[1])).reshape(_CASES)


def _step_back(cases: NDArray[np.float64], added: NDArray[np.float64]) -> NDArray[np.float64]:
    after = cases.reshape(_CASES // 4, 2, 2)
    spread = after[None] + added[:, None, :, :]
    return np.asarray(np.logaddexp(spread[..., 0], spread[..., 1]).reshape(_CASES))


def _log_sum(values: NDArray[np.float64]) -> np.float64:
    top = values.max()
    return np.float64(top + np.log(np.exp(values - top).sum()))
