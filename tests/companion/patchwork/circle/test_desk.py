"""Test confirming the circle while the game goes on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from companion.games.patchwork.components import PATCHES, placements
from companion.games.patchwork.decisions import Advance, TakePatch
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.journal import MemoryJournal
from companion.patchwork.circle.desk import CircleDesk
from companion.patchwork.circle.first_picture import learner
from companion.patchwork.circle.keeper import CircleKeeper, LaidOut
from companion.patchwork.circle.proposal import AllRight, PlaceIs, PlaceRight, RunsSo
from companion.patchwork.circle.seen import CircleSighting, SeenMarket, UnclearStretch
from companion.patchwork.codec import PATCHWORK
from companion.patchwork.naming import patch_names
from companion.play.events import Asked, Pending, QuestionAnswered
from companion.play.inbox import CommandRefusedError
from companion.registry import codecs
from vision.geometry import translation

if TYPE_CHECKING:
    from pathlib import Path

    from companion.patchwork.circle.proposal import CircleAnswer

CIRCLE = (*(patch for patch in PATCHES if patch != "domino"), "domino")
IMAGE = np.zeros((6, 8, 3), np.uint8)
KNOWN = "All 33 patches of the circle are known. It begins with {}, {} and {}.".format(*patch_names(CIRCLE[:3]))


def seen(*doubtful: int) -> SeenMarket:
    """A circle with doubts at some places, each with the place after it."""
    pieces = []
    for place, patch in enumerate(CIRCLE, start=1):
        names = (patch, CIRCLE[place % 33]) if place in doubtful else (patch,)
        chances = tuple((name, 1 / len(names)) for name in names)
        pieces.append(CircleSighting(patch, np.zeros((4, 2)), (0.0, 0.0), chances, sure=place not in doubtful))
    return SeenMarket(tuple(pieces), None, "domino")


class Evening:
    """A game with an unknown circle, and the desk at which it is confirmed."""

    def __init__(self, picture: Path) -> None:
        self.desk, self.history, self.book = CircleDesk(), History(Setup()), MemoryJournal(codecs())
        self.picture = picture
        self.number = self.book.new_game(self.history.setup)
        self.said: list[str] = []
        self.lines: list[str] = []
        self.begin()

    def begin(self) -> None:
        learn = learner(self.book, self.number, self.history, None)
        assert self.desk.begin(self.history, learn, self.said.append, keeper=self.keeper()) is self.desk

    def keeper(self) -> CircleKeeper:
        return CircleKeeper(self.book, self.number, self.picture)

    def decide(self, decision: Any) -> None:
        self.book.append(self.number, len(self.history.decisions) + 1, decision)
        self.history.apply(decision)

    def submit(self, answer: CircleAnswer) -> None:
        outcome = self.desk.submit(answer)
        assert not outcome.done()
        self.desk.tick(0.0)
        outcome.result(timeout=0)

    def type(self, *lines: str) -> None:
        given = [*lines]

        def read() -> list[str]:
            taken, given[:] = [*given], []
            return taken

        self.desk.read(read)
        self.desk.tick(0.0)


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(tmp_path / "profiles" / "1.circle.jpg")


def test_a_circle_without_doubts_is_learnt_at_once(evening: Evening) -> None:
    evening.desk.lay_out(seen(), IMAGE)
    assert evening.history.state.market == evening.book.setup(evening.number, PATCHWORK).market == CIRCLE
    assert evening.said == [KNOWN]
    evening.desk.tick(0.0)
    assert evening.said == [KNOWN]


def test_once_every_doubt_is_answered_the_game_learns_the_circle(evening: Evening) -> None:
    evening.desk.lay_out(seen(7, 20), IMAGE)
    evening.submit(PlaceIs(7, CIRCLE[6]))
    assert (evening.history.state.market, evening.said) == (None, [])
    evening.submit(PlaceRight(20))
    assert (evening.history.state.market, evening.said) == (CIRCLE, [KNOWN])
    laid = evening.desk.laid
    assert laid is not None
    assert laid.known


def test_the_game_goes_on_meanwhile_and_its_moves_are_kept(evening: Evening) -> None:
    evening.desk.lay_out(seen(7), IMAGE)
    moves = (Advance(1), TakePatch(2, CIRCLE[2], placements(CIRCLE[2])[0]))
    for move in moves:
        evening.decide(move)
    evening.submit(AllRight())
    assert evening.history.decisions == evening.book.decisions(evening.number, PATCHWORK) == moves
    assert evening.history.state.market == (*CIRCLE[3:], *CIRCLE[:2])


def test_moves_that_do_not_agree_with_the_circle_are_told_of_once(evening: Evening) -> None:
    evening.desk.lay_out(seen(7), IMAGE)
    evening.decide(TakePatch(1, CIRCLE[5], placements(CIRCLE[5])[0]))
    evening.submit(AllRight())
    evening.desk.tick(0.0)
    assert evening.said == [
        "The circle as you describe it does not match the moves so far: the small T could not have been taken."
    ]
    assert evening.history.state.market is evening.book.setup(evening.number, PATCHWORK).market is None
    evening.history.undo()
    evening.book.undo(evening.number, 1)
    evening.submit(PlaceIs(1, CIRCLE[1]))
    evening.submit(PlaceIs(2, CIRCLE[0]))
    assert evening.history.state.market == (CIRCLE[1], CIRCLE[0], *CIRCLE[2:])


def test_a_learnt_circle_can_still_be_corrected(evening: Evening) -> None:
    evening.desk.lay_out(seen(), IMAGE)
    evening.submit(PlaceIs(1, CIRCLE[1]))
    assert evening.history.state.market == CIRCLE
    evening.submit(PlaceIs(2, CIRCLE[0]))
    assert evening.history.state.market == (CIRCLE[1], CIRCLE[0], *CIRCLE[2:])


def test_while_a_question_is_open_nothing_is_learnt(evening: Evening) -> None:
    evening.desk.lay_out(seen(7), IMAGE)
    asked: Any = object()
    evening.desk(Asked(asked, 0, evening.history.state, pending=Pending(question=asked)))
    evening.submit(AllRight())
    assert evening.history.state.market is None
    evening.desk(QuestionAnswered(asked, None, evening.history.state))
    evening.desk.tick(0.0)
    assert evening.history.state.market == CIRCLE


def test_lines_at_the_terminal(evening: Evening) -> None:
    evening.type()
    evening.desk.lay_out(seen(7, 20), IMAGE)
    assert evening.said == ['Type "7 small T" for what lies in place 7, or "ok" if all is as shown.']
    evening.type("7 teapot", "", f"7 {CIRCLE[6]}")
    assert evening.said[1:] == ["There is no patch teapot.", "Places in the circle still uncertain: 20."]
    evening.type("ok")
    assert evening.said[3:] == [KNOWN]


def test_a_purchase_settles_a_doubt(evening: Evening) -> None:
    evening.desk.lay_out(seen(7), IMAGE)
    evening.desk.notice(PlaceIs(7, CIRCLE[6]))
    evening.desk.tick(0.0)
    assert evening.history.state.market == CIRCLE


def test_play_does_not_show_which_of_two_neighbours_comes_first(evening: Evening) -> None:
    evening.desk.lay_out(replace(seen(), unclear=(UnclearStretch(((7, 8), (8, 7))),)), IMAGE)
    for place in (7, 8):
        evening.desk.notice(PlaceIs(place, CIRCLE[place - 1]))
        evening.desk.tick(0.0)
    assert evening.history.state.market is None
    evening.submit(AllRight())
    assert evening.history.state.market == CIRCLE


def test_an_impossible_answer_is_refused(evening: Evening) -> None:
    outcome = evening.desk.submit(PlaceIs(1, "tee"))
    evening.desk.tick(0.0)
    with pytest.raises(CommandRefusedError, match="no circle to confirm"):
        outcome.result(timeout=0)
    evening.desk.lay_out(seen(7), IMAGE)
    outcome = evening.desk.submit(PlaceIs(99, "tee"))
    evening.desk.tick(0.0)
    with pytest.raises(CommandRefusedError, match="There is no place 99"):
        outcome.result(timeout=0)


def test_everybody_sees_what_lies_out_until_another_game(evening: Evening) -> None:
    shown: list[LaidOut | None] = []
    evening.desk.follow(shown.append)
    evening.desk.lay_out(seen(7), IMAGE)
    evening.submit(AllRight())
    numbers = [laid.number for laid in shown if laid is not None]
    assert numbers == sorted(set(numbers))
    assert [laid is not None and laid.known for laid in shown] == [False, False, True]
    evening.number = evening.book.new_game(Setup())
    evening.history = History(Setup())
    evening.begin()
    assert (shown[-1], evening.desk.laid) == (None, None)
    assert evening.desk.begin(evening.history, None, evening.said.append, keeper=evening.keeper()) is None
    evening.desk.lay_out(seen(), IMAGE)
    assert evening.desk.laid is None


def test_a_game_without_a_circle_puts_it_away_and_answers_who_waits(evening: Evening) -> None:
    shown: list[tuple[LaidOut | None, float | None]] = []
    evening.desk.follow(lambda laid: shown.append((laid, evening.desk.share)))
    evening.desk.lay_out(seen(7), IMAGE)
    evening.desk.look(0.5)
    waiting = evening.desk.submit(AllRight())
    evening.desk.leave()
    assert (shown[-1], evening.desk.laid, evening.desk.looking) == ((None, None), None, False)
    for outcome in (waiting, evening.desk.submit(AllRight())):
        with pytest.raises(CommandRefusedError, match="no circle to confirm"):
            outcome.result(timeout=0)
    evening.desk.lay_out(seen(), IMAGE)
    assert evening.desk.laid is None


def test_a_look_that_was_broken_off_is_over_for_the_next_game(evening: Evening) -> None:
    evening.desk.look(0.3)
    evening.begin()
    assert not evening.desk.looking


def test_after_the_evening_nothing_is_taken(evening: Evening) -> None:
    evening.desk.lay_out(seen(7), IMAGE)
    waiting = evening.desk.submit(AllRight())
    evening.desk.close()
    for outcome in (waiting, evening.desk.submit(AllRight())):
        with pytest.raises(CommandRefusedError, match="Play has ended"):
            outcome.result(timeout=0)


def test_a_circle_that_play_contradicts_is_unknown_until_it_is_put_right(evening: Evening) -> None:
    evening.desk.lay_out(replace(seen(), unclear=(UnclearStretch(((3, 4), (4, 3))),)), IMAGE)
    evening.submit(RunsSo(3, 0))
    assert evening.desk.is_read
    evening.desk.withdraw()
    fourth = TakePatch(1, CIRCLE[3], placements(CIRCLE[3])[0])
    evening.decide(fourth)
    evening.desk.tick(0.0)
    assert evening.history.state.market is evening.book.setup(evening.number, PATCHWORK).market is None
    assert evening.desk.laid is not None
    assert not evening.desk.laid.known
    assert [place.number for place in evening.desk.laid.proposal.doubtful] == [3, 4]
    evening.submit(RunsSo(3, 1))
    assert evening.history.setup.market == (*CIRCLE[:2], CIRCLE[3], CIRCLE[2], *CIRCLE[4:])
    assert evening.history.decisions == (fourth,)


def test_a_circle_without_a_doubt_that_play_contradicts_is_not_learnt_again(evening: Evening) -> None:
    evening.desk.lay_out(seen(), IMAGE)
    evening.desk.withdraw()
    evening.desk.tick(0.0)
    assert evening.history.setup.market is None
    assert "is not as the camera saw it" in evening.said[-1]


class Restarted(Evening):
    """The same game, resumed by another process."""

    def __init__(self, before: Evening) -> None:
        super().__init__(before.picture)
        self.book, self.number = before.book, before.number
        self.history = History(self.book.setup(self.number, PATCHWORK))
        for decision in self.book.decisions(self.number, PATCHWORK):
            self.history.apply(decision)
        self.followed: list[LaidOut] = []
        learn = learner(self.book, self.number, self.history, None)
        self.asked = self.desk.begin(self.history, learn, self.said.append, self.followed.append, self.keeper())


BOARDS = {1: translation(3.0, 4.0), 2: translation(5.0, 6.0)}


def test_answers_survive_a_power_cut(evening: Evening) -> None:
    evening.desk.lay_out(seen(7, 12), IMAGE, BOARDS)
    evening.submit(PlaceRight(7))
    evening.decide(Advance(1))
    again = Restarted(evening)
    assert again.asked is None, "there is nothing to look for"
    assert again.desk.laid is not None
    assert [place.number for place in again.desk.laid.proposal.doubtful] == [12]
    assert again.desk.laid.image.shape == IMAGE.shape
    assert {seat: place.matrix.tolist() for seat, place in again.desk.laid.boards.items()} == {
        seat: place.matrix.tolist() for seat, place in BOARDS.items()
    }
    assert again.said == ["Places in the circle still uncertain: 12."]
    again.submit(AllRight())
    assert again.history.state.market == again.book.setup(again.number, PATCHWORK).market == CIRCLE
    assert again.followed == [], "nobody saw what has happened to the circle meanwhile"
    assert Restarted(again).desk.laid is None, "the game knows its circle"


def test_the_picture_of_the_circle_is_kept_as_it_was(evening: Evening) -> None:
    image = np.full((40, 60, 3), (30, 90, 200), np.uint8)
    evening.desk.lay_out(seen(7), image)
    laid = Restarted(evening).desk.laid
    assert laid is not None
    assert np.abs(laid.image.astype(int) - image).max() < 8
    evening.picture.unlink()
    laid = Restarted(evening).desk.laid
    assert laid is not None
    assert np.ptp(laid.image) == 0, "grey: people know what they laid out"


def test_a_circle_that_cannot_be_read_any_more_is_looked_for_anew(
    evening: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    evening.desk.lay_out(seen(7), IMAGE)
    for key in evening.book.notes(evening.number):
        evening.book.note(evening.number, key, "{}")
    again = Restarted(evening)
    assert again.asked is again.desk
    assert again.desk.laid is None
    assert "the circle that was seen is lost" in caplog.text


def test_a_game_goes_on_if_the_picture_cannot_be_stored(evening: Evening, caplog: pytest.LogCaptureFixture) -> None:
    evening.picture.parent.write_text("a file where the folder should be")
    evening.desk.lay_out(seen(7), IMAGE)
    assert "cannot be written" in caplog.text
    assert Restarted(evening).desk.laid is not None
