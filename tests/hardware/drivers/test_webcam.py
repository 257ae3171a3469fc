from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import pytest

from hardware.drivers.webcam import Webcam
from hardware.ports import CameraError, EndOfFramesError
from hardware.simulated.devices import SimulatedClock
from tests.vendors.webcam import FakeCapture

if TYPE_CHECKING:
    from pathlib import Path

EXPOSURE = (cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_EXPOSURE)


@pytest.fixture
def clock() -> SimulatedClock:
    return SimulatedClock(500.0)


@pytest.fixture
def capture(clock: SimulatedClock) -> FakeCapture:
    return FakeCapture(clock, EXPOSURE)


def opened(capture: FakeCapture) -> Webcam:
    return Webcam("0", (1280, 720), 10, capture.clock, lambda _: capture)


def test_it_asks_for_compressed_pictures_of_the_size_before_it_takes_any(capture: FakeCapture) -> None:
    opened(capture)
    mjpg = cv2.VideoWriter.fourcc(*"MJPG")
    assert capture.settings[:4] == [
        (cv2.CAP_PROP_FOURCC, mjpg),
        (cv2.CAP_PROP_FRAME_WIDTH, 1280),
        (cv2.CAP_PROP_FRAME_HEIGHT, 720),
        (cv2.CAP_PROP_FPS, 10),
    ]


def test_exposure_is_held_after_it_was_chosen_and_what_it_does_not_know_is_left(
    capture: FakeCapture, clock: SimulatedClock
) -> None:
    before = clock.now()
    opened(capture)
    assert clock.now() >= before + 1, "it was let choose first"
    exposure = [(key, value) for key, value in capture.settings if key in EXPOSURE]
    assert exposure == [(cv2.CAP_PROP_AUTO_EXPOSURE, 1.0), (cv2.CAP_PROP_EXPOSURE, 157.0)]
    assert (cv2.CAP_PROP_WB_TEMPERATURE, 157.0) not in capture.settings


def test_frames_are_read_only_and_have_the_time_of_the_camera(capture: FakeCapture) -> None:
    camera = opened(capture)
    frame = camera.capture()
    assert frame.image.shape == (24, 32, 3)
    assert not frame.image.flags.writeable
    assert frame.t_s == capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
    assert [frame.name, camera.still().name] == ["000000.jpg", "000001.jpg"]


def test_frames_that_were_kept_while_nobody_looked_are_passed_over(capture: FakeCapture, clock: SimulatedClock) -> None:
    camera = opened(capture)
    camera.capture()
    capture.kept = [clock.now() + 0.1, clock.now() + 0.2, clock.now() + 0.3]
    clock.sleep(2)
    before = clock.now()
    assert camera.capture().t_s > before


def test_without_time_stamps_the_clock_tells(capture: FakeCapture, clock: SimulatedClock) -> None:
    capture.stamps = False
    assert opened(capture).capture().t_s == clock.now()


def test_a_camera_that_is_pulled_out_is_an_error_that_says_so(capture: FakeCapture) -> None:
    camera = opened(capture)
    capture.plugged = False
    with pytest.raises(CameraError, match="webcam 0 sends no pictures: is it plugged in"):
        camera.capture()


@pytest.mark.parametrize(("there", "says"), [(False, "cannot be opened: is it plugged in"), (True, "sends no pict")])
def test_a_camera_that_is_not_there_is_an_error_and_is_let_go(capture: FakeCapture, there: bool, says: str) -> None:
    capture.there, capture.plugged = there, False
    with pytest.raises(CameraError, match=f"webcam 0 {says}"):
        opened(capture)
    assert capture.released == 1


def test_the_real_opencv_says_no_where_the_device_is_no_camera(clock: SimulatedClock, tmp_path: Path) -> None:
    (tmp_path / "video0").touch()
    with pytest.raises(CameraError, match="video0 cannot be opened"):
        Webcam(str(tmp_path / "video0"), (640, 480), 10, clock)


@pytest.mark.parametrize("device", ["/dev/video-none", "987"])
def test_a_webcam_that_is_away_is_one_line_and_no_grumble_of_opencvs(
    clock: SimulatedClock, device: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(CameraError, match=f"there is no webcam {device}: is it plugged in"):
        Webcam(device, (640, 480), 10, clock)
    assert capfd.readouterr() == ("", "")


def test_after_close_there_are_no_frames(capture: FakeCapture) -> None:
    camera = opened(capture)
    camera.close()
    camera.close()
    assert capture.released == 1
    with pytest.raises(EndOfFramesError):
        camera.capture()


MODES = ((64, 36), (32, 24), (128, 72), (256, 144), (320, 240))


@pytest.fixture
def large(clock: SimulatedClock) -> FakeCapture:
    return FakeCapture(clock, EXPOSURE, MODES)


def watching(capture: FakeCapture) -> Webcam:
    return Webcam("0", (64, 36), 10, capture.clock, lambda _: capture)


def test_a_still_is_the_largest_of_the_frames_shape_and_frames_go_on_as_before(large: FakeCapture) -> None:
    camera = watching(large)
    shapes = [camera.capture().image.shape, camera.still().image.shape, camera.capture().image.shape]
    assert shapes == [(36, 64, 3), (144, 256, 3), (36, 64, 3)], "not the largest of all, which shows something else"
    assert [camera.still().name, camera.capture().name] == ["000003.jpg", "000004.jpg"]
    assert not camera.still().image.flags.writeable


def test_in_both_modes_it_is_held_to_what_it_chose(large: FakeCapture) -> None:
    camera = watching(large)
    before = len(large.settings)
    camera.still()
    changes = [(key, value) for key, value in large.settings[before:] if key in EXPOSURE]
    assert changes == 2 * [(cv2.CAP_PROP_AUTO_EXPOSURE, 1.0), (cv2.CAP_PROP_EXPOSURE, 157.0)]


def test_the_modes_are_tried_out_once(large: FakeCapture) -> None:
    camera = watching(large)
    camera.still()
    before = len(large.settings)
    camera.still()
    sizes = [value for key, value in large.settings[before:] if key == cv2.CAP_PROP_FRAME_WIDTH]
    assert sizes == [256, 64]


@pytest.mark.parametrize("modes", [((64, 36),), ((64, 36), (320, 240)), ((64, 36), (32, 18))])
def test_without_a_larger_mode_of_that_shape_a_still_is_the_next_frame(
    clock: SimulatedClock, modes: tuple[tuple[int, int], ...]
) -> None:
    camera = watching(FakeCapture(clock, EXPOSURE, modes))
    assert camera.still().image.shape == (36, 64, 3)
    assert camera.capture().image.shape == (36, 64, 3)


def test_a_camera_that_is_pulled_out_meanwhile_or_does_not_come_back_is_an_error(large: FakeCapture) -> None:
    camera = watching(large)
    camera.still()
    large.modes.remove((64, 36))
    with pytest.raises(CameraError, match="does not change to 64 x 36 pixels"):
        camera.still()
    large.plugged = False
    with pytest.raises(CameraError):
        camera.still()
    camera.close()
    with pytest.raises(EndOfFramesError):
        camera.still()
