"""Test the coach: remarks on a game, and its turning points."""

import random
from dataclasses import replace

import pytest

from companion.errors import CompanionError
from companion.games.patchwork.components import PATCHES, SMALLEST_PATCH
from companion.games.patchwork.decisions import Advance, TakePatch
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.games.strategy import Judged
from companion.kvilt.entry import KVILT_ENTRY
from companion.patchwork.codec import PATCHWORK
from companion.patchwork.entry import PATCHWORK_ENTRY
from companion.play import coach
from companion.play.coach import Remark

CIRCLE = (*(patch for patch in PATCHES if patch != SMALLEST_PATCH), SMALLEST_PATCH)


def remark(number: int, loss: float) -> Remark:
    return Remark(number, 1 + number % 2, Judged(Advance(1), Advance(1), 0.6 - loss, 0.6))


def game(made: int) -> History:
    """Return the beginning of a game."""
    history, rng = History(Setup(players=("Anna", "Boris"), market=CIRCLE)), random.Random(2)
    for _ in range(made):
        history.apply(legal_decisions(history.state).pick(rng))
    return history


@pytest.fixture
def adviser() -> object:
    """An adviser to whom the first purchase on offer is always best."""

    def judge(state, decision):  # type: ignore[no-untyped-def]
        best = next((each for each in legal_decisions(state) if isinstance(each, TakePatch)), decision)
        return Judged(decision, best, 0.4, 0.4 if best == decision else 0.7)

    return replace(coach.coach_of(PATCHWORK_ENTRY), judge=judge)


def test_the_turning_points_are_the_greatest_losses_in_the_order_of_the_game() -> None:
    told = [remark(number, loss) for number, loss in enumerate((0.1, 0.4, 0.02, 0.2, 0.3, 0.06, 0.5), start=1)]
    assert [each.number for each in coach.turning_points(told)] == [1, 2, 4, 5, 7]
    assert coach.turning_points([remark(1, 0.01), Remark(2, 1, None)]) == []


def test_the_mean_loss_is_a_seat_s_own() -> None:
    told = [remark(1, 0.1), remark(2, 0.4), remark(3, 0.3), Remark(5, 2, None)]
    assert coach.mean_loss(told, 2) == pytest.approx(0.2)
    assert coach.mean_loss(told, 1) == pytest.approx(0.4)


def test_each_decision_has_a_remark_which_survives_a_file(adviser) -> None:  # type: ignore[no-untyped-def]
    history = game(6)
    told = [*coach.remarks(adviser, PATCHWORK, history.setup, history.decisions)]
    assert [each.number for each in told] == [1, 2, 3, 4, 5, 6]
    assert [coach.from_json(coach.to_json(each, PATCHWORK), PATCHWORK) for each in told] == told
    assert all(each.first_chance == (0.4 if each.seat == 1 else 0.6) for each in told)


def test_a_turning_point_is_told_with_what_would_have_been_better(adviser) -> None:  # type: ignore[no-untyped-def]
    history = game(8)
    told = [*coach.remarks(adviser, PATCHWORK, history.setup, history.decisions)]
    points = coach.turning_points(told)
    says = [str(each) for _, each in coach.explained(points, adviser, PATCHWORK, history.setup, history.decisions)]
    assert len(says) == len(points) > 0
    assert all("better: " in each and "from 70 % to 40 %" in each for each in says)


def test_a_game_without_a_coach_is_not_analysed() -> None:
    with pytest.raises(CompanionError, match="Kvilt"):
        coach.coach_of(KVILT_ENTRY)
