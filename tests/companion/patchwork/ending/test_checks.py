"""Test the question which count is right if the buttons in hand differ from the books at a game's end."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np
import pytest

from companion.games.patchwork.decisions import CountButtons
from companion.patchwork.ending.checks import ButtonCheck
from companion.patchwork.photograph.hands import SeenHand
from companion.play.session import AtOnce
from hardware.ports import Frame
from tests.companion.patchwork.ending.tables import RestingTable, finished_history

if TYPE_CHECKING:
    from companion.patchwork.ending.token_values import LearntHands
    from companion.patchwork.photograph.hands import SeenHeaps
    from companion.patchwork.reading.verdict import Question
    from companion.patchwork.watching.watch import TableWatch


class Ended:
    """A finished game, with the values of buttons that the next looks see before its players."""

    def __init__(self) -> None:
        self.history, self.table = finished_history(), RestingTable()
        self.booked = {seat: self.history.state.seat(seat).buttons for seat in (1, 2)}
        self.seen: dict[int, int] = dict(self.booked)
        self.doubts: tuple[str, ...] = ()
        self.looks, self.now_s = 0, 0.0
        self.is_learnt, self.learnt = False, list[dict[int, int]]()
        watch, me = cast("TableWatch", self.table), cast("LearntHands", self)
        self.check = ButtonCheck(watch, self.history, AtOnce(), self._see, me)

    def _see(self, *_: object) -> SeenHeaps:
        self.looks += 1
        return cast("SeenHeaps", dict(self.seen))

    is_vain, kinds = True, ()

    def learn(self, seen: SeenHeaps, booked: dict[int, int]) -> None:
        """The hands: record a look in play."""
        del seen
        self.learnt.append(booked)

    def hands(self, seen: dict[int, int]) -> dict[int, SeenHand]:
        """The hands: return what a look shows."""
        return {seat: SeenHand(seat, {1: value}, self.doubts, (), self.is_learnt) for seat, value in seen.items()}

    def wait(self, seconds: float) -> list[Question]:
        """Advance the time and return the questions asked."""
        asked = []
        for _ in range(round(seconds)):
            self.now_s += 1.0
            self.check.see(self.now_s)
            asked.append(self.check.question())
        return [question for question in asked if question is not None]


@pytest.fixture
def ended() -> Ended:
    return Ended()


def test_a_difference_is_asked_about_once_after_two_looks(ended: Ended) -> None:
    ended.seen[1] -= 1
    assert ended.wait(15) == []
    booked = ended.booked[1]
    (question,) = ended.wait(200)
    assert question.says == f"Anna should have {booked}; buttons worth {booked - 1} are in view. Which is right?"
    assert question.options == (CountButtons(1, booked), CountButtons(1, booked - 1))
    assert (question.seat, question.frame) == (1, ended.table.frame.name)


def test_both_players_are_asked_about_one_after_the_other(ended: Ended) -> None:
    ended.seen = {1: 0, 2: 0}
    assert [question.seat for question in ended.wait(100)] == [1, 2]


def test_matching_counts_are_not_asked_about_and_looking_ends(ended: Ended) -> None:
    assert ended.wait(300) == []
    assert ended.looks == 6


def test_a_count_that_is_not_sure_is_not_asked_about(ended: Ended) -> None:
    ended.seen[2] += 5
    ended.doubts = ("stacked",)
    assert ended.wait(200) == []


def test_more_tokens_than_recorded_in_a_learnt_place_are_asked_about(ended: Ended) -> None:
    """Others may be under them, so that seeing fewer is no evidence."""
    ended.doubts, ended.is_learnt = ("stacked",), True
    ended.seen[1] -= 1
    ended.seen[2] += 1
    (question,) = ended.wait(200)
    assert question.options == (CountButtons(2, ended.booked[2]), CountButtons(2, ended.booked[2] + 1))


def test_in_play_each_decision_is_looked_at_once_when_it_has_been_paid_for(ended: Ended) -> None:
    undone = [ended.history.undo() for _ in range(3)]
    ended.wait(5)
    assert ended.learnt == []
    ended.wait(30)
    state = ended.history.state
    assert ended.learnt == [{seat: state.seat(seat).buttons for seat in (1, 2)}]

    ended.history.apply(undone[-1])
    ended.wait(30)
    assert len(ended.learnt) == 2


def test_looks_in_play_that_tell_nothing_come_to_an_end(ended: Ended) -> None:
    undone = [ended.history.undo() for _ in range(9)]
    for decision in [*reversed(undone)][:-1]:
        ended.wait(10)
        ended.history.apply(decision)
    assert len(ended.learnt) == 5


def test_a_look_in_play_that_fails_is_the_last(ended: Ended, caplog: pytest.LogCaptureFixture) -> None:
    ended.history.undo()
    ended.seen = cast("dict[int, int]", None)
    ended.wait(60)
    assert ended.looks == 1
    assert "in play" in caplog.text


def test_two_looks_that_differ_ask_nothing(ended: Ended) -> None:
    ended.seen[1] -= 1
    ended.wait(15)
    ended.seen[1] = ended.booked[1]
    assert ended.wait(200) == []


def test_a_question_is_mended_by_what_the_books_say(ended: Ended) -> None:
    ended.seen[1] -= 1
    (question,) = ended.wait(30)
    assert not ended.check.is_mended(question)
    ended.seen[1] += 1
    ended.wait(9)
    assert not ended.check.is_mended(question)
    ended.wait(9)
    assert ended.check.is_mended(question)


def test_an_answered_count_is_not_asked_about_again_after_a_power_cut(ended: Ended) -> None:
    ended.history.apply(CountButtons(1, ended.booked[1]))
    ended.seen[1] -= 1
    assert ended.wait(200) == []


def test_nothing_is_counted_while_hands_are_over_the_table(ended: Ended) -> None:
    ended.table.at_rest = False
    ended.wait(60)
    assert ended.looks == 0
    ended.table.at_rest = True
    ended.wait(5)
    assert ended.looks == 1


def test_a_decision_that_is_taken_back_begins_the_check_anew(ended: Ended) -> None:
    ended.seen[1] -= 1
    ended.wait(100)
    undone = ended.history.undo()
    assert ended.wait(30) == []
    ended.history.apply(undone)
    assert len(ended.wait(100)) == 1


def test_a_look_before_a_decision_was_taken_back_counts_for_nothing(ended: Ended) -> None:
    ended.seen[1] -= 1
    assert ended.wait(15) == []
    assert ended.looks == 1
    undone = ended.history.undo()
    ended.wait(1)
    ended.history.apply(undone)
    assert ended.wait(15) == []
    assert ended.looks == 2
    assert len(ended.wait(100)) == 1


def test_a_look_that_fails_ends_the_check(ended: Ended, caplog: pytest.LogCaptureFixture) -> None:
    ended.seen = cast("dict[int, int]", None)
    assert ended.wait(100) == []
    assert ended.looks == 1
    assert "could not be looked at" in caplog.text


def test_tokens_that_go_back_to_the_bank_while_the_table_is_cleared_are_not_asked_about(ended: Ended) -> None:
    ended.wait(15)
    assert ended.looks == 1
    cleared = np.full((18, 18, 3), 80, np.uint8)
    cleared[4:8, 4:8] = 200
    ended.table.frame = Frame(cleared, 15.0, "")
    ended.seen = {1: 0, 2: 0}
    assert ended.wait(200) == []
    assert ended.looks == 1
