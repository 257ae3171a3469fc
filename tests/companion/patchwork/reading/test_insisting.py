"""Test that players who insist on an unchanged picture are asked, and that a complaint has no other effect."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.decisions import TakePatch
from companion.patchwork.reading import complaints
from companion.patchwork.reading.complaints import TIMES, ComplaintHistory
from companion.patchwork.reading.verdict import Complaint, Question, QuestionTopic, Reading, Reason, Verdict
from vision.quilt.look import SQUARES

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHOWN = TakePatch(1, "bar3", mask_of(["A1", "B1", "C1"]))
TWIN = TakePatch(1, "corner-b1", mask_of(["D4", "E4", "E5"]))
MOVED = Complaint(Reason.MOVED, 1, ("D4", "E4"), "It moved.", "000001.jpg", (SHOWN,))
STRAY = replace(MOVED, reason=Reason.OBJECT, cells=("D4",))
BARE = Complaint(Reason.NOTHING_PLACED, 1, (), "Nothing.", "000001.jpg", (SHOWN, TWIN))
ASTRAY = replace(MOVED, reason=Reason.WRONG_SEAT)
READ = Reading(SHOWN, "000001.jpg", 0.99)
DOUBT = Question(QuestionTopic.CELLS, 1, (SHOWN,), ("A1",), "Does it?", "000001.jpg")


def _seen(mine: float = 0.0, other: float = 0.0, seed: int = 0) -> dict[int, NDArray[np.float32]]:
    """Return both quilts' thumbnails, with an object of that brightness on each, and the noise of a camera."""
    rng = np.random.default_rng(seed)
    quilts = {}
    for seat, shade in ((1, mine), (2, other)):
        quilts[seat] = rng.normal(0.0, 0.02, (SQUARES, SQUARES, 3)).astype(np.float32)
        quilts[seat][9:13, 9:13] += shade
    return quilts


@pytest.mark.parametrize("second", [MOVED, STRAY, replace(MOVED, cells=("E4",), otherwise=(TWIN, SHOWN))])
def test_a_complaint_of_an_unchanged_picture_is_a_question_the_second_time(second: Complaint) -> None:
    insistence = ComplaintHistory()
    assert insistence.weigh(MOVED, _seen(seed=1)) is MOVED
    asked = insistence.weigh(replace(second, frame="000002.jpg"), _seen(seed=2))
    assert isinstance(asked, Question)
    assert (asked.asks, asked.seat, asked.options, asked.frame) == (
        QuestionTopic.CELLS,
        1,
        second.otherwise,
        "000002.jpg",
    )
    assert insistence.asked(asked)


@pytest.mark.parametrize("before", [MOVED, DOUBT])
def test_a_question_about_a_picture_that_caused_a_doubt_before_shows_none_first(before: Complaint | Question) -> None:
    insistence = ComplaintHistory()
    insistence.weigh(before, _seen(seed=1))
    again = insistence.weigh(DOUBT, _seen(seed=2))
    assert isinstance(again, Question)
    assert again.none_first
    changed = insistence.weigh(DOUBT, _seen(mine=0.5))
    assert isinstance(changed, Question)
    assert not changed.none_first


def test_one_answer_is_asked_for_by_its_cells_and_several_by_what_sets_them_apart() -> None:
    one, several = ComplaintHistory().ask(MOVED), ComplaintHistory().ask(BARE)
    assert isinstance(one, Question)
    assert (one.cells, "A1, B1 and C1" in one.says) == (("A1", "B1", "C1"), True)
    assert isinstance(several, Question)
    assert set(several.cells) == {"A1", "B1", "C1", "D4", "E4", "E5"}
    assert "which of these answers" in several.says


def test_a_picture_that_was_changed_is_complained_of_anew() -> None:
    insistence = ComplaintHistory()
    insistence.weigh(MOVED, _seen())
    assert insistence.weigh(STRAY, _seen(0.4)) is STRAY
    assert isinstance(insistence.weigh(STRAY, _seen(0.4, seed=3)), Question), "and asked of if it stays so"


@pytest.mark.parametrize(("complaint", "asks"), [(MOVED, True), (ASTRAY, False)])
def test_the_other_quilt_counts_only_if_it_is_complained_of(complaint: Complaint, asks: bool) -> None:
    insistence = ComplaintHistory()
    insistence.weigh(complaint, _seen())
    assert isinstance(insistence.weigh(complaint, _seen(other=0.5)), Question) is asks


