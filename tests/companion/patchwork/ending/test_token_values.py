"""Test learning the owners of tokens from looks in play."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.patchwork.ending.token_values import LearntHands
from companion.patchwork.photograph.hands import HandDoubt, SeenHeaps
from vision.geometry import GRID_CORNERS, Homography
from vision.table.plane import OverheadView
from vision.tokens.discs import Disc, SeenDiscs
from vision.tokens.heaps import Heap, HeapDoubt

if TYPE_CHECKING:
    from companion.patchwork.photograph.hands import SeenHand

BOARDS = {seat: np.add(GRID_CORNERS, [x, 10]) for seat, x in ((1, 10), (2, 40))}
"""In table space: from (10, 10) to (19, 19), and from (40, 10) to (49, 19)."""
EDGE, STACKED = HeapDoubt.AT_EDGE, HeapDoubt.STACKED
PRINTED = (23.0, 14.0)
"""The place of buttons printed on a patch of the circle that look like two tokens of 1."""


def heap(at: tuple[float, float], worth: int, *doubts: HeapDoubt, count: int = 1) -> Heap:
    disc = Disc(at, 0.37, 0.9, 1, 1, (95, -7, -20), 9, 0, 0.9)
    return Heap((disc,) * count, {worth: 1}, frozenset(doubts))


def seen(*heaps: Heap) -> SeenHeaps:
    blank = np.zeros((4, 4), np.uint8)
    view = OverheadView(np.zeros((4, 4, 3), np.uint8), blank > 0, 48, Homography(np.eye(3)), tuple(BOARDS.values()))
    return SeenHeaps(heaps, BOARDS, SeenDiscs((), view))


def played(*sums: int, doubts: tuple[HeapDoubt, ...] = (EDGE,), off: int = 0) -> LearntHands:
    """Return what was learnt from a player's sums of buttons, one per look, beside a printed patch."""
    learnt = LearntHands()
    for number, booked in enumerate(sums):
        tokens = heap((8.0 + number % 2, 15), booked + off, *doubts)
        learnt.learn(seen(tokens, heap(PRINTED, 2, HeapDoubt.OTHERS)), {1: booked, 2: 50})
    return learnt


def shown(learnt: LearntHands, *heaps: Heap) -> SeenHand:
    return learnt.hands(seen(*heaps, heap(PRINTED, 2, HeapDoubt.OTHERS)))[1]


def test_a_place_right_three_times_is_a_player_s_and_its_doubts_are_ignored() -> None:
    hand = shown(played(5, 3, 8), heap((8, 15), 13, EDGE))
    assert (hand.value, hand.sure, hand.is_learnt) == (13, True, True)


def test_a_place_right_twice_may_be_chance() -> None:
    hand = shown(played(5, 3, 3, 3), heap((8, 15), 13, EDGE))
    assert not hand.is_learnt
    assert not hand.sure


def test_that_nothing_lies_under_a_token_is_never_learnt() -> None:
    hand = shown(played(5, 3, 8, doubts=(STACKED,)), heap((8, 15), 13, STACKED))
    assert (hand.doubts, hand.is_least) == ((STACKED,), True)


def test_a_doubt_that_never_came_to_nothing_stays() -> None:
    hand = shown(played(5, 3, 8), heap((8, 15), 13, HeapDoubt.UNKNOWN))
    assert hand.doubts == (HeapDoubt.UNKNOWN,)
    assert not hand.is_least


def test_more_tokens_than_ever_were_right_by_an_edge_may_go_on_beyond_it() -> None:
    learnt = played(5, 3, 8)
    assert not shown(learnt, heap((8, 15), 13, EDGE, count=2)).sure
    learnt.learn(seen(heap((8, 15), 12, EDGE, count=2)), {1: 12, 2: 50})
    assert shown(learnt, heap((8, 15), 13, EDGE, count=2)).sure
    assert shown(learnt, heap((8, 15), 13, EDGE, count=3)).doubts == (EDGE,)


def test_a_heap_that_was_not_there_before_may_be_theirs_too() -> None:
    hand = shown(played(5, 3, 8), heap((8, 15), 13), heap((13, 25), 5))
    assert hand.doubts == (HandDoubt.WHICH_HEAP,)


def test_a_heap_worth_more_than_recorded_is_no_hand() -> None:
    learnt = played(5, 3, 8, 6, off=1)
    assert learnt.is_vain
    assert not shown(learnt, heap((8, 15), 13)).is_learnt


def test_a_player_who_had_not_paid_yet_once_is_learnt_still() -> None:
    learnt = played(5, 3, 8, 2)
    learnt.learn(seen(heap((8, 15), 9)), {1: 7, 2: 50})
    assert shown(learnt, heap((8, 15), 13, EDGE)).sure


def test_a_heap_elsewhere_is_judged_by_the_look_alone() -> None:
    assert not shown(played(5, 3, 8), heap((13, 25), 13)).is_learnt


@pytest.mark.parametrize("seat", [1, 2])
def test_a_place_belongs_to_the_player_whose_books_it_follows(seat: int) -> None:
    """Both sit so near that the tokens between them are within reach of both boards."""
    learnt, near = LearntHands(), {1: np.add(GRID_CORNERS, [10, 10]), 2: np.add(GRID_CORNERS, [26, 10])}
    for booked in (5, 3, 8):
        look = seen(heap((22, 15), booked))
        learnt.learn(SeenHeaps(look.heaps, near, look.discs), {seat: booked, 3 - seat: 30})
    look = seen(heap((22, 15), 13))
    hands = learnt.hands(SeenHeaps(look.heaps, near, look.discs))
    assert [each for each, hand in hands.items() if hand.is_learnt] == [seat]


def test_a_place_with_repeated_shortfalls_gives_no_evidence_of_fewer() -> None:
    """Two tokens are exactly on top of one another, or are taken for one of another value: no look can tell."""
    learnt = played(5, 3, 8, doubts=())
    assert shown(learnt, heap((8, 15), 13)).sure
    for booked, lie in ((12, 8), (17, 7)):
        learnt.learn(seen(heap((8, 15), lie)), {1: booked, 2: 50})
    hand = shown(learnt, heap((8, 15), 13))
    assert (hand.doubts, hand.is_least) == ((STACKED,), True)


def test_a_constant_shortfall_is_reported() -> None:
    learnt = played(5, 3, 8, doubts=())
    for booked in (12, 17, 4):
        learnt.learn(seen(heap((8, 15), booked - 1)), {1: booked, 2: 50})
    assert shown(learnt, heap((8, 15), 13)).sure


def test_looks_on_which_something_was_plainly_hidden_are_no_sign_of_that() -> None:
    learnt = played(5, 3, 8)
    for booked in (12, 17):
        learnt.learn(seen(heap((8, 15), booked - 4, STACKED)), {1: booked, 2: 50})
    assert shown(learnt, heap((8, 15), 13, EDGE)).sure
