"""Test heaps of tokens: their values and doubts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vision.tokens.heaps import HeapDoubt, find_heaps
from vision.tokens.kinds import known_kinds

if TYPE_CHECKING:
    from tests.vision.tokens.conftest import Drawn


def test_a_heap_is_worth_the_sum_of_its_tokens(drawn: Drawn) -> None:
    heap = drawn.lay(20, 13, 3).lay(5, 14.5, 3).lay(1, 14, 4.6).lay(1, 15.6, 4.4).heap()
    assert dict(heap.counts) == {20: 1, 5: 1, 1: 2}
    assert heap.value == 27
    assert heap.doubts == frozenset()


def test_distant_tokens_are_two_heaps(drawn: Drawn) -> None:
    heaps = drawn.lay(1, 12, 2).lay(1, 13.2, 2).lay(5, 19, 7).heaps()
    assert [(heap.value, len(heap.discs)) for heap in heaps] == [(2, 2), (5, 1)]


def test_a_token_on_a_larger_one_is_doubtful(drawn: Drawn) -> None:
    heap = drawn.lay(10, 13, 4).lay(1, 13.08, 4.05).lay(1, 15, 4).heap()
    assert HeapDoubt.STACKED in heap.doubts


def test_a_token_exactly_on_its_like_is_told_by_its_shadow(drawn: Drawn) -> None:
    heap = drawn.shade(13.2, 4.2, 0.5).lay(1, 13, 4).lay(1, 15, 4).heap()
    assert heap.doubts == {HeapDoubt.STACKED}


def test_two_almost_on_one_another_are_told_by_their_outline(drawn: Drawn) -> None:
    heap = drawn.lay(1, 13, 4).lay(1, 13.09, 3.92).lay(1, 15, 4).lay(1, 15, 5.5).lay(1, 16.4, 4.3).heap()
    assert heap.doubts == {HeapDoubt.STACKED}


def test_something_among_the_tokens_may_be_money_too(drawn: Drawn) -> None:
    heap = drawn.lay(1, 13, 4).lay(1, 15, 4).tile(14, 5).heap()
    assert HeapDoubt.OTHERS in heap.doubts


def test_a_round_thing_of_no_kind_may_be_money_too(drawn: Drawn) -> None:
    drawn.lay(1, 13, 4).lay(20, 14.5, 4)
    right = drawn.picture[:, 481:].astype(int)
    drawn.picture[:, 481:] = right.mean(axis=2, keepdims=True).round()
    assert HeapDoubt.UNKNOWN in drawn.heap().doubts


def test_tokens_where_the_picture_ends_may_have_neighbours_beyond(drawn: Drawn) -> None:
    assert drawn.lay(1, 13, 10.6).heap().doubts == {HeapDoubt.AT_EDGE}


def test_a_token_that_is_cut_off_makes_its_heap_doubtful(drawn: Drawn) -> None:
    cut_off, whole = drawn.lay(1, 13, 9.7).lay(1, 18.4, 9.7).lay(20, 20, 12.6).heaps()
    assert whole.doubts == frozenset()
    assert {HeapDoubt.AT_EDGE, HeapDoubt.HIDDEN} <= cut_off.doubts


def test_the_distance_is_that_of_the_nearest_token(drawn: Drawn) -> None:
    seen = drawn.lay(1, 12, 4).lay(1, 13.5, 4).discs()
    (heap,) = find_heaps(seen, known_kinds())
    (board,) = seen.view.boards
    assert abs(heap.distance(board) - 3) < 0.1
