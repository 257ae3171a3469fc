from __future__ import annotations

from datetime import UTC, datetime

import pytest

from hardware.simulated.devices.clock import PacedClock, SimulatedClock, SimulatedTimeOfDay


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


def test_the_time_of_day_goes_on_jumps_both_ways_and_is_forgotten() -> None:
    clock = SimulatedClock(50.0)
    time_of_day = SimulatedTimeOfDay(clock, datetime(2026, 1, 2, 19, tzinfo=UTC))
    clock.sleep(61.5)
    assert time_of_day() == datetime(2026, 1, 2, 19, 1, 1, tzinfo=UTC)
    time_of_day.jump(3600)
    time_of_day.jump(-2 * 86400)
    assert time_of_day() == datetime(2025, 12, 31, 20, 1, 1, tzinfo=UTC)
    time_of_day.forget()
    clock.sleep(2)
    assert time_of_day() == datetime(1970, 1, 1, 0, 0, 2, tzinfo=UTC)
    time_of_day.go_by(SimulatedClock(9.0))
    assert time_of_day() == datetime(1970, 1, 1, 0, 0, 2, tzinfo=UTC)
