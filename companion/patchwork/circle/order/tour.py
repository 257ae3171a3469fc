"""The line along which pieces were laid: the shortest closed way through all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
        saved, better = max((_turned(tour, apart), *_moved(tour, apart)), key=lambda change: change[0])
        if saved <= _SHORTER:
            break
        tour = better
    return [int(number) for number in tour]


def length(tour: Sequence[int], apart: NDArray[np.float64]) -> float:
    """Return the length of a closed way."""
    return float(apart[list(tour), [*tour[1:], *tour[:1]]].sum())


def _turned(tour: NDArray[np.intp], apart: NDArray[np.float64]) -> tuple[float, NDArray[np.intp]]:
    """Return the tour with the one stretch turned round that saves most, and how much."""
    count, steps = len(tour), _steps(tour, apart)
    following = np.roll(tour, -1)
    saved = steps[:, None] + steps[None] - apart[np.ix_(tour, tour)] - apart[np.ix_(following, following)]
    saved[np.tril_indices(count)] = -np.inf
    first, last = divmod(int(saved.argmax()), count)
    turned = np.concatenate([tour[: first + 1], tour[first + 1 : last + 1][::-1], tour[last + 1 :]])
    return float(saved[first, last]), turned


def _moved(tour: NDArray[np.intp], apart: NDArray[np.float64]) -> Iterator[tuple[float, NDArray[np.intp]]]:
    """Yield, for each length of a chain, the tour with the one moved elsewhere that saves most, and how much."""
    count, steps = len(tour), _steps(tour, apart)
    between = apart[np.ix_(tour, tour)]
    numbers = np.arange(count)
    following = (numbers + 1) % count
    for chain in range(1, min(_LONGEST_CHAIN, count - 3) + 1):
        before, last, after = numbers - 1, (numbers + chain - 1) % count, (numbers + chain) % count
        left = between[before, numbers] + between[last, after] - between[before, after]
        # Rows: where the chain begins; columns: behind which it is put.
        ahead = between[numbers] + between[last][:, following] - steps
        back = between[last] + between[numbers][:, following] - steps
        further = (numbers[None] - numbers[:, None]) % count
        inside = (further < chain) | (further == count - 1)
        saved = left[:, None] - np.where(inside, np.inf, np.minimum(ahead, back))
        first, behind = divmod(int(saved.argmax()), count)
        taken, rest = np.split(np.roll(tour, -first), [chain])
        gap = (behind - first) % count - chain + 1
        way = taken if ahead[first, behind] <= back[first, behind] else taken[::-1]
        yield float(saved[first, behind]), np.concatenate([rest[:gap], way, rest[gap:]])


def _steps(tour: NDArray[np.intp], apart: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how far it is from each point of a tour to the next one."""
    return np.asarray(apart[tour, np.roll(tour, -1)])


def gap_for(point: NDArray[np.float64], points: NDArray[np.float64], tour: Sequence[int]) -> int:
    """Return the place, from 0, before which a further point would come in a tour."""
    here, before = points[list(tour)], points[[tour[-1], *tour[:-1]]]
    longer = np.hypot(*(here - point).T) + np.hypot(*(before - point).T) - np.hypot(*(here - before).T)
    return int(longer.argmin())
