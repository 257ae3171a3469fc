from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from companion.languages import LANGUAGES, render
from companion.settings import SettingError
from hardware.clock import SystemClock
from hardware.diagnosis import Level, Machine
from hardware.driver import CameraDriver, OpenContext
from hardware.drivers.folder import FolderCamera
from hardware.drivers.network import NetworkCamera, NetworkCameraDriver
from hardware.ports import CameraError, EndOfFramesError, StillCamera
from hardware.reconnecting import ReopeningCamera
from hardware.simulated.devices import SimulatedClock
from hardware.streams import StreamUrl
from tests.vendors.mjpeg import FakeNetworkCamera, network_camera

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

SECRET = "ge:heim+1/ä"  # noqa: S105  # of the stand-in
QUOTED = "ge%3Aheim%2B1%2F%C3%A4"


def plain(grey: int, size: tuple[int, int] = (160, 120)) -> NDArray[np.uint8]:
    return np.full((size[1], size[0], 3), grey, np.uint8)


@pytest.fixture
def server() -> Iterator[FakeNetworkCamera]:
    with network_camera() as made:
        made.show(plain(100))
        yield made


def driver(url: str, **values: object) -> NetworkCameraDriver:
    made = CameraDriver.of({"driver": "network", "url": url, "fps": 60, **values})
    assert isinstance(made, NetworkCameraDriver)
    return made


def opened(url: str, **values: object) -> StillCamera:
    return driver(url, **values).open(OpenContext(SystemClock()))


def waited_for(camera: StillCamera, grey: int) -> NDArray[np.uint8]:
    for _ in range(500):
        image = camera.capture().image
        if abs(int(image[0, 0, 0]) - grey) < 4:
            return image
    raise AssertionError("it never comes")


def test_a_stream_over_http_is_seen_through_ffmpeg_in_its_colours_and_the_newest_picture_wins(
    server: FakeNetworkCamera,
) -> None:
    camera = opened(f"http://{server.place}/video")
    frames = [camera.capture() for _ in range(3)]
    assert [frame.name for frame in frames] == ["000000.jpg", "000001.jpg", "000002.jpg"]
    assert frames[0].t_s < frames[1].t_s < frames[2].t_s <= SystemClock().now()
    blue = plain(0)
    blue[..., 0] = 200
    server.show(blue)
    np.testing.assert_allclose(waited_for(camera, 200)[0, 0], (200, 0, 0), atol=6)
    camera.close()
    with pytest.raises(EndOfFramesError):
        camera.capture()


