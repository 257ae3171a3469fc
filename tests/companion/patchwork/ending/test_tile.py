"""Test the 7x7 tile that is by another board than in the books, at a game's end."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.decisions import AwardTile
from companion.patchwork.ending.checks import SeenTiles, TileCheck
from companion.play.session import AtOnce
from tests.companion.patchwork.ending.tables import RestingTable, finished_history
from vision.tokens.tiles import Tile

if TYPE_CHECKING:
    from companion.games.patchwork.state import State
    from companion.patchwork.reading.verdict import Question
    from companion.patchwork.watching.watch import TableWatch

SQUARE = mask_of([f"{column}{row}" for column in "ABCDEFG" for row in range(1, 8)])


class Ended:
    """A finished game in which Boris has the tile by the books, with the tile's place in the next looks."""

    def __init__(self) -> None:
        self.history = SimpleNamespace(state=_ended(), decisions=())
        self.lies_by: int | None = 2
        self.looks, self.now_s = 0, 0.0
        self.said: list[str] = []
        watch = cast("TableWatch", RestingTable())
        self.check = TileCheck(watch, cast("Any", self.history), AtOnce(), self.said.append, self._see)

    def _see(self, *_: object) -> SeenTiles:
        self.looks += 1
        away = {1: (4.0, 20.0), 2: (20.0, 4.0), None: (6.0, 6.2)}[self.lies_by]
        return SeenTiles((Tile((0.0, 0.0), (2.2, 2.1), 0.8, -3.0, away),), (1, 2))

    def wait(self, seconds: float) -> list[Question]:
        """Advance the time and return the questions asked."""
        asked = []
        for _ in range(round(seconds)):
            self.now_s += 1.0
            self.check.see(self.now_s)
            asked.append(self.check.question())
        return [question for question in asked if question is not None]


def _ended() -> State:
    state = finished_history().state
    one, two = state.seats
    return replace(state, seats=(replace(one, quilt=SQUARE), replace(two, quilt=SQUARE, bonus=True)))


@pytest.fixture
def ended() -> Ended:
    return Ended()


def test_a_tile_by_another_board_is_asked_about_once_after_two_looks(ended: Ended) -> None:
    ended.lies_by = 1
    assert ended.wait(15) == []
    (question,) = ended.wait(200)
    assert question.says == (
        "The 7x7 tile is by Anna’s board; it should be Boris’s, who had a full square first. Whose is it?"
    )
    assert question.options == (AwardTile(2), AwardTile(1))
    assert ended.said == []


def test_a_tile_by_a_player_who_has_no_square_is_only_told_of(ended: Ended) -> None:
    one, two = ended.history.state.seats
    ended.history.state = replace(ended.history.state, seats=(replace(one, quilt=SQUARE & ~1), two))
    ended.lies_by = 1
    assert ended.wait(200) == []
    assert ended.said == ["The 7x7 tile is by Anna’s board; it belongs to Boris, who has a full square."]


def test_a_tile_that_lies_right_or_between_asks_nothing(ended: Ended) -> None:
    assert ended.wait(100) == []
    ended = Ended()
    ended.lies_by = None
    assert ended.wait(100) == []
    assert ended.said == []


def test_a_question_names_the_picture_that_it_is_about(ended: Ended) -> None:
    ended.lies_by = 1
    (question,) = ended.wait(30)
    assert question.frame == "000007.jpg"


@pytest.mark.parametrize(("seconds", "asked"), [(15, 0), (100, 1)])
def test_a_decision_that_is_taken_back_begins_the_check_anew(ended: Ended, seconds: int, asked: int) -> None:
    ended.lies_by = 1
    assert len(ended.wait(seconds)) == asked
    finished = ended.history.state
    ended.history.state = replace(finished, turn=1)
    assert ended.wait(1) == []
    ended.history.state = finished
    assert ended.wait(15) == [], "one look is not enough"
    assert len(ended.wait(100)) == 1


def test_one_look_is_not_enough(ended: Ended) -> None:
    ended.lies_by = 1
    ended.wait(15)
    ended.lies_by = 2
    assert ended.wait(200) == []


def test_nobody_is_asked_about_a_tile_that_nobody_has_won_nor_looks_for_it(ended: Ended) -> None:
    one, two = ended.history.state.seats
    ended.history.state = replace(ended.history.state, seats=(one, replace(two, bonus=False)))
    ended.lies_by = 1
    assert ended.wait(200) == []
    assert ended.looks == 0


def test_the_tile_is_asked_about_once(ended: Ended) -> None:
    ended.history.decisions = (AwardTile(2),)
    ended.lies_by = 1
    assert ended.wait(200) == []


def test_a_tile_that_is_passed_on_ends_the_question(ended: Ended) -> None:
    ended.lies_by = 1
    (question,) = ended.wait(30)
    assert not ended.check.is_mended(question)
    ended.lies_by = 2
    ended.wait(20)
    assert ended.check.is_mended(question)
