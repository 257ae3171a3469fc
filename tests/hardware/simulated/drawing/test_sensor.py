from __future__ import annotations

import numpy as np
import pytest

from hardware.simulated.drawing.sensor import Sensor

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
