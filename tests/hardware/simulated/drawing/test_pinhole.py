"""Test the simulated camera's geometry and its sensor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.stresses import STRESSES
from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing.pinhole import Pinhole, Sensor, pinhole_for

if TYPE_CHECKING:
    from numpy.typing import NDArray

GREY = np.full((120, 200, 3), 128, np.uint8)


def _sensor(noise: float, quality: int = 95, seed: int = 1) -> Sensor:
    return Sensor((200, 120), noise, quality, np.random.default_rng(seed))


@pytest.mark.parametrize("noise", [2.0, 8.0])
def test_noise_has_the_strength_that_was_asked_for_and_no_bias(noise: float) -> None:
    off = _sensor(noise, 100).expose(GREY).astype(int) - 128
    assert off.std() == pytest.approx(noise, rel=0.35)
    assert abs(off.mean()) < 0.5


def test_noise_saturates_at_black_and_white_and_does_not_wrap_round() -> None:
    for level, middle in ((2, 7.0), (253, 248.0)):
        noisy = _sensor(12.0, 100).expose(np.full_like(GREY, level))
        assert np.abs(noisy.astype(int) - level).max() < 110
        assert noisy.mean() == pytest.approx(middle, abs=2.5)


def test_two_frames_have_different_noise() -> None:
    sensor = _sensor(3.0)
    assert (sensor.expose(GREY) != sensor.expose(GREY)).any()


def test_the_same_seed_has_the_same_noise() -> None:
    np.testing.assert_array_equal(_sensor(3.0).expose(GREY), _sensor(3.0).expose(GREY))


def test_without_noise_a_plain_picture_comes_through() -> None:
    np.testing.assert_allclose(_sensor(0.0, 100).expose(GREY), GREY, atol=1)


def test_poor_jpegs_lose_detail() -> None:
    picture = np.random.default_rng(4).integers(90, 170, (120, 200, 3), dtype=np.uint8)
    lost = [np.abs(_sensor(0.0, quality).expose(picture).astype(int) - picture).mean() for quality in (95, 60, 20)]
    assert lost == sorted(lost)
    assert lost[0] < lost[2]


def test_the_picture_given_is_left_alone() -> None:
    before = GREY.copy()
    _sensor(5.0).expose(GREY)
    np.testing.assert_array_equal(GREY, before)


STRAIGHT_DOWN = Pinhole((1000, 600), 800.0, 0.0, (0.0, 0.0, 500.0), 0.0, 0.0)


def _middle(size: tuple[int, int]) -> NDArray[np.float64]:
    return (np.asarray(size) - 1) / 2


def test_the_point_under_the_camera_is_in_the_middle_of_the_frame() -> None:
    seen = STRAIGHT_DOWN.frame_points(np.array([[0.0, 0.0], [100.0, 0.0], [0.0, 50.0]]))
    np.testing.assert_allclose(seen[0], _middle((1000, 600)))
    np.testing.assert_allclose(seen[1] - seen[0], [100 * 800 / 500, 0], atol=1e-9)
    np.testing.assert_allclose(seen[2] - seen[0], [0, 50 * 800 / 500], atol=1e-9)


def test_higher_points_are_seen_further_out() -> None:
    point = np.array([[200.0, 0.0]])
    on_table, on_board = (STRAIGHT_DOWN.frame_points(point, z_mm)[0, 0] for z_mm in (0.0, 2.5))
    # Similar triangles: 200 * 800 * (1 / 497.5 - 1 / 500) pixels.
    assert on_board - on_table == pytest.approx(200 * 800 * (1 / 497.5 - 1 / 500))


def test_a_tilted_camera_sees_the_far_side_smaller() -> None:
    camera = pinhole_for(Conditions(tilt_deg=25.0), np.random.default_rng(1))
    far, near = (
        np.linalg.norm(np.diff(camera.frame_points(np.array([[-50.0, y], [50.0, y]])), axis=0)) for y in (-150.0, 150.0)
    )
    assert far < 0.85 * near


@given(st.floats(-300, 300), st.floats(-170, 170), st.sampled_from([-0.1, -0.035, 0.0, 0.05]))
def test_the_lens_map_undoes_what_the_lens_does(x_mm: float, y_mm: float, bend: float) -> None:
    camera = Pinhole((192, 108), 150.0, bend, (0.0, 0.0, 700.0), 0.0, 0.0)
    point = np.array([[x_mm, y_mm]])
    frame = camera.frame_points(point)[0]
    map_x, map_y = camera.lens_map()
    assert map_x.shape == (108, 192)
    at_x, at_y = (np.array([[value]], np.float32) for value in frame)
    looked = [cv2.remap(values, at_x, at_y, cv2.INTER_LINEAR)[0, 0] for values in (map_x, map_y)]
    np.testing.assert_allclose(looked, camera.project(point)[0], atol=0.1)


@pytest.mark.parametrize("conditions", [Conditions(), *STRESSES["wide-lens"], Conditions(distortion=0.05)])
def test_every_pixel_of_the_frame_looks_into_the_pinhole_picture(conditions: Conditions) -> None:
    camera = pinhole_for(conditions.but(width_px=384, height_px=216), np.random.default_rng(2))
    map_x, map_y = camera.lens_map()
    assert map_x.min() >= 0
    assert map_y.min() >= 0
    assert map_x.max() <= camera.canvas_px[0] - 1
    assert map_y.max() <= camera.canvas_px[1] - 1


def test_a_knock_shifts_the_picture_as_far_as_the_camera() -> None:
    moved = STRAIGHT_DOWN.moved((10.0, 0.0))
    point = np.array([[30.0, 40.0]])
    shift = moved.frame_points(point) - STRAIGHT_DOWN.frame_points(point)
    np.testing.assert_allclose(shift, [[-10 * 800 / 500, 0]], atol=1e-9)


def test_a_camera_is_set_up_by_hand_but_the_same_for_the_same_seed() -> None:
    one, same, other = (pinhole_for(Conditions(), np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert one == same
    assert one != other
    assert abs(one.roll_deg) < 3
