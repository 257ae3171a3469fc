"""Test distinguishing a blank picture from a dark table."""

from __future__ import annotations

import numpy as np
import pytest

from vision.blankness import is_blank

GREYS = (0, 40, 255)


def _noisy(picture: np.ndarray) -> np.ndarray:
    rng = np.random.default_rng(4)
    return np.clip(np.rint(picture + rng.normal(0.0, 6.0, picture.shape)), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("grey", GREYS)
def test_one_grey_is_blank_whatever_the_sensor_adds(grey: int) -> None:
    assert is_blank(_noisy(np.full((540, 960, 3), grey, np.float64)))


@pytest.mark.parametrize("grey", GREYS)
def test_a_board_in_it_is_something(grey: int) -> None:
    picture = np.full((540, 960, 3), grey, np.float64)
    picture[200:300, 300:450] += 30 if grey < 128 else -30
    assert not is_blank(_noisy(picture))


def test_a_picture_that_differs_in_one_colour_alone_is_not_blank() -> None:
    picture = np.full((540, 960, 3), 90.0)
    picture[:, 500:, 0] += 20
    assert not is_blank(_noisy(picture))
