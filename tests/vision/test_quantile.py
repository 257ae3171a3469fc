"""Test that quantiles equal NumPy's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.quantile import quantiles

VALUES = st.lists(st.floats(-100, 100, width=32), min_size=1, max_size=30)


@given(VALUES, st.lists(st.floats(0, 1), min_size=1, max_size=3))
def test_they_are_those_of_numpy(values: list[float], shares: list[float]) -> None:
    given = np.array(values, np.float32)
    assert quantiles(given, *shares) == pytest.approx(np.quantile(given, shares).tolist(), abs=1e-4)
    assert given.tolist() == values
