"""Test the camera driver over a fake picamera2; `make test-camera` runs it over the real one."""

from __future__ import annotations

import logging
import re
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from hardware.drivers import pi as driver
from hardware.drivers.pi import PiCamera, PiCameraDriver
from hardware.environment import camera_command, this_environment
from hardware.ports import CameraError, EndOfFramesError, HardwareError
from hardware.simulated.devices import SimulatedClock
from tests.vendors.picamera2 import FakePicamera2, Job, Sensor, fake_module

if TYPE_CHECKING:
    from types import ModuleType

SIZE = (160, 90)


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module = fake_module()
    monkeypatch.setitem(sys.modules, "picamera2", module)
    return module


@pytest.fixture
def sensor(library: ModuleType) -> Sensor:
    made: Sensor = library.sensor
    return made


def opened(pixel_format: str = "RGB888", **options: Any) -> PiCamera:
    settings = PiCameraDriver(size=SIZE, **options)
    return PiCamera(settings, SimulatedClock(1000.0), pixel_format=pixel_format, timeout_s=0.05)


def program(sensor: Sensor) -> FakePicamera2:
    assert sensor.owner is not None
    return sensor.owner


def test_frames_are_read_only_pictures_with_the_end_of_their_exposure_and_their_metadata(sensor: Sensor) -> None:
    camera = opened()
    frame = camera.capture()
    assert frame.image.shape == (90, 160, 3)
    assert not frame.image.flags.writeable
    assert frame.t_s == pytest.approx(sensor.now_s + frame.metadata["ExposureTime"] / 1e6)  # type: ignore[operator]
    assert camera.capture().name == "000001.jpg"
    assert program(sensor).held_requests == 0
    camera.close()


def test_the_chosen_settings_are_held_in_every_configuration_after_the_first(sensor: Sensor) -> None:
    camera = opened()
    camera.still()
    first, *others = program(sensor).configurations
    assert [first["controls"][name] for name in ("AeEnable", "AwbEnable", "AfMode")] == [True, True, 1]
    assert [configuration["use"] for configuration in others] == ["video", "still", "video"]
    for configuration in others:
        controls = configuration["controls"]
        assert controls == camera.held
        assert (controls["AeEnable"], controls["AwbEnable"], controls["AfMode"]) == (False, False, 0)
        assert controls["ExposureTime"] % 10000 == 0
        assert controls["LensPosition"] == pytest.approx(sensor.focus, abs=0.05)
        assert controls["ColourGains"] == pytest.approx((1.5, 2.0), abs=0.05)
        assert controls["FrameDurationLimits"] == (100000, 100000)
    camera.close()


def test_the_picture_is_as_bright_as_the_camera_wanted_it_from_the_first_frame_on(sensor: Sensor) -> None:
    camera = opened()
    exposures = {camera.capture().metadata["ExposureTime"] for _ in range(5)}
    assert exposures == {camera.held["ExposureTime"] - 7}
    assert camera.capture().image[0, 0, 0] == pytest.approx(100, abs=2)
    assert program(sensor).frames < 40
    camera.close()


def test_a_change_of_light_changes_the_picture_and_not_the_exposure(sensor: Sensor) -> None:
    camera = opened()
    sensor.light_us *= 2
    assert camera.capture().metadata["ExposureTime"] == camera.held["ExposureTime"] - 7
    camera.close()


def test_a_still_has_the_sensors_size_and_the_frames_go_on_after_it(sensor: Sensor) -> None:
    camera = opened()
    still = camera.still()
    assert still.image.shape == (180, 320, 3)
    assert still.metadata["ExposureTime"] == camera.held["ExposureTime"] - 7
    after = camera.capture()
    assert after.image.shape == (90, 160, 3)
    assert after.t_s >= still.t_s
    assert still.crop == after.crop == (0.0, 0.0, 320.0, 180.0), "both show the sensor's whole view"
    assert program(sensor).held_requests == 0
    camera.close()


def test_after_a_still_that_the_camera_has_no_memory_for_the_frames_go_on(
    sensor: Sensor, monkeypatch: pytest.MonkeyPatch
) -> None:
    camera, configure = opened(), FakePicamera2.configure

    def scarce(self: FakePicamera2, configuration: dict[str, Any]) -> None:
        if configuration["use"] == "still":
            raise RuntimeError("Failed to allocate buffers")
        configure(self, configuration)

    monkeypatch.setattr(FakePicamera2, "configure", scarce)
    with pytest.raises(CameraError, match=r"^camera 0 failed: Failed to allocate buffers$"):
        camera.still()
    after = camera.capture()
    assert after.image.shape == (90, 160, 3)
    assert after.metadata["ExposureTime"] == camera.held["ExposureTime"] - 7
    assert program(sensor).held_requests == 0
    camera.close()


