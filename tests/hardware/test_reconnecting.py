from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from hardware.ports import CameraError, EndOfFramesError, Frame
from hardware.reconnecting import FIRST_WAIT_S, FROZEN_S, LONGEST_WAIT_S, Backoff, ReopeningCamera
from hardware.simulated.devices import SimulatedClock

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


class Socket:
    """A camera's socket, with all cameras that were opened there."""

    def __init__(self) -> None:
        self.clock = SimulatedClock(50.0)
        self.plugged = True
        self.stuck: NDArray[np.uint8] | None = None
        self.cameras: list[Opened] = []
        self.attempts_s: list[float] = []
        self.said: list[str] = []
        self.idled = 0
        self.when_idle: Callable[[], None] = lambda: None

    def open(self) -> Opened:
        self.attempts_s.append(self.clock.now())
        if not self.plugged:
            raise CameraError("there is no camera")
        self.cameras.append(Opened(self))
        return self.cameras[-1]

    def idle(self) -> None:
        self.idled += 1
        self.when_idle()

    def camera(self) -> ReopeningCamera:
        return ReopeningCamera(self.open, self.clock, self.said.append, self.idle)


class Opened:
    """A camera whose pictures all differ, as a real sensor's do."""

    def __init__(self, socket: Socket) -> None:
        self.socket, self.taken, self.closed = socket, 0, 0

    def capture(self) -> Frame:
        self.socket.clock.sleep(0.1)
        if not self.socket.plugged:
            raise CameraError("the cable is loose")
        now_s = self.socket.clock.now()
        image = self.socket.stuck
        if image is None:
            image = np.full((16, 16, 3), round(now_s * 10) % 251, np.uint8)
        self.taken += 1
        return Frame(image, now_s, f"{self.taken - 1:06d}.jpg")

    def close(self) -> None:
        self.closed += 1
        if not self.socket.plugged:
            raise CameraError("it does not answer")


@pytest.fixture
def socket() -> Socket:
    return Socket()


def test_frames_pass_while_all_is_well(socket: Socket) -> None:
    camera = socket.camera()
    assert [camera.capture().name for _ in range(3)] == ["000000.jpg", "000001.jpg", "000002.jpg"]
    assert (socket.said, socket.idled, len(socket.cameras), camera.lost) == ([], 0, 1, False)


def test_a_camera_that_was_never_there_is_an_error_of_the_start(socket: Socket) -> None:
    socket.plugged = False
    with pytest.raises(CameraError, match="there is no camera"):
        socket.camera()


def test_a_cable_that_was_pulled_is_waited_for_and_said_once(socket: Socket) -> None:
    camera = socket.camera()
    before = camera.capture()
    socket.plugged = False

    def plug_in() -> None:
        assert camera.lost or socket.plugged
        socket.plugged = socket.clock.now() > before.t_s + 20

    socket.when_idle = plug_in
    after = camera.capture()
    assert after.t_s > before.t_s + 20
    assert after.name > before.name
    assert socket.said == [
        "The camera sends no pictures: the cable is loose. The game waits for it; nothing is lost.",
        "The camera is back.",
    ]
    assert socket.idled >= 200, "somebody else is let in ten times a second"
    assert not camera.lost
    assert all(opened.closed for opened in socket.cameras[:-1]), "what failed was closed, even where that failed too"


def test_attempts_become_rare_and_begin_anew_after_success(socket: Socket) -> None:
    camera = socket.camera()
    socket.plugged = False
    socket.when_idle = lambda: setattr(socket, "plugged", len(socket.attempts_s) > 7)
    camera.capture()
    waits = np.diff(socket.attempts_s[1:])
    assert waits == pytest.approx([2, 4, 8, 15, 15, 15, 15][: len(waits)], abs=0.2)
    socket.plugged, attempts = False, len(socket.attempts_s)
    socket.when_idle = lambda: setattr(socket, "plugged", len(socket.attempts_s) > attempts)
    camera.capture()
    assert np.diff(socket.attempts_s[attempts:])[0] == pytest.approx(2 * FIRST_WAIT_S, abs=0.2)


