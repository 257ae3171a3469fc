from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

from companion.games.patchwork import PATCHES
from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing.footprint import Footprint, patch_footprint, rectangle
from hardware.simulated.drawing.pinhole import pinhole_for
from hardware.simulated.prints.boards import TIME_BOARD_MM
from hardware.simulated.prints.looks import the_mat
from hardware.simulated.scene.circle import OFF_TOKEN_MM, TOKEN_MM, Circle, lay_circle
from hardware.simulated.scene.elbow import seen_pieces
from hardware.simulated.scene.layout import Arrangement, Layout, arranged


def _table(arrangement: Arrangement, seed: int, touching: float = 0.0) -> tuple[Layout, tuple[str, ...], Circle]:
    conditions, rng = Conditions(touching=touching), np.random.default_rng(seed)
    layout = arranged(arrangement, conditions, rng, mats=arrangement is not Arrangement.OPPOSITE)
    market = tuple(str(patch) for patch in rng.permutation(sorted(PATCHES)))
    return layout, market, lay_circle(layout, market, conditions, rng)


def _footprints(circle: Circle) -> dict[str, Footprint]:
    return {patch: patch_footprint(patch, pose) for patch, pose in circle.places.items()}


@pytest.mark.parametrize("arrangement", Arrangement)
@pytest.mark.parametrize("seed", range(2))
def test_patches_lie_clear_of_one_another_and_of_all_else(arrangement: Arrangement, seed: int) -> None:
    layout, market, circle = _table(arrangement, seed)
    lying = _footprints(circle)
    assert tuple(circle.places) == market
    token = rectangle(circle.token, TOKEN_MM, TOKEN_MM)
    assert all(one.clearance_mm(other) > 0.6 for one, other in combinations(lying.values(), 2))
    assert all(patch.clearance_mm(token) > OFF_TOKEN_MM - 1.5 for patch in lying.values())
    mat = the_mat()
    boards = [board.on(page) for board, page in zip(layout.boards, layout.mats, strict=True)]
    others = [rectangle(board, mat.board_size_mm, mat.board_size_mm) for board in boards]
    others += [rectangle(page, *mat.page_mm) for page in layout.mats if layout.paper]
    others.append(rectangle(layout.time_board, TIME_BOARD_MM, TIME_BOARD_MM))
    assert all(patch.clearance_mm(other) > 1.0 for patch in lying.values() for other in others)


@pytest.mark.parametrize("arrangement", Arrangement)
def test_neighbours_lie_near_one_another_and_the_ring_is_closed(arrangement: Arrangement) -> None:
    _, market, circle = _table(arrangement, 3)
    lying = _footprints(circle)
    ring = [*(lying[patch] for patch in market), rectangle(circle.token, TOKEN_MM, TOKEN_MM)]
    gaps = [one.clearance_mm(other) for one, other in zip(ring, [*ring[1:], ring[0]], strict=True)]
    assert np.median(gaps) < 10.0
    assert sum(gap > 20.0 for gap in gaps) <= 4


@pytest.mark.parametrize("arrangement", Arrangement)
def test_the_circle_goes_once_round_the_time_board_clockwise(arrangement: Arrangement) -> None:
    layout, market, circle = _table(arrangement, 4)
    middle = layout.time_board
    ways = [np.arctan2(circle.places[p].y_mm - middle.y_mm, circle.places[p].x_mm - middle.x_mm) for p in market]
    ways.append(float(np.arctan2(circle.token.y_mm - middle.y_mm, circle.token.x_mm - middle.x_mm)))
    turns = np.diff(np.unwrap([*ways, ways[0]]))
    # With y towards the near edge, clockwise as seen from above is towards larger angles.
    assert turns.sum() == pytest.approx(2 * np.pi)
    assert (turns > -0.2).all()


def test_between_the_boards_the_camera_sees_nearly_always_all_of_it() -> None:
    seen = []
    for seed in range(5):
        _, _, circle = _table(Arrangement.BETWEEN, seed)
        camera = pinhole_for(Conditions(), np.random.default_rng(seed))
        seen.append(sum(piece.in_frame for piece in seen_pieces(circle.places, (), camera)))
    assert min(seen) >= 31
    assert seen.count(33) >= 2


def test_some_neighbours_touch_where_the_conditions_say_so() -> None:
    gaps = []
    for touching in (0.0, 0.5):
        _, market, circle = _table(Arrangement.ABOVE, 5, touching)
        lying = _footprints(circle)
        gaps.append([lying[one].clearance_mm(lying[other]) for one, other in pairwise(market)])
    assert min(gaps[0]) > 0.5
    assert 6 <= sum(gap < 1.6 for gap in gaps[1]) <= 26
    assert min(gaps[1]) > -1.0


def test_a_table_without_room_is_refused() -> None:
    layout, market, _ = _table(Arrangement.ABOVE, 0)
    with pytest.raises(ValueError, match="no room on the table for a circle of 330 patches"):
        lay_circle(layout, market * 10, Conditions(), np.random.default_rng(0))


def test_the_same_hand_lays_the_same_circle() -> None:
    assert _table(Arrangement.ABOVE, 6)[2] == _table(Arrangement.ABOVE, 6)[2] != _table(Arrangement.ABOVE, 7)[2]
