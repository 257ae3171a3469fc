"""Test hints about a circle whose looks are set by a test."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import Advance, Decision
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.languages import ENGLISH, render
from companion.patchwork.circle.canvas import START
from companion.patchwork.circle.hints import CircleFault, CircleFaultStatus, CircleHints
from companion.patchwork.naming import patch_name
from companion.play.events import DecisionTaken, DecisionUndone
from tests.companion.web.conftest import played

ORDER = (*(patch for patch in PATCHES if patch != "domino"), "domino")


class _Circle:
    """A fake circle whose state is set by a test."""

    def __init__(self) -> None:
        self.wrong: tuple[int, ...] = ()
        self.lost: tuple[int, ...] = ()
        self.pawn_astray: tuple[int, int] | None = None

    def out_of_order(self) -> tuple[int, ...]:
        return self.wrong

    def holds(self, place: int) -> str | None:
        return ORDER[place]


class _Evening:
    """A game with its hints; `wait` lets time pass at rest, `stir` a moment without."""

    def __init__(self, setup: Setup, history: History | None = None) -> None:
        self.circle, self.history = _Circle(), History(setup) if history is None else history
        self.rest = SimpleNamespace(is_seen=True, moved={})
        self.said: list[str] = []
        self.about: list[CircleFaultStatus] = []
        play = SimpleNamespace(circle=self.circle)
        self.hints = CircleHints(play, self.rest, self.history, self.say)  # type: ignore[arg-type]
        self._now_s = 0.0

    def say(self, sentence: str, about: CircleFaultStatus) -> None:
        self.said.append(render(sentence, ENGLISH))
        self.about.append(about)

    def wait(self, seconds: float) -> None:
        for _ in range(round(2 * seconds)):
            self._now_s += 0.5
            self.hints.tick(self._now_s)

    def stir(self) -> None:
        self.rest.is_seen = False
        self.wait(0.5)
        self.rest.is_seen = True

    def decide(self, decision: Decision | None = None) -> None:
        decision = decision or Advance(self.history.state.mover)
        outcome = self.history.apply(decision)
        self.hints(DecisionTaken(decision, outcome.facts, outcome.state))

    def undo(self) -> Decision:
        decision = self.history.undo()
        self.hints(DecisionUndone(decision, self.history.state))
        return decision


@pytest.fixture
def evening() -> _Evening:
    return _Evening(Setup(players=("Anna", "Boris"), market=ORDER))


def test_as_long_as_nothing_is_wrong_nothing_is_said(evening: _Evening) -> None:
    evening.wait(60)
    evening.stir()
    evening.wait(60)
    assert evening.said == []


def test_disorder_is_reported_after_three_seconds_with_at_most_six_names(evening: _Evening) -> None:
    evening.circle.wrong = tuple(range(8))
    evening.wait(2.5)
    assert evening.said == []
    evening.wait(1.5)
    (says,) = evening.said
    named = [patch_name(patch) for patch in ORDER[:7]]
    wrong, _, _ = says.partition("According to the companion")
    assert all(f"the {name}" in wrong for name in named[:6])
    assert f"the {named[6]}" not in wrong


def test_a_circle_that_was_pushed_is_told_of_once_at_each_rest(evening: _Evening) -> None:
    evening.wait(1)
    evening.rest.moved = dict.fromkeys(range(3), 0.5)
    evening.wait(5)
    assert evening.said == []
    evening.stir()
    evening.wait(5)
    assert evening.said == ["The circle was moved; its order has not changed."]


def test_a_shuffled_circle_is_told_once_and_taken_back(evening: _Evening) -> None:
    evening.circle.wrong = (3, 4)
    evening.wait(2)
    assert evening.said == []
    evening.wait(60)
    first, second, third = (patch_name(patch) for patch in ORDER[:3])
    assert evening.said == [
        f"The circle was disturbed. Out of order: the {patch_name(ORDER[3])} and the {patch_name(ORDER[4])}. "
        f"According to the companion, the {first}, the {second} and the {third} come next."
    ]
    assert evening.about[0].fault is CircleFault.ORDER
    assert evening.about[0].wrong is not None
    evening.circle.wrong = ()
    evening.wait(30)
    assert evening.said[1:] == ["The circle is back in order."]
    assert evening.about[1] == CircleFaultStatus(CircleFault.ORDER, None)


def test_a_game_that_goes_on_after_its_end_has_its_fault_told_anew() -> None:
    """The page forgets all faults with the end of a game."""
    history, _ = played(999)
    evening = _Evening(history.setup, history)
    last = evening.undo()
    evening.circle.wrong = (3, 4)
    evening.wait(10)
    assert len(evening.said) == 1

    evening.decide(last)
    evening.wait(10)
    evening.undo()
    evening.wait(10)
    assert evening.said[1:] == evening.said[:1]


def test_an_unknown_circle_is_not_compared_with_the_records() -> None:
    evening = _Evening(Setup(players=("Anna", "Boris")))
    evening.circle.wrong = (3, 4)
    evening.wait(30)
    assert evening.said == ["The circle was disturbed: its order has changed."]


def test_many_patches_that_were_pushed_and_lie_in_order_are_told_of_at_once(evening: _Evening) -> None:
    evening.wait(5)
    evening.stir()
    evening.rest.moved = {4: 1.2, 5: 0.8, 6: 2.0}
    evening.wait(20)
    assert evening.said == ["The circle was moved; its order has not changed."]
    assert evening.about == [CircleFaultStatus(CircleFault.ORDER, None)]


@pytest.mark.parametrize("moved", [{4: 1.2, 5: 0.8}, {4: 0.2, 5: 0.3, 6: 0.2, 7: 0.2}])
def test_of_a_brush_nobody_speaks(evening: _Evening, moved: dict[int, float]) -> None:
    evening.wait(5)
    evening.stir()
    evening.rest.moved = moved
    evening.wait(20)
    assert evening.said == []


def test_of_one_or_two_patches_in_somebody_s_hand_nobody_speaks(evening: _Evening) -> None:
    evening.circle.lost = (7, 8)
    evening.wait(120)
    assert evening.said == []


def test_missing_patches_are_told_of_until_they_lie_there_again(evening: _Evening) -> None:
    evening.circle.lost = (7, 8, 9)
    evening.wait(9)
    assert evening.said == []
    evening.wait(30)
    assert len(evening.said) == 1
    assert f"the {patch_name(ORDER[8])}" in evening.said[0]
    evening.circle.lost = ()
    evening.wait(1)
    assert evening.said[1:] == ["The circle is complete again."]


def test_the_neutral_token_has_its_time(evening: _Evening) -> None:
    evening.decide()
    evening.circle.pawn_astray = (5, START)
    evening.wait(7)
    assert evening.said == []
    evening.wait(30)
    belongs = f"The neutral token belongs where the {patch_name(ORDER[5])} was; it is somewhere else."
    assert evening.said == [belongs]
    evening.circle.pawn_astray = None
    evening.wait(1)
    assert evening.said == [belongs, "The neutral token is in the right place again."]
    assert evening.about[-1] == CircleFaultStatus(CircleFault.TOKEN, None)


def test_after_a_decision_it_belongs_elsewhere_and_nothing_is_taken_back(evening: _Evening) -> None:
    evening.circle.pawn_astray = (5, 3)
    evening.wait(20)
    assert evening.said == [
        f"The neutral token belongs where the {patch_name(ORDER[5])} was; it is where the {patch_name(ORDER[3])} was."
    ]
    evening.decide()
    evening.circle.pawn_astray = None
    evening.wait(30)
    assert len(evening.said) == 1


def test_while_something_stirs_nothing_is_said(evening: _Evening) -> None:
    evening.circle.wrong, evening.circle.lost, evening.circle.pawn_astray = (3,), (7, 8, 9), (5, 3)
    evening.rest.is_seen = False
    evening.wait(120)
    assert evening.said == []
