"""Test the probabilities of patches for each piece, when no patch occurs twice."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.patchwork.circle.naming import marginals

if TYPE_CHECKING:
    from numpy.typing import NDArray


def shares(rows: list[list[float]]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the weights of each patch and of none, which sum to 1 for each piece."""
    weights = np.array(rows)
    return weights, 1 - weights.sum(axis=1)


def test_a_piece_alone_is_what_speaks_for_it() -> None:
    weights, none = shares([[0.6, 0.3, 0.0]])
    assert marginals(weights, none, np.ones(1, np.bool_)) == pytest.approx(weights, abs=1e-6)


def test_a_name_that_is_surely_another_piece_s_is_excluded() -> None:
    weights, none = shares([[0.5, 0.499, 0.0], [0.999, 0.0, 0.0]])
    told = marginals(weights, none, np.ones(2, np.bool_))
    assert told[0, 1] > 0.99
    assert told[1, 0] > 0.99


def test_two_that_claim_one_patch_alike_share_it() -> None:
    weights, none = shares([[0.9, 0.0], [0.9, 0.0]])
    told = marginals(weights, none, np.ones(2, np.bool_))
    assert told[0, 0] == pytest.approx(told[1, 0])
    assert told[:, 0].sum() <= 1.01


def test_a_claim_that_is_not_firm_takes_nothing() -> None:
    weights, none = shares([[0.9, 0.0, 0.0, 0.0], [0.9, 0.0, 0.0, 0.0]])
    told = marginals(weights, none, np.array([True, False]))
    assert told[0, 0] == pytest.approx(0.9)
    assert told[1, 0] < 0.5


def test_a_full_box_gives_each_piece_what_all_the_ways_to_share_it_out_give() -> None:
    rng = np.random.default_rng(3)
    raw = rng.random((4, 4)) ** 6 + np.eye(4)
    weights = raw / (raw.sum(axis=1, keepdims=True) + 1e-6)
    exact = np.zeros((4, 4))
    for order in permutations(range(4)):
        exact[range(4), order] += np.prod(weights[range(4), order])
    told = marginals(weights, 1 - weights.sum(axis=1), np.ones(4, np.bool_))
    assert told == pytest.approx(exact / exact.sum(axis=1, keepdims=True), abs=0.05)
