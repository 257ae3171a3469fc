from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.lens import Lens, LensError
from calibration.straightened import StraightenedCamera
from hardware.ports import CameraError, EndOfFramesError, Frame

SIZE = (640, 360)


def _lens(*distortion: float) -> Lens:
    return Lens(SIZE, (420.0, 422.0), (318.0, 181.0), (*distortion, *[0.0] * (5 - len(distortion))))


BARREL = _lens(-0.12, 0.01, 0.001, -0.0005)


@given(
    st.floats(-0.12, 0.12),
    st.floats(-0.01, 0.01),
    st.lists(st.tuples(st.floats(0, 639), st.floats(0, 359)), min_size=1, max_size=8),
)
def test_straight_and_back_is_where_it_was(bend: float, second: float, points: list[tuple[float, float]]) -> None:
    lens = _lens(bend, second)
    np.testing.assert_allclose(lens.to_camera(lens.to_straight(points)), points, atol=0.01)


def test_the_whole_of_what_the_camera_saw_is_kept() -> None:
    corners = np.array([[0, 0], [639, 0], [639, 359], [0, 359]], float)
    flat = BARREL.to_straight(corners)
    width, height = BARREL.straight_size_px
    assert width > SIZE[0]
    assert height > SIZE[1]
    assert (flat >= -0.01).all()
    assert (flat <= [width - 0.99, height - 0.99]).all()


def test_a_lens_without_distortion_changes_nothing() -> None:
    image = np.random.default_rng(1).integers(0, 256, (360, 640, 3)).astype(np.uint8)
    lens = _lens(0.0)
    straight = lens.straighten(image)
    assert lens.straight_size_px == SIZE
    np.testing.assert_array_equal(straight, image)


def test_a_straight_line_bent_by_the_lens_is_straight_again() -> None:
    y, x = np.mgrid[0:110, 0:640].astype(float)
    places = BARREL.to_straight(np.column_stack([x.ravel(), y.ravel()])).reshape(110, 640, 2)
    edge = 70.5
    picture = np.full((360, 640, 3), 255, np.uint8)
    picture[:110] = (np.clip(places[..., 1:] - edge + 0.5, 0, 1) * 255).astype(np.uint8)
    straight = BARREL.straighten(picture)[..., 0]
    columns = range(60, straight.shape[1] - 60, 20)
    found = [np.interp(127.5, straight[40:100, column], np.arange(40, 100)) for column in columns]
    raw = [np.interp(127.5, picture[20:100, column, 0], np.arange(20, 100)) for column in range(60, 580, 20)]
    assert np.ptp(raw) > 3.0
    np.testing.assert_allclose(found, edge, atol=0.15)


def test_the_middle_keeps_its_scale() -> None:
    middle = np.array([BARREL.centre_px, np.add(BARREL.centre_px, (2.0, 0.0))])
    flat = BARREL.to_straight(middle)
    assert np.hypot(*(flat[1] - flat[0])) == pytest.approx(2.0, rel=0.01)


def test_a_wild_fit_does_not_ask_for_a_giant_picture() -> None:
    width, height = _lens(-0.9, 0.6).straight_size_px
    assert width <= 1.7 * SIZE[0]
    assert height <= 1.7 * SIZE[1]


def test_a_picture_of_another_size_is_refused() -> None:
    with pytest.raises(LensError, match="320 x 180 pixels, but the lens was calibrated at 640 x 360"):
        BARREL.straighten(np.zeros((180, 320, 3), np.uint8))


class _Stills:
    def __init__(self, *images: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> None:
        self.images = list(images)
        self.closed = 0

    def capture(self) -> Frame:
        if not self.images:
            raise EndOfFramesError("no more")
        return Frame(self.images.pop(0), 1.5, "000007.jpg")

    def close(self) -> None:
        self.closed += 1


def test_a_straightened_camera_gives_the_same_frames_straightened() -> None:
    image = np.full((360, 640, 3), 90, np.uint8)
    stills = _Stills(image)
    camera = StraightenedCamera(stills, BARREL)
    frame = camera.capture()
    assert (frame.t_s, frame.name) == (1.5, "000007.jpg")
    np.testing.assert_array_equal(frame.image, BARREL.straighten(image))
    assert not frame.image.flags.writeable
    with pytest.raises(EndOfFramesError):
        camera.capture()
    camera.close()
    assert stills.closed == 1


def test_a_straightened_camera_says_when_the_setting_was_changed() -> None:
    camera = StraightenedCamera(_Stills(np.zeros((720, 1280, 3), np.uint8)), BARREL)
    with pytest.raises(CameraError, match="calibrate it again with this camera setting"):
        camera.capture()
