"""Test the best assignment by comparison with all others."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.patchwork.circle.naming import assign


@given(st.integers(0, 5), st.integers(0, 2), st.integers(0, 2**32 - 1))
def test_no_other_assignment_is_worth_more(rows: int, spare: int, seed: int) -> None:
    worth = np.random.default_rng(seed).integers(-9, 10, (rows, rows + spare)).astype(np.float64)
    picked = assign(worth)
    assert len(set(picked.tolist())) == rows
    orders = permutations(range(rows + spare), rows)
    best = max(sum(worth[row, column] for row, column in enumerate(order)) for order in orders)
    assert worth[np.arange(rows), picked].sum() == pytest.approx(best)


def test_a_row_gives_way_where_another_needs_its_column_more() -> None:
    assert assign(np.array([[5.0, 4.0], [5.0, 0.0]])).tolist() == [1, 0]


def test_too_few_columns() -> None:
    with pytest.raises(ValueError, match="3 rows cannot have 2 columns"):
        assign(np.zeros((3, 2)))
