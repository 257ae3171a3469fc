from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from companion.games.patchwork.decisions import Advance
from companion.patchwork.timeboard import MarkerHints, MarkerStatus
from companion.play.events import DecisionTaken
from tests.companion.patchwork.timeboard.boards import ToldBoard, new_history

if TYPE_CHECKING:
    from companion.patchwork.timeboard import TimeBoardWatch


class Evening:
    """A game in which Anna has advanced to 1 and it is Boris's turn."""

    def __init__(self) -> None:
        self.history, self.board, self.said, self.now_s = new_history(), ToldBoard(), list[str](), 0.0
        self.about = list[object]()
        self.hints = MarkerHints(cast("TimeBoardWatch", self.board), self.history, self.say)
        self.advance(1)

    def say(self, sentence: str, about: object = None, /) -> None:
        self.said.append(sentence)
        self.about.append(about)

    def advance(self, seat: int) -> None:
        outcome = self.history.apply(Advance(seat))
        self.hints(DecisionTaken(Advance(seat), outcome.facts, outcome.state))

    def wait(self, seconds: float) -> list[str]:
        """Advance the time and return what was said."""
        said = len(self.said)
        for _ in range(round(seconds / 0.5)):
            self.now_s += 0.5
            self.hints.tick(self.now_s)
        return self.said[said:]


@pytest.fixture
def evening() -> Evening:
    return Evening()


def test_a_marker_that_was_not_moved_is_told_once_and_after_a_while(evening: Evening) -> None:
    evening.board.stands(0, 0)

    assert evening.wait(6) == []
    assert evening.wait(60) == ["Anna’s marker belongs on 1; it is on 0."]


def test_a_hint_is_taken_back_when_the_marker_is_mended(evening: Evening) -> None:
    evening.board.stands(2, 0)
    evening.wait(20)
    evening.board.stands(1, 0)

    assert evening.wait(20) == ["Anna’s marker is in the right place again."]
    assert evening.about == [MarkerStatus(1, 2), MarkerStatus(1, None)]


def test_one_that_is_put_on_another_wrong_space_is_told_again(evening: Evening) -> None:
    evening.board.stands(2, 0)
    evening.wait(20)
    evening.board.stands(3, 0)

    assert evening.wait(60) == ["Anna’s marker belongs on 1; it is on 3."]


def test_a_decision_of_its_own_begins_anew(evening: Evening) -> None:
    evening.board.stands(0, 0)
    evening.wait(20)
    evening.advance(2)
    evening.advance(1)
    evening.board.stands(0, 2)

    assert evening.wait(20) == ["Anna’s marker belongs on 3; it is on 0."]
    evening.board.stands(3, 2)
    assert evening.wait(20) == ["Anna’s marker is in the right place again."]


def test_an_unseen_marker_is_not_reported(evening: Evening) -> None:
    evening.board.stands(None, 0)
    assert evening.wait(30) == []

    evening.board.standing = None
    assert evening.wait(30) == []


def test_a_marker_that_comes_late_is_no_matter(evening: Evening) -> None:
    evening.board.stands(0, 0)
    evening.wait(7)
    evening.board.stands(1, 0)

    assert evening.wait(30) == []


def test_the_movers_marker_may_be_ahead_of_the_books(evening: Evening) -> None:
    evening.board.stands(1, 4)

    assert evening.wait(30) == []


def test_a_marker_that_another_hand_has_moved_is_told(evening: Evening) -> None:
    evening.board.stands(1, 0)
    evening.wait(10)
    evening.board.stands(3, 0)

    assert evening.wait(30) == ["Anna’s marker belongs on 1; it is on 3."]


def test_the_others_decision_does_not_put_a_hint_off(evening: Evening) -> None:
    evening.board.stands(0, 0)
    evening.wait(6)
    evening.advance(2)
    evening.board.stands(0, 2)

    assert evening.wait(4) == ["Anna’s marker belongs on 1; it is on 0."]
