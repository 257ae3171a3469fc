from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from hardware.simulated.scene.coins import BOX, Coin, first_purse, purse_of, settled, worth

DUES = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 60)), max_size=12)


@given(DUES, st.booleans())
def test_what_is_paid_and_taken_in_brings_a_player_to_what_is_due(dues: list[tuple[int, int]], stacks: bool) -> None:
    purses = [first_purse(5), first_purse(5)]
    for seat, due in dues:
        purses[seat] = settled(purses[seat], purses[1 - seat], due, stacks=stacks)
        assert worth(purses[seat]) == due
        large = Counter(coin.value for purse in purses for coin in purse if coin.value > 1)
        assert not large - Counter(BOX)


def test_the_exact_sum_is_paid_in_small_tokens_if_they_have_it() -> None:
    purse = (Coin(10, 0), Coin(1, 1), Coin(1, 2), Coin(1, 3))
    assert settled(purse, (), 11) == (Coin(10, 0), Coin(1, 1))


def test_change_is_given_for_a_large_token() -> None:
    assert Counter(coin.value for coin in settled((Coin(10, 0),), (), 7)) == {5: 1, 1: 2}


def test_many_ones_are_changed() -> None:
    assert Counter(coin.value for coin in settled(first_purse(7), (), 9)) == {5: 1, 1: 4}


def test_a_token_that_stays_keeps_its_place() -> None:
    before = purse_of(17)
    after = settled(before, (), 16)
    assert after == before[:-1]


def test_who_stacks_lays_a_token_on_its_like() -> None:
    assert purse_of(23, stacks=True) == (Coin(20, 0), Coin(1, 1), Coin(1, 1), Coin(1, 1))
    assert len({coin.spot for coin in purse_of(23)}) == 4
