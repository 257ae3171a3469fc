from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.framing import Framing, framing_between
from calibration.lens import Lens
from hardware.ports import Frame

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
