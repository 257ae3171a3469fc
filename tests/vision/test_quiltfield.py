"""The exact probabilities of a field, held against sums over whole rows and against laws."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.quiltfield import BARE, COVERED, Field, posterior
from vision.rectify import SIDE

if TYPE_CHECKING:
    from numpy.typing import NDArray

_CASES = np.array([[case >> column & 1 for column in range(SIDE)] for case in range(1 << SIDE)])


def _field(seed: int, strength: float = 1.0) -> Field:
    rng = np.random.default_rng(seed)
    shapes = (SIDE, SIDE, 2), (SIDE, SIDE - 1, 2, 2), (SIDE - 1, SIDE, 2, 2)
    cells, beside, below = (rng.normal(0.0, strength, shape) for shape in shapes)
    return Field(cells, beside, below)


def _row(field: Field, row: int) -> NDArray[np.float64]:
    """The log-weight of each of the 512 cases of a row by itself."""
    cells = sum(field.cells[row, column, _CASES[:, column]] for column in range(SIDE))
    pairs = sum(
        field.beside[row, column, _CASES[:, column], _CASES[:, column + 1]] for column in range(SIDE - 1)
    )
    return np.asarray(cells + pairs)


def _by_rows(field: Field) -> tuple[NDArray[np.float64], float]:
    """Probabilities of the last row and the log-weight of all, row by row: slower, and another way."""
    weights = _row(field, 0)
    for row in range(1, SIDE):
        joint = weights[:, None] + sum(
            field.below[row - 1, column, _CASES[:, column][:, None], _CASES[:, column][None]]
            for column in range(SIDE)
        )
        top = joint.max()
        weights = np.log(np.exp(joint - top).sum(axis=0)) + top + _row(field, row)
    shares = np.exp(weights - weights.max())
    return shares @ _CASES / shares.sum(), float(np.log(shares.sum()) + weights.max())


@pytest.mark.parametrize("strength", [0.5, 3.0])
def test_all_ways_are_counted(strength: float) -> None:
    field = _field(3, strength)
    covered, log_weight = _by_rows(field)
    found = posterior(field)
    np.testing.assert_allclose(found.covered[-1], covered, atol=1e-9)
    assert found.log_weight == pytest.approx(log_weight)


def test_neighbours_that_know_nothing_leave_each_cell_to_itself() -> None:
    field = _field(4)
    alone = Field(field.cells, np.zeros_like(field.beside), np.zeros_like(field.below))
    odds = field.cells[..., COVERED] - field.cells[..., BARE]
    np.testing.assert_allclose(posterior(alone).covered, 1 / (1 + np.exp(-odds)), atol=1e-9)


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_a_field_on_its_side_says_the_same_on_its_side(seed: int) -> None:
    field = _field(seed)
    turned = Field(
        field.cells.transpose(1, 0, 2), field.below.transpose(1, 0, 2, 3), field.beside.transpose(1, 0, 2, 3)
    )
    np.testing.assert_allclose(posterior(turned).covered, posterior(field).covered.T, atol=1e-9)


def test_swapping_bare_and_covered_turns_the_probabilities_round() -> None:
    field = _field(6)
    swapped = Field(field.cells[..., ::-1], field.beside[..., ::-1, ::-1], field.below[..., ::-1, ::-1])
    np.testing.assert_allclose(posterior(swapped).covered, 1 - posterior(field).covered, atol=1e-9)


def test_evidence_travels_along_neighbours_that_agree() -> None:
    cells = np.zeros((SIDE, SIDE, 2))
    cells[4, 4, COVERED] = 5.0
    agree = np.array([[2.0, 0.0], [0.0, 2.0]])
    field = Field(cells, np.tile(agree, (SIDE, SIDE - 1, 1, 1)), np.tile(agree, (SIDE - 1, SIDE, 1, 1)))
    covered = posterior(field).covered
    assert covered[4, 4] > covered[4, 5] > 0.9
    assert covered[0, 0] > 0.9
