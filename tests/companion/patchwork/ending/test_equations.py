"""Test learning the values of kinds of tokens from their counts and the books."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.patchwork.ending.token_values import Solution, solved
from hardware.simulated.scene.placing import first_purse, purse_of, settled

if TYPE_CHECKING:
    from companion.patchwork.ending.token_values import Equation

VALUES = (1, 5, 10, 20)
KIND = {1: 3, 5: 0, 10: 1, 20: 2}
"""The numbers under which the kinds were seen, by value."""
ODD = 10
"""An offset of the kind's number of a token that is seen unlike the others of its value."""


def evening(seed: int, *, stacks: bool = False, unseen: float = 0.0, odd: float = 0.0) -> list[list[list[Equation]]]:
    """Return the tokens before both players in forty looks, with payments and earnings as in an evening.

    Args:
        seed: the seed of all random choices.
        stacks: whether tokens of one value are piled up.
        unseen: share of tokens that most looks miss, as long as they are there.
        odd: share of tokens that most looks take for another kind, as long as they are there.
    """
    rng, fates = np.random.default_rng(seed), dict[tuple[int, int, int], float]()
    purses, due = [first_purse(5), purse_of(5)], [5, 5]
    lay: list[list[list[Equation]]] = [[[]], [[]]]
    for look in range(40):
        player = int(rng.integers(2))
        due[player] = min(max(due[player] + int(rng.integers(-7, 10 if look < 12 else 14)), 0), 60)
        before = purses[player]
        purses[player] = settled(before, purses[1 - player], due[player], stacks=stacks)
        is_late = rng.random() < 0.1
        lie = {(each, coin.spot, coin.value) for each in (0, 1) for coin in purses[each]}
        fates = {coin: fate for coin, fate in fates.items() if coin in lie}
        for each in (0, 1):
            uppermost = {coin.spot: coin for coin in (before if is_late and each == player else purses[each])}
            kinds = Counter[int]()
            for coin in uppermost.values():
                fate = fates.setdefault((each, coin.spot, coin.value), rng.random())
                if fate >= unseen or rng.random() < 0.1:
                    kinds[KIND[coin.value] + (ODD if unseen <= fate < unseen + odd else 0)] += 1
            if kinds:
                lay[each][0].append((tuple(sorted(kinds.items())), due[each]))
    return lay


def is_true(solution: Solution) -> bool:
    worth = {kind: value for value, kind in KIND.items()}
    return all(worth[kind % ODD] == value for kind, value in solution.values.items())


def looks(*counts: tuple[int, int]) -> list[Equation]:
    """Return looks, each given by its numbers of tokens of 1, of kind 0, and of 10, of kind 1."""
    kinds = [(((0, ones), (1, tens)) if tens else ((0, ones),), ones + 10 * tens) for ones, tens in counts]
    return list(kinds)


ONES = looks((1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0))


def test_players_who_spread_their_tokens_teach_what_they_are_worth() -> None:
    learnt = [solved(evening(seed), VALUES) for seed in range(12)]
    assert all(is_true(each) for each in learnt)
    assert sum({KIND[1], KIND[5]} <= each.values.keys() for each in learnt) >= 9
    assert any(KIND[10] in each.values for each in learnt)


def test_players_who_pile_them_up_teach_nothing_wrong() -> None:
    assert all(is_true(solved(evening(seed, stacks=True), VALUES)) for seed in range(12))


def test_a_token_beside_one_that_is_never_seen_is_not_given_the_worth_of_both() -> None:
    """As long as both are there the books agree with that value, whatever else changes."""
    learnt = [solved(evening(seed, unseen=0.1, odd=0.15), VALUES) for seed in range(24)]
    assert all(is_true(each) for each in learnt)
    assert any(kind > ODD for each in learnt for kind in each.values), "others are learnt where they come and go"


def test_few_looks_teach_nothing() -> None:
    assert solved([[ONES[:-1]]], VALUES) == Solution(agreed=5)
    assert solved([[ONES]], VALUES) == Solution({0: 1}, 6)


def test_a_kind_is_sure_once_it_came_and_went_three_times() -> None:
    lay = [*ONES, *looks((6, 1), (5, 1), (4, 1), (3, 0))]
    assert solved([[lay]], VALUES).values == {0: 1}
    assert solved([[[*lay, *looks((3, 1))]]], VALUES).values == {0: 1, 1: 10}


def test_a_kind_that_lay_in_few_handfuls_is_not_sure() -> None:
    lay = [*ONES, *looks((6, 1), (6, 0), (6, 1), (5, 1), (5, 0))]
    assert solved([[lay]], VALUES).values == {0: 1}
    assert solved([[[*lay, *looks((4, 1))]]], VALUES).values == {0: 1, 1: 10}


def test_a_kind_with_changing_values_is_not_counted() -> None:
    """Buttons printed on a patch of the circle stay all evening, and match what the books say once."""
    printed = [(handful, booked) for handful, right in ONES for booked in (20, right, 30)]
    assert solved([[printed]], VALUES) == Solution()


@pytest.mark.parametrize("beside", [[], [[(((1, 1),), 7)] * 9]], ids=["alone", "beside a printed patch"])
def test_both_players_tokens_are_of_one_set(beside: list[list[Equation]]) -> None:
    second = looks((1, 1), (2, 1), (3, 0), (3, 1), (4, 1), (4, 2))
    assert solved([[ONES[:4]], [*beside, second]], VALUES).values == {0: 1, 1: 10}


def test_after_the_commonest_kinds_the_others_are_learnt_by_them() -> None:
    lay = list(ONES)
    for kind in range(1, 9):
        lay += [(((0, ones), (kind, 1)), ones + 5) for ones in (1, 2, 3)]
        lay += [(((0, 3),), 3), (((0, 4), (kind, 1)), 9)]
    assert solved([[lay]], VALUES).values == {0: 1, **dict.fromkeys(range(1, 9), 5)}


def test_nothing_seen_is_nothing_learnt() -> None:
    assert solved([], VALUES) == solved([[], []], VALUES) == Solution()


@pytest.mark.parametrize("booked", [0, 50])
def test_books_that_never_agree_teach_nothing(booked: int) -> None:
    assert solved([[[(handful, booked) for handful, _ in ONES]]], VALUES).values == {}
