from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

import pytest

from companion.games.patchwork.decisions import Advance
from companion.patchwork.hands_free import AdvanceForecaster
from companion.play.events import DecisionForeseen, ForesightLapsed
from tests.companion.patchwork.timeboard.boards import StillWatch, ToldBoard, ToldReader, new_history

if TYPE_CHECKING:
    from companion.games.patchwork.rules import History
    from companion.patchwork.reading.reader import Reader
    from companion.patchwork.timeboard import TimeBoardWatch
    from companion.patchwork.watching.watch import TableWatch


@dataclass
class Evening:
    history: History = field(default_factory=new_history)
    board: ToldBoard = field(default_factory=ToldBoard)
    reader: ToldReader = field(default_factory=ToldReader)
    said: list[str] = field(default_factory=list)
    now_s: float = 0.0

    def __post_init__(self) -> None:
        self.advances = AdvanceForecaster(
            cast("TimeBoardWatch", self.board),
            cast("TableWatch", StillWatch()),
            cast("Reader", self.reader),
            2.0,
            self.said.append,
        )

    def wait(self, seconds: float) -> list[object]:
        """Advance the time and return what was foreseen and taken."""
        came = list[object]()
        for _ in range(round(seconds / 0.5)):
            self.now_s += 0.5
            seen = self.advances.see(self.now_s, self.history)
            came += [] if seen is None else [seen]
            if isinstance(seen, Advance):
                self.history.apply(seen)
        return came


@pytest.fixture
def evening() -> Evening:
    return Evening()


def test_the_movers_marker_one_past_the_others_is_announced_and_taken(evening: Evening) -> None:
    evening.board.stands(1, 0)

    foreseen, taken = evening.wait(10)

    assert isinstance(foreseen, DecisionForeseen)
    assert foreseen.decision == taken == Advance(1)
    assert evening.history.state.seat(1).time == 1


def test_markers_in_their_places_tell_nothing(evening: Evening) -> None:
    evening.board.stands(0, 0)

    assert evening.wait(30) == []
    assert evening.said == []


def test_with_a_patch_just_laid_it_is_no_advance(evening: Evening) -> None:
    evening.board.stands(1, 0)
    evening.reader.laid = True

    assert evening.wait(30) == []


def test_a_patch_laid_in_the_pause_stops_it(evening: Evening) -> None:
    evening.board.stands(1, 0)
    evening.wait(3.5)
    evening.reader.laid = True

    (lapsed,) = evening.wait(3)
    assert lapsed == ForesightLapsed(Advance(1), stopped=False, state=evening.history.state)


def test_a_marker_moved_back_stops_it(evening: Evening) -> None:
    evening.board.stands(1, 0)
    evening.wait(3.5)
    evening.board.stands(0, 0)

    (lapsed,) = evening.wait(3)
    assert isinstance(lapsed, ForesightLapsed)


def test_one_that_was_stopped_is_not_announced_again(evening: Evening) -> None:
    evening.board.stands(1, 0)
    evening.wait(3.5)

    assert evening.advances.lapse(evening.history, stopped=True) is not None
    assert evening.wait(30) == []


def test_one_that_was_taken_back_is_not_taken_again(evening: Evening) -> None:
    evening.board.stands(1, 0)
    evening.wait(10)
    evening.history.undo()
    evening.advances.refuse(evening.history)

    assert evening.wait(30) == []


def test_a_marker_too_far_is_asked_about_once(evening: Evening) -> None:
    evening.board.stands(3, 0)

    assert evening.wait(60) == []
    assert evening.said == [
        "Anna’s marker was moved to 3. To advance, move it to 1; to take a patch, place the patch first."
    ]


def test_the_others_marker_out_of_place_makes_it_unsure(evening: Evening) -> None:
    evening.board.stands(1, None)
    assert evening.wait(30) == []

    evening.board.stands(3, 2)
    assert evening.wait(30) == []
    assert evening.said == []


def test_an_undone_advance_is_taken_again_once_its_marker_was_moved_back(evening: Evening) -> None:
    evening.board.stands(1, 0)
    assert evening.wait(10)[-1] == Advance(1)
    evening.history.undo()
    evening.advances.refuse(evening.history)
    assert evening.wait(10) == [], "the marker has not been moved"
    evening.board.stands(0, 0)
    assert evening.wait(2) == []
    evening.board.stands(1, 0)
    assert evening.wait(10)[-1] == Advance(1)


def test_an_undone_advance_is_taken_again_though_its_marker_was_not_recognised_in_its_old_place(
    evening: Evening,
) -> None:
    evening.board.stands(1, 0)
    assert evening.wait(10)[-1] == Advance(1)
    evening.history.undo()
    evening.advances.refuse(evening.history)
    evening.board.stands(None, 0)
    evening.wait(1)
    evening.board.stands(1, 0)
    assert evening.wait(30) == [], "an arm hid it for a moment"
    evening.board.stands(None, 0)
    evening.wait(5)
    evening.board.stands(1, 0)
    assert evening.wait(10)[-1] == Advance(1)
