"""A camera in the network, by OpenCV's FFmpeg: a stream by RTSP, or by HTTP as phones and small servers send it.

A stream is read all the time, and the newest picture wins: pictures that nobody asks for would otherwise pile up on the
way, and each would be shown later than the one before.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from companion.durable import read_text
from companion.languages import halves, reason, said, unreadable
from companion.settings import file, setting
from hardware.diagnosis import Finding, Machine, fault, ok
from hardware.driver import ABOUT_CAMERA, CameraDriver, OpenContext
from hardware.ports import CameraError, Clock, EndOfFramesError, Frame
from hardware.streams import KEY, StreamUrl, reach, stream_url, trouble_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# The longest wait for a picture, and for the server to begin a stream; at RTSP it waits for a key frame.
_TIMEOUT_S: Final = 5.0
# The longest wait for an answer of a server that is asked what is wrong.
_ASKED_S: Final = 2.0
# Share of the longest wait from which a stream has stalled; one that ends does so at once.
_STALLED: Final = 0.8
# OpenCV sets nothing for live streams, and takes its options from here; a file opened with them loses a picture.
_OPTIONS: Final = "OPENCV_FFMPEG_CAPTURE_OPTIONS"


@dataclass(frozen=True, slots=True)
class NetworkCameraDriver(CameraDriver):
    """A camera in the network."""

    driver = "network"
    summary = said("a camera in the network, or a phone with a camera app")
    reopens = has_finer_stills = True

    url: StreamUrl | None = setting(
        None,
        stream_url,
        said("The address of its stream; larger pictures than {key} are reduced.", key="size"),
        '"rtsp://user@192.168.1.20/stream"',
    )
    password_file: Path | None = setting(
        None,
        file,
        said("The file that holds the password of the user in {key}, on one line; absent: it is in {key}.", key="url"),
        '"/etc/quilt-companion/camera.password"',
    )

    def check(self) -> None:
        """Check that there is an address, and a user for the password."""
        if self.url is None:
            says = said("{key}: is missing; the driver {driver} needs an address", key="url", driver='"network"')
            raise ValueError(says)
        if self.password_file is not None and not self.url.user:
            says = said(
                "{key}: has no effect on its own; allowed: with {other}",
                key="password_file",
                other='url = "rtsp://user@…"',
            )
            raise ValueError(says)

    def open(self, context: OpenContext) -> NetworkCamera:
        """Open the stream."""
        return NetworkCamera(self.address(), self.size, self.fps, context.clock)

    def address(self) -> StreamUrl:
        """Return the address with the password of the file.

        Raises:
            CameraError: the file cannot be read.
        """
        url = self.url or StreamUrl("")
        if self.password_file is None:
            return url
        try:
            return url.with_password(read_text(self.password_file, "utf-8-sig").strip())
        except (OSError, ValueError) as error:
            raise CameraError(unreadable(self.password_file, error)) from error

    def examine(self, machine: Machine) -> Iterator[Finding]:
        """Yield the finding on whether the camera answers; its stream is not opened."""
        del machine
        try:
            address = self.address()
            reach(address)
            trouble = trouble_of(address)
        except CameraError as error:
            trouble = error
        if trouble is None:
            yield ok(ABOUT_CAMERA, said("The camera at {host} answers.", host=self.url.host if self.url else ""))
        else:
            what, do = halves(reason(trouble))
            title = said("The camera sends no pictures: {fault}.", fault=what)
            yield fault(ABOUT_CAMERA, title, said("No picture can be taken."), do or KEY)


class Stream(Protocol):
    """The used part of `cv2.VideoCapture`."""

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        """Return whether the stream is open."""

    def grab(self) -> bool:
        """Wait for the next picture, and return False at the end of the stream or after the longest wait."""

    def retrieve(self) -> tuple[bool, Any]:
        """Return the picture that was grabbed last."""

    def release(self) -> None:
        """Close it."""


class NetworkCamera:
    """A camera in the network, whose stream is read in the background.

    Args:
        address: of its stream.
        size: the greatest width and height of frames, in pixels; larger pictures are reduced, stills are not.
        fps: the greatest number of frames a second.
        clock: for the times of frames.
        make: function that opens a stream; None for OpenCV.
        timeout_s: the longest wait for a picture.

    Raises:
        CameraError: the stream cannot be opened, or sends no picture; the message says why.
    """

    def __init__(
        self,
        address: StreamUrl,
        size: tuple[int, int],
        fps: float,
        clock: Clock,
        make: Callable[[str], Stream] | None = None,
        *,
        timeout_s: float = _TIMEOUT_S,
    ) -> None:
        self._host, self._size, self._frame_s, self._clock = address.host, size, 1 / fps, clock
        self._timeout_s = timeout_s
        self._changed = threading.Condition()
        self._newest: tuple[NDArray[np.uint8], float] | None = None
        self._fault: CameraError | None = None
        self._closed = False
        self._taken = 0
        if make is None:
            reach(address)
        stream = (make or _opened)(address.text)
        if not stream.isOpened():
            stream.release()
            raise trouble_of(address) or self._no_video()
        self._reader = threading.Thread(target=self._follow, args=(stream,), name="network-camera", daemon=True)
        self._reader.start()
        with self._changed:
            try:
                self._await_newest()
            except CameraError as error:
                self._closed = True
                raise trouble_of(address) or error from None

    def capture(self) -> Frame:
        """Return the newest frame that was not returned yet, waiting for it if necessary; its image is read-only."""
        return self._frame(self._reduced)

    def still(self) -> Frame:
        """Return the next picture in the size of the stream."""
        return self._frame(lambda image: image)

    def close(self) -> None:
        """Release the camera; may be called more than once."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        # A stream that has stalled is let go of when its wait is over.
        self._reader.join(min(1.0, self._timeout_s))

    def _frame(self, sized: Callable[[NDArray[np.uint8]], NDArray[np.uint8]]) -> Frame:
        with self._changed:
            self._await_newest()
            taken, self._newest = self._newest, None
        if taken is None:
            raise EndOfFramesError.said("the camera was closed")
        image = sized(taken[0])
        image.setflags(write=False)
        name = f"{self._taken:06d}.jpg"
        self._taken += 1
        return Frame(image, taken[1], name)

    def _await_newest(self) -> None:
        """Wait for a new picture; the lock is held.

        Raises:
            CameraError: the stream has ended or stalled, or the camera was closed.
        """
        over = self._changed.wait_for(lambda: self._newest or self._fault or self._closed, 2 * self._timeout_s)
        if self._closed:
            raise EndOfFramesError.said("the camera was closed")
        if self._newest is None:
            raise (self._fault if over and self._fault else self._stalled())

    def _follow(self, stream: Stream) -> None:
        """Read the stream until it ends or the camera is closed, and keep the newest picture."""
        due_s = self._clock.now()
        # FFmpeg raises arbitrary exceptions of OpenCV for damaged streams.
        try:
            while not self._closed:
                asked_s = self._clock.now()
                good, now_s = stream.grab(), self._clock.now()
                # After the longest wait FFmpeg returns what its decoder still had, which is old.
                stalled = now_s - asked_s >= _STALLED * self._timeout_s
                if stalled or not good:
                    self._fail(stalled=stalled)
                    return
                if now_s >= due_s:
                    due_s = max(due_s + self._frame_s, now_s)
                    self._keep(*stream.retrieve(), now_s)
        except Exception:
            self._fail(stalled=False)
        finally:
            stream.release()

    def _keep(self, good: bool, image: Any, t_s: float) -> None:
        if good and image is not None and image.size:
            with self._changed:
                self._newest = image, t_s
                self._changed.notify_all()

    def _fail(self, *, stalled: bool) -> None:
        with self._changed:
            ended = CameraError.said("the stream of the camera at {host} has broken off", host=self._host)
            self._fault = self._stalled() if stalled else ended
            self._changed.notify_all()

    def _reduced(self, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
        import cv2  # noqa: PLC0415  # Every command reads the configuration, and few see pictures.
        import numpy as np  # noqa: PLC0415

        height, width = image.shape[:2]
        factor = min(self._size[0] / width, self._size[1] / height)
        if factor >= 1:
            return image
        size = round(width * factor), round(height * factor)
        return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)

    def _stalled(self) -> CameraError:
        return CameraError.said(
            "the stream of the camera at {host} has stalled: no picture for {seconds} s",
            host=self._host,
            seconds=f"{self._timeout_s:g}",
        )

    def _no_video(self) -> CameraError:
        return CameraError.said(
            "the camera at {host} answers, but sends no video that can be shown; check the path in {key}",
            host=self._host,
            key=KEY,
        )


def _opened(url: str) -> Stream:
    # FFmpeg prints addresses with their passwords.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    import cv2  # noqa: PLC0415

    wait_ms = round(1000 * _TIMEOUT_S)
    waits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, wait_ms, cv2.CAP_PROP_READ_TIMEOUT_MSEC, wait_ms]
    is_owners = _OPTIONS in os.environ
    os.environ.setdefault(_OPTIONS, "rtsp_transport;tcp|fflags;nobuffer")
    try:
        # Each further thread of the decoder holds one more picture back.
        return cv2.VideoCapture(url, cv2.CAP_FFMPEG, [cv2.CAP_PROP_N_THREADS, 1, *waits])
    finally:
        if not is_owners:
            os.environ.pop(_OPTIONS, None)
