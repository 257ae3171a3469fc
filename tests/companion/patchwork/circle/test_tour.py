"""The shortest way through points."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.patchwork.circle.order import distances, gap_for, length, shortest_tour


@settings(max_examples=25)
@given(st.integers(0, 2**31), st.integers(4, 7))
def test_few_points_have_no_shorter_way(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.uniform(0, 10, (count, 2))
    apart = distances(points)
    tour = shortest_tour(apart, list(rng.permutation(count)))
    assert sorted(tour) == list(range(count))
    best = min(length((0, *rest), apart) for rest in itertools.permutations(range(1, count)))
    assert length(tour, apart) <= best * 1.05


@pytest.mark.parametrize("seed", range(5))
def test_points_on_a_ring_are_followed_whatever_the_start(seed: int) -> None:
    rng = np.random.default_rng(seed)
    angles = np.linspace(0, 2 * np.pi, 33, endpoint=False)
    points = np.stack([14 * np.cos(angles), 9 * np.sin(angles)], axis=1) + rng.normal(0, 0.2, (33, 2))
    tour = shortest_tour(distances(points), list(rng.permutation(33)))
    begin = tour.index(0)
    turned = [*tour[begin:], *tour[:begin]]
    assert turned in (list(range(33)), [0, *range(32, 0, -1)])


@pytest.mark.parametrize("count", range(4))
def test_up_to_three_points_are_as_they_are(count: int) -> None:
    assert shortest_tour(np.zeros((count, 2)), range(count)) == list(range(count))


def test_a_further_point_comes_between_its_neighbours() -> None:
    square = np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]])
    assert gap_for(np.array([2.0, 0.1]), square, [0, 1, 2, 3]) == 1
    assert gap_for(np.array([-0.1, 2.0]), square, [0, 1, 2, 3]) == 0
