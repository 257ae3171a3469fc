from __future__ import annotations

import pytest

from hardware.simulated.clock import PacedClock, SimulatedClock


class _Wall:
    def __init__(self) -> None:
        self.now_s = 100.0
        self.waited_s: list[float] = []

    def now(self) -> float:
        return self.now_s

    def wait(self, seconds: float) -> None:
        self.waited_s.append(seconds)
        self.now_s += seconds


def test_simulated_time_starts_where_it_is_told_to() -> None:
    clock = SimulatedClock(7.0)
    clock.sleep(0.5)
    assert clock.now() == 7.5


def test_a_paced_clock_waits_for_the_wall_clock() -> None:
    wall = _Wall()
    clock = PacedClock(1.0, wall.now, wall.wait)
    clock.sleep(0.2)
    wall.now_s += 0.15
    clock.sleep(0.2)
    assert wall.waited_s == pytest.approx([0.2, 0.05])
    assert clock.now() == pytest.approx(0.4)


def test_it_runs_faster_when_told_to() -> None:
    wall = _Wall()
    PacedClock(4.0, wall.now, wall.wait).sleep(2.0)
    assert wall.waited_s == pytest.approx([0.5])


def test_what_was_lost_to_slow_drawing_is_not_caught_up() -> None:
    wall = _Wall()
    clock = PacedClock(1.0, wall.now, wall.wait)
    wall.now_s += 10
    clock.sleep(0.2)
    assert wall.waited_s == []
    clock.sleep(0.2)
    assert wall.waited_s == pytest.approx([0.2])
