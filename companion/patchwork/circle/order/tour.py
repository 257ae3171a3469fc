"""The line along which pieces were laid: the shortest closed way through all of them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

_LONGEST_CHAIN: Final = 4
"""Neighbours that are moved together, at most."""
_SHORTER: Final = 1e-9
_MOST_STEPS: Final = 200


def distances(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how far every point, (n, 2), is from every other, (n, n)."""
    return np.asarray(np.hypot(*np.moveaxis(points[:, None] - points[None], -1, 0)))


def shortest_tour(apart: NDArray[np.float64], start: Sequence[int]) -> list[int]:
    """Return a closed way through all points that no simple change makes shorter.

    Stretches are turned round (2-opt) and chains of up to four are moved elsewhere (Or-opt; I. Or, 1976), each time
    what saves most, until neither helps.

    Args:
        apart: how far every point is from every other, (n, n), symmetric.
        start: numbers of all points in an order to begin with.
    """
    tour = np.array(start, np.intp)
    for _ in range(_MOST_STEPS if len(tour) > 3 else 0):
        saved, better = max(_changes(apart[tour[:, None], tour]), key=lambda change: change[0])
        if saved <= _SHORTER:
            break
        tour = tour[better()]
    return [int(number) for number in tour]


def length(tour: Sequence[int], apart: NDArray[np.float64]) -> float:
    """Return the length of a closed way."""
    return float(apart[list(tour), [*tour[1:], *tour[:1]]].sum())


def _changes(between: NDArray[np.float64]) -> Iterator[tuple[float, Callable[[], NDArray[np.intp]]]]:
    """Yield of each kind the change of a tour that saves most, and how much.

    Args:
        between: how far each point of the tour is from every other, (n, n), in the tour's order.

    Returns:
        With it a function that works out the new order, numbers of places in the old one: most are never asked for.
    """
    count = len(between)
    ahead = between[:, _following(count)]
    # What lies behind the last point is read from the next round.
    rounds, rounds_ahead = np.concatenate([between, between]), np.concatenate([ahead, ahead])
    steps = np.ascontiguousarray(ahead.diagonal())
    yield _turned(steps, between, rounds_ahead[1 : count + 1])
    for chain in range(1, min(_LONGEST_CHAIN, count - 3) + 1):
        ends = slice(chain - 1, count + chain - 1)
        yield _moved(chain, steps, (between, rounds[ends]), (ahead, rounds_ahead[ends]))


def _turned(
    steps: NDArray[np.float64], between: NDArray[np.float64], next_between: NDArray[np.float64]
) -> tuple[float, Callable[[], NDArray[np.intp]]]:
    """Return the one stretch to turn round that saves most.

    Args:
        steps: how far it is from each point to the next one.
        between: how far the points are from one another.
        next_between: the same of the points that follow them.
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
    """Return the one chain to move elsewhere that saves most.

    Args:
        chain: how many points it has.
        steps: how far it is from each point to the next one.
        between: how far a chain's first point and its last one are from every point.
        ahead: the same from the points that follow.
    """
    count = len(steps)
    before, last, after, inside = _chains(count, chain)
    left = steps[before] + steps[last] - between[0][before, after]
    # Rows: where the chain begins; columns: behind which it is put.
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


@lru_cache(maxsize=64)
def _following(count: int) -> NDArray[np.intp]:
    """Return the place behind each of so many."""
    return (np.arange(count) + 1) % count


@lru_cache(maxsize=64)
def _not_above(count: int) -> NDArray[np.bool_]:
    """Return which places of a square do not lie above its diagonal."""
    return np.tri(count, dtype=np.bool_)


@lru_cache(maxsize=256)
def _chains(count: int, chain: int) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp], NDArray[np.bool_]]:
    """Return for the chains of so many points the one before, the last one, the one after, and where none is put."""
    numbers = np.arange(count)
    further = (numbers[None] - numbers[:, None]) % count
    inside = (further < chain) | (further == count - 1)
    return (numbers - 1) % count, (numbers + chain - 1) % count, (numbers + chain) % count, inside


def gap_for(point: NDArray[np.float64], points: NDArray[np.float64], tour: Sequence[int]) -> int:
    """Return the place, from 0, before which a further point would come in a tour."""
    here, before = points[list(tour)], points[[tour[-1], *tour[:-1]]]
    longer = np.hypot(*(here - point).T) + np.hypot(*(before - point).T) - np.hypot(*(here - before).T)
    return int(longer.argmin())
