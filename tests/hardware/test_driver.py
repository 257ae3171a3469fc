"""Test that drivers are found by their names, and read their settings."""

from __future__ import annotations

import pytest

from companion.settings import SettingError
from hardware.driver import CameraDriver, ControlsDriver, Driver, StripDriver, VoiceDriver, drivers
from hardware.drivers.gpio import GpioDriver
from hardware.drivers.pi import PiCameraDriver
from hardware.drivers.webcam import WebcamDriver
from hardware.drivers.wled import WledDriver

KINDS: tuple[type[Driver], ...] = (CameraDriver, ControlsDriver, StripDriver, VoiceDriver)


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (CameraDriver, {"pi", "webcam", "network", "phone", "folder", "simulated"}),
        (ControlsDriver, {"gpio", "keys", "none", "simulated"}),
        (StripDriver, {"neopixel", "wled", "none", "simulated"}),
        (VoiceDriver, {"espeak-ng", "piper", "none"}),
    ],
)
def test_drivers_are_found_by_their_names(kind: type[Driver], names: set[str]) -> None:
    assert set(drivers(kind)) == names
    assert kind.of({}).driver == kind.default


@pytest.mark.parametrize("kind", KINDS)
def test_an_unknown_driver_is_refused_with_those_there_are(kind: type[Driver]) -> None:
    with pytest.raises(SettingError, match=r"^driver: 'thermal' is not valid; allowed: ") as caught:
        kind.of({"driver": "thermal"})
    assert all(f'"{name}"' in str(caught.value) for name in drivers(kind))


@pytest.mark.parametrize(
    ("kind", "values", "says"),
    [
        (CameraDriver, {"driver": "folder"}, 'path: is missing; the driver "folder" needs'),
        (CameraDriver, {"driver": "pi", "device": "/dev/video0"}, "device: '/dev/video0' is not valid; allowed"),
        (CameraDriver, {"mains_hz": 55}, "mains_hz: 55 is not valid; allowed: 50 or 60"),
        (CameraDriver, {"mains_hz": True}, "mains_hz: True is not valid; allowed: 50 or 60"),
        (CameraDriver, {"device": "my camera"}, "device: 'my camera' is not valid; allowed: a name without spaces"),
        (CameraDriver, {"size": 5}, "size: 5 is not valid; allowed: width and height, such as [1536, 864]"),
        (CameraDriver, {"size": [1, 864]}, "size: 1 is not valid; allowed: a whole number from 320 to 8192"),
        (ControlsDriver, {"driver": "gpio", "confirm_pins": []}, "confirm_pins: is empty; allowed: one GPIO number"),
        (ControlsDriver, {"confirm_pins": 17}, "confirm_pins: 17 is not valid; allowed: a list of at most two"),
        (ControlsDriver, {"undo_pins": [28]}, "undo_pins: [28] is not valid; allowed: a list of at most two"),
        (ControlsDriver, {"undo_pins": [True]}, "undo_pins: [True] is not valid"),
        (ControlsDriver, {"undo_pins": [1, 2, 3]}, "undo_pins: [1, 2, 3] is not valid"),
        (ControlsDriver, {"driver": "gpio", "lamp_pins": [27]}, "GPIO27 is used twice; each button and lamp needs"),
        (ControlsDriver, {"keys": ["confirm"]}, "keys: 'confirm' is not valid; allowed: a list of lines such as"),
        (StripDriver, {"driver": "wled"}, 'wled_host: is missing; the driver "wled" needs its name or address'),
        (StripDriver, {"wled_host": ":80"}, "wled_host: ':80' is not valid; allowed: a name or an address, such as"),
        (StripDriver, {"order": "GGB"}, "order: 'GGB' is not valid; allowed: \"GRB\", "),
        (StripDriver, {"first_pixel": 53}, "first_pixel: leaves fewer than 8 pixels; allowed: at most pixels - 8"),
        (VoiceDriver, {"driver": "piper"}, 'voices: is missing; the driver "piper" needs the folder of its voices'),
    ],
)
def test_a_mistake_is_refused_with_what_is_allowed(kind: type[Driver], values: dict[str, object], says: str) -> None:
    with pytest.raises(SettingError) as caught:
        kind.of(values)
    assert str(caught.value).startswith(says)


def test_values_of_other_drivers_come_back_with_them() -> None:
    camera = CameraDriver.of({"driver": "webcam", "device": "2", "lens_position": 2, "fps": 5})
    assert camera == WebcamDriver(device="2", fps=5.0)
    assert CameraDriver.changed(camera, driver="pi") == PiCameraDriver(device="2", lens_position=2.0, fps=5.0)
    with pytest.raises(SettingError, match="device: '/dev/video2' is not valid"):
        CameraDriver.changed(WebcamDriver(device="/dev/video2"), driver="pi")


def test_a_key_that_several_drivers_read_is_printed_once_with_the_names_of_all() -> None:
    entries = {entry.key: entry for entry in GpioDriver(debounce_s=0.1).entries()}
    assert entries["debounce_s"].value == 0.1
    assert [name for name, _ in entries["debounce_s"].comments] == ["gpio, keys: "]
    assert entries["keys"].value == ()
    assert len(list(WledDriver().entries())) == len({entry.key for entry in WledDriver().entries()})


def test_the_comment_on_the_driver_lists_all() -> None:
    (entry, *_) = StripDriver.of({}).entries()
    assert [name for name, _ in entry.comments[1:]] == [f'  "{name}": ' for name in drivers(StripDriver)]
