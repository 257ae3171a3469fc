"""Test finding stretches of unclear order."""

from __future__ import annotations

import numpy as np

from companion.patchwork.circle.order import distances, shortest_and_rivals, unclear_ways
from companion.patchwork.circle.seen import UnclearStretch

COUNT = 33


def ways(points: dict[int, tuple[float, float]]) -> list[list[tuple[int, ...]]]:
    """Return the unclear ways of a ring of 2.5 cells from each to the next, some of its points elsewhere."""
    angles = 2 * np.pi * np.arange(COUNT) / COUNT
    ring = 13.0 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    for number, point in points.items():
        ring[number] = point
    apart = distances(ring)
    tour, rivals = shortest_and_rivals(apart, list(range(COUNT)), 1.6, 9.0)
    return unclear_ways(tour, rivals, apart, 1.6)


def beside(first: int) -> dict[int, tuple[float, float]]:
    """Return two neighbours in one direction from the centre, one farther out than the other."""
    angle = 2 * np.pi * (first + 0.5) / COUNT
    x, y = float(np.cos(angle)), float(np.sin(angle))
    return {first: (11.8 * x, 11.8 * y), first + 1: (14.2 * x, 14.2 * y)}


def test_a_line_of_points_is_clear() -> None:
    assert ways({}) == []


def test_points_side_by_side_may_come_in_either_order() -> None:
    found = ways(beside(8))
    assert [{frozenset(way) for way in stretch} for stretch in found] == [{frozenset({8, 9})}]
    assert {way if way[0] == 8 else way[::-1] for way in found[0]} == {(8, 9)}
    assert len(found[0]) == 2


def test_two_such_places_are_two_questions() -> None:
    assert len(ways({**beside(8), **beside(20)})) == 2


def test_a_spur_that_is_walked_out_and_back_is_unclear_as_a_whole() -> None:
    """Three points lead away from the ring: out in a row and straight back, or out by some and back by the others."""
    spur = {number: (15.2 + 2.2 * number, 0.3 * (-1) ** number) for number in range(4)}
    (stretch,) = ways(spur)
    assert set(stretch[0]) == {0, 1, 2, 3}
    assert {(0, 1, 2, 3), (0, 3, 2, 1)} < set(stretch)


def test_a_place_has_the_others_that_may_lie_there() -> None:
    stretch = UnclearStretch(((32, 33, 1), (33, 32, 1), (1, 32, 33)))
    assert stretch.places == (32, 33, 1)
    assert stretch.at(32) == (33, 1)
    assert stretch.at(1) == (33,)
    assert stretch.at(7) == ()
