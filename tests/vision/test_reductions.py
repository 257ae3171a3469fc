"""Test that quantiles equal NumPy's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision import reductions
from vision.reductions import quantiles

if TYPE_CHECKING:
    from numpy.typing import NDArray

_RNG = np.random.default_rng(4)
LOGS = _RNG.normal(0, 3, (61, 83, 3)).astype(np.float32)
GREYS = _RNG.integers(0, 256, (61, 83, 3), np.uint8)


@pytest.mark.parametrize("picture", [LOGS, GREYS, LOGS[3:50:2, 1:70], GREYS[:, 5:9]])
def test_extremes_are_those_of_each_pixel(picture: NDArray[np.float32]) -> None:
    for reduced, expected in (
        (reductions.brightest(picture), picture.max(axis=2)),
        (reductions.darkest(picture), picture.min(axis=2)),
    ):
        assert reduced.dtype == expected.dtype
        np.testing.assert_array_equal(reduced, expected)


@pytest.mark.parametrize("colours", [LOGS, LOGS[3:50:2, 1:70], np.moveaxis(LOGS.transpose(2, 0, 1).copy(), 0, -1)])
def test_sums_are_numpys_to_the_last_bit(colours: NDArray[np.float32]) -> None:
    for reduced, expected in (
        (reductions.total(colours), colours.sum(axis=2)),
        (reductions.mean(colours), colours.mean(axis=2)),
        (reductions.length(colours), np.linalg.norm(colours, axis=2)),
    ):
        assert reduced.dtype == expected.dtype
        np.testing.assert_array_equal(reduced, expected)


VALUES = st.lists(st.floats(-100, 100, width=32), min_size=1, max_size=30)


@given(VALUES, st.lists(st.floats(0, 1), min_size=1, max_size=3))
def test_they_are_those_of_numpy(values: list[float], shares: list[float]) -> None:
    given = np.array(values, np.float32)
    assert quantiles(given, *shares) == pytest.approx(np.quantile(given, shares).tolist(), abs=1e-4)
    assert given.tolist() == values
