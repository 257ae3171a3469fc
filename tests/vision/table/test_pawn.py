"""Test a pawn on a drawn table: learnt when it has left, and found by its colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.table.canvas import CanvasView
from vision.table.pawn import Pawn, find_pawn, left_from, standing_at

if TYPE_CHECKING:
    from numpy.typing import NDArray

WOOD, BLUE = (60, 110, 170), (190, 110, 40)
HERE, THERE = (40, 50), (120, 60)


def table(
    *pawns: tuple[int, int], colour: tuple[int, int, int] = WOOD, gain: float = 1.0, radius: int = 4
) -> CanvasView:
    """A woven table, 160 x 100, with pawns that have a shadow."""
    rng = np.random.default_rng(4)
    cloth = np.clip(cv2.GaussianBlur(rng.normal(140, 20, (100, 160, 3)), (0, 0), 1.0), 0, 255)
    for x, y in pawns:
        cv2.ellipse(cloth, (x + 3, y + 3), (radius, radius), 0, 0, 360, (100, 100, 100), -1)
        cv2.circle(cloth, (x, y), radius, colour, -1)
        cv2.circle(cloth, (x - 1, y - 1), 1, tuple(1.25 * each for each in colour), -1)
    return CanvasView((cloth * gain).astype(np.float32), np.ones((100, 160), np.bool_))


def around(place: tuple[int, int], reach: int = 16) -> NDArray[np.bool_]:
    region = np.zeros((100, 160), np.bool_)
    region[place[1] - reach : place[1] + reach, place[0] - reach : place[0] + reach] = True
    return region


EVERYWHERE = np.ones((100, 160), np.bool_)


@pytest.fixture(scope="module")
def pawn() -> Pawn:
    found = left_from(table(HERE), table(THERE), around(HERE))
    assert found is not None
    return found


def test_what_has_left_is_learnt_without_its_shadow(pawn: Pawn) -> None:
    assert np.abs(np.exp(pawn.colour) - 8 - WOOD).max() < 12
    assert 35 <= pawn.size_px <= 75


def test_what_stands_alone_is_learnt_where_it_stands(pawn: Pawn) -> None:
    found = standing_at(table(HERE), around(HERE), np.array(HERE, float))
    assert found is not None
    assert np.abs(found.colour - pawn.colour).max() < 0.1
    assert 0.7 <= found.size_px / pawn.size_px <= 1.4


def test_what_stands_elsewhere_or_is_no_pawn_is_not_learnt() -> None:
    assert standing_at(table(), around(HERE), np.array(HERE, float)) is None
    assert standing_at(table(HERE), around(HERE), np.array(HERE, float) + 9) is None
    assert standing_at(table(HERE, radius=14), around(HERE), np.array(HERE, float)) is None
    assert standing_at(table(HERE, (50, 60)), around(HERE), np.array(HERE, float)) is None


def test_it_is_found_where_it_stands_now(pawn: Pawn) -> None:
    found = find_pawn(pawn, table(THERE), EVERYWHERE)
    assert found is not None
    rows, columns = np.nonzero(found)
    assert np.hypot(columns.mean() - THERE[0], rows.mean() - THERE[1]) < 2
    assert find_pawn(pawn, table(THERE), around(HERE)) is None


def test_a_brighter_place_hides_nothing(pawn: Pawn) -> None:
    assert find_pawn(pawn, table(THERE, gain=1.15), EVERYWHERE) is not None


def test_another_colour_or_size_is_another_thing(pawn: Pawn) -> None:
    assert find_pawn(pawn, table(THERE, colour=BLUE), EVERYWHERE) is None
    assert find_pawn(pawn, table(THERE, radius=9), EVERYWHERE) is None


def test_of_two_alike_neither_is_it(pawn: Pawn) -> None:
    assert find_pawn(pawn, table(HERE, THERE), EVERYWHERE) is None


def test_on_a_ground_of_its_colour_it_is_not_told(pawn: Pawn) -> None:
    wood = table(THERE)
    wood.picture[10:20, 10:150] = WOOD
    assert find_pawn(pawn, wood, EVERYWHERE) is None


def test_where_nothing_has_left_nothing_is_learnt() -> None:
    assert left_from(table(HERE), table(HERE), around(HERE)) is None
    assert left_from(table(), table(), around(HERE)) is None


def test_what_is_too_large_or_not_alone_is_no_pawn() -> None:
    assert left_from(table(HERE, radius=11), table(), around(HERE)) is None
    assert left_from(table((32, 44), (50, 60)), table(), around(HERE)) is None
    assert left_from(table(HERE), table(), np.zeros((100, 160), np.bool_)) is None
