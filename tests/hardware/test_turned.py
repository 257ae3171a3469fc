from __future__ import annotations

import cv2
import numpy as np
import pytest

from hardware.ports import Frame
from hardware.turned import turned

SENSOR = np.arange(60 * 80 * 3, dtype=np.uint32).astype(np.uint8).reshape(60, 80, 3)
"""What the whole sensor sees."""


class Sensor:
    """A camera whose frames show a part of what its stills show."""

    closed = 0

    def capture(self) -> Frame:
        return Frame(SENSOR[10:50, 20:60].copy(), 1.0, "000000.jpg", crop=(20.0, 10.0, 40.0, 40.0))

    def still(self) -> Frame:
        return Frame(SENSOR.copy(), 2.0, "000001.jpg", crop=(0.0, 0.0, 80.0, 60.0))

    def close(self) -> None:
        self.closed += 1


@pytest.mark.parametrize(
    ("rotate", "quarter"),
    [(0, None), (90, cv2.ROTATE_90_CLOCKWISE), (180, cv2.ROTATE_180), (270, cv2.ROTATE_90_COUNTERCLOCKWISE)],
)
@pytest.mark.parametrize("flip", [False, True])
def test_pictures_are_mirrored_and_then_turned_clockwise(rotate: int, quarter: int | None, flip: bool) -> None:
    image = turned(Sensor(), rotate, flip=flip).still().image
    wanted = cv2.flip(SENSOR, 1) if flip else SENSOR
    np.testing.assert_array_equal(image, wanted if quarter is None else cv2.rotate(wanted, quarter))
    assert image.flags["C_CONTIGUOUS"]


@pytest.mark.parametrize("rotate", [90, 180, 270, 0])
@pytest.mark.parametrize("flip", [False, True])
def test_a_frame_still_says_which_part_of_a_still_it_shows(rotate: int, flip: bool) -> None:
    camera = turned(Sensor(), rotate, flip=flip)
    frame, still = camera.capture(), camera.still()
    assert frame.crop is not None
    assert still.crop is not None
    left, top = (round(part - whole) for part, whole in zip(frame.crop[:2], still.crop[:2], strict=True))
    width, height = (round(value) for value in frame.crop[2:])
    np.testing.assert_array_equal(still.image[top : top + height, left : left + width], frame.image)
    assert still.image.shape[:2] == (still.crop[3], still.crop[2])


def test_an_upright_camera_is_left_as_it_is() -> None:
    camera = Sensor()
    assert turned(camera, 0, flip=False) is camera


def test_it_is_closed_with_the_camera() -> None:
    camera = Sensor()
    turned(camera, 180, flip=False).close()
    assert camera.closed == 1
