"""The shortest way through points."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.patchwork.circle.order.tour import gap_for, shortest_tour, shortest_way


def length(points: np.ndarray[tuple[int, int], np.dtype[np.float64]], tour: list[int] | tuple[int, ...]) -> float:
    way = points[[*tour, tour[0]]]
    return float(np.hypot(*np.diff(way, axis=0).T).sum())


@settings(max_examples=25)
@given(st.integers(0, 2**31), st.integers(4, 7))
def test_few_points_have_no_shorter_way(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.uniform(0, 10, (count, 2))
    tour = shortest_tour(points, list(rng.permutation(count)))
    assert sorted(tour) == list(range(count))
    best = min(length(points, (0, *rest)) for rest in itertools.permutations(range(1, count)))
    assert length(points, tour) <= best * 1.05


@pytest.mark.parametrize("seed", range(5))
def test_points_on_a_ring_are_followed_whatever_the_start(seed: int) -> None:
    rng = np.random.default_rng(seed)
    angles = np.linspace(0, 2 * np.pi, 33, endpoint=False)
    points = np.stack([14 * np.cos(angles), 9 * np.sin(angles)], axis=1) + rng.normal(0, 0.2, (33, 2))
    tour = shortest_tour(points, list(rng.permutation(33)))
    begin = tour.index(0)
    turned = [*tour[begin:], *tour[:begin]]
    assert turned in (list(range(33)), [0, *range(32, 0, -1)])


def test_a_way_has_two_ends() -> None:
    """Points along a wavy line: a closed way would jump to and fro between its two sides."""
    along = np.arange(14.0)
    points = np.stack([5 * along, 4.0 * (along % 2)], axis=1)
    way = shortest_way(points, list(np.random.default_rng(2).permutation(14)))
    assert way in (list(range(14)), list(range(13, -1, -1)))
    assert shortest_way(np.zeros((0, 2)), []) == []
    assert shortest_way(np.zeros((1, 2)), [0]) == [0]


@pytest.mark.parametrize("count", range(4))
def test_up_to_three_points_are_as_they_are(count: int) -> None:
    assert shortest_tour(np.zeros((count, 2)), range(count)) == list(range(count))


def test_a_further_point_comes_between_its_neighbours() -> None:
    square = np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]])
    assert gap_for(np.array([2.0, 0.1]), square, [0, 1, 2, 3]) == 1
    assert gap_for(np.array([-0.1, 2.0]), square, [0, 1, 2, 3]) == 0
