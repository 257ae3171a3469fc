"""Any USB camera, by OpenCV and Video4Linux.

It is let choose exposure and colours for a moment, and is then held to its choice as far as it lets itself be held.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import cv2
import numpy as np

from companion.languages import said
from hardware.ports import CameraError, Clock, EndOfFramesError, Frame

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

_LOG: Final = logging.getLogger(__name__)
_SETTLE_FRAMES: Final = 20
_STALE_S: Final = 5.0
"""A time stamp that is further away than this is on another clock."""
_OLDEST_S: Final = 0.3
_KEPT_FRAMES: Final = 6
"""The number of frames that the system may have buffered while none was asked for."""
_MANUAL_EXPOSURE: Final = 1.0
"""V4L2_EXPOSURE_MANUAL."""
_BEYOND: Final = 16
"""A camera that is asked for so many times its size gives the largest that it has."""
_SHAPE: Final = 0.01
"""The difference allowed between the shape of a mode and the frames'; other modes show another part of the view."""
_LESS: Final = 0.9
_CHANGED_FRAMES: Final = 4
"""The first pictures after a change of mode may still be of another exposure."""


class Capture(Protocol):
    """The part of `cv2.VideoCapture` that is used."""

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        """Return whether there is a camera."""

    def read(self) -> tuple[bool, Any]:
        """Return the next picture."""

    def get(self, propId: int) -> float:  # noqa: N803 - OpenCV's name
        """Return a property."""

    def set(self, propId: int, value: float) -> bool:  # noqa: N803 - OpenCV's name
        """Set a property, and return whether the camera knows it."""

    def release(self) -> None:
        """Close it."""


class Webcam:
    """A USB camera.

    Args:
        device: its number, or its file such as "/dev/video2".
        size: width and height in pixels; the camera takes the nearest that it has.
        fps: frames a second; the camera takes the nearest that it has.
        clock: for frames whose own time stamp cannot be used.
        make: opens the device, OpenCV where None.

    Raises:
        CameraError: there is no such camera, or it gives no pictures.
    """

    def __init__(
        self,
        device: str,
        size: tuple[int, int],
        fps: float,
        clock: Clock,
        make: Callable[[str], Capture] | None = None,
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
        """Return the next frame; its image is read-only.

        Raises:
            EndOfFramesError: the camera was closed.
            CameraError: it gives no pictures any more; it may have been pulled out.
        """
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
        """Return a picture in the largest mode of the frames' shape, with their exposure, colours and focus; read-only.

        Where there is no larger one, the next frame.

        Raises:
            EndOfFramesError: the camera was closed.
            CameraError: as `capture`; or the camera does not come back to its frames.
        """
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
            self._change(self._capture, watching)

    def close(self) -> None:
        """Release the camera; may be called more than once."""
        capture, self._capture = self._capture, None
        if capture is not None:
            capture.release()

    def _set_up(self, capture: Capture, size: tuple[int, int], fps: float) -> None:
        if not capture.isOpened():
            says = said(
                "webcam {device} cannot be opened: is it plugged in, is another program using it, and are you in the "
                "group video? v4l2-ctl --list-devices lists what there is",
                device=self._device,
            )
            raise CameraError(says)
        # Uncompressed, USB 2 carries a few large pictures a second only.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        capture.set(cv2.CAP_PROP_FPS, fps)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        for _ in range(_SETTLE_FRAMES):
            self._read()
        held = []
        for name, (automatic, manual, value) in _HOLDS.items():
            chosen = capture.get(value)
            if capture.set(automatic, manual) and capture.set(value, chosen):
                held.append(name)
                self._held += [(automatic, manual), (value, chosen)]
        _LOG.info("webcam %s is held to its %s", self._device, ", ".join(held) or "nothing: it knows no such setting")

    def _change(self, capture: Capture, size: tuple[int, int]) -> None:
        """Change to another mode, in which the camera is held to its choice, too."""
        if _ask(capture, size) != size:
            says = said(
                "webcam {device} does not change to {width} x {height} pixels; plug it in anew",
                device=self._device,
                width=size[0],
                height=size[1],
            )
            raise CameraError(says)
        for setting, value in self._held:
            capture.set(setting, value)
        for _ in range(_CHANGED_FRAMES):
            self._read()

    def _read(self) -> tuple[NDArray[np.uint8], float]:
        """Return a picture, and when it was taken."""
        if self._capture is None:
            raise EndOfFramesError(said("the camera was closed"))
        good, image = self._capture.read()
        if not good or image is None:
            raise CameraError(said("webcam {device} gives no pictures: is it plugged in?", device=self._device))
        now_s = self._clock.now()
        stamp_s = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        return np.asarray(image, np.uint8), stamp_s if 0 <= now_s - stamp_s <= _STALE_S else now_s


def _opened(device: str) -> Capture:
    path = Path(f"/dev/video{device}" if device.isdecimal() else device)
    if not path.exists():
        # It is tried again and again, and OpenCV would grumble about it every time.
        says = said(
            "there is no webcam {device}: is it plugged in? v4l2-ctl --list-devices lists what there is", device=device
        )
        raise CameraError(says)
    return cv2.VideoCapture(int(device) if device.isdecimal() else device, cv2.CAP_V4L2)


def _size(capture: Capture) -> tuple[int, int]:
    return round(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), round(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))


def _ask(capture: Capture, size: tuple[int, int]) -> tuple[int, int]:
    """Ask for a size, and return the one that the camera takes instead."""
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    return _size(capture)


def _largest(capture: Capture, watching: tuple[int, int]) -> tuple[int, int]:
    """Return the largest mode that has the shape of the one the camera watches in, to which it is changed back.

    OpenCV does not list a camera's modes; but a camera takes the one that is nearest to what it is asked for.
    """
    width, height = watching
    if not width * height:  # it does not tell
        return watching
    wide, high = _ask(capture, (_BEYOND * width, _BEYOND * height))
    # The largest of all may have another shape; so what would fit into it, and then ever less.
    across = min(wide, high * width / height)
    while not _is_alike((wide, high), watching) and across > width:
        wide, high = _ask(capture, (round(across), round(across * height / width)))
        across *= _LESS
    _ask(capture, watching)
    return (wide, high) if wide > width and _is_alike((wide, high), watching) else watching


def _is_alike(size: tuple[int, int], other: tuple[int, int]) -> bool:
    return abs(size[0] * other[1] - size[1] * other[0]) <= _SHAPE * size[1] * other[0]


_HOLDS: Final = {
    "exposure": (cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL_EXPOSURE, cv2.CAP_PROP_EXPOSURE),
    "white balance": (cv2.CAP_PROP_AUTO_WB, 0.0, cv2.CAP_PROP_WB_TEMPERATURE),
    "focus": (cv2.CAP_PROP_AUTOFOCUS, 0.0, cv2.CAP_PROP_FOCUS),
}
"""What a camera chooses by itself: the setting that lets it, that setting's value for not any more, and its choice."""
