"""Test what a worse camera does to a picture."""

import math

import cv2
import numpy as np
import pytest

from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing import Image, bytes_of, clipped, floats_of
from hardware.simulated.optics import EVENING_S, Optics

STEADY = Conditions(noise=0.0)


@pytest.fixture(scope="module")
def table() -> Image:
    """A picture with structure of all sizes."""
    rng = np.random.default_rng(1)
    coarse, middle = (cv2.resize(bytes_of(rng.integers(40, 200, (n, n, 3))), (480, 270)) for n in (5, 60))
    fine = cv2.GaussianBlur(floats_of(rng.normal(0, 40, (270, 480, 3))), (0, 0), 0.8)
    return clipped(floats_of(coarse) / 2 + floats_of(middle) / 2 + fine)


def _optics(**strengths: float) -> Optics:
    return Optics(STEADY.but(**strengths), np.random.default_rng(2))


def _shift_px(one: Image, other: Image) -> float:
    first, second = (floats_of(cv2.cvtColor(each, cv2.COLOR_BGR2GRAY))[40:-40, 40:-40] for each in (one, other))
    (right, down), _ = cv2.phaseCorrelate(first, second)
    return math.hypot(right, down)


def _sharpness(image: Image) -> float:
    return float(cv2.Laplacian(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.CV_32F).std())


def test_a_good_camera_changes_nothing(table: Image) -> None:
    optics = _optics()
    seen = optics.processed(optics.exposed(optics.through_lens(table, 100.0)))
    np.testing.assert_array_equal(seen, table)


def test_the_same_seed_gives_the_same_evening(table: Image) -> None:
    one, other = (_optics(sway_px=1.0, flicker=0.1, hunting=0.2, veil=0.3, breathing=0.003) for _ in range(2))
    for t_s in (0.0, 1.0):
        first, second = (each.exposed(each.through_lens(table, t_s)) for each in (one, other))
        np.testing.assert_array_equal(first, second)


def test_a_stand_sways_about_its_place(table: Image) -> None:
    optics = _optics(sway_px=1.4)
    shifts = [_shift_px(table, optics.through_lens(table, float(t_s))) for t_s in range(12)]
    assert 0.7 < np.mean(shifts) < 3.0
    assert max(shifts) < 7


def test_an_arm_sags_in_the_course_of_an_evening(table: Image) -> None:
    optics = _optics(sag_px=18.0)
    early, late = (optics.through_lens(table, share * EVENING_S) for share in (0.0, 1.0))
    assert _shift_px(table, early) < 0.1
    assert 15 < _shift_px(table, late) < 21


def test_a_lens_breathes_in_size_and_in_focus(table: Image) -> None:
    optics = _optics(breathing=0.003)
    seen = [_sharpness(optics.through_lens(table, 0.0)) for _ in range(12)]
    assert max(seen) > 1.5 * min(seen)


def test_flicker_lies_in_bands_along_the_rows_that_wander(table: Image) -> None:
    grey = np.full_like(table, 120)
    optics = _optics(flicker=0.14)
    one, other = (optics.exposed(grey).astype(float) for _ in range(2))
    assert np.ptp(one, axis=1).max() == 0
    assert 10 < np.ptp(one[:, 0, 0]) < 20
    assert np.abs(one - other).max() > 3


def test_exposure_hunts_within_its_limit(table: Image) -> None:
    optics = _optics(hunting=0.25)
    levels = [float(optics.exposed(table).mean() / table.mean()) for _ in range(60)]
    assert 1.05 < max(levels) < 1.15
    assert 0.87 < min(levels) < 0.95


def test_a_veil_takes_contrast_and_detail(table: Image) -> None:
    mild, thick = (_optics(veil=share).through_lens(table, 0.0) for share in (0.16, 0.38))
    assert table.std() > mild.std() > thick.std()
    assert _sharpness(table) > _sharpness(mild) > _sharpness(thick)


def test_a_phone_evens_out_dark_and_bright_parts(table: Image) -> None:
    uneven = bytes_of(table * np.linspace(0.4, 1.0, table.shape[1])[None, :, None])
    seen = _optics(tone_mapping=0.8).processed(uneven)
    left, right = (slice(None), slice(0, 120)), (slice(None), slice(-120, None))
    assert seen[left].mean() / seen[right].mean() > 1.15 * uneven[left].mean() / uneven[right].mean()


def test_fewer_pixels_lose_detail(table: Image) -> None:
    assert _sharpness(_optics(detail=0.55).processed(table)) < 0.8 * _sharpness(table)
