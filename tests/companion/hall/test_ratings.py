from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.hall.tournaments import Rating, rated


def test_the_paper_s_example() -> None:
    player = Rating(1500, 200, 0.06)
    results = [(Rating(1400, 30, 0.06), 1.0), (Rating(1550, 100, 0.06), 0.0), (Rating(1700, 300, 0.06), 0.0)]
    after = rated(player, results)
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_a_player_who_stays_away_becomes_at_most_as_uncertain_as_a_new_one() -> None:
    rested = rated(Rating(1600, 50, 0.06), [])
    assert (rested.rating, rested.volatility) == (1600, 0.06)
    assert rested.deviation == pytest.approx(51.07, abs=0.01)
    assert rated(Rating(1600, 350, 0.06), []).deviation == 350


@settings(max_examples=60, deadline=None)
@given(st.floats(800, 2500), st.floats(30, 350), st.floats(800, 2500), st.floats(30, 350))
def test_a_win_raises_a_loss_lowers_and_either_makes_more_certain(
    mine: float, sure: float, theirs: float, other: float
) -> None:
    before, opponent = Rating(mine, sure), Rating(theirs, other)
    won, lost = rated(before, [(opponent, 1.0)]), rated(before, [(opponent, 0.0)])
    assert won.rating > mine > lost.rating
    # The volatility alone may outweigh one game against an opponent of a very different rating.
    assert max(won.deviation, lost.deviation) < rated(before, []).deviation + 1.0
