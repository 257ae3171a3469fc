from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each
from vision.board.pairing import are_of_one_size, area_px2, overlap, separate_pair
from vision.geometry.homography import Homography, through_corners, translation
from vision.geometry.rectify import GRID_CORNERS

ASLANT = through_corners(GRID_CORNERS, [[500, 400], [760, 410], [800, 640], [470, 630]])
"""A board seen from the side: its near edge is longer."""


def _beside(x: float, y: float, turn_deg: float = 0.0, size: float = 1.0) -> Homography:
    """Return another board on the same table, moved by (x, y) cells."""
    angle = np.deg2rad(turn_deg)
    turn = size * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    shift = np.array([4.5 + x, 4.5 + y]) - turn @ [4.5, 4.5]
    return ASLANT.after(Homography(np.array([[*turn[0], shift[0]], [*turn[1], shift[1]], [0.0, 0.0, 1.0]])))


@given(x=st.floats(-14, 14), y=st.floats(-8, 2), turn_deg=st.floats(-180, 180), size=st.floats(0.5, 2.0))
def test_a_board_is_as_large_as_another_wherever_it_lies(x: float, y: float, turn_deg: float, size: float) -> None:
    one_size = are_of_one_size(ASLANT, _beside(x, y, turn_deg, size))
    assert one_size if 0.85 < size < 1.15 else (one_size or not 0.77 < size < 1.3)
    assert not (one_size and not 0.7 < size < 1.4)


@each(("x", "together"), [(0, True), (0.6, True), (8.5, True), (9.5, False), (-9.5, False)])
def test_grids_overlap_or_lie_side_by_side(x: float, together: bool) -> None:
    assert overlap(ASLANT, _beside(x, 0)) is together
    assert overlap(_beside(x, 0), ASLANT) is together


def test_the_second_board_lies_apart_and_is_as_large() -> None:
    shifted, small, right = _beside(1, 0), _beside(11, 0, size=0.6), _beside(11, -1, 5)
    assert separate_pair([ASLANT, shifted, small, right]) == [ASLANT, right]
    assert separate_pair([ASLANT, shifted, small]) == [ASLANT]
    assert separate_pair([]) == []


def test_a_grid_s_area_is_told_in_square_pixels() -> None:
    square = translation(7, 9).after(Homography(np.diag([20.0, 10.0, 1.0])))
    assert area_px2(square) == pytest.approx(180 * 90, rel=1e-3)
