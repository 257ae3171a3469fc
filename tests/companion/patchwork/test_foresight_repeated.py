from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.decisions import PlaceLeather, TakePatch
from companion.patchwork.foresight import RepeatedPlacement
from companion.patchwork.reading.verdict import Complaint, Question, QuestionTopic, Reading, Reason

LEATHER = PlaceLeather(1, mask_of(["B4"]))
ASKED = Question(QuestionTopic.CELLS, 1, (LEATHER,), ("B4",), "Does the new patch cover B4?", "f")
BARE = Complaint(Reason.NOTHING_PLACED, 1, (), "Nothing new.", "f")
OBJECT = Complaint(Reason.OBJECT, 1, ("B4",), "Something lies there.", "f")


@pytest.fixture
def laid_again() -> RepeatedPlacement:
    memory = RepeatedPlacement()
    memory.record(ASKED, 7)
    return memory


def test_a_placement_asked_about_and_laid_again_is_a_reading(laid_again: RepeatedPlacement) -> None:
    assert laid_again.weigh(ASKED, 7) == ASKED, "nobody has answered yet"
    assert laid_again.weigh(BARE, 7) == BARE
    assert laid_again.weigh(ASKED, 7) == Reading(LEATHER, "f", 1.0)
    assert laid_again.weigh(ASKED, 7) == Reading(LEATHER, "f", 1.0), "it is looked at again before it is taken"


def test_something_over_the_quilt_is_no_patch_lifted_off(laid_again: RepeatedPlacement) -> None:
    laid_again.weigh(OBJECT, 7)
    assert laid_again.weigh(ASKED, 7) == ASKED


def test_another_doubt_or_a_later_move_has_to_be_answered_by_itself(laid_again: RepeatedPlacement) -> None:
    elsewhere = replace(ASKED, options=(PlaceLeather(1, mask_of(["C4"])),))
    laid_again.weigh(BARE, 7)
    assert laid_again.weigh(elsewhere, 7) == elsewhere
    assert laid_again.weigh(ASKED, 8) == ASKED
    laid_again.record(elsewhere, 7)
    assert laid_again.weigh(ASKED, 7) == ASKED


@pytest.mark.parametrize(
    "asked",
    [
        replace(ASKED, options=(LEATHER, PlaceLeather(1, mask_of(["B5"])))),
        replace(ASKED, asks=QuestionTopic.WHICH_PATCH, options=(TakePatch(1, "domino", 3),)),
    ],
    ids=["two places", "which patch"],
)
def test_laying_it_again_does_not_tell_one_answer_from_another(asked: Question) -> None:
    memory = RepeatedPlacement()
    memory.record(asked, 7)
    memory.weigh(BARE, 7)
    assert memory.weigh(asked, 7) == asked
