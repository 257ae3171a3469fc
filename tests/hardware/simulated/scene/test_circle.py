"""Test the circle of patches, its line, and the truth about it."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

from companion.games.patchwork.components import PATCHES
from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing.footprint import Footprint, patch_footprint, rectangle
from hardware.simulated.drawing.pinhole import pinhole_for
from hardware.simulated.prints.boards import TIME_BOARD_MM
from hardware.simulated.prints.dress import the_mat
from hardware.simulated.scene.circle import OFF_TOKEN_MM, TOKEN_MM, Circle, RingLine, lay_circle
from hardware.simulated.scene.layout import Arrangement, Layout, arranged, seen_pieces
from hardware.simulated.scene.placing import Books, Hand
from hardware.simulated.scene.table import SimulatedTable

STILL = Conditions(noise=0.0, jitter_px=0.0, drift=0.0, jpeg_quality=100)


def _row(table: SimulatedTable, name: str) -> int:
    return [piece.name for piece in table.circle_pieces()].index(name)


def test_outlines_are_where_the_picture_changes_when_a_patch_is_taken_away() -> None:
    table = SimulatedTable(2, STILL)
    pieces = [piece for piece in table.circle_pieces() if piece.whole]
    assert len(pieces) > 25
    before = table.frame(0.0).astype(int)
    for piece in pieces[:3]:
        table.circle.discard(piece.name)
        changed = np.abs(table.frame(0.0).astype(int) - before).max(axis=2) > 12
        rows, columns = np.nonzero(changed)
        low, high = piece.outline_px.min(axis=0), piece.outline_px.max(axis=0)
        # Its shadow and its cut edge change with it: a little more on the sides away from the lamp.
        assert np.abs([columns.min() - low[0], rows.min() - low[1]]).max() < 6
        assert np.abs([columns.max() - high[0], rows.max() - high[1]]).max() < 12
        table.circle.add(piece.name)


def test_a_bought_patch_leaves_the_circle() -> None:
    table = SimulatedTable(2)
    assert [piece.name for piece in table.circle_pieces()] == list(PATCHES)
    table.lay(1, "domino", ((0, 0), (0, 1)))
    assert "domino" not in [piece.name for piece in table.circle_pieces()]


def test_a_hand_hides_what_lies_below_it_alone() -> None:
    table = SimulatedTable(2)
    whole = [piece for piece in table.circle_pieces() if piece.whole]
    spot = table.circle_spot_mm(whole[0].name)
    assert spot is not None
    table.hands = (Hand(1, *spot),)
    pieces = table.circle_pieces()
    assert not pieces[_row(table, whole[0].name)].uncovered
    assert sum(piece.uncovered for piece in pieces) > 20


def test_a_patch_over_the_frames_border_is_not_whole() -> None:
    table = SimulatedTable(1, mats=False)
    pieces = table.circle_pieces()
    outside = [piece for piece in pieces if not piece.in_frame]
    assert outside
    assert not any(piece.whole for piece in outside)
    for piece in pieces:
        inside = ((piece.outline_px >= 0) & (piece.outline_px <= (1535, 863))).all()
        assert inside == piece.in_frame


def test_the_neutral_token_takes_the_place_of_what_was_bought() -> None:
    table = SimulatedTable(2, STILL)
    market = table.market
    before = table.frame(0.0).astype(int)
    spot = table.circle_spot_mm(market[2])
    assert spot is not None
    table.circle.discard(market[2])
    table.books = Books(first=market[3])
    changed = np.abs(table.frame(0.0).astype(int) - before).max(axis=2)
    x, y = table.camera.frame_points(np.array([spot]), 18.0)[0].round().astype(int)
    patch = table.frame(0.0)[y - 3 : y + 4, x - 3 : x + 4].reshape(-1, 3).mean(axis=0)
    assert changed[y, x] > 20
    assert patch[2] > patch[0] + 25, "turned wood: more red than blue"


SQUARE = np.array([[-100.0, 100.0], [-100.0, -100.0], [100.0, -100.0], [100.0, 100.0]])


def test_a_line_is_a_little_shorter_than_its_polygon_and_closes() -> None:
    line = RingLine(SQUARE)
    assert 600 < line.length_mm < 800
    assert line.at(0.0) == line.at(line.length_mm)


def test_equal_lengths_are_equal_ways_along_the_line() -> None:
    line = RingLine(SQUARE)
    places = np.array([line.at(step)[:2] for step in np.arange(0, line.length_mm, 10)])
    ways = np.linalg.norm(np.diff(places, axis=0), axis=1)
    assert ways == pytest.approx(10.0, abs=1.6)


def test_it_heads_where_it_goes_and_goes_round_clockwise() -> None:
    line = RingLine(SQUARE, start=0.3)
    headings = []
    for along in np.arange(0, line.length_mm, 5.0):
        x, y, heading = line.at(along)
        ahead = np.subtract(line.at(along + 3)[:2], (x, y))
        assert np.cos(np.radians(heading) - np.arctan2(ahead[1], ahead[0])) > 0.98
        headings.append(heading)
    turned = np.degrees(np.unwrap(np.radians(headings)))
    assert turned[-1] - turned[0] == pytest.approx(360, abs=15)


def test_it_may_start_anywhere() -> None:
    first, second = RingLine(SQUARE), RingLine(SQUARE, start=0.25)
    assert second.at(0.0) == pytest.approx(first.at(first.length_mm / 4), abs=1.5)


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
