"""Stretches of the circle whose order is unclear, because another way through their pieces is hardly longer."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, Final

import numpy as np

from companion.patchwork.circle.order.rival_tours import aligned

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

_ALL_WAYS: Final = 6
"""Number of pieces up to which every order of a stretch is tried; for more, only the rivals that were found."""


@dataclass(frozen=True, slots=True)
class UnclearStretch:
    """Neighbouring places whose pieces may have several orders.

    Attributes:
        ways: the possible orders, the likeliest first, each as the numbers, from 1, of the places at which the pieces
            were seen; the first is the order as it was seen.
    """

    ways: tuple[tuple[int, ...], ...]

    @property
    def places(self) -> tuple[int, ...]:
        """The numbers of its places, from 1, clockwise."""
        return self.ways[0]

    def at(self, place: int) -> tuple[int, ...]:
        """Return the other places whose pieces may belong at `place`; empty if that is outside the stretch."""
        if place not in self.places:
            return ()
        here = self.places.index(place)
        return tuple(dict.fromkeys(way[here] for way in self.ways[1:] if way[here] != place))


def unclear_ways(
    tour: Sequence[int], rivals: Sequence[Sequence[int]], distance: NDArray[np.float64], most: float
) -> list[list[tuple[int, ...]]]:
    """Return the stretches of a tour for which other ways are hardly longer.

    Args:
        tour: the numbers of the points.
        rivals: tours of all points that are hardly longer.
        distance: the distances between points, (n, n).
        most: the greatest excess length of such a way.

    Returns:
        For each stretch its ways as numbers of points, the tour's own first, then in order of decreasing likelihood.
    """
    lined_up = [aligned(rival, tour) for rival in rivals]
    runs: list[set[int]] = []
    for rival in lined_up:
        for run in _moved_runs(tour, rival):
            shared = [other for other in runs if other & run]
            runs = [*(other for other in runs if not other & run), run.union(*shared)]
    return [_ways(_in_turn(run, len(tour)), tour, lined_up, distance, most) for run in runs]


def _moved_runs(tour: Sequence[int], rival: Sequence[int]) -> Iterator[set[int]]:
    """Yield the runs of adjacent positions, from 0, within which a rival has moved points."""
    count = len(tour)
    place = {number: at for at, number in enumerate(tour)}
    # A moved point crosses every border between its old and its new place; the others part the runs.
    crossed = np.zeros(count, bool)
    for at, number in enumerate(rival):
        ahead = (place[number] - at) % count
        first, steps = (at, ahead) if ahead <= count // 2 else (place[number], count - ahead)
        crossed[(first + np.arange(steps)) % count] = True
    if crossed.all():
        yield set(range(count))
        return
    for first in np.flatnonzero(crossed & ~np.roll(crossed, 1)).tolist():
        steps = int(np.argmin(np.roll(crossed, -first)))
        yield {(first + step) % count for step in range(steps + 1)}


def _in_turn(run: set[int], count: int) -> list[int]:
    """Return the positions of a run, clockwise."""
    first = next((place for place in sorted(run) if (place - 1) % count not in run), min(run))
    return [(first + step) % count for step in range(len(run))]


def _ways(
    run: list[int], tour: Sequence[int], rivals: Sequence[Sequence[int]], distance: NDArray[np.float64], most: float
) -> list[tuple[int, ...]]:
    """Return the ways through a run of positions, the tour's own first."""
    own = tuple(tour[place] for place in run)
    before, after = tour[run[0] - 1], tour[(run[-1] + 1) % len(tour)]

    def steps(way: Sequence[int]) -> NDArray[np.float64]:
        line = [before, *way, after]
        return np.asarray(distance[line[:-1], line[1:]])

    found = permutations(own) if len(own) <= _ALL_WAYS else (tuple(rival[place] for place in run) for rival in rivals)
    limit = steps(own).sum() + most
    others = {way for way in found if way != own and set(way) == set(own) and steps(way).sum() < limit}
    # People leave one wide gap rather than several that are half as wide.
    return [own, *sorted(others, key=lambda way: (float(np.sqrt(np.maximum(steps(way), 0.0)).sum()), way))]
