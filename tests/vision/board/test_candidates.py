"""Test candidate places of boards: outlines, and pairs of boards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.board.candidates import are_of_one_size, area_px2, outlines, overlap, separate_pair
from vision.geometry import GRID_CORNERS, Homography, through_corners, translation

if TYPE_CHECKING:
    from numpy.typing import NDArray

Tone = tuple[int, int, int]
ASLANT_BOARD = np.array([[210.0, 120.0], [520.0, 140.0], [560.0, 400.0], [170.0, 390.0]])


def _picture(quad: NDArray[np.float64], inside: Tone, outside: Tone, factor: int = 1) -> NDArray[np.uint8]:
    image = np.full((540 * factor, 800 * factor, 3), outside, np.uint8)
    cv2.fillConvexPoly(image, np.rint(quad * factor).astype(np.int32), inside)
    noise = np.random.default_rng(3).normal(0, 1.5, (540, 800, 3))
    return np.clip(image + np.tile(noise, (factor, factor, 1)), 0, 255).astype(np.uint8)


def _nearest_px(image: NDArray[np.uint8], quad: NDArray[np.float64]) -> float:
    return min((float(np.abs(found - quad).max()) for found in outlines(image)), default=np.inf)


@pytest.mark.parametrize(
    ("inside", "outside"),
    [((200, 200, 200), (70, 70, 70)), ((60, 60, 60), (110, 110, 110)), ((120, 120, 150), (120, 140, 120))],
    ids=["bright", "dark", "by its colour alone"],
)
def test_outlines_have_their_corners_clockwise_from_the_upper_left(inside: Tone, outside: Tone) -> None:
    assert _nearest_px(_picture(ASLANT_BOARD, inside, outside), ASLANT_BOARD) < 4


def test_a_large_picture_s_outlines_are_in_its_own_pixels() -> None:
    assert _nearest_px(_picture(ASLANT_BOARD, (200, 200, 200), (70, 70, 70), factor=3), 3 * ASLANT_BOARD) < 12


@pytest.mark.parametrize(
    "quad",
    [
        [[210, 120], [250, 120], [250, 160], [210, 160]],
        [[100, 120], [700, 120], [700, 270], [100, 270]],
        [[210, 120], [520, 120], [750, 400], [440, 400]],
    ],
    ids=["small", "long", "slanted"],
)
def test_outlines_that_no_square_has_are_left_out(quad: list[list[int]]) -> None:
    corners = np.array(quad, np.float64)
    assert _nearest_px(_picture(corners, (200, 200, 200), (70, 70, 70)), corners) > 20


def test_an_outline_is_found_once() -> None:
    found = list(outlines(_picture(ASLANT_BOARD, (200, 200, 200), (70, 70, 70))))
    for index, one in enumerate(found):
        assert all(np.abs(one - other).max() > 5 for other in found[:index])


def test_nothing_stands_out_of_nothing() -> None:
    assert list(outlines(np.full((300, 400, 3), 90, np.uint8))) == []


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


@pytest.mark.parametrize(("x", "together"), [(0, True), (0.6, True), (8.5, True), (9.5, False), (-9.5, False)])
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
