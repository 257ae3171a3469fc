"""Any USB camera, by OpenCV and Video4Linux.

It is let choose exposure and colours for a moment, and is then held to its choice as far as it lets itself be held.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import cv2
import numpy as np

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
"""So many frames the system may have kept while nobody asked for one."""
_MANUAL_EXPOSURE: Final = 1.0
"""V4L2_EXPOSURE_MANUAL."""


class Capture(Protocol):
    """What of `cv2.VideoCapture` is used."""

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        """Whether there is a camera."""

    def read(self) -> tuple[bool, Any]:
        """The next picture."""

    def get(self, propId: int) -> float:  # noqa: N803 - OpenCV's name
        """A property."""

    def set(self, propId: int, value: float) -> bool:  # noqa: N803 - OpenCV's name
        """Set a property; whether the camera knows it."""

    def release(self) -> None:
        """Close it."""


class Webcam:
    """A USB camera.

    Args:
        device: its number, or its file such as "/dev/video2".
        size: width and height in pixels; the camera takes the nearest that it has.
        fps: frames a second, likewise.
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
        self._capture: Capture | None = (_opened if make is None else make)(device)
        try:
            self._set_up(self._capture, size, fps)
        except CameraError:
            self.close()
            raise

    def capture(self) -> Frame:
        """The next frame; its image is read-only.

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
        """The next frame: a webcam has one size at a time, and changing it would let it choose anew.

        Raises:
            EndOfFramesError: the camera was closed.
            CameraError: as `capture`.
        """
        return self.capture()

    def close(self) -> None:
        """Release the camera; may be called more than once."""
        capture, self._capture = self._capture, None
        if capture is not None:
            capture.release()

    def _set_up(self, capture: Capture, size: tuple[int, int], fps: float) -> None:
        if not capture.isOpened():
            raise CameraError(
                f"webcam {self._device} cannot be opened: is it plugged in, is another program using it, and are you "
                "in the group video? v4l2-ctl --list-devices lists what there is"
            )
        # Uncompressed, USB 2 carries a few large pictures a second only.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        capture.set(cv2.CAP_PROP_FPS, fps)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        for _ in range(_SETTLE_FRAMES):
            self._read()
        held = [name for name, hold in _HOLDS.items() if hold(capture)]
        _LOG.info("webcam %s is held to its %s", self._device, ", ".join(held) or "nothing: it knows no such setting")

    def _read(self) -> tuple[NDArray[np.uint8], float]:
        """A picture, and when it was taken."""
        if self._capture is None:
            raise EndOfFramesError("the camera was closed")
        good, image = self._capture.read()
        if not good or image is None:
            raise CameraError(f"webcam {self._device} gives no pictures: is it plugged in?")
        now_s = self._clock.now()
        stamp_s = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        return np.asarray(image, np.uint8), stamp_s if 0 <= now_s - stamp_s <= _STALE_S else now_s


def _opened(device: str) -> Capture:
    path = Path(f"/dev/video{device}" if device.isdecimal() else device)
    if not path.exists():
        # It is tried again and again, and OpenCV would grumble about it every time.
        says = f"there is no webcam {device}: is it plugged in? v4l2-ctl --list-devices lists what there is"
        raise CameraError(says)
    return cv2.VideoCapture(int(device) if device.isdecimal() else device, cv2.CAP_V4L2)


def _hold_exposure(capture: Capture) -> bool:
    exposure = capture.get(cv2.CAP_PROP_EXPOSURE)
    manual = capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL_EXPOSURE)
    return manual and capture.set(cv2.CAP_PROP_EXPOSURE, exposure)


def _hold_white(capture: Capture) -> bool:
    temperature = capture.get(cv2.CAP_PROP_WB_TEMPERATURE)
    manual = capture.set(cv2.CAP_PROP_AUTO_WB, 0)
    return manual and capture.set(cv2.CAP_PROP_WB_TEMPERATURE, temperature)


def _hold_focus(capture: Capture) -> bool:
    focus = capture.get(cv2.CAP_PROP_FOCUS)
    manual = capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)
    return manual and capture.set(cv2.CAP_PROP_FOCUS, focus)


_HOLDS: Final = {
    "exposure": _hold_exposure,
    "white balance": _hold_white,
    "focus": _hold_focus,
}