def test_without_pictures_a_second_complaint_for_one_reason_asks() -> None:
    insistence = ComplaintHistory()
    assert insistence.weigh(MOVED, {}) is MOVED
    assert insistence.weigh(STRAY, {}) is STRAY
    assert isinstance(insistence.weigh(STRAY, {}), Question)


def test_a_shadow_that_wanders_keeps_nobody_from_being_asked() -> None:
    insistence = ComplaintHistory()
    last = [insistence.weigh(MOVED, _seen(0.3 * number)) for number in range(TIMES)]
    assert [type(each) for each in last] == [Complaint] * (TIMES - 1) + [Question]


def test_a_question_or_a_decision_begins_anew() -> None:
    insistence = ComplaintHistory()
    insistence.weigh(MOVED, _seen())
    insistence.weigh(DOUBT, _seen())
    assert insistence.weigh(MOVED, _seen()) is MOVED
    insistence.forget()
    assert insistence.weigh(MOVED, _seen()) is MOVED


def test_a_complaint_without_alternatives_names_the_ways_out() -> None:
    insistence, nothing = ComplaintHistory(), replace(MOVED, otherwise=())
    insistence.weigh(nothing, _seen())
    for seed in range(2, 5):
        again = insistence.weigh(nothing, _seen(seed=seed))
        assert isinstance(again, Complaint)
        assert again.says.startswith("It moved. If everything is as it should be:")
        assert "undo" in again.says


def test_refused_options_are_offered_again_last() -> None:
    places = [TakePatch(1, "bar3", mask_of([f"A{row}", f"B{row}", f"C{row}"])) for row in range(1, 10)]
    insistence, complaint = ComplaintHistory(), replace(MOVED, otherwise=tuple(places))
    asked = []
    for _ in range(5):
        question = insistence.ask(complaint)
        if isinstance(question, Question):
            insistence.refuse(question)
            asked.append(question.options)
        else:
            assert "on the page" in question.says
            asked.append(())
    assert asked == [tuple(places[:4]), tuple(places[4:8]), tuple(places[8:]), (), tuple(places[:4])]
    insistence.forget()
    question = insistence.ask(complaint)
    assert isinstance(question, Question)
    assert question.options == tuple(places[:4]), "the game has gone on: nothing was refused yet"


def test_a_question_that_was_refused_asks_of_others_and_of_the_likeliest_again() -> None:
    places = [TakePatch(1, "bar3", mask_of([f"A{row}", f"B{row}", f"C{row}"])) for row in range(1, 7)]
    doubt = replace(DOUBT, options=(places[0],), otherwise=tuple(places))
    insistence, asked = ComplaintHistory(), []
    for _ in range(4):
        question = insistence.weigh(doubt, _seen())
        assert isinstance(question, Question)
        insistence.refuse(question)
        asked.append(question.options)
    first = places[0]
    assert asked == [(first,), (*places[1:4], first), (*places[4:], first), (first,)]
    apart = {f"{column}{row}" for row in range(1, 5) for column in "ABC"}
    assert set(complaints.which_else(doubt, (*places[1:4], first)).cells) == apart, "what the answers differ in"
    assert insistence.weigh(DOUBT, _seen(0.5)) is DOUBT, "of which nothing else is known"


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.lists(
        st.tuples(st.sampled_from((MOVED, STRAY, BARE, READ, DOUBT)), st.sampled_from((0.0, 0.5, 1.0))), max_size=12
    )
)
def test_only_an_unchanged_picture_or_a_third_hearing_asks(presses: list[tuple[Verdict, float]]) -> None:
    insistence = ComplaintHistory()
    for number, (verdict, shade) in enumerate(presses):
        before = presses[number - 1] if number else (READ, 0.0)
        alike = presses[max(0, number + 1 - TIMES) : number + 1]
        third = len(alike) == TIMES and all(each[0] == verdict for each in alike)
        if isinstance(verdict, Reading):
            insistence.forget()
            continue
        weighed = insistence.weigh(verdict, _seen(shade, seed=number))
        if isinstance(verdict, Complaint) and (third or (isinstance(before[0], Complaint) and before[1] == shade)):
            assert isinstance(weighed, Question)
        else:
            assert weighed in (verdict, replace(DOUBT, none_first=verdict is DOUBT))
