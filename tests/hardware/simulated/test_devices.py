"""Test the simulated clock, push-buttons and strip."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from hardware.clock import Tempo
from hardware.ports import Button, HardwareError, Press
from hardware.simulated.devices import (
    HISTORY,
    PacedClock,
    SimulatedClock,
    SimulatedControls,
    SimulatedLightStrip,
)
from tests.soak.time_of_day import SimulatedTimeOfDay


def test_a_press_carries_the_simulated_time() -> None:
    clock = SimulatedClock()
    controls = SimulatedControls(clock)
    clock.sleep(1.25)
    controls.press(Button.UNDO)
    assert controls.presses() == (Press(Button.UNDO, 1.25),)


def test_every_one_of_rapid_presses_arrives() -> None:
    controls = SimulatedControls(SimulatedClock())
    for _ in range(5):
        controls.press(Button.ADVANCE)
    assert len(controls.presses()) == 5


def test_disconnected_buttons_do_nothing() -> None:
    controls = SimulatedControls(SimulatedClock())
    controls.close()
    controls.press(Button.CONFIRM)
    assert controls.presses() == ()


def test_buttons_whose_wires_are_cut_press_nothing() -> None:
    controls = SimulatedControls(SimulatedClock())
    controls.unplug()
    controls.press(Button.UNDO)
    controls.plug_in()
    controls.press(Button.CONFIRM, 2)
    assert list(controls.presses()) == [Press(Button.CONFIRM, 0.0, seat=2)]


def test_a_stuck_button_is_told_once_and_presses_nothing_until_it_is_free() -> None:
    controls = SimulatedControls(SimulatedClock())
    controls.stick(Button.UNDO)
    controls.stick(Button.UNDO)
    controls.press(Button.UNDO)
    assert controls.presses() == ()
    (says,) = controls.notices()
    assert says.startswith("The undo button has been down for a long time")
    assert controls.notices() == ()
    controls.free(Button.UNDO)
    controls.press(Button.UNDO)
    assert len(controls.presses()) == 1


def test_a_storm_of_presses_arrives_whole_two_at_once_among_them() -> None:
    controls = SimulatedControls(SimulatedClock())
    controls.storm([Button.CONFIRM, Button.UNDO, Button.CONFIRM])
    assert [press.button for press in controls.presses()] == [Button.CONFIRM, Button.UNDO, Button.CONFIRM]


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
    clock = PacedClock(Tempo(), wall.now, wall.wait)
    clock.sleep(0.2)
    wall.now_s += 0.15
    clock.sleep(0.2)
    assert wall.waited_s == pytest.approx([0.2, 0.05])
    assert clock.now() == pytest.approx(0.4)


def test_it_runs_faster_when_told_to() -> None:
    wall = _Wall()
    PacedClock(Tempo(4.0), wall.now, wall.wait).sleep(2.0)
    assert wall.waited_s == pytest.approx([0.5])


def test_a_paced_clock_stands_still_while_it_is_paused_and_does_not_catch_up() -> None:
    wall, tempo = _Wall(), Tempo(paused=True)
    clock = PacedClock(tempo, wall.now, wall.wait)
    for _ in range(10):
        clock.sleep(0.2)
    assert clock.now() == 0.0
    assert sum(wall.waited_s) > 0
    tempo.paused, tempo.speed = False, 2.0
    clock.sleep(0.2)
    assert clock.now() == pytest.approx(0.2)
    assert wall.waited_s[-1] == pytest.approx(0.1)


def test_time_lost_to_slow_drawing_is_not_caught_up() -> None:
    wall = _Wall()
    clock = PacedClock(Tempo(), wall.now, wall.wait)
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


RED, DARK = (255, 0, 0), (0, 0, 0)


def test_it_is_dark_until_something_is_shown_and_remembers_what_was() -> None:
    strip = SimulatedLightStrip(2)
    assert strip.pixels == (DARK, DARK)
    strip.show([RED, DARK])
    strip.show([DARK, RED])
    assert strip.pixels == (DARK, RED)
    assert list(strip.history) == [(RED, DARK), (DARK, RED)]


def test_closing_blanks_it_for_good() -> None:
    strip = SimulatedLightStrip(1)
    strip.show([RED])
    strip.close()
    assert strip.pixels == (DARK,)
    with pytest.raises(HardwareError, match="closed"):
        strip.show([RED])
    assert strip.pixels == (DARK,)


@pytest.mark.parametrize("value", [-1, 256])
def test_a_value_that_no_light_can_show_is_refused(value: int) -> None:
    with pytest.raises(ValueError, match=r"0\.\.255"):
        SimulatedLightStrip(1).show([(0, value, 0)])


def test_the_history_does_not_grow_for_ever() -> None:
    strip = SimulatedLightStrip(1)
    for _ in range(HISTORY + 10):
        strip.show([RED])
    assert len(strip.history) == HISTORY


def test_a_strip_without_pixels_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        SimulatedLightStrip(0)


def test_a_strip_that_was_pulled_out_takes_nothing_until_it_is_plugged_in() -> None:
    strip = SimulatedLightStrip(2)
    strip.show([(9, 9, 9)] * 2)
    strip.unplug()
    with pytest.raises(HardwareError, match="simulated strip: the wire is loose"):
        strip.show([(1, 1, 1)] * 2)
    assert strip.pixels == ((9, 9, 9),) * 2
    strip.plug_in()
    assert strip.pixels == ((0, 0, 0),) * 2
    strip.show([(1, 1, 1)] * 2)


def test_dead_pixels_stay_dark() -> None:
    strip = SimulatedLightStrip(3, dead=[1])
    strip.show([(9, 9, 9)] * 3)
    assert strip.pixels == ((9, 9, 9), (0, 0, 0), (9, 9, 9))
    assert strip.history[-1] == strip.pixels


def test_a_slow_strip_takes_its_time_and_shows_all_the_same() -> None:
    clock, strip = SimulatedClock(), SimulatedLightStrip(1)
    strip.slow_down(lambda: clock.sleep(0.3))
    strip.show([(9, 9, 9)])
    assert (clock.now(), strip.pixels) == (0.3, ((9, 9, 9),))
    strip.slow_down()
    strip.show([(1, 1, 1)])
    assert clock.now() == 0.3
