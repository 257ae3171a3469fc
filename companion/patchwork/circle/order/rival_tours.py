"""Closed tours that are hardly longer than the shortest one: any of them may be the line that was laid."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from companion.patchwork.circle.order.tour import length, shortest_tour

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

_FORCED: Final = 1e4
"""The reduction of a step's cost that forces it into a tour: more than any tour is long."""
_MOST_ROUNDS: Final = 4
_LEAST_POINTS: Final = 5


def shortest_and_rivals(
    distance: NDArray[np.float64], start: Sequence[int], most: float, reach: float
) -> tuple[list[int], list[list[int]]]:
    """Return the shortest closed tour found, and those that are hardly longer.

    For each two points that are not neighbours in it, the shortest tour in which they are is sought. That finds a swap
    of two points as well as a spur whose points can be visited in many orders.

    Args:
        distance: the distances between points, (n, n), symmetric.
        start: the numbers of all points in an initial order.
        most: the greatest excess length of a rival.
        reach: the greatest distance between points that are made neighbours.
    """
    tour = shortest_tour(distance, start)
    for _ in range(_MOST_ROUNDS):
        rivals = list(_rivals(distance, tour, reach))
        shortest = min(rivals, key=lambda rival: length(rival, distance), default=tour)
        if length(shortest, distance) >= length(tour, distance):
            break
        tour = shortest
    limit = length(tour, distance) + most
    return tour, [rival for rival in rivals if length(rival, distance) < limit]


def _rivals(distance: NDArray[np.float64], tour: list[int], reach: float) -> Iterator[list[int]]:
    """Yield, for each two points that are not neighbours, a short tour in which they are."""
    if len(tour) < _LEAST_POINTS:
        return
    neighbours = {frozenset(pair) for pair in zip(tour, [*tour[1:], tour[0]], strict=True)}
    for one, other in combinations(tour, 2):
        if distance[one, other] > reach or {one, other} in neighbours:
            continue
        drawn = distance.copy()
        drawn[one, other] -= _FORCED
        drawn[other, one] -= _FORCED
        # From two starts, because the search ends at the nearest tour that no single change shortens.
        ways = [shortest_tour(drawn, start) for start in (tour, _joined(tour, one, other))]
        # By the true distances, without the reduction.
        yield min(ways, key=lambda way: length(way, distance))


def _joined(tour: list[int], one: int, other: int) -> list[int]:
    """Return a tour in which two points are neighbours, made by reversing the stretch behind the first."""
    first, last = sorted((tour.index(one), tour.index(other)))
    return [*tour[: first + 1], *tour[first + 1 : last + 1][::-1], *tour[last + 1 :]]


def aligned(rival: Sequence[int], tour: Sequence[int]) -> list[int]:
    """Return a closed tour, rotated and if necessary reversed to have most points at the same positions as `tour`."""
    count, base = len(tour), np.array(tour)
    turns = (np.arange(count)[:, None] + np.arange(count)) % count
    both = [np.array(way)[turns] for way in (list(rival), list(rival)[::-1])]
    ways = np.concatenate(both)
    return [int(number) for number in ways[int((ways == base).sum(axis=1).argmax())]]