def test_a_picture_that_never_changes_is_a_camera_that_hangs(socket: Socket) -> None:
    camera = socket.camera()
    camera.capture()
    socket.stuck = np.zeros((16, 16, 3), np.uint8)
    for _ in range(int(FROZEN_S * 10) - 2):
        camera.capture()
    assert socket.said == []
    socket.when_idle = lambda: setattr(socket, "stuck", None) if len(socket.cameras) > 3 else None
    for _ in range(4):
        camera.capture()
    assert "it keeps sending the same picture" in socket.said[0]
    assert socket.said[1:] == ["The camera is back."], "not while it still shows that picture"
    assert len(socket.cameras) > 3


def test_a_picture_that_comes_once_more_is_marked(socket: Socket) -> None:
    camera = socket.camera()
    assert [camera.capture().repeated for _ in range(2)] == [False, False]
    socket.stuck = np.full((16, 16, 3), 7, np.uint8)
    assert [camera.capture().repeated for _ in range(3)] == [False, True, True]
    socket.stuck = None
    assert not camera.capture().repeated


def test_a_still_life_with_noise_does_not_hang(socket: Socket) -> None:
    camera, rng = socket.camera(), np.random.default_rng(1)
    for _ in range(int(FROZEN_S * 30)):
        socket.stuck = np.full((16, 16, 3), 90, np.uint8)
        socket.stuck[0, 0, 0] += rng.integers(0, 3)
        camera.capture()
    assert socket.said == []


def test_a_camera_that_failed_may_begin_with_the_picture_that_it_ended_with(socket: Socket) -> None:
    camera = socket.camera()
    socket.stuck = np.zeros((16, 16, 3), np.uint8)
    camera.capture()
    socket.plugged = False
    socket.when_idle = lambda: setattr(socket, "plugged", True)
    camera.capture()
    assert socket.said[1:] == ["The camera is back."]


def test_closing_ends_the_wait(socket: Socket) -> None:
    camera = socket.camera()
    socket.plugged = False
    socket.when_idle = camera.close
    with pytest.raises(EndOfFramesError):
        camera.capture()
    camera.close()
    with pytest.raises(EndOfFramesError):
        camera.capture()


def test_the_end_of_a_camera_is_no_failure(socket: Socket, monkeypatch: pytest.MonkeyPatch) -> None:
    camera = socket.camera()

    def end(_: Opened) -> Frame:
        raise EndOfFramesError("the video has ended")

    monkeypatch.setattr(Opened, "capture", end)
    with pytest.raises(EndOfFramesError, match="video"):
        camera.capture()
    assert socket.said == []


def test_a_backoff_never_waits_longer_than_it_may() -> None:
    backoff = Backoff()
    assert max(backoff.failed() for _ in range(20)) == LONGEST_WAIT_S
    backoff.succeeded()
    assert backoff.failed() == FIRST_WAIT_S


def test_a_still_is_the_cameras_own_and_numbered_among_the_frames() -> None:
    socket = Socket()
    camera = socket.camera()
    assert camera.still().image.shape == (16, 16, 3)
    large = Frame(np.zeros((64, 64, 3), np.uint8), 1.0, "still.jpg")
    socket.cameras[0].still = lambda: large  # type: ignore[attr-defined]
    still = camera.still()
    assert (still.image.shape, still.name) == ((64, 64, 3), "000001.jpg")
    assert camera.capture().name == "000002.jpg"


def test_a_still_that_fails_is_waited_for_as_a_frame_is() -> None:
    socket = Socket()
    camera = socket.camera()

    def fails() -> Frame:
        raise CameraError("it gives no picture")

    socket.cameras[0].still = fails  # type: ignore[attr-defined]
    assert camera.still().image.shape == (16, 16, 3)
    assert len(socket.cameras) == 2
    assert "it gives no picture" in socket.said[0]
    camera.close()
    with pytest.raises(EndOfFramesError):
        camera.still()
