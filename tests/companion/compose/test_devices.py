from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

import cv2
import gpiozero
import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory

from companion.compose.devices import lasting_camera, lasting_strip, open_camera, open_controls, open_strip
from companion.config import Config
from hardware.driver import CameraDriver, ControlsDriver, StripDriver
from hardware.drivers.none import NoControls
from hardware.drivers.pi import PiCamera
from hardware.drivers.wled import WledStrip
from hardware.keys import Found
from hardware.ports import Button, CameraError, HardwareError
from hardware.reconnecting import ReopeningCamera
from hardware.simulated.devices import SimulatedClock, SimulatedControls
from tests.vendors.input_bus import SimulatedInputBus
from tests.vendors.picamera2 import fake_module
from tests.vendors.wled import wled

if TYPE_CHECKING:
    from pathlib import Path


CLOCK = SimulatedClock()


def config(**camera: object) -> Config:
    return Config(camera=CameraDriver.of(camera))


def controls_of(**controls: object) -> Config:
    return Config(controls=ControlsDriver.of(controls))


def strip_of(driver: str, **strip: object) -> StripDriver:
    return StripDriver.of({"driver": driver, **strip})


def test_a_pis_camera_is_opened_as_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    library = fake_module()
    monkeypatch.setitem(sys.modules, "picamera2", library)
    library.sensor.count = 2
    camera = open_camera(config(driver="pi", size=[320, 320], fps=10, device="1", lens_position=1.5), SimulatedClock())
    assert isinstance(camera, PiCamera)
    assert library.sensor.owner.camera_num == 1
    assert camera.held["LensPosition"] == 1.5
    assert camera.capture().image.shape == (320, 320, 3)
    camera.close()


@pytest.mark.parametrize("driver", ["pi", "webcam"])
def test_a_camera_with_a_cable_is_reopened_by_itself(driver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[object] = []

    def open_it(*_: object) -> object:
        opened.append(None)
        return opened

    monkeypatch.setattr("companion.compose.devices.open_camera", open_it)
    camera = lasting_camera(config(driver=driver), SimulatedClock(), print, lambda: None)
    assert isinstance(camera, ReopeningCamera)
    assert len(opened) == 1


def test_a_webcam_is_named_by_its_device() -> None:
    with pytest.raises(CameraError, match="there is no webcam /dev/none"):
        open_camera(config(driver="webcam", device="/dev/none"), SimulatedClock())


def test_a_folder_is_shown_once(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.full((9, 9, 3), 7, np.uint8))
    camera = lasting_camera(config(driver="folder", path=str(tmp_path)), SimulatedClock(), print, lambda: None)
    assert camera.capture().image[0, 0, 0] == 7
    camera.close()


def test_a_simulated_camera_beside_real_devices_sees_an_empty_table() -> None:
    camera = open_camera(config(driver="simulated", fps=5), SimulatedClock())
    frames = [camera.capture(), camera.still()]
    assert frames[0].image.shape == frames[1].image.shape
    assert frames[1].t_s - frames[0].t_s == pytest.approx(0.2)
    assert frames[0].image.std() > 10
    camera.close()


def test_buttons_are_wired_as_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    pins = MockFactory()
    monkeypatch.setattr(gpiozero.Device, "pin_factory", pins)
    wanted = controls_of(
        driver="gpio", hold_confirm="undo", confirm_pins=[5, 6], advance_pins=[13], undo_pins=[], lamp_pins=[19, 26]
    )
    clock = SimulatedClock(5.0)
    monkeypatch.setattr("gpiozero.pins.mock.monotonic", clock.now)
    controls = open_controls(wanted, clock)
    for pin, down_s in ((6, 0.2), (13, 0.2), (5, 1.5)):
        pins.pin(pin).drive_low()
        clock.sleep(down_s)
        controls_pressed = list(controls.presses())
        pins.pin(pin).drive_high()
        clock.sleep(0.2)
        pressed = [(press.button, press.seat) for press in (*controls_pressed, *controls.presses())]
        assert pressed == {6: [(Button.CONFIRM, 2)], 13: [(Button.ADVANCE, None)], 5: [(Button.UNDO, 1)]}[pin]
    controls.light((2,))  # type: ignore[attr-defined]  # a lamp a seat
    assert (pins.pin(19).state, pins.pin(26).state) == (0, 1)
    controls.close()


def test_keys_are_those_of_the_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    bus, clock = SimulatedInputBus(), SimulatedClock(5.0)
    bus.plug_in(Found("/dev/input/event3", "Number pad", 3, 0x1A2C, 0x0E24, "usb-1", frozenset({71, 96})))
    monkeypatch.setattr("hardware.drivers.keys.LinuxInputBus", lambda: bus)
    keys = ["confirm KEY_KPENTER 1a2c:0e24", "advance@2 KEY_KP7 1a2c:0e24"]
    controls = open_controls(controls_of(driver="keys", hold_confirm="undo", keys=keys), clock)
    bus.push("/dev/input/event3", 96)
    bus.press("/dev/input/event3", 71)
    assert [(press.button, press.seat) for press in controls.presses()] == [(Button.ADVANCE, 2)]
    clock.sleep(1.5)
    assert [press.button for press in controls.presses()] == [Button.UNDO]
    controls.close()


def test_tables_may_do_without_buttons() -> None:
    assert isinstance(open_controls(controls_of(driver="none"), CLOCK), NoControls)
    assert isinstance(open_controls(controls_of(driver="simulated"), CLOCK), SimulatedControls)


def test_wled_is_opened_at_its_host_within_the_current(monkeypatch: pytest.MonkeyPatch) -> None:
    with wled(60) as controller:
        there = partial(WledStrip, ddp_port=controller.ddp_port)
        monkeypatch.setattr("hardware.drivers.wled.WledStrip", there)
        strip = open_strip(strip_of("wled", wled_host=controller.host, max_ma=600), CLOCK)
        controller.shown()
        strip.show([(255, 255, 255)] * 60)
        assert set(controller.shown()[0]) == {42}, "600 mA for 60 pixels of 60 mA"
        strip.close()


def test_a_neopixel_strip_needs_a_raspberry_pi() -> None:
    with pytest.raises(HardwareError, match="needs a Raspberry Pi, and this is not one"):
        open_strip(strip_of("neopixel"), CLOCK)


@pytest.mark.parametrize("driver", ["none", "simulated"])
def test_other_strips_are_as_long_as_configured(driver: str) -> None:
    assert open_strip(strip_of(driver, pixels=17), CLOCK).pixel_count == 17


def test_a_strip_that_is_not_there_does_not_stop_an_evening() -> None:
    said: list[str] = []
    strip = lasting_strip(strip_of("neopixel"), CLOCK, said.append)
    strip.show([(1, 2, 3)] * 60)
    assert len(said) == 1
    assert said[0].startswith("The lights do not respond: a NeoPixel strip needs a Raspberry Pi")
