"""Test which fits overlap."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.pieces.choice import shared_cells, uncovered
from vision.pieces.fit import Fit, PiecePose

SQUARE = ((0, 0), (0, 1), (1, 0), (1, 1))
BAR = ((0, 0), (0, 1), (0, 2))


def fit(x: float, cells: tuple[tuple[int, int], ...] = SQUARE, quality: float = 0.9, angle_deg: float = 0.0) -> Fit:
    perfect = Fit(0, 0, cells, PiecePose(x, 0.0, angle_deg), 1.0)
    return replace(perfect, score=quality / perfect.quality)


def test_a_fit_shares_all_its_cells_with_one_like_it_and_none_with_itself() -> None:
    shared = shared_cells([fit(3.0), fit(3.0), fit(9.0)])
    assert shared == pytest.approx(np.array([[0, 4, 0], [4, 0, 0], [0, 0, 0.0]]))


def test_fits_of_different_sizes_share_where_they_meet() -> None:
    assert shared_cells([fit(0.0), fit(1.0, BAR)])[0, 1] == pytest.approx(1.0)
    assert shared_cells([fit(0.0), fit(1.5, BAR)])[0, 1] == pytest.approx(0.5)


def test_the_shared_area_is_the_sum_over_pairs_of_cells() -> None:
    rng = np.random.default_rng(4)
    fits = [fit(float(rng.uniform(0, 9)), BAR if n % 2 else SQUARE, angle_deg=float(rng.uniform(0, 90)))
            for n in range(30)]  # fmt: skip
    shared = shared_cells(fits)
    for one in range(30):
        for other in range(one):
            apart = np.hypot(*np.moveaxis(fits[one].middles[:, None] - fits[other].middles, -1, 0))
            assert shared[one, other] == pytest.approx(np.clip(1 - apart, 0, 1).sum(), abs=1e-4)
    assert (shared == shared.T).all()


def test_nothing_shares_nothing() -> None:
    assert shared_cells([]).shape == (0, 0)
    assert uncovered([], 0.3) == []


def test_a_fit_under_a_far_better_one_is_left_out() -> None:
    best, worse, aside = fit(0.0), fit(0.1, quality=0.4), fit(3.0, quality=0.4)
    assert uncovered([best, worse, aside], 0.3) == [best, aside]
    assert uncovered([best, worse, aside], 0.6) == [best, worse, aside]


def test_a_smaller_fit_covers_no_larger_one() -> None:
    small, large = fit(0.0, BAR), fit(0.0, quality=0.4)
    assert uncovered([small, large], 0.3) == [small, large]


def test_a_dropped_fit_covers_nothing() -> None:
    """The third is under the second, but hardly under the first."""
    first, second, third = fit(0.0, BAR), fit(0.55, BAR, 0.55), fit(1.1, BAR, 0.2)
    assert uncovered([first, second, third], 0.3) == [first, third]
