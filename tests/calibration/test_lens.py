"""Test the lens, its framing, and the camera with undistorted pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.lens import Framing, Lens, LensError, StraightenedCamera, framing_between
from hardware.ports import CameraError, EndOfFramesError, Frame

if TYPE_CHECKING:
    from numpy.typing import NDArray

BARREL_LENS = Lens((640, 360), (470.0, 470.0), (322.0, 176.0), (-0.25, 0.05, 0.0, 0.0, 0.0))
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
    camera = StraightenedCamera(_Camera(), BARREL_LENS)
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
    first, second = (camera.still().image for camera in [StraightenedCamera(raw, BARREL_LENS)] for _ in range(2))
    np.testing.assert_array_equal(first, second)
    assert raw.captured == 1


def test_a_still_of_which_nobody_knows_what_it_shows_is_an_error() -> None:
    with pytest.raises(CameraError, match="does not say which part of its view a photo of 1280 x 840 pixels shows"):
        StraightenedCamera(_Camera(tells=False), BARREL_LENS).still()


def test_a_camera_of_another_setting_is_an_error() -> None:
    with pytest.raises(CameraError, match="calibrate it again with this camera setting"):
        StraightenedCamera(_Camera(size=(1280, 720)), BARREL_LENS).still()


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
    camera = StraightenedCamera(_Frames(), BARREL_LENS)
    np.testing.assert_array_equal(camera.still().image, BARREL_LENS.straighten(_dots((640, 360), 40)))
    with pytest.raises(EndOfFramesError):
        camera.still()


SENSOR = (0.0, 0.0, 4608.0, 3456.0)
FLANKS = st.tuples(*(st.integers(0, 400),) * 4)
SIZES = st.tuples(st.integers(32, 4000), st.integers(32, 4000))


def frame(size: tuple[int, int], crop: tuple[float, float, float, float] | None = None) -> Frame:
    return Frame(np.broadcast_to(np.uint8(0), (size[1], size[0], 3)), 0.0, "0.jpg", crop=crop)


def crop(flanks: tuple[int, ...]) -> tuple[float, float, float, float]:
    left, top, right, bottom = flanks
    return float(left), float(top), 4608.0 - left - right, 3456.0 - top - bottom


@given(FLANKS, SIZES, FLANKS, SIZES)
def test_a_point_of_the_sensor_is_the_same_in_both_and_the_way_back_leads_back(
    one: tuple[int, ...], size: tuple[int, int], other: tuple[int, ...], sized: tuple[int, int]
) -> None:
    framing = framing_between(frame(size, crop(one)), frame(sized, crop(other)))
    assert framing is not None
    on_sensor = np.array([[2000.0, 1700.0], [500.0, 3000.0]])
    pixels = []
    for flanks, (width, height) in ((one, size), (other, sized)):
        left, top, wide, high = crop(flanks)
        # A picture's left edge is half a pixel left of its first pixel's centre.
        pixels.append((on_sensor - (left, top)) * (width / wide, height / high) - 0.5)
    np.testing.assert_allclose(framing(pixels[0]), pixels[1], atol=1e-6)
    np.testing.assert_allclose(framing.inverse(pixels[1]), pixels[0], atol=1e-6)
    np.testing.assert_allclose(framing.homography(pixels[0]), pixels[1], atol=1e-6)


def test_shrunken_and_cut_out_pictures_agree_with_what_opencv_makes_of_them() -> None:
    still = np.zeros((1200, 1600, 3), np.uint8)
    cv2.circle(still, (1003, 555), 20, (255, 255, 255), -1, cv2.LINE_AA)
    shrunk = cv2.resize(still[150:1050], (800, 450), interpolation=cv2.INTER_AREA)
    watched = Frame(np.asarray(shrunk, np.uint8), 0.0, "0.jpg", crop=(0.0, 150.0, 1600.0, 900.0))
    framing = framing_between(Frame(still, 0.0, "1.jpg", crop=(0.0, 0.0, 1600.0, 1200.0)), watched)
    assert framing is not None
    weights = shrunk[..., 0].astype(float)
    rows, columns = np.indices(weights.shape)
    middle = np.array([(weights * columns).sum(), (weights * rows).sum()]) / weights.sum()
    np.testing.assert_allclose(framing((1003.0, 555.0)), middle, atol=0.02)


@pytest.mark.parametrize(
    ("first", "second", "factor"), [((320, 180), (1280, 720), 4.0), ((1536, 864), (2304, 1296), 1.5)]
)
def test_pictures_of_one_shape_show_the_same_where_nothing_is_told(
    first: tuple[int, int], second: tuple[int, int], factor: float
) -> None:
    framing = framing_between(frame(first), frame(second, SENSOR))
    assert framing is not None
    assert framing.scale == pytest.approx((factor, factor))
    np.testing.assert_allclose(framing((-0.5, -0.5)), (-0.5, -0.5), atol=1e-9)


def test_of_pictures_of_two_shapes_nothing_is_known() -> None:
    assert framing_between(frame((320, 180)), frame((320, 240))) is None


def test_a_lens_bends_the_same_points_in_either_picture() -> None:
    lens = Lens((640, 360), (470.0, 468.0), (322.0, 176.0), (-0.21, 0.03, 0.001, -0.002, 0.0))
    framing = Framing((2.5, 2.5), (0.75, 180.75))
    other = framing.lens(lens, (1600, 1260))
    points = np.array([[20.0, 30.0], [300.0, 200.0], [630.0, 350.0]])
    straight = lens.to_straight(points) + lens.straight_origin_px
    over_there = other.to_straight(framing(points)) + other.straight_origin_px
    np.testing.assert_allclose(over_there, framing(straight), atol=1e-4)


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
