"""Test how placements, take-backs and advances are forecast together, with fakes of the three."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.decisions import Advance, Decision, TakePatch
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.patchwork.hands_free import Due, Forecaster
from companion.patchwork.reading.verdict import Question, QuestionTopic, Reading
from companion.play.events import DecisionForeseen, ForesightLapsed, UndoForeseen
from hardware.ports import Button, Frame

PATCH = TakePatch(1, "corner-b1", mask_of(["A1", "A2", "B2"]))
HISTORY = History(Setup())
FORESEEN = DecisionForeseen(PATCH, 2.0, 2.0, HISTORY.state)
ADVANCE_FORESEEN = DecisionForeseen(Advance(1), 2.0, 2.0, HISTORY.state)
UNDO_FORESEEN = UndoForeseen(PATCH, 2.0, 2.0, HISTORY.state)
DOUBT = Question(QuestionTopic.CELLS, 1, (PATCH,), ("A1",), "Is it covered?", "f")


class Fake:
    """A forecaster of one kind, which returns what a test sets and records its calls."""

    def __init__(self, foreseen: Any = None, *, is_announced: bool = False, is_lifted: bool = False) -> None:
        self.foreseen, self.is_announced, self.is_lifted = foreseen, is_announced, is_lifted
        self.is_able = True
        self.calls: list[object] = []

    def see(self, *_: object) -> Any:
        self.calls.append("see")
        return self.foreseen

    def lapse(self, history: History, *, stopped: bool) -> ForesightLapsed | None:
        self.calls.append(("lapse", stopped))
        return ForesightLapsed(self.foreseen.decision, stopped, history.state) if self.is_announced else None

    def forget(self) -> None:
        self.calls.append("forget")

    def forget_doubt(self) -> None:
        self.calls.append("forget doubt")

    def learn(self, seat: int) -> None:
        self.calls.append(("learn", seat))

    def refuse(self, refused: Decision | History) -> None:
        self.calls.append(("refuse", refused))

    def wait(self, now_s: float) -> None:
        self.calls.append(("wait", now_s))


def forecaster(foresight: Fake, take_backs: Fake | None = None, advances: Fake | None = None) -> Forecaster:
    return Forecaster(cast("Any", foresight), cast("Any", take_backs), cast("Any", advances))


def see(seen: Forecaster) -> object:
    return seen.see(Frame(np.zeros((1, 1, 3), np.uint8), 0.0, "f"), HISTORY)


@pytest.mark.parametrize("shown", [FORESEEN, DOUBT, ForesightLapsed(PATCH, False, HISTORY.state)])
def test_the_quilts_come_before_the_markers(shown: object) -> None:
    advances = Fake(ADVANCE_FORESEEN)
    assert see(forecaster(Fake(shown), advances=advances)) is shown
    assert advances.calls == []


def test_a_reading_replaces_confirm_and_an_advance_its_own_press() -> None:
    assert see(forecaster(Fake(Reading(PATCH, "f", 1.0)))) == Due(PATCH, Button.CONFIRM)
    assert see(forecaster(Fake(), advances=Fake(Advance(1)))) == Due(Advance(1), Button.ADVANCE)
    assert see(forecaster(Fake(), advances=Fake(ADVANCE_FORESEEN))) is ADVANCE_FORESEEN
    assert see(forecaster(Fake())) is None


def test_while_a_placement_is_announced_the_markers_and_the_last_patch_are_not_followed() -> None:
    take_backs, advances = Fake(UNDO_FORESEEN), Fake(ADVANCE_FORESEEN)
    assert see(forecaster(Fake(is_announced=True), take_backs, advances)) is None
    assert take_backs.calls == advances.calls == []


def test_a_lifted_patch_is_taken_back_and_nothing_else_is_foreseen_meanwhile() -> None:
    foresight = Fake(FORESEEN)
    assert see(forecaster(foresight, Fake(UNDO_FORESEEN, is_lifted=True))) is UNDO_FORESEEN
    assert see(forecaster(foresight, Fake(is_lifted=True))) is None
    assert see(forecaster(foresight, Fake(PATCH))) == Due(PATCH, Button.UNDO)
    assert foresight.calls == []
    assert see(forecaster(foresight, Fake())) is FORESEEN


def test_an_announced_advance_is_not_disturbed_by_a_lifted_patch() -> None:
    take_backs = Fake(UNDO_FORESEEN, is_lifted=True)
    assert see(forecaster(Fake(), take_backs, Fake(Advance(1), is_announced=True))) == Due(Advance(1), Button.ADVANCE)
    assert take_backs.calls == []


@pytest.mark.parametrize("stopped", [False, True])
def test_whichever_was_announced_lapses(stopped: bool) -> None:
    take_backs, advances = Fake(), Fake(ADVANCE_FORESEEN, is_announced=True)
    lapsed = forecaster(Fake(), take_backs, advances).lapse(HISTORY, stopped=stopped)
    assert lapsed == ForesightLapsed(Advance(1), stopped, HISTORY.state)
    assert take_backs.calls == ["forget"]
    placement = forecaster(Fake(FORESEEN, is_announced=True), take_backs, advances).lapse(HISTORY, stopped=stopped)
    assert placement == ForesightLapsed(PATCH, stopped, HISTORY.state)
    assert forecaster(Fake()).lapse(HISTORY, stopped=stopped) is None


def test_the_light_is_learnt_from_placements_alone() -> None:
    foresight = Fake()
    forecaster(foresight).follow(Advance(1))
    assert foresight.calls == ["forget doubt"]
    forecaster(foresight).follow(PATCH)
    assert foresight.calls == ["forget doubt", "forget doubt", ("learn", 1)]


def test_an_undone_advance_is_refused_by_the_markers_too() -> None:
    foresight, advances = Fake(), Fake()
    both = forecaster(foresight, advances=advances)
    both.refuse(PATCH, HISTORY)
    assert (foresight.calls, advances.calls) == (["forget doubt", ("refuse", PATCH)], [])
    both.refuse(Advance(1), HISTORY)
    assert advances.calls == [("refuse", HISTORY)]


def test_advances_are_seen_on_a_followed_time_board() -> None:
    advances = Fake()
    assert not forecaster(Fake()).can_see_advances
    assert forecaster(Fake(), advances=advances).can_see_advances
    advances.is_able = False
    assert not forecaster(Fake(), advances=advances).can_see_advances
    forecaster(Fake(), advances=advances).wait(3.0)
    forecaster(Fake()).wait(3.0)
    assert advances.calls == [("wait", 3.0)]
