"""Test when a patch that was lifted off is taken back without a press, and when it is not; on pictures."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

import pytest

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.decisions import TakePatch
from companion.patchwork.foresight import PlacementForecaster
from companion.patchwork.hands_free import UndoForecaster
from companion.play.events import UndoForeseen, UndoLapsed
from hardware.simulated.scene.placing import Hand

if TYPE_CHECKING:
    from hardware.simulated.scene.placing import Lying
    from tests.companion.patchwork.conftest import Scene

TAKEN = TakePatch(1, "corner-b3", mask_of(["D4", "D5", "E5"]))
FRAMES_3_S = 17


class Evening:
    """A game in which a patch was taken and is on the quilt."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.foresight = PlacementForecaster(scene.watch, scene.reader, pause_s=2.0)
        self.back = UndoForecaster(scene.watch, scene.comparer, self.foresight, 2.0)
        self.piece: Lying = scene.lay(1, TAKEN.patch, ["D4", "D5", "E5"])
        assert getattr(scene.read(), "decision", None) == TAKEN
        scene.take(TAKEN)
        self.foresight.learn(1)

    def wait(self, frames: int) -> list[object]:
        news = []
        for _ in range(frames):
            self.scene.show(1)
            frame = self.scene.watch.frame
            assert frame is not None
            news.append(self.back.see(frame.t_s, self.scene.history))
        return [each for each in news if each is not None]

    def lift(self) -> None:
        self.scene.table.lift(1, self.piece)


@pytest.fixture(scope="module")
def begun(opening: Scene) -> Evening:
    return Evening(deepcopy(opening))


@pytest.fixture
def evening(begun: Evening) -> Evening:
    return deepcopy(begun)


def test_a_patch_that_stays_off_is_announced_and_then_taken_back(evening: Evening) -> None:
    # It may be off before the first picture after the decision.
    evening.lift()
    assert evening.wait(FRAMES_3_S - 4) == [], "it may be lifted to be straightened"
    foreseen, undone = evening.wait(FRAMES_3_S + 14)[:2]
    assert isinstance(foreseen, UndoForeseen)
    assert (foreseen.decision, foreseen.pause_s, undone) == (TAKEN, 2.0, TAKEN)


def test_a_decision_that_was_taken_back_is_not_spoken_of_again(evening: Evening) -> None:
    evening.lift()
    while evening.wait(1) != [TAKEN]:
        assert evening.scene.history.decisions
    evening.scene.history.undo()
    assert evening.wait(2) == []


def test_a_patch_that_is_put_back_stays_taken(evening: Evening) -> None:
    evening.wait(5)
    evening.lift()
    while not (news := evening.wait(1)):
        assert evening.back.is_lifted or evening.wait(1) == []
    assert isinstance(news[0], UndoForeseen)
    evening.scene.table.put(1, evening.piece)
    assert [type(each) for each in evening.wait(20)] == [UndoLapsed]
    assert not evening.back.is_lifted


def test_an_object_on_the_patch_or_elsewhere_takes_nothing_back(evening: Evening) -> None:
    evening.wait(5)
    evening.scene.table.hands = (Hand(1, *evening.scene.table.spot_mm(1, evening.piece)),)
    assert evening.wait(30) == []
    evening.scene.table.hands = ()
    evening.lift()
    evening.scene.lay(1, TAKEN.patch, ["G4", "G5", "H5"])
    assert evening.wait(30) == []
