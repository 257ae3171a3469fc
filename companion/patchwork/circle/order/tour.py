"""The line along which pieces were laid: the shortest closed tour of all of them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

_LONGEST_CHAIN: Final = 4
"""The most consecutive points that are moved together."""
_SHORTER: Final = 1e-9
"""Lesser savings are rounding errors; changes for their sake would not end."""
_MOST_STEPS: Final = 200


def distances(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the distances between points, (n, 2), as (n, n)."""
    return np.asarray(np.hypot(*np.moveaxis(points[:, None] - points[None], -1, 0)))


def shortest_tour(distance: NDArray[np.float64], start: Sequence[int]) -> list[int]:
    """Return a closed tour of all points that no simple change shortens.

    Stretches are reversed (2-opt) and chains of up to four points are moved elsewhere (Or-opt; I. Or, 1976), each time
    by the change that saves most, until neither helps.

    Args:
        distance: the distances between points, (n, n), symmetric.
        start: the numbers of all points in an initial order.
    """
    tour = np.array(start, np.intp)
    for _ in range(_MOST_STEPS if len(tour) > 3 else 0):
        saved, better = max(_changes(distance[tour[:, None], tour]), key=lambda change: change[0])
        if saved <= _SHORTER:
            break
        tour = tour[better()]
    return [int(number) for number in tour]


def length(tour: Sequence[int], distance: NDArray[np.float64]) -> float:
    """Return the length of a closed tour."""
    return float(distance[list(tour), [*tour[1:], *tour[:1]]].sum())


def _changes(between: NDArray[np.float64]) -> Iterator[tuple[float, Callable[[], NDArray[np.intp]]]]:
    """Yield for each kind of change the saving of the best one, and a function that returns the new order.

    The order is given as positions in the old one; it is computed on demand, because most changes are not applied.

    Args:
        between: the distances between the tour's points, (n, n), in the tour's order.
    """
    count = len(between)
    ahead = between[:, _following(count)]
    # Rows behind the last point are read from the next round.
    rounds, rounds_ahead = np.concatenate([between, between]), np.concatenate([ahead, ahead])
    steps = np.ascontiguousarray(ahead.diagonal())
    yield _turned(steps, between, rounds_ahead[1 : count + 1])
    for chain in range(1, min(_LONGEST_CHAIN, count - 3) + 1):
        ends = slice(chain - 1, count + chain - 1)
        yield _moved(chain, steps, (between, rounds[ends]), (ahead, rounds_ahead[ends]))


def _turned(
    steps: NDArray[np.float64], between: NDArray[np.float64], next_between: NDArray[np.float64]
) -> tuple[float, Callable[[], NDArray[np.intp]]]:
    """Return the saving and order of the best reversal of one stretch.

    Args:
        steps: the distance from each point to the next one.
        between: the distances between the points.
        next_between: the distances between their successors.
    """
    count = len(steps)
    saved = steps[:, None] + steps[None] - between - next_between
    saved[_not_above(count)] = -np.inf
    first, last = divmod(int(saved.argmax()), count)

    def order() -> NDArray[np.intp]:
        numbers = np.arange(count)
        return np.concatenate([numbers[: first + 1], numbers[first + 1 : last + 1][::-1], numbers[last + 1 :]])

    return float(saved[first, last]), order


def _moved(
    chain: int,
    steps: NDArray[np.float64],
    between: tuple[NDArray[np.float64], NDArray[np.float64]],
    ahead: tuple[NDArray[np.float64], NDArray[np.float64]],
) -> tuple[float, Callable[[], NDArray[np.intp]]]:
    """Return the saving and order of the best move of one chain.

    Args:
        chain: the number of points in the chain.
        steps: the distance from each point to the next one.
        between: the distances from a chain's first and last point to every point.
        ahead: the distances to the successors of these points.
    """
    count = len(steps)
    before, last, after, inside = _chains(count, chain)
    left = steps[before] + steps[last] - between[0][before, after]
    # Rows: where the chain begins; columns: after which point it is put.
    forwards = between[0] + ahead[1] - steps
    backwards = between[1] + ahead[0] - steps
    longer = np.minimum(forwards, backwards)
    longer[inside] = np.inf
    saved = left[:, None] - longer
    first, behind = divmod(int(saved.argmax()), count)

    def order() -> NDArray[np.intp]:
        taken, rest = np.split(np.roll(np.arange(count), -first), [chain])
        gap = (behind - first) % count - chain + 1
        way = taken if forwards[first, behind] <= backwards[first, behind] else taken[::-1]
        return np.concatenate([rest[:gap], way, rest[gap:]])

    return float(saved[first, behind]), order


# The arrays below depend on numbers of points alone, and a circle takes hundreds of tours of one length.
@lru_cache(maxsize=64)
def _following(count: int) -> NDArray[np.intp]:
    """Return the next index of each of `count` positions, cyclically."""
    return (np.arange(count) + 1) % count


@lru_cache(maxsize=64)
def _not_above(count: int) -> NDArray[np.bool_]:
    """Return a mask of a square's elements on or below its diagonal."""
    return np.tri(count, dtype=np.bool_)


@lru_cache(maxsize=256)
def _chains(count: int, chain: int) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp], NDArray[np.bool_]]:
    """Return, for each chain's start: the point before, the last, the one after, and where it may not be put."""
    numbers = np.arange(count)
    further = (numbers[None] - numbers[:, None]) % count
    inside = (further < chain) | (further == count - 1)
    return (numbers - 1) % count, (numbers + chain - 1) % count, (numbers + chain) % count, inside


def gap_for(point: NDArray[np.float64], points: NDArray[np.float64], tour: Sequence[int]) -> int:
    """Return the position, from 0, in a tour before which a further point would be inserted."""
    here, before = points[list(tour)], points[[tour[-1], *tour[:-1]]]
    longer = np.hypot(*(here - point).T) + np.hypot(*(before - point).T) - np.hypot(*(here - before).T)
    return int(longer.argmin())
