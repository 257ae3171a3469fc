"""Test the judgement of decisions that were taken."""

import pytest

from companion.games.patchwork.cells import ALL_CELLS, mask_of
from companion.games.patchwork.decisions import Advance, CountButtons, PlaceLeather
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import apply
from companion.games.patchwork.strategy import analysis
from companion.games.patchwork.strategy.analysis import consequences, judge
from companion.games.patchwork.strategy.evaluation import holes
from tests.companion.games.patchwork.strategy.test_search import after


@pytest.fixture(autouse=True)
def few_visits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "_VISITS", 120)
    monkeypatch.setattr(analysis, "_VISITS_AFTER", 80)


def test_the_best_decision_loses_nothing() -> None:
    state = after(9)
    worst = judge(state, Advance(state.mover))
    assert worst is not None
    again = judge(state, worst.best)
    assert again is not None
    assert again.loss == 0
    assert again.best == again.decision


def test_a_bad_decision_loses_winning_chance_and_has_a_legal_better_one() -> None:
    state = next(each for each in map(after, range(60)) if each.leather_due and len(legal_decisions(each)) > 20)
    found = [judge(state, each) for each in [*legal_decisions(state)][:8]]
    bad = max((each for each in found if each is not None), key=lambda each: each.loss)
    assert bad.loss > 0
    assert bad.best in legal_decisions(state)
    assert 0 <= bad.chance < bad.best_chance <= 1


def test_a_decision_without_choice_is_no_mistake_and_a_count_is_no_decision() -> None:
    forced = next(each for seed in range(99) if len(legal_decisions(each := after(4, seed))) == 1)
    judged = judge(forced, legal_decisions(forced)[0])
    assert judged is not None
    assert judged.loss == 0
    ended = forced
    while not ended.finished:
        ended = apply(ended, legal_decisions(ended)[0]).state
    assert judge(ended, CountButtons(1, 3)) is None


def test_consequences_name_the_holes_that_are_closed_and_made() -> None:
    state = next(each for each in map(after, range(60)) if each.leather_due)
    for decision in legal_decisions(state):
        assert isinstance(decision, PlaceLeather)
        found = consequences(state, decision)
        quilt = state.seat(decision.seat).quilt
        assert found.closed == holes(quilt) & decision.cells
        assert found.opened == holes(quilt | decision.cells) & ~holes(quilt)


def test_a_hole_has_no_empty_neighbour() -> None:
    empty = mask_of(["A1", "C3", "E5", "E6", "I9"])
    assert holes(ALL_CELLS & ~empty) == mask_of(["A1", "C3", "I9"])
