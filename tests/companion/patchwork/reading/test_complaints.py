"""Test that every complaint names the player, the fault, the place and the remedy."""

from __future__ import annotations

import pytest

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.decisions import Decision, TakePatch
from companion.games.patchwork.rules import History, new_game
from companion.games.patchwork.state import Setup
from companion.patchwork.reading import complaints
from companion.patchwork.reading.verdict import Complaint, QuestionTopic, Reason

SETUP = Setup(players=("Anna", "Boris"))
STATE = new_game(SETUP)
CELLS = mask_of(["C4", "D4"])


@pytest.mark.parametrize(
    ("complaint", "reason", "says"),
    [
        (complaints.nothing_placed(STATE, 1, "f"), Reason.NOTHING_PLACED, "There is nothing new on Anna’s quilt"),
        (complaints.wrong_seat(STATE, 1, CELLS, "f"), Reason.WRONG_SEAT, "is on Boris’s quilt"),
        (complaints.stray_object(STATE, 2, CELLS, "f"), Reason.OBJECT, "is on C4 and D4 of Boris’s quilt"),
        (complaints.moved(STATE, 1, ["tee"], CELLS, "f"), Reason.MOVED, "the small T is no longer where it was"),
        (complaints.unclear(STATE, 1, CELLS, "f"), Reason.UNCLEAR, "Anna’s quilt cannot be read"),
    ],
)
def test_a_complaint_says_what_is_wrong_and_what_to_do(complaint: Complaint, reason: Reason, says: str) -> None:
    assert complaint.reason is reason
    assert says in complaint.says
    assert "press" not in complaint.says
    assert complaint.says.endswith(".")
    assert complaint.frame == "f"
    assert complaint.seat in (1, 2)
    assert complaint.cells in ((), ("C4", "D4"))


@pytest.mark.parametrize(
    ("complaint", "pressed", "hands_free"),
    [
        (complaints.stray_object(STATE, 2, CELLS, "f"), " Then press confirm.", ""),
        (
            complaints.nothing_placed(STATE, 1, "f"),
            " Then press confirm; or press advance to take buttons instead.",
            " Or advance, to take buttons instead.",
        ),
        (complaints.with_ways_out(complaints.unclear(STATE, 1, CELLS, "f")), "", ""),
    ],
)
def test_each_kind_of_table_tells_its_own_next_step(complaint: Complaint, pressed: str, hands_free: str) -> None:
    with_next = complaints.to_be_confirmed(complaint)
    assert with_next.says == complaint.says + pressed
    assert complaints.to_be_confirmed(with_next) == with_next
    assert complaints.hands_free(complaint).says == complaint.says + hands_free


def test_a_due_leather_patch_is_named_in_the_complaint(leather_game: tuple[Decision, ...]) -> None:
    history = History(SETUP)
    for decision in leather_game:
        history.apply(decision)
    seat = history.state.turn or 0
    says = complaints.nothing_placed(history.state, seat, "f").says
    assert says.startswith(f"{SETUP.players[seat - 1]} has a leather patch to place")


def test_a_question_of_twins_tells_their_labels() -> None:
    options = [TakePatch(1, patch, mask_of(["A1", "A2", "B2"])) for patch in ("corner-b1", "corner-b3")]
    question = complaints.which_patch(1, options, "f")
    assert (question.asks, question.options, question.cells) == (QuestionTopic.WHICH_PATCH, tuple(options), ())
    assert "corner for 1 (1 button, 3 time) or corner for 3 (3 buttons, 1 time)" in question.says


def test_a_question_of_cells_names_those_in_doubt() -> None:
    options = [TakePatch(1, "domino", mask_of(cells)) for cells in (["A1", "B1"], ["B1", "C1"])]
    question = complaints.which_cells(1, options, mask_of(["A1", "C1"]), "f")
    assert (question.asks, question.cells, question.options) == (QuestionTopic.CELLS, ("A1", "C1"), tuple(options))
    assert "cover A1 or C1?" in question.says
