"""Test learning prints from points of them and distinguishing them from others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.geometry.homography import Homography
from vision.pieces.prints import GRID_PX, LOOK_PX, LOOKS, PrintModel, Swatch, log_odds, looks_of, mixed_print
from vision.table.plane import OverheadView

if TYPE_CHECKING:
    from numpy.typing import NDArray


def cloud(seed: int, middle: float, count: int = 400, spread: float = 0.5) -> NDArray[np.float32]:
    return np.random.default_rng(seed).normal(middle, spread, (count, LOOKS)).astype(np.float32)


def learnt(looks: NDArray[np.float32]) -> PrintModel:
    found = Swatch.of(looks).as_print()
    assert found is not None
    return found


def view_of(picture: NDArray[np.uint8]) -> OverheadView:
    return OverheadView(picture, np.ones(picture.shape[:2], np.bool_), LOOK_PX, Homography(np.eye(3)), ())


def stripes(along: int) -> NDArray[np.uint8]:
    """Return six by six cells with stripes along an axis, both kinds equally wide."""
    side = 6 * LOOK_PX
    light = np.where(np.indices((side, side))[along] // 4 % 2, 190, 70).astype(np.uint8)
    return np.dstack([light] * 3)


def test_a_look_for_every_point_of_the_grid() -> None:
    looks = looks_of(view_of(stripes(0)))
    assert looks.shape == (6 * GRID_PX, 6 * GRID_PX, LOOKS)
    assert looks.dtype == np.float32
    assert np.isfinite(looks).all()


def test_which_way_stripes_run_tells_two_prints_of_the_same_colours_apart() -> None:
    lying, standing = (looks_of(view_of(stripes(along)))[8:-8, 8:-8].reshape(-1, LOOKS) for along in (0, 1))
    odds = log_odds(lying, learnt(lying), [learnt(standing)])
    assert (odds > 3).mean() > 0.95
    assert (log_odds(standing, learnt(lying), [learnt(standing)]) < -3).mean() > 0.95


@given(st.integers(0, 99), st.integers(1, 399))
def test_swatches_put_together_are_as_good_as_one(seed: int, cut: int) -> None:
    looks = cloud(seed, 1.0)
    together = Swatch.together([Swatch.of(looks[:cut]), Swatch.of(looks[cut:])]).as_print()
    assert together is not None
    assert together.means == pytest.approx(learnt(looks).means, abs=1e-5)
    assert together.logs(looks) == pytest.approx(learnt(looks).logs(looks), abs=1e-2)


@pytest.mark.parametrize("count", [0, 1, 59])
def test_too_few_points_tell_nothing(count: int) -> None:
    assert Swatch.of(cloud(1, 0.0, count)).as_print() is None
    assert mixed_print(cloud(1, 0.0, count), 4) is None
    assert Swatch.together([]).as_print() is None


def test_a_chequered_ground_has_several_kinds() -> None:
    both = np.concatenate([cloud(1, -3.0), cloud(2, 3.0)])
    ground = mixed_print(both, 2)
    assert ground is not None
    assert sorted(ground.means.mean(axis=1).tolist()) == pytest.approx([-3, 3], abs=0.1)
    between = np.zeros((1, LOOKS), np.float32)
    assert ground.logs(between)[0] < ground.logs(both).min(), "what lies between the kinds is neither"


def test_the_same_ground_is_always_learnt_alike() -> None:
    looks = np.concatenate([cloud(1, -1.0), cloud(2, 1.0), cloud(3, 2.0)])
    one, other = mixed_print(looks, 4), mixed_print(looks.copy(), 4)
    assert one is not None
    assert other is not None
    np.testing.assert_array_equal(one.means, other.means)


def test_what_is_strange_to_all_is_rather_not_the_pieces_own() -> None:
    own, other = learnt(cloud(1, 0.0)), learnt(cloud(2, 4.0))
    strange = np.full((1, LOOKS), 60.0, np.float32)
    assert log_odds(strange, own, [other])[0] == pytest.approx(-2.0, abs=1e-3)
    assert log_odds(np.zeros((3, 2, LOOKS), np.float32), own, [other]).shape == (3, 2)