def test_a_recorded_video_loses_no_picture_to_the_options_of_live_streams(
    server: FakeNetworkCamera, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENCV_FFMPEG_CAPTURE_OPTIONS", raising=False)
    live = opened(f"http://{server.place}/video")
    video = cv2.VideoWriter(str(tmp_path / "a.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 25, (160, 120))
    for grey in (30, 90, 150, 210):
        video.write(plain(grey))
    video.release()
    recorded = FolderCamera(tmp_path / "a.avi", 10, SimulatedClock())
    assert [round(float(recorded.capture().image.mean()), -1) for _ in range(4)] == [30, 90, 150, 210]
    live.close()


def test_large_pictures_are_reduced_for_frames_and_not_for_stills(server: FakeNetworkCamera) -> None:
    server.show(plain(100, (1280, 960)))
    camera = opened(f"http://{server.place}/video", size=[640, 360])
    assert camera.capture().image.shape == (360, 480, 3), "it keeps its shape"
    assert camera.still().image.shape == (960, 1280, 3)
    assert not camera.still().image.flags.writeable
    camera.close()


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("nothing", "has no such stream; check the path in [camera] url"),
        ("", "sends “text/html” there, which is no stream; check the path"),
        ("shot.jpg", "sends “image/jpeg” there, which is no stream; check the path"),
    ],
)
def test_an_address_without_a_stream_is_one_line_that_says_so(server: FakeNetworkCamera, path: str, says: str) -> None:
    with pytest.raises(CameraError) as caught:
        opened(f"http://{server.place}/{path}")
    assert str(caught.value).startswith(f"the camera at 127.0.0.1 {says}")
    assert render(caught.value.args[0], LANGUAGES["ru"]).partition("по адресу 127.0.0.1")[1]


def test_a_password_is_used_and_a_wrong_or_missing_one_is_said(tmp_path: Path) -> None:
    secret = tmp_path / "camera.password"
    secret.write_text(f"\ufeff{SECRET}\n", encoding="utf-8")
    with network_camera("anna", SECRET) as server:
        server.show(plain(100))
        for url, values in (
            (f"http://anna:{QUOTED}@{server.place}/video", {}),
            (f"http://anna@{server.place}/video", {"password_file": str(secret)}),
        ):
            camera = opened(url, **values)
            assert camera.capture().image.shape == (120, 160, 3)
            camera.close()
        with pytest.raises(CameraError, match="asks for a user name and a password; add them to"):
            opened(f"http://{server.place}/video")
        with pytest.raises(CameraError, match="refuses the user name or the password; correct them in"):
            opened(f"http://anna:wrong@{server.place}/video")
    secret.unlink()
    with pytest.raises(CameraError, match=r"camera.password: cannot be read: No such file"):
        opened("http://anna@127.0.0.1/video", password_file=str(secret))


def test_no_message_log_or_printed_value_has_the_password(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    told = []
    with network_camera("anna", "other") as server, caplog.at_level("DEBUG"):
        for path in ("video", "nothing", "?pwd=geheim"):
            camera = driver(f"http://anna:geheim@{server.place}/{path}")
            told += [repr(camera), repr(camera.url), *(str(each.title) for each in camera.examine(Machine()))]
            with pytest.raises(CameraError) as caught:
                camera.open(OpenContext(SystemClock()))
            told.append(str(caught.value))
    with pytest.raises(SettingError) as refused:
        driver("ftp://anna:geheim@host/video")
    told.append(str(refused.value))
    assert "geheim" not in "".join([*told, caplog.text, *capfd.readouterr()])


def test_a_stream_that_breaks_off_is_reopened_and_nothing_is_lost(server: FakeNetworkCamera) -> None:
    told: list[str] = []

    def say(sentence: str) -> None:
        told.append(str(sentence))
        server.breaks_off.clear()

    clock = SystemClock()
    camera = ReopeningCamera(lambda: opened(f"http://{server.place}/video"), clock, say)
    camera.capture()
    server.breaks_off.set()
    while len(told) < 2:
        camera.capture()
    assert told[0] == (
        "The camera sends no pictures: the stream of the camera at 127.0.0.1 has broken off. The game waits for it; "
        "nothing is lost."
    )
    assert told[1] == "The camera is back."
    camera.close()


def test_a_server_that_is_away_is_said_at_once() -> None:
    with network_camera() as server:
        gone = server.place
    with pytest.raises(
        CameraError, match=r"the camera at 127.0.0.1 cannot be reached: Connection refused; is it switch"
    ):
        opened(f"http://{gone}/video")


class Stream:
    """A stream whose pictures come when the test wants them."""

    def __init__(self, clock: Any, pictures: int = 10**9) -> None:
        self.clock, self.left = clock, pictures
        self.released = threading.Event()
        self.goes_on = threading.Event()
        self.goes_on.set()

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def grab(self) -> bool:
        self.goes_on.wait(5)
        self.left -= 1
        return self.left >= 0

    def retrieve(self) -> tuple[bool, Any]:
        return True, plain(self.left % 200)

    def release(self) -> None:
        self.released.set()


class HandClock:
    """A clock whose hands the test sets."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def now(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


def test_a_stream_that_stalls_is_told_from_one_that_ends() -> None:
    clock = HandClock()
    stream = Stream(clock, 1)
    camera = NetworkCamera(StreamUrl("http://hall/video"), (160, 120), 60, clock, lambda _: stream)
    camera.capture()
    with pytest.raises(CameraError, match="the stream of the camera at hall has broken off"):
        camera.capture()
    stalling = Stream(clock)
    grab = stalling.grab

    def slow_grab() -> bool:
        clock.now_s += 5.0 * (stalling.left < 10**9)
        return grab()

    stalling.grab = slow_grab  # type: ignore[method-assign]
    camera = NetworkCamera(StreamUrl("http://hall/video"), (160, 120), 60, clock, lambda _: stalling)
    camera.capture()
    with pytest.raises(CameraError, match="the stream of the camera at hall has stalled: no picture for 5 s"):
        camera.capture()
    camera.close()
    assert stalling.released.wait(5)


def test_no_more_frames_come_than_are_asked_for() -> None:
    clock = HandClock()
    stream = Stream(clock)
    grab = stream.grab

    def grab_at_25() -> bool:
        clock.now_s += 0.04
        return grab()

    stream.grab = grab_at_25  # type: ignore[method-assign]
    retrieved = [0]
    retrieve = stream.retrieve

    def count() -> tuple[bool, Any]:
        retrieved[0] += 1
        return retrieve()

    stream.retrieve = count  # type: ignore[method-assign]
    camera = NetworkCamera(StreamUrl("http://hall/video"), (160, 120), 10, clock, lambda _: stream)
    for _ in range(20):
        camera.capture()
    camera.close()
    stream.released.wait(5)
    grabbed = 10**9 - stream.left
    assert 20 <= retrieved[0] <= 0.4 * grabbed + 2, "the others are neither converted nor kept"


@pytest.mark.parametrize(
    "url", ["ftp://x/", "rtsp://", "http://host:0/", "http://host:99999/", "video", 7, "http://a b/"]
)
def test_an_address_that_is_none_is_refused(url: object) -> None:
    with pytest.raises(SettingError, match="url: this is not valid; allowed: the address of a stream, such as"):
        CameraDriver.of({"driver": "network", "url": url})


def test_an_address_and_a_user_for_the_password_are_needed() -> None:
    with pytest.raises(SettingError, match='url: is missing; the driver "network" needs an address'):
        CameraDriver.of({"driver": "network"})
    with pytest.raises(SettingError, match="password_file: has no effect on its own"):
        driver("http://host/video", password_file="/etc/camera.password")  # noqa: S106  # a file


def test_the_doctor_says_whether_it_answers_without_opening_the_stream(server: FakeNetworkCamera) -> None:
    def found(url: str) -> list[tuple[Level, str, str]]:
        return [(each.level, str(each.title), str(each.do)) for each in driver(url).examine(Machine())]

    assert found(f"http://{server.place}/video") == [(Level.OK, "The camera at 127.0.0.1 answers.", "")]
    missing = "The camera sends no pictures: the camera at 127.0.0.1 has no such stream."
    assert found(f"http://{server.place}/x") == [(Level.FAULT, missing, "check the path in [camera] url")]