def test_after_a_still_that_is_not_delivered_the_frames_go_on(sensor: Sensor, monkeypatch: pytest.MonkeyPatch) -> None:
    camera, capture = opened(), FakePicamera2.capture_request

    def lossy(self: FakePicamera2, signal_function: Any) -> None:
        if self.configuration["use"] == "still":
            signal_function(Job(RuntimeError("dequeue failed")))
        else:
            capture(self, signal_function)

    monkeypatch.setattr(FakePicamera2, "capture_request", lossy)
    with pytest.raises(CameraError, match=r"^camera 0 failed: dequeue failed$"):
        camera.still()
    assert camera.capture().image.shape == (90, 160, 3)
    assert program(sensor).configuration["use"] == "video"
    camera.close()


def test_the_mode_that_shows_the_middle_only_is_not_taken(sensor: Sensor) -> None:
    camera = opened()
    video = program(sensor).configurations[-1]
    assert video["raw"] == {"size": (240, 135), "format": "SRGGB10"}
    camera.close()


def test_a_fixed_focus_is_kept_to(sensor: Sensor) -> None:
    camera = opened(lens_position=1.25)
    assert [each["controls"]["LensPosition"] for each in program(sensor).configurations] == [1.25, 1.25]
    camera.close()


def test_a_search_for_a_focus_that_fails_is_begun_again(sensor: Sensor) -> None:
    sensor.focus_failures = 2
    told: list[str] = []
    camera = PiCamera(PiCameraDriver(size=SIZE), SimulatedClock(1000.0), say=told.append, timeout_s=0.05)
    assert camera.held["LensPosition"] == pytest.approx(sensor.focus, abs=0.05)
    assert told == []
    camera.close()


def test_a_camera_that_finds_no_focus_says_so_and_is_used_all_the_same(sensor: Sensor) -> None:
    sensor.focus_failures = 99
    told: list[str] = []
    camera = PiCamera(PiCameraDriver(size=SIZE), SimulatedClock(1000.0), say=told.append, timeout_s=0.05)
    assert told == [
        "The camera cannot focus: put something printed under it and start again, or set [camera] lens_position."
    ]
    assert camera.capture().image.any()
    camera.close()


def test_a_camera_without_autofocus_and_colours_gets_no_controls_for_them(sensor: Sensor) -> None:
    for name in ("AfMode", "AfTrigger", "LensPosition", "ColourGains", "AwbEnable"):
        del sensor.offered[name]
    camera = opened()
    assert set(camera.held) == {"FrameDurationLimits", "AeEnable", "ExposureTime", "AnalogueGain"}
    camera.close()


def test_brightness_and_colours_that_come_apart_are_put_together(sensor: Sensor) -> None:
    del sensor.modes[:]
    camera = opened(pixel_format="NV12")
    image = camera.capture().image
    assert image.shape == (90, 160, 3)
    assert np.ptp(image[0, 0].astype(int)) <= 2
    assert program(sensor).configurations[-1]["raw"] is None
    camera.close()


@pytest.mark.parametrize(
    ("count", "says"),
    [
        (0, "there is no camera: switch the Pi off, check both ends of the ribbon cable"),
        (1, "there is no camera 1, only 1; rpicam-hello --list-cameras numbers them from 0"),
    ],
)
def test_a_camera_that_is_not_there_is_one_clear_line(sensor: Sensor, count: int, says: str) -> None:
    sensor.count = count
    with pytest.raises(CameraError) as caught:
        opened(device="1")
    assert str(caught.value).startswith(says)


def test_a_busy_camera_is_one_clear_line(library: ModuleType, sensor: Sensor) -> None:
    other = library.Picamera2()
    with pytest.raises(CameraError, match=r"^camera 0 is in use by another program; close that program \(sudo fuser"):
        opened()
    other.close()
    opened().close()
    assert (sensor.opened, sensor.closed) == (2, 2)


def test_without_picamera2_the_error_names_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "picamera2", raising=False)
    with pytest.raises(HardwareError, match=re.escape(f"install it: {camera_command(this_environment())}")):
        opened()


