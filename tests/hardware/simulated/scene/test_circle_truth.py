from __future__ import annotations

import numpy as np

from companion.games.patchwork import PATCHES
from hardware.simulated.conditions import Conditions
from hardware.simulated.scene.pieces import Books, Hand
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


def test_what_was_bought_is_no_longer_in_the_circle() -> None:
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
