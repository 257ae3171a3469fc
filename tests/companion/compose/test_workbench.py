"""Test every step over the twins with planted faults; the answers are given without knowledge of them."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from companion.compose.workbench import course_of, open_bench
from companion.config import Config
from companion.upkeep.hardware_test.bench import SimulatedFault
from hardware.clock import SystemClock
from hardware.driver import ControlsDriver, StripDriver
from hardware.drivers.gpio import GpioDriver
from hardware.drivers.neopixel import NeoPixelDriver
from hardware.drivers.none import NoControlsDriver, NoStripDriver
from hardware.drivers.simulated import SimulatedCameraDriver, SimulatedControlsDriver, SimulatedStripDriver
from hardware.drivers.wled import WledDriver
from hardware.simulated.devices import SimulatedLightStrip
from hardware.strips import DrivenStrip

if TYPE_CHECKING:
    from companion.upkeep.hardware_test.course import HardwareTest

SMALL = replace(Config(), camera=SimulatedCameraDriver(size=(1152, 648)), strip=SimulatedStripDriver(pixels=30))
"""Pictures that are rendered quickly; a cell has 25 pixels."""


def measured(*planted: SimulatedFault, config: Config = SMALL) -> HardwareTest:
    with closing(open_bench(config, planted)) as bench:
        test, since_s = course_of(bench), bench.clock.now()
        while not test.done:
            assert bench.clock.now() - since_s < 600
            test.tick(bench.moment(test))
    return test


def faults(test: HardwareTest) -> list[tuple[str, str]]:
    return [(outcome.subject, outcome.says.split(":")[0]) for outcome in test.faults]


def test_sound_twins_pass_every_step() -> None:
    test = measured()
    assert faults(test) == []
    assert test.number == (8, 8)
    turn = [outcome.subject for outcome in test.outcomes if outcome.subject.startswith("a turn")]
    assert turn == ["a turn: confirm", "a turn: advance", "a turn: undo"]


def test_each_planted_fault_is_named_and_nothing_else() -> None:
    test = measured(SimulatedFault.DEAD_PIXEL, SimulatedFault.STUCK_BUTTON, SimulatedFault.BLURRED_CAMERA)
    (button, stuck), (pixel, dark), (camera, blurred) = faults(test)
    assert (button, stuck) == ("undo button (GPIO22)", "It is stuck")
    assert (pixel, dark) == ("pixel 24", "Pixel 24 stays dark, counted from the cable, where pixel 1 is.")
    assert camera == "camera"
    assert blurred.startswith("The picture is blurred")


def test_the_camera_spares_people_the_counting_of_what_it_sees() -> None:
    with closing(open_bench(SMALL, (SimulatedFault.DEAD_PIXEL,))) as bench:
        test, asked = course_of(bench), []
        while not test.done and test.step.title != "Current drawn by the strip":
            test.tick(bench.moment(test))
            if test.prompt is not None and test.prompt.says.startswith("Look at"):
                asked.append(test.prompt.says)
    assert asked == ["Look at pixel 24, counted from the cable. How many light up?"]


@pytest.mark.parametrize("strip", [NoStripDriver(), WledDriver(wled_host="127.0.0.1")])
def test_a_simulated_camera_is_not_asked_about_a_real_strip(strip: StripDriver) -> None:
    with closing(open_bench(replace(SMALL, strip=strip))) as bench:
        bench.strip = bench.strip or DrivenStrip(SimulatedLightStrip(30), 1500, 1.0, bench.clock)
        titles = [step.title for step in course_of(bench)._steps]
    assert "Strip, as seen by the camera" not in titles
    assert ("Pixels of the strip" in titles) is (strip.driver != "none")


def test_wrong_wiring_is_named() -> None:
    test = measured(SimulatedFault.CROSSED_WIRES, SimulatedFault.COLOUR_ORDER, config=SMALL)
    named = faults(test)
    assert ("confirm button (GPIO17)", "You pressed it, but the advance button (GPIO27) responded.") in named
    assert ("strip", "Its colours are wrong") in named
    assert "Without a working confirm button" in test.outcomes[-1].says


def test_real_devices_that_are_not_there_are_findings_and_the_twins_are_tried_all_the_same() -> None:
    config = Config(controls=GpioDriver(), strip=NeoPixelDriver())
    with closing(open_bench(config)) as bench:
        assert set(bench.faults) == {"strip", "push-buttons"}
        assert isinstance(bench.clock, SystemClock)
        assert not bench.needs_a_person
        test = course_of(bench)
        assert len(test.faults) == 2
        assert test.step.title == "Camera"


@pytest.mark.parametrize("controls", [SimulatedControlsDriver(), NoControlsDriver()])
@pytest.mark.parametrize("strip", [SimulatedStripDriver(), NoStripDriver()])
def test_nobody_is_needed_at_simulated_devices(controls: ControlsDriver, strip: StripDriver) -> None:
    with closing(open_bench(Config(controls=controls, strip=strip))) as bench:
        assert not bench.needs_a_person
