from __future__ import annotations

import pytest

from hardware.ports import HardwareError
from hardware.simulated.devices.clock import SimulatedClock
from hardware.simulated.devices.strip import HISTORY, SimulatedLightStrip

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
