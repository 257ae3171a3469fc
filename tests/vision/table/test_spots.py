"""Test comparing spots of a table before and after."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.table.canvas import CELL_PX, CanvasView
from vision.table.spots import Glance, Spot, compare, light_between, spot_of

SQUARE = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]]) * CELL_PX
HERE = SQUARE + np.array([100.0, 80.0])

Picture = NDArray[np.uint8]


def view_of(image: Picture) -> CanvasView:
    return CanvasView(image.astype(np.float32), np.ones(image.shape[:2], np.bool_))


def cloth(seed: int = 1) -> Picture:
    """A grey table with a weave, 240 x 200 pixels."""
    rng = np.random.default_rng(seed)
    weave = cv2.GaussianBlur(rng.normal(128, 30, (200, 240, 3)), (0, 0), 1.5)
    return np.clip(weave, 0, 255).astype(np.uint8)


def with_piece(image: Picture, at: NDArray[np.float64] = HERE, seed: int = 7) -> Picture:
    """Return such a table with a dotted piece."""
    rng = np.random.default_rng(seed)
    laid = image.copy()
    cv2.fillPoly(laid, [np.rint(at).astype(np.int32)], (60, 90, 190))
    for x, y in rng.uniform(at.min(axis=0) + 4, at.max(axis=0) - 4, (12, 2)):
        cv2.circle(laid, (int(x), int(y)), 2, (230, 240, 250), -1)
    return laid


def spot(others: tuple[NDArray[np.float64], ...] = ()) -> Spot:
    found = spot_of(view_of(with_piece(cloth())), HERE, others)
    assert found is not None
    return found


def glance(image: Picture, seen: Spot | None = None) -> Glance:
    found = compare(seen or spot(), view_of(image))
    assert found is not None
    return found


def test_a_piece_that_lies_there_still_is_alike() -> None:
    now = glance(with_piece(cloth()))
    assert now.alike > 0.99
    assert now.disturbed == 0.0


@pytest.mark.parametrize("gain", [0.6, 1.4])
def test_another_light_makes_it_no_other_piece(gain: float) -> None:
    lit = np.clip(with_piece(cloth()) * gain, 0, 255).astype(np.uint8)
    found = compare(spot(), view_of(lit), light_between(view_of(with_piece(cloth())), view_of(lit)))
    assert found is not None
    now = found
    assert now.alike > 0.9
    assert now.disturbed < 0.1


def test_a_piece_that_was_brushed_is_found_nearby() -> None:
    now = glance(with_piece(cloth(), HERE + np.array([2.0, -3.0])))
    assert now.alike > 0.85
    assert now.slid == (2, -3)


def test_where_it_has_gone_the_bare_cloth_is_not_alike() -> None:
    now = glance(cloth())
    assert now.alike < 0.5
    assert now.disturbed < 0.05


def test_another_piece_in_its_place_is_not_alike() -> None:
    other = cloth()
    cv2.fillPoly(other, [np.rint(HERE).astype(np.int32)], (90, 160, 60))
    for x in range(100, 120, 4):
        cv2.line(other, (x, 80), (x, 100), (20, 30, 60), 2)
    assert glance(other).alike < 0.6


def test_a_hand_over_it_is_noticed_by_the_table_around() -> None:
    covered = with_piece(cloth())
    cv2.rectangle(covered, (60, 60), (112, 200), (110, 150, 210), -1)
    assert glance(covered).disturbed > 0.3
    cv2.rectangle(covered, (60, 40), (170, 200), (110, 150, 210), -1)
    assert glance(covered).disturbed > 0.9


def test_what_becomes_of_the_neighbours_does_not_count() -> None:
    beside = SQUARE + np.array([100.0 + 2.4 * CELL_PX, 80.0])
    before = with_piece(with_piece(cloth()), beside, seed=9)
    seen = spot_of(view_of(before), HERE, [beside])
    assert seen is not None
    assert glance(with_piece(cloth()), seen=seen).disturbed < 0.05


def test_only_what_is_all_in_the_picture_can_be_watched() -> None:
    assert spot_of(view_of(with_piece(cloth())), SQUARE) is None
    out = CanvasView(view_of(cloth()).picture, np.indices((200, 240))[1] > 110)
    assert spot_of(out, HERE) is None
    assert compare(spot(), out) is None
