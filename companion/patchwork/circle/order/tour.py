"""The line along which pieces were laid: the shortest closed way through all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

_LONGEST_CHAIN: Final = 3
"""Neighbours that are moved together, at most."""
_SHORTER: Final = 1e-9
_MOST_ROUNDS: Final = 60


def shortest_way(points: NDArray[np.float64], start: Sequence[int]) -> list[int]:
    """Return an open way through all points that no simple change makes shorter; see `shortest_tour`."""
    count = len(points)
    apart = np.zeros((count + 1, count + 1))
    # A way is a tour through one more point, which is as near to every other.
    apart[:count, :count] = np.hypot(*np.moveaxis(points[:, None] - points[None], -1, 0))
    tour = _shortest([*start, count], apart)
    end = tour.index(count)
    return [*tour[end + 1 :], *tour[:end]]


def shortest_tour(points: NDArray[np.float64], start: Sequence[int]) -> list[int]:
    """Return a closed way through all points that no simple change makes shorter.

    Stretches are turned round (2-opt) and chains of up to three are moved elsewhere (Or-opt; I. Or, 1976), until
    neither helps.

    Args:
        points: shape (n, 2).
        start: numbers of all points in an order to begin with.
    """
    return _shortest(list(start), np.hypot(*np.moveaxis(points[:, None] - points[None], -1, 0)))


def _shortest(tour: list[int], apart: NDArray[np.float64]) -> list[int]:
    if len(tour) < 4:
        return tour
    for _ in range(_MOST_ROUNDS):
        if not (_turned(tour, apart) or _moved(tour, apart)):
            break
    return tour


def _turned(tour: list[int], apart: NDArray[np.float64]) -> bool:
    """Turn round every stretch that crosses the way; the tour changes in place. Return whether it did."""
    count, changed = len(tour), False
    for first in range(count - 1):
        before = tour[first]
        for last in range(first + 2, count):
            here, there, after = tour[first + 1], tour[last], tour[(last + 1) % count]
            if after == before:
                continue
            saved = apart[before, here] + apart[there, after] - apart[before, there] - apart[here, after]
            if saved > _SHORTER:
                tour[first + 1 : last + 1] = tour[first + 1 : last + 1][::-1]
                changed = True
    return changed


def _moved(tour: list[int], apart: NDArray[np.float64]) -> bool:
    """Move every chain that lies better elsewhere; the tour changes in place. Return whether it did."""
    changed = False
    for length in range(1, min(_LONGEST_CHAIN, len(tour) - 2) + 1):
        for begin in range(len(tour)):
            turned = tour[begin:] + tour[:begin]
            better = _best_place(turned[:length], turned[length:], apart)
            if better is not None:
                tour[:] = better
                changed = True
    return changed


def _best_place(chain: list[int], rest: list[int], apart: NDArray[np.float64]) -> list[int] | None:
    """Return the tour with the chain where it costs least, or None if it is there already."""
    saved = apart[rest[-1], chain[0]] + apart[chain[-1], rest[0]] - apart[rest[-1], rest[0]]
    costs = [
        (apart[rest[place], way[0]] + apart[way[-1], rest[place + 1]] - apart[rest[place], rest[place + 1]], place, way)
        for place in range(len(rest) - 1)
        for way in _ways(chain)
    ]
    least, place, way = min(costs, key=lambda cost: float(cost[0]), default=(np.inf, 0, chain))
    if saved - least <= _SHORTER:
        return None
    return [*rest[: place + 1], *way, *rest[place + 1 :]]


def _ways(chain: list[int]) -> Iterator[list[int]]:
    yield chain
    if len(chain) > 1:
        yield chain[::-1]


def gap_for(point: NDArray[np.float64], points: NDArray[np.float64], tour: Sequence[int]) -> int:
    """Return the place, from 0, before which a further point would come in a tour."""
    here, before = points[list(tour)], points[[tour[-1], *tour[:-1]]]
    longer = np.hypot(*(here - point).T) + np.hypot(*(before - point).T) - np.hypot(*(here - before).T)
    return int(longer.argmin())
