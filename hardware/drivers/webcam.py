"""Any USB camera, by OpenCV and Video4Linux.

It chooses exposure and colours automatically for a moment, and is then fixed to them as far as it supports that.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from companion.languages import listed, said
from companion.settings import setting, word
from hardware.diagnosis import Finding, Machine, fault
from hardware.driver import ABOUT_CAMERA, CameraDriver, OpenContext, device_findings
from hardware.ports import CameraError, Clock, EndOfFramesError, Frame

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LOG: Final = logging.getLogger(__name__)
# Number of frames in which a camera chooses its exposure and colours by itself.
_SETTLE_FRAMES: Final = 20
# Difference from which a time stamp is of another clock.
_STALE_S: Final = 5.0
# Age from which a frame is passed over: it was buffered while none was requested.
_OLDEST_S: Final = 0.3
# The number of frames that the system may have buffered before a request.
_KEPT_FRAMES: Final = 6
# V4L2_EXPOSURE_MANUAL.
_MANUAL_EXPOSURE: Final = 1.0
# Factor on the size for which a camera returns its largest one.
_BEYOND: Final = 16
# Largest relative difference of a mode's aspect ratio from the frames'; other modes have another field of view.
_SHAPE: Final = 0.01
# Ratio of the sizes requested in turn; a coarser one could miss a mode in between.
_LESS: Final = 0.9
# Number of pictures after a change of mode that may still have another exposure.
_CHANGED_FRAMES: Final = 4


@dataclass(frozen=True, slots=True)
class WebcamDriver(CameraDriver):
    """A USB camera."""

    driver = "webcam"
    summary = said("a USB camera")
    group = "video"
    reopens = True

    device: str = setting(
        "0", word, said("Which camera: its number, or its file, such as {example}.", example='"/dev/video2"')
    )

    def open(self, context: OpenContext) -> Webcam:
        """Open the camera."""
        return Webcam(self.device, self.size, self.fps, context.clock)

    def examine(self, machine: Machine) -> Iterator[Finding]:
        """Yield the findings on whether the camera is there and free to use."""
        device = _file_of(self.device)
        if machine.path(device).exists():
            yield from device_findings(machine, [device])
            return
        title = said(
            "{device} does not exist; video devices: {others}.",
            device=device,
            others=listed(machine.devices("video*") or [said("none")]),
        )
        do = said(
            "Plug in the webcam, or set {key} to one that exists ({command}).",
            key="[camera] device",
            command="v4l2-ctl --list-devices",
        )
        yield fault(ABOUT_CAMERA, title, said("No picture can be taken."), do)


def _file_of(device: str) -> str:
    return f"/dev/video{device}" if device.isdecimal() else device


class Capture(Protocol):
    """The used part of `cv2.VideoCapture`."""

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        """Return whether the camera is open."""

    def read(self) -> tuple[bool, Any]:
        """Return the next picture."""

    def get(self, propId: int) -> float:  # noqa: N803 - OpenCV's name
        """Return a property."""

    def set(self, propId: int, value: float) -> bool:  # noqa: N803 - OpenCV's name
        """Set a property, and return whether the camera supports it."""

    def release(self) -> None:
        """Close it."""


class Webcam:
    """A USB camera.

    Args:
        device: its number, or its file such as "/dev/video2".
        size: width and height in pixels; the camera uses its nearest one.
        fps: frames a second; the camera uses its nearest rate.
        clock: for frames without a usable time stamp.
        make: function that opens the device; None for OpenCV.

    Raises:
        CameraError: there is no such camera, or it delivers no pictures.
    """

    def __init__(
        self, device: str, size: tuple[int, int], fps: float, clock: Clock, make: Callable[[str], Capture] | None = None
    ) -> None:
        self._device, self._clock = device, clock
        self._taken, self._latest_s = 0, float("-inf")
        self._held: list[tuple[int, float]] = []
        self._largest: tuple[int, int] | None = None
        self._capture: Capture | None = (_opened if make is None else make)(device)
        try:
            self._set_up(self._capture, size, fps)
        except CameraError:
            self.close()
            raise

    def capture(self) -> Frame:
        """Return the next frame; its image is read-only."""
        image, t_s = self._read()
        for _ in range(_KEPT_FRAMES):
            if self._clock.now() - t_s <= _OLDEST_S:
                break
            image, t_s = self._read()
        image.setflags(write=False)
        self._latest_s = max(self._latest_s, t_s)
        name = f"{self._taken:06d}.jpg"
        self._taken += 1
        return Frame(image, self._latest_s, name)

    def still(self) -> Frame:
        """Return a picture in the largest mode of the frames' shape, with their exposure, colours and focus."""
        if self._capture is None:
            raise EndOfFramesError(said("the camera was closed"))
        watching = _size(self._capture)
        if self._largest is None:
            self._largest = _largest(self._capture, watching)
        if self._largest == watching:
            return self.capture()
        try:
            self._change(self._capture, self._largest)
            return self.capture()
        finally:
            # Even after a failure: frames of another size would not match the boards' places.
            self._change(self._capture, watching)

    def close(self) -> None:
        """Release the camera; may be called more than once."""
        capture, self._capture = self._capture, None
        if capture is not None:
            capture.release()

    def _set_up(self, capture: Capture, size: tuple[int, int], fps: float) -> None:
        import cv2  # noqa: PLC0415  # Every command reads the configuration, and few see pictures.

        if not capture.isOpened():
            says = said(
                "webcam {device} cannot be opened: is it plugged in, is another program using it, and are you in "
                "the group video? v4l2-ctl --list-devices lists all devices",
                device=self._device,
            )
            raise CameraError(says)
        # USB 2 carries only a few large uncompressed pictures a second.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        capture.set(cv2.CAP_PROP_FPS, fps)
        # Not all drivers obey; therefore `capture` passes over old frames.
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        for _ in range(_SETTLE_FRAMES):
            self._read()
        held = []
        for name, (automatic, manual, value) in _holds().items():
            chosen = capture.get(value)
            if capture.set(automatic, manual) and capture.set(value, chosen):
                held.append(name)
                self._held += [(automatic, manual), (value, chosen)]
        _LOG.info("webcam %s is held to its %s", self._device, ", ".join(held) or "nothing: it knows no such setting")

    def _change(self, capture: Capture, size: tuple[int, int]) -> None:
        """Change to another mode, and fix the camera's settings there, too."""
        if _ask(capture, size) != size:
            says = said(
                "webcam {device} does not change to {width} x {height} pixels; unplug it and plug it in again",
                device=self._device,
                width=size[0],
                height=size[1],
            )
            raise CameraError(says)
        for key, value in self._held:
            capture.set(key, value)
        for _ in range(_CHANGED_FRAMES):
            self._read()

    def _read(self) -> tuple[NDArray[np.uint8], float]:
        """Return a picture and its time."""
        import cv2  # noqa: PLC0415
        import numpy as np  # noqa: PLC0415

        if self._capture is None:
            raise EndOfFramesError(said("the camera was closed"))
        good, image = self._capture.read()
        if not good or image is None:
            raise CameraError(said("webcam {device} sends no pictures: is it plugged in?", device=self._device))
        now_s = self._clock.now()
        stamp_s = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        return np.asarray(image, np.uint8), stamp_s if 0 <= now_s - stamp_s <= _STALE_S else now_s


