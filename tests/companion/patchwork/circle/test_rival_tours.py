"""Ways that are hardly longer than the shortest one."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from companion.patchwork.circle.order import aligned, distances, length, shortest_and_rivals

REACH = 50.0


@pytest.mark.parametrize("seed", range(4))
def test_no_way_that_is_hardly_longer_goes_unnoticed(seed: int) -> None:
    """For all paths through a few points, each step of a hardly longer path is in the shortest one or in a rival."""
    rng = np.random.default_rng(seed)
    apart = distances(rng.uniform(0, 10, (7, 2)))
    ways = [(0, *rest) for rest in itertools.permutations(range(1, 7))]
    least = min(length(way, apart) for way in ways)
    tour, rivals = shortest_and_rivals(apart, list(range(7)), 1.5, REACH)
    assert length(tour, apart) == pytest.approx(least)
    found = set().union(*(_steps(way) for way in (tour, *rivals)))
    wanted = set().union(*(_steps(way) for way in ways if length(way, apart) < least + 1.5))
    assert found == wanted


def test_a_line_without_another_has_no_rival() -> None:
    angles = np.linspace(0, 2 * np.pi, 33, endpoint=False)
    points = np.stack([14 * np.cos(angles), 9 * np.sin(angles)], axis=1)
    tour, rivals = shortest_and_rivals(distances(points), list(range(33)), 1.6, REACH)
    assert (tour, rivals) == (list(range(33)), [])


def test_a_rival_is_walked_like_the_tour() -> None:
    assert aligned([2, 0, 1, 6, 5, 4, 3], [0, 1, 2, 3, 4, 5, 6]) == [1, 0, 2, 3, 4, 5, 6]


def _steps(way: tuple[int, ...] | list[int]) -> set[frozenset[int]]:
    return {frozenset(step) for step in zip(way, (*way[1:], way[0]), strict=True)}
