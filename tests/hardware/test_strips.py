from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.ports import RGB, HardwareError
from hardware.simulated.devices import SimulatedClock, SimulatedLightStrip
from hardware.strips import DrivenStrip, ResilientStrip, drawn_ma

pixels_of = st.lists(st.tuples(*[st.integers(0, 255)] * 3), min_size=6, max_size=6)


def sent(pixels: list[RGB], max_ma: float = 60000, gamma: float = 1.0) -> list[RGB]:
    """Return what a strip is sent to show these pixels."""
    strip = SimulatedLightStrip(len(pixels))
    DrivenStrip(strip, max_ma, gamma, SimulatedClock()).show(pixels)
    return list(strip.pixels)


def greys(*values: int, gamma: float) -> list[int]:
    return [pixel[0] for pixel in sent([(value, value, value) for value in values], gamma=gamma)]


def test_half_as_bright_to_the_eye_is_about_a_fifth_of_the_light() -> None:
    assert greys(0, 128, 255, gamma=2.2) == [0, 56, 255]


def test_a_faint_pixel_stays_alight_and_none_outshines_a_brighter_one() -> None:
    light = greys(*range(256), gamma=2.2)
    assert light[:2] == [0, 1]
    assert light == sorted(light)


def test_a_gamma_of_one_changes_nothing() -> None:
    assert greys(*range(256), gamma=1.0) == list(range(256))


@given(pixels_of, st.floats(1, 500), st.sampled_from([1.0, 2.2]))
def test_no_frame_draws_more_than_the_supply_can_spare(pixels: list[RGB], max_ma: float, gamma: float) -> None:
    shown, free = sent(pixels, max_ma, gamma), sent(pixels, gamma=gamma)
    assert drawn_ma(shown) <= max_ma + 1e-9
    if drawn_ma(free) <= max_ma:
        assert shown == free


def test_a_limited_frame_uses_what_the_supply_can_spare() -> None:
    assert 450 < drawn_ma(sent([(255, 255, 255)] * 60, 500, 2.2)) <= 500


def test_a_limited_frame_keeps_its_hues() -> None:
    assert set(sent([(255, 255, 255)] * 10, 300)) == {(127, 127, 127)}


@pytest.mark.parametrize(("refresh_s", "times"), [(1.0, 2), (None, 0)])
def test_a_strip_that_forgets_its_pixels_is_sent_them_again(refresh_s: float | None, times: int) -> None:
    clock, strip = SimulatedClock(), SimulatedLightStrip(8)
    driven = DrivenStrip(strip, 500, 1.0, clock, refresh_s)
    driven.tick()
    assert len(strip.history) == 0
    driven.show([(1, 2, 3)] * 8)
    for _ in range(25):
        clock.sleep(0.1)
        driven.tick()
    assert list(strip.history) == [((1, 2, 3),) * 8] * (1 + times)
    driven.close()
    assert set(strip.pixels) == {(0, 0, 0)}


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

    def strip(self) -> ResilientStrip:
        return ResilientStrip(self.open, 2, self.clock, self.said.append)

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


def test_a_driven_strip_is_refreshed_once_a_frame(supply: Supply) -> None:
    strip = ResilientStrip(lambda: DrivenStrip(supply.open(), 500, 1.0, supply.clock, 1.0), 2, supply.clock, print)
    strip.show(RED)
    before = len(supply.strips[0].history)
    for _ in range(58):
        supply.clock.sleep(0.1)
        strip.tick()
    assert len(supply.strips[0].history) - before == 5
    assert list(supply.strips[0].pixels) == RED


def test_another_number_of_pixels_is_a_fault_of_the_program(supply: Supply) -> None:
    strip = supply.strip()
    with pytest.raises(ValueError, match="2 pixels, not 3"):
        strip.show([(0, 0, 0)] * 3)


def test_closing_switches_off_for_good(supply: Supply) -> None:
    strip = supply.strip()
    strip.show(RED)
    strip.close()
    strip.close()
    supply.clock.sleep(9)
    strip.tick()
    assert list(supply.strips[0].pixels) == DARK
    assert supply.attempts == 1
    with pytest.raises(HardwareError, match="closed"):
        strip.show(RED)
