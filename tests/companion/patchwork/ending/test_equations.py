"""What kinds of tokens are worth, from how many of each lay there and what the books said."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.patchwork.ending.equations import Solution, solved
from hardware.simulated.scene.coins import first_purse, purse_of, settled

if TYPE_CHECKING:
    from companion.patchwork.ending.equations import Equations

VALUES = (1, 5, 10, 20)
KIND = {1: 3, 5: 0, 10: 1, 20: 2}
"""The numbers under which the kinds were seen, by value."""
NEVER = (((KIND[10], 1),), 7)


def evening(seed: int, *, stacks: bool = False, late: float = 0.1, missed: float = 0.01) -> list[list[Equations]]:
    """Return what lay before both players in forty looks, after payments and earnings as those of an evening."""
    rng = np.random.default_rng(seed)
    purses, due = [first_purse(5), purse_of(5)], [5, 5]
    lay: list[list[Equations]] = [[Counter()], [Counter()]]
    for look in range(40):
        player = int(rng.integers(2))
        due[player] = min(max(due[player] + int(rng.integers(-7, 10 if look < 12 else 14)), 0), 60)
        before = purses[player]
        purses[player] = settled(before, purses[1 - player], due[player], stacks=stacks)
        is_late = rng.random() < late
        for each in (0, 1):
            shown = before if is_late and each == player else purses[each]
            uppermost = {coin.spot: coin for coin in shown}.values()
            kinds = Counter(KIND[coin.value] for coin in uppermost if rng.random() > missed)
            if kinds:
                lay[each][0][tuple(sorted(kinds.items())), due[each]] += 1
    return lay


def is_true(solution: Solution) -> bool:
    return all(KIND[value] == kind for kind, value in solution.values.items())


def test_players_who_spread_their_tokens_teach_what_they_are_worth() -> None:
    learnt = [solved(evening(seed), VALUES) for seed in range(12)]
    assert all(is_true(each) for each in learnt)
    assert sum({KIND[1], KIND[5]} <= each.values.keys() for each in learnt) >= 10
    assert any(KIND[10] in each.values for each in learnt)


@pytest.mark.parametrize("way", [{"stacks": True}, {"missed": 0.2, "late": 0.3}])
def test_players_who_pile_them_up_or_tokens_that_are_not_seen_teach_nothing_wrong(way: dict[str, float]) -> None:
    assert all(is_true(solved(evening(seed, **way), VALUES)) for seed in range(12))  # type: ignore[arg-type]


def test_few_looks_teach_nothing() -> None:
    lay: Equations = Counter({(((0, count),), count): 1 for count in range(1, 6)})
    assert solved([[lay]], VALUES) == Solution(agreed=5)
    lay[((0, 6),), 6] += 1
    assert solved([[lay]], VALUES) == Solution({0: 1}, 6)


def test_a_kind_that_lay_there_seldom_is_not_sure() -> None:
    ones: Equations = Counter({(((0, count),), count): 1 for count in range(1, 9)})
    for count in (2, 3):
        ones[((0, count), (1, 1)), count + 10] += 1
    assert solved([[ones]], VALUES).values == {0: 1}
    ones[((0, 4), (1, 1)), 14] += 1
    assert solved([[ones]], VALUES).values == {0: 1, 1: 10}


def test_what_is_worth_now_this_now_that_is_not_counted() -> None:
    """Buttons printed on a patch of the circle lie there the whole evening, and are worth what the books say once."""
    printed: Equations = Counter({(((0, count),), count): 1 for count in range(1, 7)})
    for count in range(1, 7):
        printed.update({(((0, count),), booked): 1 for booked in (20, 30)})
    assert solved([[printed]], VALUES) == Solution()


def test_both_players_tokens_are_of_one_set() -> None:
    first: Equations = Counter({(((0, count),), count): 1 for count in range(1, 5)})
    second: Equations = Counter({(((0, count), (1, 1)), count + 5): 1 for count in range(1, 4)})
    assert solved([[first], [second]], VALUES).values == {0: 1, 1: 5}
    assert solved([[first], [Counter({NEVER: 9}), second]], VALUES).values == {0: 1, 1: 5}


def test_nothing_seen_is_nothing_learnt() -> None:
    assert solved([], VALUES) == solved([[], []], VALUES) == Solution()
