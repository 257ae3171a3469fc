"""The outline of joined cells."""

from collections.abc import Iterable
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]
_Corner: TypeAlias = tuple[int, int]


def outlines(cells: Iterable[tuple[int, int]], inset: float = 0.0) -> list[list[Point]]:
    """Return the outlines of joined (row, column) cells, as (x, y) in cells, clockwise around the inside.

    Args:
        cells: the cells; two that share only a corner are not joined.
        inset: distance of the outline inside of the cells' edges.
    """
    edges = _edges(set(cells))
    found = []
    while edges:
        walk = _walk(edges)
        turns = [
            (corner, before, after)
            for (corner, after), (_, before) in zip(walk, [walk[-1], *walk[:-1]], strict=True)
            if before != after
        ]
        found.append([_moved_inside(*turn, inset) for turn in turns])
    return found


def _edges(cells: set[tuple[int, int]]) -> dict[_Corner, list[_Corner]]:
    """Return, by (x, y) corner, the directions of its outgoing edges, with the inside to the right."""
    edges: dict[_Corner, list[_Corner]] = {}
    for row, column in cells:
        for beyond, start, direction in (
            ((row - 1, column), (column, row), (1, 0)),
            ((row, column + 1), (column + 1, row), (0, 1)),
            ((row + 1, column), (column + 1, row + 1), (-1, 0)),
            ((row, column - 1), (column, row + 1), (0, -1)),
        ):
            if beyond not in cells:
                edges.setdefault(start, []).append(direction)
    return edges


def _walk(edges: dict[_Corner, list[_Corner]]) -> list[tuple[_Corner, _Corner]]:
    """Remove one closed walk from the edges; return its steps, each a corner and the outgoing direction."""
    corner = min(edges)
    direction = edges[corner][0]
    walk = []
    while direction in edges.get(corner, ()):
        walk.append((corner, direction))
        edges[corner].remove(direction)
        if not edges[corner]:
            del edges[corner]
        corner = (corner[0] + direction[0], corner[1] + direction[1])
        dx, dy = direction
        # Right first, which keeps cells that share only a corner apart.
        onwards = ((-dy, dx), direction, (dy, -dx))
        direction = next((each for each in onwards if each in edges.get(corner, ())), direction)
    return walk


def _moved_inside(corner: _Corner, before: _Corner, after: _Corner, inset: float) -> Point:
    """Return a corner between two directions, moved to the right of both."""
    return corner[0] - (before[1] + after[1]) * inset, corner[1] + (before[0] + after[0]) * inset
