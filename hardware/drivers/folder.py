"""A folder of pictures, or a video file, in place of the camera, to test with pictures taken elsewhere.

A recorded evening with its presses is played by `hardware.recorded` instead.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.durable import read_bytes
from companion.languages import said, unreadable
from companion.pictures import PictureError, decoded
from companion.settings import folder, setting
from hardware.diagnosis import Finding, Machine, fault, ok
from hardware.driver import ABOUT_CAMERA, CameraDriver, OpenContext
from hardware.ports import CameraError, Clock, EndOfFramesError, Frame

if TYPE_CHECKING:
    import cv2
    import numpy as np
    from numpy.typing import NDArray

PICTURES: Final = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff")


@dataclass(frozen=True, slots=True)
class FolderDriver(CameraDriver):
    """A folder of pictures, or a video file."""

    driver = "folder"
    summary = said("pictures or a video file")
    is_photographs = True

    path: Path | None = setting(None, folder, said("The folder of pictures, or the video file."), '"~/evening.mp4"')

    def check(self) -> None:
        """Check that there is a path."""
        if self.path is None:
            raise ValueError(
                said(
                    "{key}: is missing; the driver {driver} needs a folder of pictures or a video file",
                    key="path",
                    driver='"folder"',
                )
            )

    def open(self, context: OpenContext) -> FolderCamera:
        """Open the folder or the video file."""
        return FolderCamera(self.path or Path(), self.fps, context.clock)

    def examine(self, machine: Machine) -> Iterator[Finding]:
        """Yield the finding on whether the pictures are there."""
        del machine
        if self.path is None or not os.access(self.path, os.R_OK):
            title = said("{path} does not exist or cannot be read.", path=str(self.path))
            do = said("Set {key}.", key="[camera] path")
            yield fault(ABOUT_CAMERA, title, said("There are no pictures to look at."), do)
        else:
            yield ok(ABOUT_CAMERA, said("Pictures come from {path}.", path=str(self.path)))


class FolderCamera:
    """A camera that returns the pictures of a folder in the order of their names, or those of a video, each once.

    A video's own rate is ignored.

    Raises:
        CameraError: there are no pictures.
    """

    def __init__(self, path: Path, fps: float, clock: Clock) -> None:
        self._path, self._clock, self._frame_s = path, clock, 1 / fps
        self._taken = 0
        self._size: tuple[int, ...] | None = None
        self._pictures: Iterator[NDArray[np.uint8]] | None = _pictures(path) if path.is_dir() else _video(path)

    def capture(self) -> Frame:
        """Return the next picture; its image is read-only."""
        if self._pictures is None:
            raise EndOfFramesError.said("the camera was closed")
        # Before the picture, as a camera makes its reader wait.
        self._clock.sleep(self._frame_s)
        image = next(self._pictures, None)
        if image is None:
            raise EndOfFramesError.said("{path}: that was the last picture", path=str(self._path))
        if self._size is not None and image.shape != self._size:
            raise CameraError.said(
                "{path}: picture {number} has a different size than the first one",
                path=str(self._path),
                number=self._taken + 1,
            )
        self._size = image.shape
        image.setflags(write=False)
        name = f"{self._taken:06d}.jpg"
        self._taken += 1
        return Frame(image, self._clock.now(), name)

    def still(self) -> Frame:
        """Return the next picture; stills have the size of frames."""
        return self.capture()

    def close(self) -> None:
        """Stop returning pictures; may be called more than once."""
        self._pictures = None


def _pictures(folder: Path) -> Iterator[NDArray[np.uint8]]:
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURES)
    if not paths:
        raise CameraError.said("{path}: contains no pictures ({names})", path=str(folder), names=", ".join(PICTURES))
    return map(_picture, paths)


def _picture(path: Path) -> NDArray[np.uint8]:
    try:
        image = decoded(read_bytes(path))
    except OSError as error:
        raise CameraError(unreadable(path, error)) from error
    except PictureError:
        image = None
    if image is None:
        raise CameraError.said("{path}: is not a readable picture", path=str(path))
    return image


def _video(path: Path) -> Iterator[NDArray[np.uint8]]:
    if not path.is_file():
        raise CameraError.said("{path}: there is no such picture folder or video file", path=str(path))
    import cv2  # noqa: PLC0415  # Every command reads the configuration, and few see pictures.
    import numpy as np  # noqa: PLC0415

    video = cv2.VideoCapture(str(path))
    # Read at once, so that a file that is no video is an error of the start.
    good, first = video.read()
    if not good:
        video.release()
        raise CameraError.said("{path}: is not a readable video", path=str(path))
    return _frames_of(video, np.asarray(first, np.uint8))


def _frames_of(video: cv2.VideoCapture, first: NDArray[np.uint8]) -> Iterator[NDArray[np.uint8]]:
    import numpy as np  # noqa: PLC0415

    try:
        good, image = True, first
        while good:
            yield image
            good, read = video.read()
            image = np.asarray(read, np.uint8) if good else first
    finally:
        video.release()