def test_a_frozen_camera_is_an_error_after_its_time_and_can_be_opened_again(sensor: Sensor) -> None:
    camera = opened()
    sensor.frozen = True
    with pytest.raises(
        CameraError, match=r"^camera 0 has sent no picture for 0.05 s; switch the Pi off, and check both ends"
    ):
        camera.capture()
    camera.close()
    sensor.frozen = False
    again = opened()
    assert again.capture().image.any()
    again.close()


def test_a_camera_that_is_frozen_from_the_start_is_given_back(sensor: Sensor) -> None:
    sensor.frozen = True
    with pytest.raises(CameraError, match="no picture for"):
        opened()
    assert sensor.owner is None


def test_an_error_of_the_library_is_one_line_and_releases_the_camera(
    sensor: Sensor, monkeypatch: pytest.MonkeyPatch
) -> None:
    del sensor.offered["AeEnable"]
    monkeypatch.setattr(FakePicamera2, "configure", lambda *_: 1 / 0)
    with pytest.raises(CameraError, match=r"^camera 0 cannot be set up: division by zero$"):
        opened()
    assert sensor.owner is None


def test_a_job_that_fails_is_an_error_of_the_camera(sensor: Sensor, monkeypatch: pytest.MonkeyPatch) -> None:
    camera = opened()
    failed = Job(RuntimeError("dequeue failed\nsecond line"))
    monkeypatch.setattr(program(sensor), "capture_request", lambda signal_function: signal_function(failed))
    with pytest.raises(CameraError, match=r"^camera 0 failed: dequeue failed$"):
        camera.capture()
    camera.close()


def test_a_camera_that_does_not_keep_to_its_controls_is_used_all_the_same(
    sensor: Sensor, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def converge(camera: FakePicamera2) -> None:
        camera._exposure = 24000.0 if camera._active.get("AeEnable", True) else 5000.0

    monkeypatch.setattr(FakePicamera2, "_converge", converge)
    with caplog.at_level(logging.WARNING):
        camera = opened()
    assert sensor.opened == 1
    assert "does not keep to" in caplog.text
    assert camera.capture().image.any()
    camera.close()


def test_after_close_there_are_no_frames_and_no_stills(sensor: Sensor) -> None:
    camera = opened()
    camera.close()
    camera.close()
    assert sensor.owner is None
    with pytest.raises(EndOfFramesError):
        camera.capture()
    with pytest.raises(EndOfFramesError):
        camera.still()


def test_a_camera_that_never_lets_go_does_not_hold_up_the_program(
    sensor: Sensor, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    camera, let_go = opened(), threading.Event()
    monkeypatch.setattr(program(sensor), "stop", let_go.wait)
    monkeypatch.setattr(driver, "_CLOSE_S", 0.01)
    camera.close()
    assert "cannot be closed" in caplog.text
    let_go.set()


@pytest.mark.parametrize("step", ["stop", "close"])
def test_an_error_of_the_library_at_the_release_is_one_line(
    sensor: Sensor, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, step: str
) -> None:
    def fails() -> None:
        raise RuntimeError("no such camera\nsecond line")

    camera = opened()
    monkeypatch.setattr(program(sensor), step, fails)
    camera.close()
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == [
        "the camera could not be closed properly: no such camera"
    ]
    assert sensor.closed == (step == "stop")


def test_a_time_stamp_of_another_clock_is_not_believed(sensor: Sensor) -> None:
    sensor.now_s = 5.0
    camera = opened()
    assert camera.capture().t_s == 1000.0
    camera.close()


def test_it_can_be_loaded_with_what_the_real_library_s_chroot_has() -> None:
    # Not counting the modules that the interpreter loads from its environment at its start.
    asked = (
        "import sys; before = set(sys.modules); "
        "import hardware.drivers.pi, hardware.reconnecting, hardware.clock; print(*set(sys.modules) - before)"
    )
    ended = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    packages = {name.partition(".")[0] for name in ended.stdout.split()} - sys.stdlib_module_names
    assert packages <= {"companion", "hardware", "numpy", "cv2"}


@pytest.mark.usefixtures("sensor")
def test_a_shorter_exposure_is_a_darker_picture() -> None:
    usual = opened()
    before = usual.capture().image.mean()
    held = usual.held
    usual.close()
    short = opened(exposure_us=held["ExposureTime"] // 2)
    assert short.held["AnalogueGain"] == held["AnalogueGain"]
    assert short.capture().image.mean() < 0.7 * before
