"""Test every step over the twins with planted faults; the answers are given without knowledge of them."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from companion.compose.workbench import course_of, open_bench
from companion.config import CameraConfig, Config, ControlsConfig, StripConfig
from companion.upkeep.hardwaretest.bench import RefreshedStrip
from companion.upkeep.hardwaretest.simulated_person import Plant
from hardware.clock import SystemClock
from hardware.simulated.devices.clock import SimulatedClock
from hardware.simulated.devices.strip import SimulatedLightStrip

if TYPE_CHECKING:
    from companion.upkeep.hardwaretest import HardwareTest

SMALL = replace(Config(), camera=CameraConfig(size=(1152, 648)), strip=StripConfig(pixels=30))
"""Pictures that are rendered quickly; a cell has 25 pixels."""


def measured(*planted: Plant, config: Config = SMALL) -> HardwareTest:
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
    test = measured(Plant.DEAD_PIXEL, Plant.STUCK_BUTTON, Plant.BLURRED_CAMERA)
    (button, stuck), (pixel, dark), (camera, blurred) = faults(test)
    assert (button, stuck) == ("undo button (GPIO22)", "It is stuck")
    assert (pixel, dark) == ("pixel 24", "Pixel 24 stays dark, counted from the cable, where pixel 1 is.")
    assert camera == "camera"
    assert blurred.startswith("The picture is blurred")


def test_the_camera_spares_people_the_counting_of_what_it_sees() -> None:
    with closing(open_bench(SMALL, (Plant.DEAD_PIXEL,))) as bench:
        test, asked = course_of(bench), []
        while not test.done and test.step.title != "Current drawn by the strip":
            test.tick(bench.moment(test))
            if test.prompt is not None and test.prompt.says.startswith("Look at"):
                asked.append(test.prompt.says)
    assert asked == ["Look at pixel 24, counted from the cable. How many light up?"]


@pytest.mark.parametrize(("camera", "strip"), [("simulated", "none"), ("simulated", "wled")])
def test_a_simulated_camera_is_not_asked_about_a_real_strip(camera: str, strip: str) -> None:
    config = replace(
        SMALL, camera=CameraConfig(camera, size=(1152, 648)), strip=StripConfig(strip, wled_host="127.0.0.1")
    )
    with closing(open_bench(config)) as bench:
        bench.strip = bench.strip or SimulatedLightStrip(30)
        titles = [step.title for step in course_of(bench)._steps]
    assert "Strip, as seen by the camera" not in titles
    assert ("Pixels of the strip" in titles) is (strip != "none")


def test_wrong_wiring_is_named() -> None:
    test = measured(Plant.CROSSED_WIRES, Plant.COLOUR_ORDER, config=SMALL)
    named = faults(test)
    assert ("confirm button (GPIO17)", "You pressed it, but the advance button (GPIO27) responded.") in named
    assert ("strip", "Its colours are wrong") in named
    assert "Without a working confirm button" in test.outcomes[-1].says


def test_real_devices_that_are_not_there_are_findings_and_the_twins_are_tried_all_the_same() -> None:
    config = Config(controls=ControlsConfig("gpio"), strip=StripConfig("neopixel"))
    with closing(open_bench(config)) as bench:
        assert set(bench.faults) == {"strip", "push-buttons"}
        assert isinstance(bench.clock, SystemClock)
        assert not bench.needs_a_person
        test = course_of(bench)
        assert len(test.faults) == 2
        assert test.step.title == "Camera"


@pytest.mark.parametrize(
    ("controls", "strip", "needed"),
    [("simulated", "simulated", False), ("none", "none", False), ("none", "simulated", False)],
)
def test_where_twins_stand_in_nobody_is_needed(controls: str, strip: str, needed: bool) -> None:
    config = Config(controls=ControlsConfig(controls), strip=StripConfig(strip))
    with closing(open_bench(config)) as bench:
        assert bench.needs_a_person is needed


def test_a_strip_that_forgets_is_shown_its_pixels_again_every_second() -> None:
    clock, strip = SimulatedClock(), SimulatedLightStrip(8)
    kept = RefreshedStrip(strip, clock)
    kept.tick()
    assert len(strip.history) == 0
    kept.show([(1, 2, 3)] * 8)
    for _ in range(25):
        clock.sleep(0.1)
        kept.tick()
    assert list(strip.history) == [((1, 2, 3),) * 8] * 3
    kept.close()
    assert set(strip.pixels) == {(0, 0, 0)}