def _opened(device: str) -> Capture:
    import cv2  # noqa: PLC0415

    path = Path(_file_of(device))
    if not path.exists():
        # It is retried repeatedly, and OpenCV would log a warning every time.
        says = said(
            "there is no webcam {device}: is it plugged in? v4l2-ctl --list-devices lists all devices", device=device
        )
        raise CameraError(says)
    return cv2.VideoCapture(int(device) if device.isdecimal() else device, cv2.CAP_V4L2)


def _size(capture: Capture) -> tuple[int, int]:
    import cv2  # noqa: PLC0415

    return round(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), round(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))


def _ask(capture: Capture, size: tuple[int, int]) -> tuple[int, int]:
    """Request a size, and return the one that the camera uses instead."""
    import cv2  # noqa: PLC0415

    capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    return _size(capture)


def _largest(capture: Capture, watching: tuple[int, int]) -> tuple[int, int]:
    """Return the largest mode with the aspect ratio of the frames' mode, which is restored.

    OpenCV does not list a camera's modes; but a camera uses the one nearest to the request.
    """
    width, height = watching
    if not width * height:  # unknown
        return watching
    wide, high = _ask(capture, (_BEYOND * width, _BEYOND * height))
    # The largest mode may have another aspect ratio; then smaller sizes that fit into it are requested.
    across = min(wide, high * width / height)
    while not _is_alike((wide, high), watching) and across > width:
        wide, high = _ask(capture, (round(across), round(across * height / width)))
        across *= _LESS
    _ask(capture, watching)
    return (wide, high) if wide > width and _is_alike((wide, high), watching) else watching


def _is_alike(size: tuple[int, int], other: tuple[int, int]) -> bool:
    return abs(size[0] * other[1] - size[1] * other[0]) <= _SHAPE * size[1] * other[0]


def _holds() -> Mapping[str, tuple[int, float, int]]:
    """Return a camera's automatic settings: the switch, its value for manual, and the property of the value."""
    import cv2  # noqa: PLC0415

    return {
        "exposure": (cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL_EXPOSURE, cv2.CAP_PROP_EXPOSURE),
        "white balance": (cv2.CAP_PROP_AUTO_WB, 0.0, cv2.CAP_PROP_WB_TEMPERATURE),
        "focus": (cv2.CAP_PROP_AUTOFOCUS, 0.0, cv2.CAP_PROP_FOCUS),
    }
