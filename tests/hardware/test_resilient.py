from __future__ import annotations

import pytest

from hardware.ports import RGB, HardwareError
from hardware.resilient import ResilientStrip
from hardware.simulated.devices.clock import SimulatedClock
from hardware.simulated.devices.strip import SimulatedLightStrip

RED: list[RGB] = [(255, 0, 0)] * 2
BLUE: list[RGB] = [(0, 0, 255)] * 2
DARK = [(0, 0, 0)] * 2


class Supply:
    """A strip's power supply, with all strips that were opened."""

    def __init__(self) -> None:
        self.clock = SimulatedClock(10.0)
        self.plugged = True
        self.strips: list[SimulatedLightStrip] = []
        self.attempts = 0
        self.said: list[str] = []

    def open(self) -> SimulatedLightStrip:
        self.attempts += 1
        if not self.plugged:
            raise HardwareError("no route to host")
        self.strips.append(SimulatedLightStrip(2))
        return self.strips[-1]

    def strip(self, refresh_s: float | None = None) -> ResilientStrip:
        return ResilientStrip(self.open, 2, self.clock, self.said.append, refresh_s)

    def pull(self) -> None:
        self.plugged = False
        self.strips[-1].close()


@pytest.fixture
def supply() -> Supply:
    return Supply()


def test_pixels_pass_while_all_is_well(supply: Supply) -> None:
    strip = supply.strip()
    assert list(supply.strips[0].pixels) == DARK
    strip.show(RED)
    assert list(supply.strips[0].pixels) == RED
    assert (supply.said, strip.lost, strip.pixel_count) == ([], False, 2)


def test_a_strip_that_was_pulled_stops_nothing_and_is_shown_what_it_missed(supply: Supply) -> None:
    strip = supply.strip()
    supply.pull()
    strip.show(RED)
    strip.show(BLUE)
    assert strip.lost
    assert supply.said == [
        "The lights do not respond: the simulated strip was closed. The game continues without them."
    ]
    supply.plugged = True
    supply.clock.sleep(2)
    strip.tick()
    assert list(supply.strips[-1].pixels) == BLUE
    assert supply.said[1:] == ["The lights are back."]
    assert not strip.lost


def test_a_question_in_the_reason_is_not_given_a_full_stop() -> None:
    said: list[str] = []

    def open_it() -> SimulatedLightStrip:
        raise HardwareError("no answer; is it switched on?")

    ResilientStrip(open_it, 2, SimulatedClock(), said.append)
    assert said == ["The lights do not respond: no answer; is it switched on? The game continues without them."]


def test_attempts_are_spaced_out(supply: Supply) -> None:
    strip = supply.strip()
    supply.pull()
    strip.show(RED)
    before = supply.attempts
    for _ in range(600):
        supply.clock.sleep(0.1)
        strip.tick()
        strip.show(RED)
    assert 4 <= supply.attempts - before <= 8


def test_a_strip_that_is_not_there_yet_is_waited_for(supply: Supply) -> None:
    supply.plugged = False
    strip = supply.strip()
    assert "no route to host" in supply.said[0]
    supply.plugged = True
    supply.clock.sleep(1)
    strip.tick()
    assert supply.said[1:] == ["The lights are back."]


@pytest.mark.parametrize(("refresh_s", "times"), [(1.0, 5), (None, 0)])
def test_strips_that_forget_are_reminded(supply: Supply, refresh_s: float | None, times: int) -> None:
    strip = supply.strip(refresh_s)
    strip.show(RED)
    before = len(supply.strips[0].history)
    for _ in range(58):
        supply.clock.sleep(0.1)
        strip.tick()
    assert len(supply.strips[0].history) - before == times
    assert list(supply.strips[0].pixels) == RED


def test_another_number_of_pixels_is_a_fault_of_the_program(supply: Supply) -> None:
    strip = supply.strip()
    with pytest.raises(ValueError, match="2 pixels, not 3"):
        strip.show([(0, 0, 0)] * 3)


def test_closing_switches_off_for_good(supply: Supply) -> None:
    strip = supply.strip(1.0)
    strip.show(RED)
    strip.close()
    strip.close()
    supply.clock.sleep(9)
    strip.tick()
    assert list(supply.strips[0].pixels) == DARK
    assert supply.attempts == 1
    with pytest.raises(HardwareError, match="closed"):
        strip.show(RED)
