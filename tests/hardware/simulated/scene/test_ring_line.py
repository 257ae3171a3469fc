from __future__ import annotations

import numpy as np
import pytest

from hardware.simulated.scene.ring_line import RingLine

SQUARE = np.array([[-100.0, 100.0], [-100.0, -100.0], [100.0, -100.0], [100.0, 100.0]])


def test_a_line_is_a_little_shorter_than_its_polygon_and_closes() -> None:
    line = RingLine(SQUARE)
    assert 600 < line.length_mm < 800
    assert line.at(0.0) == line.at(line.length_mm)


def test_equal_lengths_are_equal_ways_along_the_line() -> None:
    line = RingLine(SQUARE)
    places = np.array([line.at(step)[:2] for step in np.arange(0, line.length_mm, 10)])
    ways = np.linalg.norm(np.diff(places, axis=0), axis=1)
    assert ways == pytest.approx(10.0, abs=1.6)


def test_it_heads_where_it_goes_and_goes_round_clockwise() -> None:
    line = RingLine(SQUARE, start=0.3)
    headings = []
    for along in np.arange(0, line.length_mm, 5.0):
        x, y, heading = line.at(along)
        ahead = np.subtract(line.at(along + 3)[:2], (x, y))
        assert np.cos(np.radians(heading) - np.arctan2(ahead[1], ahead[0])) > 0.98
        headings.append(heading)
    turned = np.degrees(np.unwrap(np.radians(headings)))
    assert turned[-1] - turned[0] == pytest.approx(360, abs=15)


def test_it_may_start_anywhere() -> None:
    first, second = RingLine(SQUARE), RingLine(SQUARE, start=0.25)
    assert second.at(0.0) == pytest.approx(first.at(first.length_mm / 4), abs=1.5)
