"""Test the order of the circle and its beginning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.patchwork.circle.order import in_the_ring, middle_of, order_circle
from vision.pieces.maps import MAP_PX, PieceMaps

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIDE = 40


def ring(count: int, middle: tuple[float, float] = (20.0, 20.0), turn: float = 0.3) -> NDArray[np.float64]:
    """Return the middles of pieces around a centre, clockwise in a picture."""
    angles = turn + 2 * np.pi * np.arange(count) / count
    return np.stack([middle[0] + 14 * np.cos(angles), middle[1] + 9 * np.sin(angles)], axis=1)


def maps(token: tuple[float, float] | None = None, track: tuple[float, float] | None = None) -> PieceMaps:
    none = np.full((SIDE * MAP_PX, SIDE * MAP_PX), -4.0, np.float32)
    tokens, tracks = none.copy(), none.copy()
    if token is not None:
        cv2.circle(tokens, tuple(round(value * MAP_PX) for value in token), MAP_PX // 3, 4.0, -1)
    if track is not None:
        left, top = (round((value - 4.5) * MAP_PX) for value in track)
        tracks[max(top, 0) : top + 9 * MAP_PX, max(left, 0) : left + 9 * MAP_PX] = 4.0
    return PieceMaps(none, none, none, tokens, tracks)


def rolled(order: tuple[int, ...]) -> list[int]:
    begin = order.index(0)
    return [*order[begin:], *order[:begin]]


@settings(max_examples=40)
@given(st.integers(5, 33), st.floats(0, 6.2), st.randoms(use_true_random=False))
def test_clockwise_whatever_the_pieces_numbers(count: int, turn: float, random: object) -> None:
    centres = ring(count, turn=turn)
    names = list(range(count))
    random.shuffle(names)  # type: ignore[attr-defined]
    shuffled = centres[names]
    circle = order_circle(maps(), shuffled, names.index(count - 1), full=True)
    assert [names[number] for number in circle.order] == list(range(count))
    assert circle.begins == "domino"


def test_a_line_with_corners_is_followed_piece_by_piece() -> None:
    """Around a board at the side the line goes out and back: from the middle, pieces there are behind one another."""
    outward = [(30.0, 17.0), (34.0, 14.5), (38.0, 15.5), (38.5, 20.0), (37.0, 24.5), (33.0, 23.0)]
    rest = [(29.0, 25.0), (24.0, 28.0), (18.0, 29.0), (12.0, 26.0), (9.0, 20.0), (12.0, 13.0), (19.0, 11.0)]
    rest.append((25.0, 12.5))
    centres = np.array([*outward, *rest])
    circle = order_circle(maps(track=(20.0, 20.0)), centres, None, full=False)
    assert rolled(circle.order) == list(range(len(centres)))


def test_the_token_says_where_it_begins() -> None:
    centres = ring(12)
    between = (centres[4] + centres[5]) / 2
    circle = order_circle(maps(token=(float(between[0]), float(between[1]))), centres, None, full=False)
    assert circle.begins == "token"
    assert circle.order[0] == 5
    assert circle.order[-1] == 4
    assert circle.token == pytest.approx(between, abs=0.15)


def test_the_token_counts_more_than_the_smallest_piece_once_pieces_are_gone() -> None:
    centres = ring(12)
    between = (centres[4] + centres[5]) / 2
    seen = maps(token=(float(between[0]), float(between[1])))
    assert order_circle(seen, centres, 9, full=False).order[0] == 5
    assert order_circle(seen, centres, 9, full=True).order[-1] == 9


def test_neither_is_seen() -> None:
    circle = order_circle(maps(), ring(7), None, full=False)
    assert circle.begins == "nowhere"
    assert rolled(circle.order) == list(range(7))


def test_a_token_far_from_all_pieces_is_none() -> None:
    assert order_circle(maps(token=(20.0, 20.0)), ring(12), None, full=False).token is None


def test_part_of_a_circle_goes_round_the_time_board() -> None:
    """With pieces below the time board only, clockwise is from right to left, though their own middle is among them."""
    centres = np.array([[8.0, 14.0], [14.0, 17.5], [20.0, 18.6], [26.0, 17.5], [32.0, 14.0]])
    circle = order_circle(maps(track=(20.0, 4.5)), centres, None, full=False)
    assert rolled(circle.order) == [0, *(4, 3, 2, 1)] or rolled(circle.order)[::-1][:4] == [1, 2, 3, 4]
    assert middle_of(maps(track=(20.0, 4.5)), centres) == pytest.approx([20.0, 4.5], abs=0.2)


def test_a_distant_object_is_not_part_of_the_circle() -> None:
    inside = in_the_ring(np.array([[34.0, 21.0], [1.0, 39.0]]), ring(12))
    assert inside.tolist() == [True, False]


def test_no_pieces() -> None:
    assert order_circle(maps(), np.zeros((0, 2)), None, full=False).order == ()


def test_neighbours_side_by_side_are_unclear_by_their_places() -> None:
    centres = ring(33)
    middle = np.array([20.0, 20.0])
    between = (centres[4] + centres[5]) / 2
    off = (between - middle) / np.hypot(*(between - middle))
    centres[4], centres[5] = between - 1.2 * off, between + 1.2 * off
    circle = order_circle(maps(), centres, 32, full=True)
    (stretch,) = circle.unclear
    assert stretch.places == (5, 6)
    assert set(stretch.ways) == {(5, 6), (6, 5)}
    assert order_circle(maps(), ring(33), 32, full=True).unclear == ()


def test_a_token_behind_the_smallest_piece_tells_which_way_the_line_goes_there() -> None:
    """The last two are side by side, so either may be the last but one: the token is behind the last."""
    centres = ring(33)
    middle = np.array([20.0, 20.0])
    between = (centres[31] + centres[32]) / 2
    along = centres[0] - between
    centres[31], centres[32] = between - 0.15 * along, between + 0.15 * along
    token = between + 0.8 * along + 0.2 * (middle - between) / 9
    swapped = centres[[*range(31), 32, 31]]
    seen = maps(token=(float(token[0]), float(token[1])))
    for points in (centres, swapped):
        order = order_circle(seen, points, int(np.hypot(*(points - token).T)[31:].argmin()) + 31, full=True).order
        assert order[-1] == int(np.hypot(*(points - token).T)[31:].argmin()) + 31


def test_a_token_before_the_smallest_piece_tells_nothing() -> None:
    centres = ring(33)
    before = (centres[30] + centres[31]) / 2
    seen = maps(token=(float(before[0]), float(before[1])))
    assert order_circle(seen, centres, 31, full=True).order == (32, *range(32))


def test_clockwise_does_not_rest_on_where_the_time_board_is_taken_to_be() -> None:
    outside = maps(track=(4.6, 4.6))
    assert order_circle(outside, ring(33, turn=0.0), 32, full=True).order == tuple(range(33))
