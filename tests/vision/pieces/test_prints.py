"""Test that a second look learns a piece's print and what does not belong to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.geometry import Homography
from vision.pieces.fit import Fit, PiecePose
from vision.pieces.maps import MAP_PX, PieceMaps
from vision.pieces.prints import (
    GRID_PX,
    LOOK_PX,
    LOOKS,
    PrintModel,
    Swatch,
    log_odds,
    look_again,
    looks_of,
    mixed_print,
)
from vision.table.plane import OverheadView

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.pieces.fit import Cells


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


def test_the_direction_of_stripes_distinguishes_two_prints_of_the_same_colours() -> None:
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


def test_outliers_of_all_prints_count_against_the_piece() -> None:
    own, other = learnt(cloud(1, 0.0)), learnt(cloud(2, 4.0))
    strange = np.full((1, LOOKS), 60.0, np.float32)
    assert log_odds(strange, own, [other])[0] == pytest.approx(-2.0, abs=1e-3)
    assert log_odds(np.zeros((3, 2, LOOKS), np.float32), own, [other]).shape == (3, 2)


SIDE = 12
BAR3: Cells = ((0, 0), (0, 1), (0, 2))
TEE: Cells = ((0, 0), (0, 1), (0, 2), (1, 1))
RED, GROUND = (60, 50, 170), (140, 160, 180)
FIRST = (4.5, 5.5)
"""The middle of the piece's first cell, (x, y) in cells."""


@dataclass
class Table:
    """A drawn table and the maps of a network that sees too little of it."""

    picture: NDArray[np.uint8]
    seen: NDArray[np.bool_]
    maps: PieceMaps

    def again(self, *fits: Fit) -> PieceMaps:
        view = OverheadView(self.picture, self.seen, LOOK_PX, Homography(np.eye(3)), ())
        return look_again(view, self.maps, fits)


def fit(cells: Cells) -> Fit:
    return Fit(0, 0, cells, PiecePose(*FIRST, 0.0), 10.0)


def table(cells: Cells, unsure: Cells = (), colour: tuple[int, int, int] = RED) -> Table:
    """Return a piece of one colour on another; the network's log-odds are 0 for the unsure cells."""
    rng = np.random.default_rng(3)
    picture = np.empty((SIDE * LOOK_PX, SIDE * LOOK_PX, 3))
    picture[:] = GROUND
    piece = np.full((SIDE * MAP_PX,) * 2, -6, np.float32)
    rim = np.full_like(piece, -4)
    for row, column in cells:
        x, y = column + FIRST[0] - 0.5, row + FIRST[1] - 0.5
        picture[square(x, y, LOOK_PX)] = colour
        piece[square(x, y, MAP_PX)] = 0 if (row, column) in unsure else 5
    noisy = np.clip(picture + rng.normal(0, 6, picture.shape), 0, 255).astype(np.uint8)
    none = np.full_like(piece, -6)
    return Table(noisy, np.ones(noisy.shape[:2], np.bool_), PieceMaps(piece, rim, none.copy(), none, none))


def square(x: float, y: float, px: int) -> tuple[slice, slice]:
    return slice(round(y * px), round((y + 1) * px)), slice(round(x * px), round((x + 1) * px))


def cell(layer: NDArray[np.float32], row: int, column: int) -> float:
    """Return a layer's mean over the inner part of one of the piece's cells."""
    rows, columns = square(column + FIRST[0] - 0.5, row + FIRST[1] - 0.5, MAP_PX)
    return float(layer[rows.start + 1 : rows.stop - 1, columns.start + 1 : columns.stop - 1].mean())


def test_a_cell_of_the_same_print_belongs_to_the_piece() -> None:
    scene = table(TEE, unsure=((1, 1),))
    again = scene.again(fit(BAR3))
    assert cell(scene.maps.piece, 1, 1) == pytest.approx(0)
    assert cell(again.piece, 1, 1) > 3
    assert cell(again.piece, 1, 0) < -3, "and the ground beside it does not"
    assert cell(again.piece, 1, 2) < -3


def test_its_outline_runs_where_the_print_ends() -> None:
    again = table(TEE, unsure=((1, 1),)).again(fit(BAR3))
    below_stem, beside = (7, 5), (6, 6)  # (row, column) of the edges' corners on the table
    assert again.rim[round(below_stem[0] * MAP_PX), round(5.5 * MAP_PX)] > -2.5
    assert again.rim[round(6.5 * MAP_PX), round(beside[1] * MAP_PX)] > -2.5
    assert again.rim[round(6 * MAP_PX), round(5.5 * MAP_PX)] < -4, "there is none between two of its cells"


def test_an_object_beside_a_piece_is_none_of_its_cells() -> None:
    scene = table(BAR3)
    x, y = FIRST[0] + 1, FIRST[1] + 1
    cv2.circle(scene.picture, (round(x * LOOK_PX), round(y * LOOK_PX)), round(0.3 * LOOK_PX), (40, 90, 120), -1)
    rows, columns = square(x - 0.5, y - 0.5, MAP_PX)
    scene.maps.piece[rows, columns] = 2
    again = scene.again(fit(TEE))
    assert cell(again.piece, 1, 1) < 0
    assert cell(again.piece, 0, 1) > 3


def test_a_piece_is_looked_for_around_a_label_that_lies_on_none() -> None:
    scene = table(BAR3, unsure=BAR3)
    row, column = round(FIRST[1] * MAP_PX), round(FIRST[0] * MAP_PX)
    scene.maps.label[row - 1 : row + 1, column - 1 : column + 4] = 4
    assert cell(scene.again().piece, 0, 2) > 2


def test_a_print_like_the_ground_changes_nothing() -> None:
    scene = table(TEE, unsure=((1, 1),), colour=GROUND)
    again = scene.again(fit(BAR3))
    assert abs(cell(again.piece, 1, 1)) < 0.5


def test_pixels_outside_the_photograph_stay_unknown() -> None:
    scene = table(TEE, unsure=((1, 1),))
    scene.seen[round((FIRST[1] + 0.5) * LOOK_PX) :] = False
    again = scene.again(fit(BAR3))
    assert cell(again.piece, 1, 1) == pytest.approx(0)


def test_without_pieces_the_maps_stay_as_they_are() -> None:
    scene = table(BAR3)
    again = scene.again()
    np.testing.assert_array_equal(again.piece, np.clip(scene.maps.piece, -4, 4))
    np.testing.assert_array_equal(again.label, scene.maps.label)
