from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from calibration.framing import framing_between
from calibration.lens import Lens
from calibration.straightened import StraightenedCamera
from hardware.ports import CameraError, EndOfFramesError, Frame

if TYPE_CHECKING:
    from numpy.typing import NDArray

BARREL = Lens((640, 360), (470.0, 470.0), (322.0, 176.0), (-0.25, 0.05, 0.0, 0.0, 0.0))
FRAME_SHOWS = (0.0, 60.0, 1280.0, 720.0)
STILL_SHOWS = (0.0, 0.0, 1280.0, 840.0)


def _dots(size: tuple[int, int], spacing_px: int) -> NDArray[np.uint8]:
    image = np.zeros((size[1], size[0], 3), np.uint8)
    for x in range(spacing_px, size[0], spacing_px):
        for y in range(spacing_px, size[1], spacing_px):
            cv2.circle(image, (x, y), spacing_px // 10, (255, 255, 255), -1, cv2.LINE_AA)
    return image


class _Camera:
    """A still of the whole view; frames show a piece of it at half the size."""

    def __init__(self, tells: bool = True, size: tuple[int, int] = (640, 360)) -> None:
        self.whole = _dots((1280, 840), 60)
        self.tells, self.size = tells, size
        self.captured = 0

    def capture(self) -> Frame:
        self.captured += 1
        image = cv2.resize(self.whole[60:780], self.size, interpolation=cv2.INTER_AREA)
        return Frame(np.asarray(image, np.uint8), 1.0, "000001.jpg", crop=FRAME_SHOWS if self.tells else None)

    def still(self) -> Frame:
        return Frame(self.whole.copy(), 2.0, "000002.jpg", crop=STILL_SHOWS if self.tells else None)

    def close(self) -> None:
        """Nothing is open."""


def test_a_still_is_straightened_by_the_frames_lens_and_tells_what_it_shows() -> None:
    camera = StraightenedCamera(_Camera(), BARREL)
    frame, still = camera.capture(), camera.still()
    framing = framing_between(frame, still)
    assert framing is not None
    assert still.image.shape[0] > 840, "what bends inwards at the edges needs room"
    assert not still.image.flags.writeable
    height, width = frame.image.shape[:2]
    moved = cv2.warpPerspective(still.image, framing.inverse.homography.matrix, (width, height))
    inside = (slice(40, -40), slice(40, -40))
    off = cv2.absdiff(cv2.GaussianBlur(moved, (0, 0), 2), cv2.GaussianBlur(frame.image, (0, 0), 2))[inside]
    assert float(off.max()) < 30, "the dots lie on one another"
    shifted = np.roll(moved, 3, axis=1)
    wrong = cv2.absdiff(cv2.GaussianBlur(shifted, (0, 0), 2), cv2.GaussianBlur(frame.image, (0, 0), 2))[inside]
    assert float(wrong.max()) > 60, "and three pixels off they would not"


def test_a_still_before_the_first_frame_looks_at_one_by_itself() -> None:
    raw = _Camera()
    first, second = (camera.still().image for camera in [StraightenedCamera(raw, BARREL)] for _ in range(2))
    np.testing.assert_array_equal(first, second)
    assert raw.captured == 1


def test_a_still_of_which_nobody_knows_what_it_shows_is_an_error() -> None:
    with pytest.raises(CameraError, match="does not say which part of its view a photo of 1280 x 840 pixels shows"):
        StraightenedCamera(_Camera(tells=False), BARREL).still()


def test_a_camera_of_another_setting_is_an_error() -> None:
    with pytest.raises(CameraError, match="calibrate it again with this camera setting"):
        StraightenedCamera(_Camera(size=(1280, 720)), BARREL).still()


class _Frames:
    """A camera that cannot take stills and has one frame."""

    def __init__(self) -> None:
        self.left = 1

    def capture(self) -> Frame:
        if not self.left:
            raise EndOfFramesError("no more")
        self.left -= 1
        return Frame(_dots((640, 360), 40), 1.0, "000001.jpg")

    def close(self) -> None:
        """Nothing is open."""


def test_without_stills_the_next_frame_is_as_large_as_it_gets() -> None:
    camera = StraightenedCamera(_Frames(), BARREL)
    np.testing.assert_array_equal(camera.still().image, BARREL.straighten(_dots((640, 360), 40)))
    with pytest.raises(EndOfFramesError):
        camera.still()
