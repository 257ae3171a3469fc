"""Test learning the values of a set's tokens from looks at a table."""

from __future__ import annotations

import numpy as np

from companion.patchwork.ending.token_values import LearntHands, TokenValues
from companion.patchwork.photograph.hands import SeenHeaps
from vision.geometry import GRID_CORNERS, Homography
from vision.table.plane import OverheadView
from vision.tokens.discs import Disc, SeenDiscs
from vision.tokens.heaps import find_heaps

BOARDS = {seat: np.add(GRID_CORNERS, [x, 10]) for seat, x in ((1, 10), (2, 40))}
"""In table space: from (10, 10) to (19, 19), and from (40, 10) to (49, 19)."""
LOOKS = {1: ((160, 6, 27), 0.33), 5: ((160, 6, 27), 0.41), 10: ((95, -7, -20), 0.37)}
"""By value, face and radius: two sizes of wood, and 10 is blue as the known set's 1."""
PURSES = [(1, 1, 1), (5,), (1,), (5, 1, 1), (5, 1), (5, 5), (10, 1), (5, 1, 1, 1), (10, 5), (10,), (10, 5, 1)]


def seen(first: tuple[int, ...], second: tuple[int, ...], learnt: LearntHands | None = None) -> SeenHeaps:
    """Return a look at tokens beside both boards, on bare grey ground."""
    px = 6
    ground, whole = np.full((40 * px, 60 * px, 3), 120, np.uint8), np.ones((40 * px, 60 * px), bool)
    view = OverheadView(ground, whole, px, Homography(np.eye(3)), tuple(BOARDS.values()))
    discs = [
        Disc((x, 12.0 + 1.2 * number), LOOKS[value][1], 0.9, 1, 1, LOOKS[value][0], 9, 0, 0.9)
        for x, purse in ((6.0, first), (53.0, second))
        for number, value in enumerate(purse)
    ]
    looked = SeenDiscs(tuple(discs), view)
    return SeenHeaps(() if learnt is None else find_heaps(looked, learnt.kinds), BOARDS, looked)


def test_the_values_of_a_set_are_learnt_from_the_books() -> None:
    values = TokenValues((1, 5, 10, 20))
    for number, purse in enumerate(PURSES):
        other = PURSES[number // 2]
        values.learn(seen(purse, other), {1: sum(purse), 2: sum(other)})
    found = {(kind.value, round(kind.looks.radius_cells, 2)) for kind in values.kinds}
    assert found == {(1, 0.33), (5, 0.41), (10, 0.37)}
    assert values.agreed >= len(PURSES)


def test_hands_of_such_a_set_are_counted_by_what_was_learnt_even_against_the_known_colours() -> None:
    learnt = LearntHands()
    for purse in (*PURSES, *PURSES[::-1]):
        learnt.learn(seen(purse, (1, 1), learnt), {1: sum(purse), 2: 2})
    hand = learnt.hands(seen((10, 10, 5, 1), (1, 1), learnt))[1]
    assert (hand.value, hand.sure, hand.is_learnt) == (26, True, True)
    assert [kind.value for kind in learnt.kinds].count(10) == 2
    assert not any(kind.value == 1 and kind not in learnt.learnt_kinds for kind in learnt.kinds)


def test_without_books_that_agree_nothing_is_learnt() -> None:
    learnt = LearntHands()
    for number, purse in enumerate(PURSES):
        learnt.learn(seen(purse, (), learnt), {1: 7 * number + 3, 2: 40})
    assert learnt.learnt_kinds == ()
    assert learnt.is_vain


def test_tokens_that_are_piled_up_are_given_up_once_few_looks_are_right() -> None:
    learnt = LearntHands(known=())
    for purse in PURSES[:4]:
        learnt.learn(seen(purse, (), learnt), {1: sum(purse), 2: 40})
    assert not learnt.is_vain
    for purse in PURSES[4:9]:
        learnt.learn(seen(purse, (), learnt), {1: sum(purse) + 7 * len(purse), 2: 40})
    assert learnt.is_vain
