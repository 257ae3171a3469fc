"""The assignment of rows to columns with the greatest sum."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def assign(worth: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the column assigned to each row, no column twice, with the greatest sum.

    The Hungarian method by shortest augmenting paths: rows join one after another, each along the cheapest chain of
    reassignments (R. Jonker and A. Volgenant, Computing 38, 1987).

    Args:
        worth: shape (rows, columns), finite, with at least as many columns as rows.

    Raises:
        ValueError: if there are fewer columns than rows.
    """
    rows, columns = worth.shape
    if columns < rows:
        raise ValueError(f"{rows} rows cannot have {columns} columns, one each")
    row_price, column_price = np.zeros(rows), np.zeros(columns)
    owner = np.full(columns, -1, np.intp)
    for row in range(rows):
        _admit(row, -worth, owner, row_price, column_price)
    picked = np.full(rows, -1, np.intp)
    taken = np.flatnonzero(owner >= 0)
    picked[owner[taken]] = taken
    return picked


def _admit(
    row: int,
    cost: NDArray[np.float64],
    owner: NDArray[np.intp],
    row_price: NDArray[np.float64],
    column_price: NDArray[np.float64],
) -> None:
    """Assign a column to a row, reassigning others at the least cost. Owners and prices change in place."""
    columns = cost.shape[1]
    distance, before = np.full(columns, np.inf), np.full(columns, -1, np.intp)
    reached = np.zeros(columns, np.bool_)
    current, last, length = row, -1, 0.0
    while True:
        through = length + cost[current] - row_price[current] - column_price
        shorter = ~reached & (through < distance)
        distance[shorter], before[shorter] = through[shorter], last
        last = int(np.where(reached, np.inf, distance).argmin())
        length = float(distance[last])
        if owner[last] < 0:
            break
        reached[last] = True
        current = int(owner[last])
    inner = np.flatnonzero(reached)
    row_price[row] += length
    row_price[owner[inner]] += length - distance[inner]
    column_price[inner] -= length - distance[inner]
    while last >= 0:
        previous = int(before[last])
        owner[last] = row if previous < 0 else owner[previous]
        last = previous
