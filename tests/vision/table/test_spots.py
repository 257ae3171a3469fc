"""Test a pawn on a drawn table: learnt when it has left, and found by its colour."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.table.plane import CELL_PX, CanvasView
from vision.table.spots import Glance, Pawn, Spot, compare, find_pawn, left_from, light_between, spot_of, standing_at

SQUARE = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]]) * CELL_PX
SPOT = SQUARE + np.array([100.0, 80.0])

Picture = NDArray[np.uint8]


def view_of(image: Picture) -> CanvasView:
    return CanvasView(image.astype(np.float32), np.ones(image.shape[:2], np.bool_))


def cloth(seed: int = 1) -> Picture:
    """A grey table with a weave, 240 x 200 pixels."""
    rng = np.random.default_rng(seed)
    weave = cv2.GaussianBlur(rng.normal(128, 30, (200, 240, 3)), (0, 0), 1.5)
    return np.clip(weave, 0, 255).astype(np.uint8)


def with_piece(image: Picture, at: NDArray[np.float64] = SPOT, seed: int = 7) -> Picture:
    """Return such a table with a dotted piece."""
    rng = np.random.default_rng(seed)
    laid = image.copy()
    cv2.fillPoly(laid, [np.rint(at).astype(np.int32)], (60, 90, 190))
    for x, y in rng.uniform(at.min(axis=0) + 4, at.max(axis=0) - 4, (12, 2)):
        cv2.circle(laid, (int(x), int(y)), 2, (230, 240, 250), -1)
    return laid


def spot(others: tuple[NDArray[np.float64], ...] = ()) -> Spot:
    found = spot_of(view_of(with_piece(cloth())), SPOT, others)
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
    now = glance(with_piece(cloth(), SPOT + np.array([2.0, -3.0])))
    assert now.alike > 0.85
    assert now.slid == (2, -3)


def test_bare_cloth_is_unlike_the_piece_that_lay_there() -> None:
    now = glance(cloth())
    assert now.alike < 0.5
    assert now.disturbed < 0.05


def test_another_piece_in_its_place_is_not_alike() -> None:
    other = cloth()
    cv2.fillPoly(other, [np.rint(SPOT).astype(np.int32)], (90, 160, 60))
    for x in range(100, 120, 4):
        cv2.line(other, (x, 80), (x, 100), (20, 30, 60), 2)
    assert glance(other).alike < 0.6


def test_a_hand_over_it_is_noticed_by_the_table_around() -> None:
    covered = with_piece(cloth())
    cv2.rectangle(covered, (60, 60), (112, 200), (110, 150, 210), -1)
    assert glance(covered).disturbed > 0.3
    cv2.rectangle(covered, (60, 40), (170, 200), (110, 150, 210), -1)
    assert glance(covered).disturbed > 0.9


def test_changes_of_neighbouring_pieces_do_not_count() -> None:
    beside = SQUARE + np.array([100.0 + 2.4 * CELL_PX, 80.0])
    before = with_piece(with_piece(cloth()), beside, seed=9)
    seen = spot_of(view_of(before), SPOT, [beside])
    assert seen is not None
    assert glance(with_piece(cloth()), seen=seen).disturbed < 0.05


def test_only_what_is_all_in_the_picture_can_be_watched() -> None:
    assert spot_of(view_of(with_piece(cloth())), SQUARE) is None
    out = CanvasView(view_of(cloth()).picture, np.indices((200, 240))[1] > 110)
    assert spot_of(out, SPOT) is None
    assert compare(spot(), out) is None


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


def test_a_pawn_that_left_is_learnt_without_its_shadow(pawn: Pawn) -> None:
    assert np.abs(np.exp(pawn.colour) - 8 - WOOD).max() < 12
    assert 35 <= pawn.size_px <= 75


def test_a_pawn_that_stands_alone_is_learnt(pawn: Pawn) -> None:
    found = standing_at(table(HERE), around(HERE), np.array(HERE, float))
    assert found is not None
    assert np.abs(found.colour - pawn.colour).max() < 0.1
    assert 0.7 <= found.size_px / pawn.size_px <= 1.4


def test_objects_elsewhere_or_of_another_size_are_not_learnt() -> None:
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


def test_an_unchanged_table_has_no_pawn_that_left() -> None:
    assert left_from(table(HERE), table(HERE), around(HERE)) is None
    assert left_from(table(), table(), around(HERE)) is None


def test_large_or_numerous_parts_are_no_pawn() -> None:
    assert left_from(table(HERE, radius=11), table(), around(HERE)) is None
    assert left_from(table((32, 44), (50, 60)), table(), around(HERE)) is None
    assert left_from(table(HERE), table(), np.zeros((100, 160), np.bool_)) is None
