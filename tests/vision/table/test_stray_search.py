"""Test finding pieces that were pushed aside on a drawn table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.table.plane import CELL_PX, CanvasView
from vision.table.spots import Spot, compare, spot_of
from vision.table.stray_search import find_slid, find_strayed

if TYPE_CHECKING:
    from numpy.typing import NDArray

SAME = np.ones(3)
TEE = np.array([[-1.5, -1], [1.5, -1], [1.5, 0], [0.5, 0], [0.5, 1], [-0.5, 1], [-0.5, 0], [-1.5, 0]]) * CELL_PX
HERE = np.array([110.0, 90.0])


def turned(outline: NDArray[np.float64], angle_deg: float, to: NDArray[np.float64]) -> NDArray[np.float64]:
    angle = np.radians(angle_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray(outline @ turn.T + to)


def table(to: NDArray[np.float64] | None, angle_deg: float = 0.0, gain: float = 1.0) -> CanvasView:
    """A woven table, 240 x 200, with a printed tee on it, drawn twice as fine and made smaller."""
    rng = np.random.default_rng(2)
    fine = np.clip(cv2.GaussianBlur(rng.normal(120, 40, (400, 480, 3)), (0, 0), 2.5), 0, 255).astype(np.uint8)
    if to is not None:
        cv2.fillPoly(fine, [np.rint(2 * turned(TEE, angle_deg, to)).astype(np.int32)], (60, 150, 200))
        for x, y in np.random.default_rng(5).uniform(-1.4, 1.4, (40, 2)) * CELL_PX:
            if cv2.pointPolygonTest(TEE.astype(np.float32), (x, y), True) > 2:
                dot = np.rint(2 * turned(np.array([[x, y]]), angle_deg, to)[0]).astype(int).tolist()
                cv2.circle(fine, dot, 3, (240, 30, 60) if x > 0 else (20, 60, 30), -1)
    small = cv2.resize(fine, (240, 200), interpolation=cv2.INTER_AREA).astype(np.float32)
    return CanvasView(small * np.float32(gain), np.ones((200, 240), np.bool_))


@pytest.fixture(scope="module")
def spot() -> Spot:
    found = spot_of(table(HERE), TEE + HERE)
    assert found is not None
    return found


@pytest.mark.parametrize(("by", "angle"), [((31, -22), 0.0), ((-18, 26), 40.0), ((12, 9), 171.0), ((0, 0), -90.0)])
def test_a_piece_that_was_pushed_and_turned_is_found(spot: Spot, by: tuple[int, int], angle: float) -> None:
    there = HERE + np.array(by)
    found = find_strayed(spot, table(there, angle), SAME)
    assert found is not None
    assert (
        np.hypot(*(found.spot.middle - (turned(TEE, angle, there).min(0) + turned(TEE, angle, there).max(0)) / 2)) < 2.5
    )
    assert abs((found.turned_deg - angle + 180) % 360 - 180) <= 5
    assert np.abs(found.spot.outline - turned(TEE, angle, there)).max() < 3


def test_from_then_on_it_is_watched_there(spot: Spot) -> None:
    there = HERE + np.array([25.0, 20.0])
    found = find_strayed(spot, table(there, 30.0, gain=0.7), np.full(3, 0.7))
    assert found is not None
    now, later = compare(found.spot, table(there, 30.0)), compare(found.spot, table(None))
    assert now is not None
    assert later is not None
    assert now.alike > 0.85
    assert now.disturbed < 0.1
    assert later.alike < 0.5


def test_one_that_was_taken_away_is_not_found(spot: Spot) -> None:
    assert find_strayed(spot, table(None), SAME) is None


def test_it_is_not_looked_for_on_other_pieces_or_quilts(spot: Spot) -> None:
    there = HERE + np.array([25.0, 20.0])
    beside = np.array([[0.0, 0.0], [40.0, 0.0], [40.0, 40.0], [0.0, 40.0]])
    assert find_strayed(spot, table(there), SAME, [there - 20 + beside]) is None
    assert find_strayed(spot, table(there), SAME, [there - 90 + beside]) is not None


def test_too_far_away_it_is_another_matter(spot: Spot) -> None:
    assert find_strayed(spot, table(HERE + np.array([80.0, 60.0])), SAME) is None


def test_a_slide_is_followed_with_its_turn(spot: Spot) -> None:
    there = HERE + np.array([3.0, -2.0])
    found = find_slid(spot, table(there, 5.0), SAME, (3, -2))
    assert found is not None
    assert np.abs(found.spot.outline - turned(TEE, 5.0, there)).max() < 2
    assert find_slid(spot, table(None), SAME, (3, -2)) is None
