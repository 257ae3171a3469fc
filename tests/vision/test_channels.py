"""Test that reductions over a picture's channels equal NumPy's, bit for bit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from vision import channels

if TYPE_CHECKING:
    from numpy.typing import NDArray

_RNG = np.random.default_rng(4)
LOGS = _RNG.normal(0, 3, (61, 83, 3)).astype(np.float32)
GREYS = _RNG.integers(0, 256, (61, 83, 3), np.uint8)


@pytest.mark.parametrize("picture", [LOGS, GREYS, LOGS[3:50:2, 1:70], GREYS[:, 5:9]])
def test_extremes_are_those_of_each_pixel(picture: NDArray[np.float32]) -> None:
    for reduced, expected in (
        (channels.brightest(picture), picture.max(axis=2)),
        (channels.darkest(picture), picture.min(axis=2)),
    ):
        assert reduced.dtype == expected.dtype
        np.testing.assert_array_equal(reduced, expected)


@pytest.mark.parametrize("colours", [LOGS, LOGS[3:50:2, 1:70], np.moveaxis(LOGS.transpose(2, 0, 1).copy(), 0, -1)])
def test_sums_are_numpys_to_the_last_bit(colours: NDArray[np.float32]) -> None:
    for reduced, expected in (
        (channels.total(colours), colours.sum(axis=2)),
        (channels.mean(colours), colours.mean(axis=2)),
        (channels.length(colours), np.linalg.norm(colours, axis=2)),
    ):
        assert reduced.dtype == expected.dtype
        np.testing.assert_array_equal(reduced, expected)
