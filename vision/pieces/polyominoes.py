"""Polyominoes in all orientations, as arrays for comparison with a picture."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

Cells = tuple[tuple[int, int], ...]
"""(row, column) pairs."""

REACH: Final = 5
"""The longest side of a shape, in cells."""
ROWS: Final = range(REACH)
COLUMNS: Final = range(1 - REACH, REACH)
"""Columns that a shape's cells may have, relative to the leftmost cell of its upper row."""


def ways_of(cells: Iterable[tuple[int, int]]) -> tuple[Cells, ...]:
    """Return the distinct orientations ("ways") of a shape under quarter turns and reflections.

    Each starts with the leftmost cell of its upper row, which is (0, 0).
    """
    ways: list[Cells] = []
    turned = list(cells)
    for _ in range(2):
        for _ in range(4):
            turned = [(column, -row) for row, column in turned]
            way = _anchored(turned)
            if way not in ways:
                ways.append(way)
        turned = [(row, -column) for row, column in turned]
    return tuple(ways)


def _anchored(cells: Sequence[tuple[int, int]]) -> Cells:
    first = min(cells)
    return tuple(sorted((row - first[0], column - first[1]) for row, column in cells))


@cache
def outline_of(cells: Cells) -> NDArray[np.float64]:
    """Return the corners (n, 2) of a shape's outline, (x, y) in cells, clockwise with y down.

    A shape without holes has one outline; the patches have no holes.
    """
    inside = set(cells)
    ahead: dict[tuple[int, int], tuple[int, int]] = {}
    for row, column in cells:
        corners = ((column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1))
        beyond = ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))
        for side in range(4):
            if beyond[side] not in inside:
                ahead[corners[side]] = corners[(side + 1) % 4]
    start = min(ahead)
    path = [start, ahead[start]]
    while path[-1] != start:
        path.append(ahead[path[-1]])
    return np.array(_bends(path[:-1]), np.float64)


def _bends(path: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the points of a closed path at which its direction changes."""
    pairs = zip(path[-1:] + path[:-1], path, path[1:] + path[:1], strict=True)
    return [at for before, at, after in pairs if (before[0] - after[0]) and (before[1] - after[1])]


@cache
def edges_of(cells: Cells) -> int:
    """Return the number of a shape's edges; an edge between two of its cells counts once."""
    joined = sum((row, column + 1) in cells for row, column in cells)
    joined += sum((row + 1, column) in cells for row, column in cells)
    return 4 * len(cells) - joined


@dataclass(frozen=True, slots=True, eq=False)
class Ways:
    """All orientations of several shapes, with the weights for their comparison with the maps.

    Cells are counted in `CELL_SLOTS`, upper edges in `UPPER_SLOTS`, left edges in `LEFT_SLOTS`; `weights` says for each
    slot whether it is a cell of the way (1), an edge of its outline (1) or an edge between two of its cells (-1).

    Attributes:
        cells: each way's cells.
        shapes: number of each way's shape, shape (ways,).
        sizes: number of cells of each, shape (ways,).
        middles: of each, (x, y) from its first cell's middle, shape (ways, 2).
        weights: shape (slots, ways), float32.
    """

    cells: tuple[Cells, ...]
    shapes: NDArray[np.intp]
    sizes: NDArray[np.intp]
    middles: NDArray[np.float64]
    weights: NDArray[np.float32]

    def only(self, shapes: Collection[int]) -> Ways:
        """Return the ways of some of the shapes, which keep their numbers."""
        kept = np.flatnonzero(np.isin(self.shapes, list(shapes)))
        return Ways(
            tuple(self.cells[way] for way in kept.tolist()),
            self.shapes[kept],
            self.sizes[kept],
            self.middles[kept],
            np.ascontiguousarray(self.weights[:, kept]),
        )


CELL_SLOTS: Final = tuple((row, column) for row in ROWS for column in COLUMNS)
"""Places of a way's cells, (row, column) from its first one."""
UPPER_SLOTS: Final = tuple((row, column) for row in range(REACH + 1) for column in COLUMNS)
"""Cells whose upper edges a way may touch."""
LEFT_SLOTS: Final = tuple((row, column) for row in ROWS for column in range(1 - REACH, REACH + 1))
"""Cells whose left edges a way may touch."""


@cache
def all_ways(shapes: tuple[Cells, ...]) -> Ways:
    """Return every way of every shape, in order."""
    ways = [(number, way) for number, shape in enumerate(shapes) for way in ways_of(shape)]
    weights = np.stack([_weights(way) for _, way in ways], axis=1)
    return Ways(
        tuple(way for _, way in ways),
        np.array([number for number, _ in ways], np.intp),
        np.array([len(way) for _, way in ways], np.intp),
        np.array([np.mean(way, axis=0)[::-1] for _, way in ways], np.float64),
        weights,
    )


def _weights(way: Cells) -> NDArray[np.float32]:
    inside = set(way)
    cells = [float(slot in inside) for slot in CELL_SLOTS]
    upper = [_edge(slot in inside, (slot[0] - 1, slot[1]) in inside) for slot in UPPER_SLOTS]
    left = [_edge(slot in inside, (slot[0], slot[1] - 1) in inside) for slot in LEFT_SLOTS]
    return np.array([*cells, *upper, *left], np.float32)


def _edge(one: bool, other: bool) -> float:
    if one and other:
        return -1.0
    return 1.0 if one or other else 0.0
