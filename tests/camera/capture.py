"""Captures our own pictures through the real picamera2, over libcamera's virtual camera; run inside the chroot.

    capture.py FRAMES

FRAMES is the folder of JPEG files that the virtual camera shows. It has no exposure, focus, colours or raw modes to
set, so this tries what is left: import, opening, configurations, captures, stills, changes of mode, a busy camera,
closing, opening again.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import cv2
import numpy as np

# The preview windows' library exists on Raspberry Pis only; no preview is needed here.
sys.modules["pykms"] = MagicMock()

import picamera2.picamera2 as inner  # noqa: E402
from picamera2 import Picamera2  # noqa: E402
from picamera2.allocators import LibcameraAllocator  # noqa: E402

from hardware.clock import SystemClock  # noqa: E402
from hardware.drivers.pi import PiCamera, PiCameraDriver  # noqa: E402
from hardware.ports import CameraError, EndOfFramesError, Frame  # noqa: E402
from hardware.reconnecting import ReopeningCamera  # noqa: E402

# A Pi's memory for pictures, of which picamera2 makes itself a new one when it closes.
inner.DmaAllocator = MagicMock

SIZE = (1280, 960)
LIKE = 3.0
"""Mean difference of grey levels below which two pictures are the same except for JPEG and NV12's coarser colours."""


class VirtualPicamera2(Picamera2):  # type: ignore[misc]  # the library brings no types
    """picamera2 with the few properties that libcamera's virtual camera does not provide."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        # libcamera's allocator takes the camera's own memory; the camera is not open before this point.
        self.allocator = LibcameraAllocator(self.camera)

    @property
    def sensor_modes(self) -> list[dict[str, Any]]:
        """An empty list: no mode can be chosen."""
        return []

    def _get_raw_modes(self) -> list[dict[str, Any]]:
        return [{"format": "NV12", "size": SIZE}]


def opened() -> PiCamera:
    """Open the driver as the companion uses it."""
    return PiCamera(PiCameraDriver(size=SIZE, fps=30), SystemClock(), VirtualPicamera2, pixel_format="NV12")


def as_shown(path: Path) -> Any:
    """Return a picture as the virtual camera shows it: in full range, although it reports the narrower Rec. 709."""
    return np.clip((np.asarray(cv2.imread(str(path))).astype(float) - 16) * 255 / 219, 0, 255)


def distance(frame: Frame, pictures: list[Any]) -> float:
    """Return the mean difference between a frame and the picture most similar to it, in grey levels."""
    return min(float(np.abs(frame.image - picture).mean()) for picture in pictures)


def check(says: str, *, holds: bool) -> None:
    """Report a check; end at the first that fails."""
    sys.stdout.write(f"  {'ok  ' if holds else 'FAIL'}  {says}\n")
    if not holds:
        sys.exit(1)


def frames_are_ours(camera: PiCamera, pictures: list[Any]) -> None:
    """Check that each of a hundred frames is one of our pictures, in the order of time."""
    frames = [camera.capture() for _ in range(100)]
    now_s = SystemClock().now()
    check("a hundred frames of the size asked for", holds={frame.image.shape for frame in frames} == {(960, 1280, 3)})
    worst = max(distance(frame, pictures) for frame in frames)
    check(f"each shows one of our pictures (mean difference at most {worst:.2f} grey levels)", holds=worst < LIKE)
    times = [frame.t_s for frame in frames]
    check("in the order of time", holds=times == sorted(times) and 0 <= now_s - times[-1] < 1)
    check("with metadata", holds=all("SensorTimestamp" in frame.metadata for frame in frames))


def stills_are_ours(camera: PiCamera, pictures: list[Any]) -> None:
    """Check that stills between frames, taken repeatedly, change modes and lose no buffer."""
    for _ in range(5):
        still = camera.still()
        check("a still, and a frame after it", holds=distance(still, pictures) < LIKE and camera.capture() is not None)


def one_at_a_time() -> None:
    """Check that a second program cannot open the camera."""
    try:
        opened()
    except CameraError as error:
        check(f"a second one is refused: {error}", holds="is in use by another program" in str(error))
    else:
        check("a second one is refused", holds=False)


def reopened(pictures: list[Any]) -> None:
    """Check that a camera that fails is closed and opened again automatically."""
    said: list[str] = []
    first = opened()
    ready = [first]
    camera = ReopeningCamera(lambda: ready.pop() if ready else opened(), SystemClock(), said.append)
    camera.capture()
    first.capture = lambda: (_ for _ in ()).throw(CameraError("the cable is loose"))  # type: ignore[method-assign]
    frame = camera.capture()
    check(f"a camera that fails is opened again: {' / '.join(said)}", holds=distance(frame, pictures) < LIKE)
    camera.close()


def main(folder: Path) -> None:
    """Run all checks."""
    pictures = [as_shown(path) for path in sorted(folder.glob("*.jpg"))]
    sys.stdout.write(f"picamera2 over {Picamera2.global_camera_info()}\n")
    camera = opened()
    frames_are_ours(camera, pictures)
    stills_are_ours(camera, pictures)
    one_at_a_time()
    camera.close()
    try:
        camera.capture()
    except EndOfFramesError:
        check("after closing there are no more frames", holds=True)
    for _ in range(3):
        opened().close()
    check("opened and closed again three times", holds=True)
    reopened(pictures)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
