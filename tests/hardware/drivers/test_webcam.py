from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import pytest

from hardware.drivers.webcam import Webcam, WebcamDriver
from hardware.ports import CameraError, EndOfFramesError
from hardware.simulated.devices import SimulatedClock
from tests.vendors.webcam import AUTOMATIC, RIGHT, VALUES, FakeCapture

if TYPE_CHECKING:
    from pathlib import Path

EXPOSURE = (cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_EXPOSURE)
EVERYTHING = (*AUTOMATIC, *VALUES)
MANUAL = 1.0


@pytest.fixture
def clock() -> SimulatedClock:
    return SimulatedClock(500.0)


@pytest.fixture
def capture(clock: SimulatedClock) -> FakeCapture:
    return FakeCapture(clock, EXPOSURE)


def opened(capture: FakeCapture, **values: object) -> Webcam:
    options = WebcamDriver.of({"size": [1280, 720], **values, "driver": "webcam"})
    return Webcam(options, capture.clock, lambda _: capture, lambda *_: True)


def test_it_asks_for_compressed_pictures_of_the_size_before_it_takes_any(capture: FakeCapture) -> None:
    capture.modes = [(1280, 720)]
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
    assert capture.manual == {cv2.CAP_PROP_EXPOSURE: 157.0}
    assert capture.switches[cv2.CAP_PROP_AUTO_EXPOSURE] == MANUAL


def test_a_camera_left_at_yesterdays_exposure_chooses_anew(capture: FakeCapture) -> None:
    capture.switches[cv2.CAP_PROP_AUTO_EXPOSURE] = MANUAL
    capture.manual[cv2.CAP_PROP_EXPOSURE] = 20.0
    opened(capture)
    assert capture.in_use(cv2.CAP_PROP_EXPOSURE) == 157


@pytest.mark.parametrize(
    ("setting", "reported"),
    [
        (cv2.CAP_PROP_EXPOSURE, 90.0),
        (cv2.CAP_PROP_EXPOSURE, 250.0),
        (cv2.CAP_PROP_FOCUS, 0.0),
        (cv2.CAP_PROP_FOCUS, 255.0),
        (cv2.CAP_PROP_WB_TEMPERATURE, 2800.0),
    ],
)
def test_a_camera_that_reports_other_values_than_those_in_use_goes_on_choosing_itself(
    clock: SimulatedClock, setting: int, reported: float, caplog: pytest.LogCaptureFixture
) -> None:
    capture = FakeCapture(clock, EVERYTHING, reports={setting: reported})
    with caplog.at_level("INFO"):
        camera = opened(capture)
    picture = camera.capture().image
    assert (picture[..., 1].max(), picture[1:, ..., 1].min()) == (225, 120), "as bright and as sharp as before"
    held = {key: value for key, value in RIGHT.items() if key != setting}
    assert {key: value for key, value in capture.manual.items() if key != setting} == held, "the others are fixed"
    assert capture.switches[VALUES[setting]] == AUTOMATIC[VALUES[setting]]
    names = {cv2.CAP_PROP_EXPOSURE: "exposure", cv2.CAP_PROP_FOCUS: "focus", cv2.CAP_PROP_WB_TEMPERATURE: "white"}
    assert names[setting] not in caplog.messages[-1]


def test_a_hand_over_the_table_does_not_keep_it_from_being_held(clock: SimulatedClock) -> None:
    capture = FakeCapture(clock, EVERYTHING)
    grabbed = [0]
    grab = capture.grab

    def grab_with_a_hand() -> bool:
        grabbed[0] += 1
        capture.unlike = int(25 <= grabbed[0] < 60)
        return grab()

    capture.grab = grab_with_a_hand  # type: ignore[method-assign]
    opened(capture)
    assert capture.manual == RIGHT


def test_configured_settings_are_taken_whatever_the_camera_chooses(clock: SimulatedClock) -> None:
    capture = FakeCapture(clock, EVERYTHING)
    opened(capture, exposure_us=7000, white_balance_k=5200, focus=25)
    assert capture.manual == {
        cv2.CAP_PROP_EXPOSURE: 70,
        cv2.CAP_PROP_WB_TEMPERATURE: 5200,
        cv2.CAP_PROP_FOCUS: 25,
    }


def test_the_filter_against_flicker_is_set_to_the_mains(capture: FakeCapture) -> None:
    told: list[tuple[str, int]] = []

    def set_mains(path: str, mains_hz: int) -> bool:
        told.append((path, mains_hz))
        return True

    Webcam(WebcamDriver(device="2", mains_hz=60), capture.clock, lambda _: capture, set_mains)
    assert told == [("/dev/video2", 60)]


# A twentieth of the usual sizes, which take long to draw: 640x480, 1280x720, 1920x1080, 2560x1440.
FULL_HD = ((32, 24), (64, 36), (96, 54), (128, 72))


@pytest.mark.parametrize(
    ("modes", "rates", "taken"),
    [
        (FULL_HD, {}, (96, 54)),
        (FULL_HD[:2], {}, (64, 36)),
        (FULL_HD, {(96, 54): 5.0}, (64, 36)),
        (((80, 60), (64, 36)), {}, (80, 60)),
        (((77, 43), (96, 54)), {}, (77, 43)),
        (((192, 108), (64, 36)), {}, (64, 36)),
    ],
    ids=["full HD", "720p", "slow above", "4:3", "exactly", "4K"],
)
def test_the_usual_size_becomes_the_mode_nearest_above_it_that_is_fast_enough(
    clock: SimulatedClock,
    modes: tuple[tuple[int, int], ...],
    rates: dict[tuple[int, int], float],
    taken: tuple[int, int],
) -> None:
    capture = FakeCapture(clock, (), modes, rates=rates)
    Webcam(WebcamDriver(size=(77, 43)), clock, lambda _: capture, lambda *_: False)
    assert capture.size == taken


def test_a_picture_that_cannot_be_decoded_is_passed_over(capture: FakeCapture) -> None:
    camera = opened(capture)
    first = camera.capture()
    capture.spoilt = 1
    second = camera.capture()
    assert (first.name, second.name) == ("000000.jpg", "000001.jpg")
    assert second.t_s > first.t_s


def test_several_of_them_in_a_row_are_an_error_that_says_what_to_do(capture: FakeCapture) -> None:
    camera = opened(capture)
    capture.spoilt = 9
    with pytest.raises(CameraError, match="sends pictures that cannot be decoded; use another cable"):
        camera.capture()


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
        Webcam(WebcamDriver(device=str(tmp_path / "video0")), clock)


@pytest.mark.parametrize("device", ["/dev/video-none", "987"])
def test_a_webcam_that_is_away_is_one_line_and_no_grumble_of_opencvs(
    clock: SimulatedClock, device: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(CameraError, match=f"there is no webcam {device}: is it plugged in"):
        Webcam(WebcamDriver(device=device), clock)
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
    return Webcam(WebcamDriver(size=(64, 36)), capture.clock, lambda _: capture, lambda *_: True)


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
