from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.patchwork.facts import ButtonsEarned, IncomePaid, PatchPlaced, TokenMoved
from companion.patchwork.page.choices import DENOMINATIONS, money_json, tokens
from tests.companion.web.conftest import played


@pytest.mark.parametrize(
    ("buttons", "made"),
    [(0, []), (4, [(1, 4)]), (7, [(5, 1), (1, 2)]), (38, [(20, 1), (10, 1), (5, 1), (1, 3)]), (40, [(20, 2)])],
)
def test_sums_are_made_of_the_largest_tokens(buttons: int, made: list[tuple[int, int]]) -> None:
    assert tokens(buttons) == made


@given(st.integers(0, 500))
def test_tokens_make_the_sum_with_as_few_as_can_be(buttons: int) -> None:
    made = tokens(buttons)
    assert sum(value * count for value, count in made) == buttons
    fewest = [0]
    for total in range(1, buttons + 1):
        fewest.append(1 + min(fewest[total - value] for value in DENOMINATIONS if value <= total))
    assert sum(count for _, count in made) == fewest[buttons]


def test_there_are_no_tokens_for_debts() -> None:
    with pytest.raises(ValueError, match="no tokens for -1"):
        tokens(-1)


def test_payments_are_listed_in_order_without_sums_of_nothing() -> None:
    history, _ = played(0)
    facts = (
        PatchPlaced(2, "bar3", 7, 2),
        TokenMoved(2, 3, 12),
        IncomePaid(2, 5, 0),
        IncomePaid(2, 11, 7),
        ButtonsEarned(1, 1),
    )
    assert money_json(facts, history.state) == [
        {"seat": 2, "kind": "pay", "buttons": 2, "tokens": [[1, 2]], "says": "Boris pays 2 x 1."},
        {"seat": 2, "kind": "income", "buttons": 7, "tokens": [[5, 1], [1, 2]], "says": "Boris takes 1 x 5, 2 x 1."},
        {"seat": 1, "kind": "earn", "buttons": 1, "tokens": [[1, 1]], "says": "Anna takes 1 x 1."},
    ]
    assert money_json([PatchPlaced(1, "dagger", 7, 0)], history.state) == []
