"""Test every path through the turn loop, with fakes for everything around it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import pytest

from companion.games.patchwork.cells import mask_of, names_of
from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import Advance, CountButtons, Decision, TakePatch, decision_to_json
from companion.games.patchwork.errors import IllegalDecisionError
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.journal import JournalError, MemoryJournal
from companion.patchwork.codec import PATCHWORK
from companion.patchwork.ending.checks import count_question
from companion.patchwork.hands_free import Forecaster
from companion.patchwork.reading import complaints
from companion.patchwork.reading.verdict import Complaint, Question, QuestionTopic, Reading, Reason, Verdict
from companion.patchwork.recording import Recorder
from companion.patchwork.replaying import ReplayedTable
from companion.patchwork.watching.tracking import Displacement
from companion.play.events import (
    NONE_SHOWN,
    Asked,
    Complained,
    DecisionForeseen,
    DecisionTaken,
    DecisionUndone,
    DoubtLapsed,
    Event,
    ForesightLapsed,
    GameOpened,
    LookCalledOff,
    LookStarted,
    QuestionAnswered,
    TableNoticed,
    UndoForeseen,
    UndoLapsed,
)
from companion.registry import codecs
from hardware.ports import Button, CameraError, Frame, Press

if TYPE_CHECKING:
    from companion.games.history import DecisionOutcome
    from companion.patchwork.foresight import PlacementForecaster
    from companion.patchwork.hands_free import UndoForecaster
    from hardware.recorded import Instruction, RecordingWriter
    from tests.companion.conftest import ScriptedTable

Scripted = Callable[..., "ScriptedTable"]
CONFIRM, ADVANCE, UNDO = Button.CONFIRM, Button.ADVANCE, Button.UNDO
PATIENCE = 41  # frames, of eight seconds
"""The number of frames in slightly more than a look's patience."""


def _recorder(pressed: Callable[[Press, bool], None]) -> Recorder:
    """Return a recorder that passes its presses to a test."""

    class Writer:
        def press(self, press: Press, answers: bool) -> None:
            pressed(press, answers)

    return Recorder(cast("RecordingWriter", Writer()))


class FailingBook(MemoryJournal):
    """A journal that fails to append or undo after a number of successes."""

    def __init__(self, good: int = 0) -> None:
        super().__init__(codecs())
        self.good = good

    def append(self, game_id: int, sequence: int, decision: object, outcome: DecisionOutcome | None = None) -> None:
        self._count_down()
        super().append(game_id, sequence, decision, outcome)

    def undo(self, game_id: int, sequence: int) -> None:
        self._count_down()
        super().undo(game_id, sequence)

    def _count_down(self) -> None:
        if self.good == 0:
            raise JournalError("the disk is full; free some space, nothing was stored")
        self.good -= 1


# Looks and their results.


def test_a_reading_is_looked_for_written_applied_and_announced(scripted: Scripted, reading: Reading) -> None:
    evening = scripted(verdicts=[reading]).play(None, CONFIRM, None)
    assert evening.kinds == ["LookStarted", "DecisionTaken"]
    assert evening.looks == [(reading.decision, "000002.jpg", None)]
    assert evening.decisions == (reading.decision,)
    last = evening.told[-1]
    assert isinstance(last, DecisionTaken)
    assert (last.decision, last.state) == (reading.decision, evening.table.state)
    assert last.state.seat(1).quilt == mask_of(["A1", "A2", "B2"])


def test_the_game_is_opened_with_what_was_played_before(scripted: Scripted, whole_game: tuple[Decision, ...]) -> None:
    evening = scripted(before=whole_game[:7]).play()
    assert evening.told == [GameOpened(1, evening.table.state, whole_game[:7])]


def test_a_look_waits_for_rest(scripted: Scripted, reading: Reading) -> None:
    evening = scripted(verdicts=[reading], unrest=range(1, 9)).play(*[None] * 3, CONFIRM, *[None] * 8)
    assert evening.looks == [(reading.decision, "000009.jpg", None)]
    assert evening.decisions == (reading.decision,)


@pytest.mark.parametrize(("ready", "says"), [(True, "is not still"), (False, "boards are seen, but they are not")])
def test_a_look_loses_patience(scripted: Scripted, ready: bool, says: str) -> None:
    evening = scripted(unrest=range(200) if ready else (), ready=ready).play(CONFIRM, *[None] * PATIENCE)
    assert evening.kinds == ["LookStarted", "Complained"]
    complained = evening.told[-1]
    assert isinstance(complained, Complained)
    assert complained.complaint.reason is Reason.UNCLEAR
    assert complained.complaint.frame == f"{PATIENCE:06d}.jpg"
    assert says in complained.complaint.says
    assert evening.decisions == ()


def test_a_blank_picture_is_named(scripted: Scripted) -> None:
    evening = scripted(unrest=range(200), blank=True).play(CONFIRM, *[None] * PATIENCE)
    complained = evening.told[-1]
    assert isinstance(complained, Complained)
    assert complained.complaint.says.startswith("The camera sees nothing: uncover its lens")


def test_leftovers_on_the_boards_are_named_without_a_wait(scripted: Scripted) -> None:
    evening = scripted(ready=False)
    evening.watch.withheld = ("There is something on seat 1’s board.",)
    evening.play(CONFIRM, None)
    complained = evening.told[-1]
    assert isinstance(complained, Complained)
    assert complained.complaint.says.startswith(
        "There is something on seat 1’s board. Then press confirm; or press it now"
    )


def test_a_player_who_confirms_again_begins_with_boards_on_which_something_seems_to_lie(
    scripted: Scripted, reading: Reading
) -> None:
    evening = scripted(verdicts=[reading], ready=False)
    evening.watch.withheld = ("There is something on seat 1’s board.",)
    evening.play(CONFIRM, None, None, CONFIRM, None)
    assert evening.kinds == ["LookStarted", "Complained", "LookStarted", "DecisionTaken"]
    assert evening.decisions == (reading.decision,)


def test_a_look_has_patience_until_then(scripted: Scripted, reading: Reading) -> None:
    evening = scripted(verdicts=[reading], unrest=range(PATIENCE - 1)).play(CONFIRM, *[None] * PATIENCE)
    assert evening.kinds == ["LookStarted", "DecisionTaken"]


def test_a_look_is_as_patient_as_ever_when_the_camera_has_been_away(scripted: Scripted, reading: Reading) -> None:
    evening = scripted(verdicts=[reading], unrest=range(20), away=10).play(CONFIRM, *[None] * PATIENCE)
    assert evening.kinds == ["LookStarted", "DecisionTaken"]
    assert evening.looks == [(reading.decision, "000020.jpg", None)]
    restless = scripted(unrest=range(200), away=10).play(CONFIRM, *[None] * (PATIENCE + 2))
    assert restless.kinds == ["LookStarted", "Complained"]


def test_confirm_during_a_look_looks_anew(scripted: Scripted, reading: Reading) -> None:
    evening = scripted(verdicts=[reading], unrest=range(40)).play(CONFIRM, *[None] * 29, CONFIRM, *[None] * 12)
    assert evening.kinds == ["LookStarted", "LookStarted", "DecisionTaken"]


def test_a_complaint_leaves_the_game_as_it_was(scripted: Scripted, overlap: Complaint, reading: Reading) -> None:
    evening = scripted(verdicts=[overlap, reading]).play(CONFIRM, None, CONFIRM, None)
    assert evening.kinds == ["LookStarted", "Complained", "LookStarted", "DecisionTaken"]
    assert evening.told[2] == Complained(complaints.to_be_confirmed(overlap), evening.told[0].state)
    assert evening.decisions == (reading.decision,)


def _though(complaint: Complaint, reading: Reading) -> Complaint:
    """Return a complaint about an old patch, with the decision that the picture may show nevertheless."""
    assert isinstance(reading.decision, TakePatch)
    return replace(complaint, reason=Reason.MOVED, otherwise=(reading.decision,))


def test_a_player_who_insists_is_asked_at_the_second_press_and_believed(
    scripted: Scripted, overlap: Complaint, reading: Reading
) -> None:
    moved = _though(overlap, reading)
    evening = scripted(verdicts=[moved] * 2).play(*[CONFIRM, None] * 2, ADVANCE, CONFIRM)
    answered = ["LookStarted", "Asked", "Asked", "QuestionAnswered", "DecisionTaken"]
    assert evening.kinds == ["LookStarted", "Complained", *answered]
    assert [event.choice for event in evening.told if isinstance(event, Asked)] == [NONE_SHOWN, 0]
    assert evening.decisions == (reading.decision,)
    assert evening.looks == [(reading.decision, "000003.jpg", Reason.MOVED)], "so the old patch looks from now on"


def test_confirm_alone_never_takes_a_decision_that_a_complaint_forbids(
    scripted: Scripted, overlap: Complaint, reading: Reading
) -> None:
    presses = 20
    evening = scripted(verdicts=[_though(overlap, reading)] * presses).play(*[CONFIRM, None] * presses)
    assert evening.decisions == ()
    answers = [event.taken for event in evening.told if isinstance(event, QuestionAnswered)]
    assert answers
    assert set(answers) == {None}


def test_advance_steps_through_the_answers_and_back_to_none_of_them(
    scripted: Scripted, overlap: Complaint, reading: Reading
) -> None:
    moved = _though(overlap, reading)
    evening = scripted(verdicts=[moved] * 2).play(*[CONFIRM, None] * 2, ADVANCE, ADVANCE, CONFIRM)
    assert [event.choice for event in evening.told if isinstance(event, Asked)] == [NONE_SHOWN, 0, NONE_SHOWN]
    assert evening.decisions == ()


def test_a_no_leads_to_the_complaint_again_then_the_ways_out_and_a_new_question(
    scripted: Scripted, overlap: Complaint, reading: Reading
) -> None:
    moved = _though(overlap, reading)
    evening = scripted(verdicts=[moved] * 4).play(*[CONFIRM, None] * 2, UNDO, *[CONFIRM, None] * 2)
    refused = ["LookStarted", "Asked", "QuestionAnswered", "Complained"]
    assert evening.kinds == ["LookStarted", "Complained", *refused, "LookStarted", "Complained", "LookStarted", "Asked"]
    said = [event.complaint.says for event in evening.told if isinstance(event, Complained)]
    assert said[0] == said[1]
    assert "on the page" in said[2]
    assert evening.decisions == ()


def test_the_buttons_alone_lead_from_a_refused_question_to_what_lies_there(
    scripted: Scripted, reading: Reading
) -> None:
    taken = reading.decision
    assert isinstance(taken, TakePatch)
    wrong = TakePatch(taken.seat, taken.patch, taken.cells << 9)
    doubt = Question(QuestionTopic.CELLS, 1, (wrong,), ("A1",), "Does it?", reading.frame, otherwise=(wrong, taken))
    evening = scripted(verdicts=[doubt] * 2).play(CONFIRM, None, UNDO, CONFIRM, None, ADVANCE, CONFIRM)
    first, second, _ = (event.question for event in evening.told if isinstance(event, Asked))
    assert (first.options, second.options) == ((wrong,), (taken, wrong))
    assert evening.decisions == (taken,)


def test_a_changed_picture_gets_a_complaint_of_its_own(
    scripted: Scripted, overlap: Complaint, reading: Reading
) -> None:
    moved = _though(overlap, reading)
    evening = scripted(verdicts=[moved, replace(moved, reason=Reason.OBJECT)], shades=[0.1, 0.5])
    assert evening.play(*[CONFIRM, None] * 2).kinds == ["LookStarted", "Complained"] * 2


def test_a_decision_in_between_makes_every_complaint_a_new_one(
    scripted: Scripted, overlap: Complaint, reading: Reading
) -> None:
    moved = _though(overlap, reading)
    evening = scripted(verdicts=[moved, moved]).play(CONFIRM, None, ADVANCE, UNDO, CONFIRM, None)
    assert evening.kinds.count("Complained") == 2
    assert "Asked" not in evening.kinds


def test_a_complaint_without_a_question_names_the_ways_out(scripted: Scripted, overlap: Complaint) -> None:
    evening = scripted(verdicts=[overlap, overlap]).play(*[CONFIRM, None] * 2)
    first, second = (event.complaint for event in evening.told if isinstance(event, Complained))
    assert (first, second.reason) == (complaints.to_be_confirmed(overlap), overlap.reason)
    assert second.says.startswith(overlap.says)
    assert "advance" in second.says
    assert "page" in second.says


def test_a_quilt_that_never_rests_leaves_ways_out_at_the_second_press(scripted: Scripted) -> None:
    evening = scripted(unrest=range(400)).play(*([CONFIRM, *[None] * PATIENCE] * 2))
    first, second = (event.complaint.says for event in evening.told if isinstance(event, Complained))
    assert "page" not in first
    assert second.startswith(first.removesuffix(" Then press confirm."))
    assert "page" in second


def test_a_mistake_that_was_put_right_is_forgotten(scripted: Scripted, overlap: Complaint, reading: Reading) -> None:
    evening = scripted(verdicts=[overlap, reading]).play(CONFIRM, None, CONFIRM, None)
    assert evening.looks == [(reading.decision, "000003.jpg", None)]


def test_an_answer_denies_no_complaint_that_was_put_right_before_the_question(
    scripted: Scripted, overlap: Complaint, reading: Reading
) -> None:
    question = Question(QuestionTopic.CELLS, 1, (reading.decision, Advance(1)), (), "Which?", "f")
    evening = scripted(verdicts=[overlap, question]).play(CONFIRM, None, CONFIRM, None, ADVANCE, CONFIRM)
    assert evening.kinds[-1] == "DecisionTaken"
    assert evening.looks == [(reading.decision, "000003.jpg", None)]


def test_an_undo_forgets_the_look_that_came_with_the_decision(scripted: Scripted, reading: Reading) -> None:
    evening = scripted(verdicts=[reading]).play(CONFIRM, None, UNDO)
    assert evening.kinds[-1] == "DecisionUndone"
    assert evening.looks == []
    again = scripted().play(UNDO)
    assert (again.kinds, again.looks) == (["NothingToUndo"], [])


def test_a_look_is_called_off_by_undo_and_nothing_is_taken_back(scripted: Scripted, reading: Reading) -> None:
    evening = scripted(verdicts=[reading], unrest=range(3, 6)).play(CONFIRM, None, CONFIRM, UNDO, None, None, None)
    assert evening.kinds == ["LookStarted", "DecisionTaken", "LookStarted", "LookCalledOff"]
    assert evening.told[-1] == LookCalledOff(evening.table.state)
    assert evening.decisions == (reading.decision,), "what had been decided stands"


def test_advance_during_a_look_ends_it(scripted: Scripted) -> None:
    evening = scripted(unrest=range(3)).play(CONFIRM, ADVANCE, *[None] * 70)
    assert evening.kinds == ["LookStarted", "DecisionTaken"]
    assert evening.looks == [(Advance(1), "000001.jpg", None)], "as the quilts lay then"


def test_a_look_under_way_when_the_frames_end_is_called_off(scripted: Scripted) -> None:
    assert scripted().play(None, CONFIRM).kinds == ["LookStarted", "LookCalledOff"]


def test_presses_after_the_last_frame_count(scripted: Scripted) -> None:
    evening = scripted()
    evening.devices.press_late(ADVANCE)
    assert evening.play().decisions == (Advance(1),)


def test_an_illegal_reading_is_a_fault_and_never_written(scripted: Scripted) -> None:
    other_seat = Reading(TakePatch(2, "corner-b1", mask_of(["A1", "A2", "B2"])), "f", 1.0)
    evening = scripted(verdicts=[other_seat])
    with pytest.raises(IllegalDecisionError):
        evening.play(CONFIRM, None)
    assert evening.decisions == ()


# Questions.


def test_confirm_takes_the_option_on_display(scripted: Scripted, question: Question) -> None:
    evening = scripted(verdicts=[question]).play(CONFIRM, None, CONFIRM)
    assert evening.kinds == ["LookStarted", "Asked", "QuestionAnswered", "DecisionTaken"]
    assert evening.decisions == (question.options[0],)


@pytest.mark.parametrize(("advances", "choice"), [(1, 1), (2, 0), (3, 1)])
def test_advance_cycles_through_the_options(scripted: Scripted, question: Question, advances: int, choice: int) -> None:
    evening = scripted(verdicts=[question]).play(CONFIRM, None, *[ADVANCE] * advances, CONFIRM)
    asked = [event.choice for event in evening.told if isinstance(event, Asked)]
    assert asked == [number % 2 for number in range(advances + 1)]
    assert evening.decisions == (question.options[choice],)


def test_undo_refuses_all_options_and_takes_nothing_back(
    scripted: Scripted, question: Question, reading: Reading
) -> None:
    evening = scripted(before=(Advance(1), Advance(2)), verdicts=[question, reading])
    evening.play(CONFIRM, None, UNDO, None, CONFIRM, None)
    answered = next(event for event in evening.told if isinstance(event, QuestionAnswered))
    assert answered.taken is None
    assert evening.kinds[1:4] == ["Asked", "QuestionAnswered", "LookStarted"]
    assert evening.decisions == (Advance(1), Advance(2), reading.decision)


def test_frames_during_a_question_change_nothing(scripted: Scripted, question: Question) -> None:
    evening = scripted(verdicts=[question]).play(CONFIRM, *[None] * 100)
    assert evening.kinds == ["LookStarted", "Asked"], "and at a table, its end leaves the question open"
    assert evening.decisions == ()


# Advancing and undoing.


def test_advance_takes_buttons_after_a_glance(scripted: Scripted) -> None:
    evening = scripted().play(None, ADVANCE, ADVANCE)
    assert evening.kinds == ["DecisionTaken", "DecisionTaken"]
    assert evening.looks == [(Advance(1), "000001.jpg", None), (Advance(2), "000002.jpg", None)]
    assert evening.decisions == (Advance(1), Advance(2))


def test_an_advance_over_a_patch_that_was_not_confirmed_is_warned_of_once(scripted: Scripted, reading: Reading) -> None:
    evening = scripted()
    evening.reader.unconfirmed = complaints.unconfirmed(evening.table.state, (reading.decision,), "000001.jpg")
    evening.play(None, ADVANCE, ADVANCE)
    assert evening.kinds == ["Complained", "DecisionTaken"]
    complained = evening.told[1]
    assert isinstance(complained, Complained)
    assert isinstance(reading.decision, TakePatch)
    assert complained.complaint.cells == names_of(reading.decision.cells)
    assert evening.decisions == (Advance(1),)


def test_a_question_without_an_answer_leads_to_its_complaint(
    scripted: Scripted, question: Question, overlap: Complaint
) -> None:
    evening = scripted(verdicts=[replace(question, else_wrong=overlap)]).play(CONFIRM, None, UNDO)
    assert evening.kinds == ["LookStarted", "Asked", "QuestionAnswered", "Complained"]
    assert evening.decisions == ()


class _ReadCircle:
    """A fake circle in which the corner is far from the neutral token."""

    def __init__(self, scripted: Scripted, *verdicts: Verdict, is_read: bool = True) -> None:
        self.is_read, self.gave_way = is_read, 0
        self.evening = scripted(verdicts=verdicts, circle=self)
        rest = [patch for patch in PATCHES if patch not in ("corner-b1", "domino")]
        self.evening.table.history.know_market((*rest, "corner-b1", "domino"))

    def withdraw(self) -> None:
        self.gave_way += 1
        self.evening.table.history.know_market(None)


@pytest.fixture
def not_offered() -> Complaint:
    return Complaint(Reason.NOT_OFFERED, 1, ("A1", "A2", "B2"), "The corner is not on offer.", "000001.jpg")


def test_a_patch_that_a_seen_circle_does_not_offer_is_asked_about_and_believed(
    scripted: Scripted, reading: Reading, not_offered: Complaint
) -> None:
    circle = _ReadCircle(scripted, not_offered, reading)
    evening = circle.evening.play(CONFIRM, None, CONFIRM)
    assert evening.kinds == ["LookStarted", "Asked", "QuestionAnswered", "DecisionTaken"]
    assert "Was it among the three after the neutral token" in evening.told[2].question.says  # type: ignore[union-attr]
    assert evening.decisions == (reading.decision,)
    assert circle.gave_way == 1


def test_a_player_who_denies_an_unoffered_patch_gets_the_complaint(
    scripted: Scripted, reading: Reading, not_offered: Complaint
) -> None:
    circle = _ReadCircle(scripted, not_offered, reading)
    evening = circle.evening.play(CONFIRM, None, UNDO)
    assert evening.kinds == ["LookStarted", "Asked", "QuestionAnswered", "Complained"]
    assert evening.table.pending.complaint == complaints.to_be_confirmed(not_offered)
    assert (evening.decisions, circle.gave_way) == ((), 0)


def test_a_circle_that_was_dealt_is_not_doubted(scripted: Scripted, reading: Reading, not_offered: Complaint) -> None:
    circle = _ReadCircle(scripted, not_offered, reading, is_read=False)
    assert circle.evening.play(CONFIRM, None).kinds == ["LookStarted", "Complained"]


def test_a_patch_that_cannot_be_read_either_way_is_complained_of(
    scripted: Scripted, overlap: Complaint, not_offered: Complaint
) -> None:
    evening = _ReadCircle(scripted, not_offered, overlap).evening.play(CONFIRM, None)
    assert evening.table.pending.complaint == complaints.to_be_confirmed(not_offered)


def test_an_advance_over_a_patch_that_a_seen_circle_does_not_offer_leads_to_a_question(
    scripted: Scripted, reading: Reading, not_offered: Complaint
) -> None:
    circle = _ReadCircle(scripted, reading)
    circle.evening.reader.unconfirmed = not_offered
    evening = circle.evening.play(None, ADVANCE, UNDO, ADVANCE)
    assert evening.kinds == ["Asked", "QuestionAnswered", "Complained", "DecisionTaken"]
    assert evening.decisions == (Advance(1),)


@pytest.mark.parametrize("between", [(ADVANCE, ADVANCE), (UNDO,)], ids=["decided", "undone"])
def test_a_complaint_counts_as_heard_until_the_next_decision_or_undo(
    scripted: Scripted, overlap: Complaint, reading: Reading, between: tuple[Button, ...]
) -> None:
    assert isinstance(reading.decision, TakePatch)
    overlap = replace(overlap, otherwise=(reading.decision,))
    evening = scripted(verdicts=[overlap, overlap, overlap], before=(Advance(1), Advance(2)))
    evening.play(CONFIRM, None, *between, CONFIRM, None, CONFIRM, None)
    assert [kind for kind in evening.kinds if kind in ("Complained", "Asked")] == ["Complained", "Complained", "Asked"]


def test_a_complaint_is_still_open_after_a_look_that_was_called_off(scripted: Scripted, overlap: Complaint) -> None:
    evening = scripted(verdicts=[overlap], unrest=range(3, 9))
    evening.play(CONFIRM, None, CONFIRM, UNDO)
    assert evening.kinds == ["LookStarted", "Complained", "LookStarted", "LookCalledOff"]
    started, called_off = (event.pending for event in evening.told[3:])
    assert (started.looking, called_off.looking) == (True, False)
    assert started.complaint == called_off.complaint == complaints.to_be_confirmed(overlap)


def test_the_warning_about_a_patch_that_was_not_confirmed_comes_again_after_an_undo(
    scripted: Scripted, overlap: Complaint
) -> None:
    evening = scripted()
    evening.table._open()
    evening.reader.unconfirmed = overlap
    evening.go_on(ADVANCE)
    evening.reader.unconfirmed = None
    evening.go_on(ADVANCE, UNDO)
    evening.reader.unconfirmed = overlap
    evening.go_on(ADVANCE)
    assert evening.kinds == ["Complained", "DecisionTaken", "DecisionUndone", "Complained"]
    evening.go_on(ADVANCE)
    assert evening.kinds[4:] == ["DecisionTaken"], "a player who presses again means it"


@pytest.mark.parametrize("button", [UNDO, ADVANCE])
def test_no_complaint_is_open_after_a_decision_or_an_undo(
    scripted: Scripted, overlap: Complaint, button: Button
) -> None:
    evening = scripted(verdicts=[overlap], before=(Advance(1), Advance(2)))
    evening.table._open()
    evening.go_on(CONFIRM, None)
    assert evening.table.pending.complaint == complaints.to_be_confirmed(overlap)
    evening.go_on(button, button)
    assert evening.table.pending.complaint is None


def test_advance_while_leather_is_due_is_complained_of(scripted: Scripted, leather_game: tuple[Decision, ...]) -> None:
    evening = scripted(before=leather_game).play(None, ADVANCE)
    (complained,) = evening.told[1:]
    assert isinstance(complained, Complained)
    assert complained.complaint.reason is Reason.NOTHING_PLACED
    assert "leather patch" in complained.complaint.says
    assert complained.complaint.frame == "000001.jpg"
    assert evening.decisions == leather_game


def test_undo_goes_back_to_the_very_start_and_no_further(scripted: Scripted, whole_game: tuple[Decision, ...]) -> None:
    evening = scripted(before=whole_game).play(*[UNDO] * (len(whole_game) + 2))
    undone = [event.decision for event in evening.told if isinstance(event, DecisionUndone)]
    assert undone == list(reversed(whole_game))
    assert evening.kinds[-2:] == ["NothingToUndo"] * 2
    assert evening.decisions == ()
    assert evening.table.state.turn == 1


def test_an_undone_decision_can_be_taken_again(scripted: Scripted, reading: Reading) -> None:
    evening = scripted(verdicts=[reading, reading]).play(CONFIRM, None, UNDO, CONFIRM, None)
    assert evening.kinds == ["LookStarted", "DecisionTaken", "DecisionUndone", "LookStarted", "DecisionTaken"]
    assert evening.decisions == (reading.decision,)


@pytest.mark.parametrize("button", [CONFIRM, ADVANCE])
def test_after_the_end_there_is_only_undo(scripted: Scripted, whole_game: tuple[Decision, ...], button: Button) -> None:
    evening = scripted(before=whole_game).play(button, None, UNDO)
    noticed, undone = evening.told[1:]
    assert isinstance(noticed, TableNoticed)
    assert "The game has ended" in noticed.says
    assert isinstance(undone, DecisionUndone)
    assert evening.decisions == whole_game[:-1]


# Boards that move.


@pytest.mark.parametrize("button", [CONFIRM, ADVANCE])
def test_a_board_that_moved_is_told_of_before_the_verdict(scripted: Scripted, reading: Reading, button: Button) -> None:
    evening = scripted(verdicts=[reading])
    evening.watch.displacements.extend([Displacement(2, 3.2), Displacement(1, None)])
    evening.play(None, button, None)
    assert [kind for kind in evening.kinds if kind != "LookStarted"] == ["TableNoticed"] * 2 + ["DecisionTaken"]
    first, second = (event.says for event in evening.told if isinstance(event, TableNoticed))
    assert first == "Boris’s quilt board was moved by 3 mm; the companion has adjusted."
    assert second.startswith("Anna’s quilt board is covered, or was moved too far to follow: ")


# Hands-free.


class Foresees:
    """A foresight that foresees one decision in its first frame and gives it in a later one."""

    def __init__(self, reading: Reading, frames: int = 3) -> None:
        self.reading, self.left, self.frames = reading, frames, frames
        self.foreseen = self.outdated = False
        self.heard: Question | Complaint | None = None
        self.log: list[object] = []

    def see(self, frame: Frame, history: History) -> DecisionForeseen | Verdict | None:
        self.left -= 1
        if self.left == self.frames - 1:
            self.foreseen = True
            return DecisionForeseen(self.reading.decision, 0.4, frame.t_s + 0.4, history.state)
        if self.left == 0 and self.foreseen:
            self.foreseen = False
            return self.reading
        return None

    def lapse(self, history: History, *, stopped: bool) -> ForesightLapsed | None:
        self.log.append(stopped)
        was, self.foreseen = self.foreseen, False
        return ForesightLapsed(self.reading.decision, stopped, history.state) if was else None

    def refuse(self, decision: Decision) -> None:
        self.log.append(decision)

    def learn(self, seat: int) -> None:
        self.log.append(f"learn {seat}")

    @property
    def is_announced(self) -> bool:
        return self.foreseen

    def record(self, doubt: Question | Complaint, made: int) -> None:
        assert made >= 0
        self.heard = doubt

    def is_outdated(self, doubt: Question | Complaint, history: History) -> bool:
        assert history.state.turn == doubt.seat
        return self.heard is doubt and self.outdated

    def forget_doubt(self) -> None:
        self.heard = None


def forecasting(foresight: Foresees, take_backs: TakesBack | None = None) -> Forecaster:
    """Return a forecaster of these stand-ins."""
    return Forecaster(cast("PlacementForecaster", foresight), cast("UndoForecaster | None", take_backs))


def test_a_foreseen_decision_is_taken_without_a_press(scripted: Scripted, reading: Reading) -> None:
    presses: list[tuple[Press, bool]] = []
    evening = scripted(
        forecaster=forecasting(Foresees(reading)), recorder=_recorder(lambda *press: presses.append(press))
    )
    evening.play(*[None] * 5)
    assert evening.kinds == ["DecisionForeseen", "DecisionTaken"]
    assert evening.decisions == (reading.decision,)
    assert presses == [(Press(CONFIRM, 0.4), False)], "a recording keeps it as the press that it stands for"


def test_undo_stops_what_was_foreseen_and_takes_nothing_back(scripted: Scripted, reading: Reading) -> None:
    foresight = Foresees(reading)
    evening = scripted(before=(Advance(1), Advance(2)), forecaster=forecasting(foresight)).play(None, UNDO, *[None] * 5)
    assert evening.kinds == ["DecisionForeseen", "ForesightLapsed"]
    assert foresight.log == [True]
    assert evening.decisions == (Advance(1), Advance(2))


def test_undo_with_the_very_last_frame_of_the_pause_still_stops_it(scripted: Scripted, reading: Reading) -> None:
    evening = scripted(forecaster=forecasting(Foresees(reading))).play(None, None, UNDO, None)
    assert evening.kinds == ["DecisionForeseen", "ForesightLapsed"]


def test_undo_without_anything_foreseen_takes_back_and_has_it_refused(scripted: Scripted, reading: Reading) -> None:
    foresight = Foresees(reading, frames=1)
    evening = scripted(before=(Advance(1), Advance(2)), forecaster=forecasting(foresight))
    foresight.left = -1
    evening.play(UNDO)
    assert evening.kinds == ["DecisionUndone"]
    assert foresight.log == [True, Advance(2)]


class TakesBack:
    """A foresight of take-backs: the latest patch is lifted off at a frame and taken back three frames later."""

    def __init__(self, lifted_at: int, back_at: int = 99) -> None:
        self.lifted_at, self.back_at, self.seen = lifted_at, back_at, 0
        self.is_lifted = False

    def see(self, now_s: float, history: History) -> UndoForeseen | UndoLapsed | TakePatch | None:
        self.seen += 1
        last = history.decisions[-1] if history.decisions else None
        self.is_lifted = isinstance(last, TakePatch) and self.lifted_at <= self.seen < self.back_at
        if not isinstance(last, TakePatch):
            return None
        if self.seen == self.back_at:
            return UndoLapsed(last, history.state)
        if self.seen == self.lifted_at:
            return UndoForeseen(last, 0.4, now_s + 0.4, history.state)
        return last if self.is_lifted and self.seen == self.lifted_at + 3 else None

    def forget(self) -> None:
        self.is_lifted = False


def test_a_patch_that_was_lifted_off_is_taken_back_without_a_press(scripted: Scripted, reading: Reading) -> None:
    presses: list[tuple[Press, bool]] = []
    foresight = Foresees(reading)
    foresight.left = -1
    evening = scripted(
        before=(reading.decision,),
        forecaster=forecasting(foresight, TakesBack(2)),
        recorder=_recorder(lambda *press: presses.append(press)),
    ).play(*[None] * 8)
    assert evening.kinds == ["UndoForeseen", "DecisionUndone"]
    assert evening.decisions == ()
    assert foresight.log == [reading.decision], "it is not foreseen before its patch was seen off"
    assert [(press.button, answers) for press, answers in presses] == [(UNDO, False)]


def test_a_patch_that_was_put_back_stays_taken(scripted: Scripted, reading: Reading) -> None:
    foresight = Foresees(reading)
    foresight.left = -1
    evening = scripted(before=(reading.decision,), forecaster=forecasting(foresight, TakesBack(2, 4))).play(*[None] * 8)
    assert evening.kinds == ["UndoForeseen", "UndoLapsed"]
    assert evening.decisions == (reading.decision,)


def test_undo_does_at_once_what_is_about_to_be_done(scripted: Scripted, reading: Reading) -> None:
    foresight = Foresees(reading)
    foresight.left = -1
    take_backs = TakesBack(1)
    evening = scripted(before=(Advance(1), Advance(2), reading.decision), forecaster=forecasting(foresight, take_backs))
    evening.play(None, UNDO, *[None] * 6)
    assert evening.kinds == ["UndoForeseen", "DecisionUndone"]
    assert evening.decisions == (Advance(1), Advance(2))


def test_nothing_is_foreseen_while_a_patch_is_off(scripted: Scripted, reading: Reading) -> None:
    foresight = Foresees(reading, frames=90)
    evening = scripted(before=(reading.decision,), forecaster=forecasting(foresight, TakesBack(1))).play(*[None] * 3)
    assert evening.kinds == ["UndoForeseen"]
    assert foresight.left == 90


def test_confirm_looks_at_once_and_hands_free_rests_meanwhile(scripted: Scripted, reading: Reading) -> None:
    foresight = Foresees(reading)
    evening = scripted(verdicts=[reading], unrest=range(2, 6), forecaster=forecasting(foresight)).play(
        None, CONFIRM, *[None] * 8
    )
    assert evening.kinds == ["DecisionForeseen", "LookStarted", "DecisionTaken"]
    assert evening.decisions == (reading.decision,)
    assert foresight.log == [False, "learn 1"]


def test_advance_lets_what_was_foreseen_lapse(scripted: Scripted, reading: Reading) -> None:
    evening = scripted(forecaster=forecasting(Foresees(reading))).play(None, ADVANCE, *[None] * 5)
    assert evening.kinds == ["DecisionForeseen", "ForesightLapsed", "DecisionTaken"]
    assert evening.decisions == (Advance(1),)


def test_nothing_is_foreseen_during_a_question(scripted: Scripted, question: Question, reading: Reading) -> None:
    foresight = Foresees(reading, frames=90)
    evening = scripted(verdicts=[question], forecaster=forecasting(foresight)).play(None, CONFIRM, None, *[None] * 95)
    assert evening.kinds == ["DecisionForeseen", "LookStarted", "Asked"]
    assert foresight.left == 89


class Doubts(Foresees):
    """A foresight without decisions that has a doubt in its first frame."""

    def __init__(self, reading: Reading, doubt: Question | Complaint, until: int = 99) -> None:
        super().__init__(reading)
        self.doubt, self.until, self.seen = doubt, until, 0

    def see(self, frame: Frame, history: History) -> Verdict | None:
        assert frame.t_s >= 0
        self.seen += 1
        return self.doubt if self.seen == 1 and history.state.turn == self.doubt.seat else None

    def is_outdated(self, doubt: Question | Complaint, history: History) -> bool:
        self.until -= 1
        return super().is_outdated(doubt, history) or self.until < 0


def test_a_question_that_nobody_asked_for_is_answered_as_any(
    scripted: Scripted, question: Question, reading: Reading
) -> None:
    evening = scripted(forecaster=forecasting(Doubts(reading, question))).play(None, None, ADVANCE, CONFIRM, None)
    assert evening.kinds == ["Asked", "Asked", "QuestionAnswered", "DecisionTaken"]
    first, second = (event.unasked for event in evening.told if isinstance(event, Asked))
    assert (first, second) == (True, False)
    assert evening.decisions == (question.options[1],)


@pytest.mark.parametrize("kind", ["question", "complaint"])
def test_an_unasked_doubt_lapses_when_the_table_is_changed(
    scripted: Scripted, question: Question, overlap: Complaint, reading: Reading, kind: str
) -> None:
    doubt = question if kind == "question" else overlap
    evening = scripted(forecaster=forecasting(Doubts(reading, doubt, until=3))).play(*[None] * 8)
    assert evening.kinds == ["Asked" if kind == "question" else "Complained", "DoubtLapsed"]
    assert evening.told[-1] == DoubtLapsed(doubt, evening.table.state)
    assert (evening.table.pending.question, evening.table.pending.complaint) == (None, None)
    assert evening.decisions == ()


def test_a_board_that_a_foreseeing_look_found_moved_is_announced_first(scripted: Scripted, reading: Reading) -> None:
    evening = scripted(forecaster=forecasting(Foresees(reading)))
    evening.watch.displacements.extend([Displacement(2, 12.0)])
    assert evening.play(None).kinds == ["TableNoticed", "DecisionForeseen"]


def test_a_doubt_is_forgotten_with_the_next_decision(scripted: Scripted, overlap: Complaint, reading: Reading) -> None:
    foresight = Foresees(reading)
    foresight.left = -1
    evening = scripted(verdicts=[overlap], forecaster=forecasting(foresight)).play(CONFIRM, None, None)
    assert foresight.heard is overlap
    evening.play(ADVANCE)
    assert foresight.heard is None


@pytest.mark.parametrize("kind", ["question", "complaint"])
def test_a_doubt_of_a_look_lapses_too_when_the_table_is_changed(
    scripted: Scripted, question: Question, overlap: Complaint, reading: Reading, kind: str
) -> None:
    doubt, foresight = question if kind == "question" else overlap, Foresees(reading)
    foresight.left = -1
    evening = scripted(verdicts=[doubt], forecaster=forecasting(foresight)).play(CONFIRM, None, None)
    assert foresight.heard is doubt
    foresight.outdated = True
    evening.play(None)
    assert evening.kinds[-1] == "DoubtLapsed"
    assert foresight.heard is None, "the same doubt may be announced again"


def test_at_a_hands_free_table_it_is_said_for_a_while_only_that_nothing_is_new(
    scripted: Scripted, reading: Reading
) -> None:
    foresight = Foresees(reading)
    foresight.left = -1
    evening = scripted(forecaster=forecasting(foresight))
    nothing = complaints.nothing_placed(evening.table.state, 1, "000001.jpg")
    evening.reader.verdicts.append(nothing)
    evening.table._open()
    evening.go_on(CONFIRM, *[None] * 30)
    assert evening.kinds == ["LookStarted", "Complained"]
    evening.go_on(*[None] * 20)
    assert evening.kinds[2:] == ["DoubtLapsed"]
    assert evening.table.pending.complaint is None


def test_a_confirm_on_an_unasked_complaint_counts_as_insisting(
    scripted: Scripted, overlap: Complaint, reading: Reading
) -> None:
    moved = _though(overlap, reading)
    evening = scripted(verdicts=[moved], forecaster=forecasting(Doubts(reading, moved))).play(
        None, CONFIRM, None, ADVANCE, CONFIRM
    )
    assert evening.kinds == ["Complained", "LookStarted", "Asked", "Asked", "QuestionAnswered", "DecisionTaken"]
    assert evening.decisions == (reading.decision,)
    assert evening.looks == [(reading.decision, "000002.jpg", Reason.MOVED)]


# Ticks, presses, preparation.


def test_ticks_come_once_a_frame_after_everything_else(scripted: Scripted) -> None:
    order: list[object] = []
    evening = scripted(ticks=[order.append], after_me=[lambda event: order.append(type(event).__name__)])
    evening.play(None, ADVANCE, None)
    assert order == ["GameOpened", 0.0, "DecisionTaken", 0.2, 0.4]


def test_presses_are_logged_before_they_act_with_whether_they_answer(scripted: Scripted, question: Question) -> None:
    log: list[object] = []
    evening = scripted(
        verdicts=[question],
        recorder=_recorder(lambda press, answers: log.append((press.button.value, answers))),
        after_me=[lambda event: log.append(type(event).__name__)],
    )
    evening.play(ADVANCE, UNDO, CONFIRM, None, ADVANCE, CONFIRM, ADVANCE)
    presses = [entry for entry in log if isinstance(entry, tuple)]
    assert presses == [
        ("advance", False),
        ("undo", False),
        ("confirm", False),
        ("advance", True),
        ("confirm", True),
        ("advance", False),
    ]
    assert log[1:3] == [("advance", False), "DecisionTaken"]


def test_preparation_comes_before_the_journal(scripted: Scripted) -> None:
    book, seen = MemoryJournal(codecs()), []
    scripted(book=book, prepare=lambda: seen.append(len(book.decisions(1, PATCHWORK)))).play(ADVANCE, ADVANCE)
    assert seen == [0, 1]


def test_a_decision_that_cannot_be_prepared_is_not_written(scripted: Scripted) -> None:
    def fail() -> None:
        raise JournalError("the profile cannot be written")

    evening = scripted(prepare=fail)
    with pytest.raises(JournalError, match="profile"):
        evening.play(ADVANCE)
    assert (evening.kinds, evening.decisions) == ([], ())


# Faults.


def test_a_decision_that_cannot_be_written_is_neither_applied_nor_announced(scripted: Scripted) -> None:
    evening = scripted(book=FailingBook(good=2))
    with pytest.raises(JournalError, match="the disk is full"):
        evening.play(ADVANCE, ADVANCE, ADVANCE)
    assert evening.kinds == ["DecisionTaken", "DecisionTaken"]
    assert evening.decisions == (Advance(1), Advance(2))
    assert evening.table.state == evening.told[-1].state


def test_an_undo_that_cannot_be_written_is_neither_applied_nor_announced(scripted: Scripted) -> None:
    evening = scripted(book=FailingBook(good=1))
    with pytest.raises(JournalError, match="the disk is full"):
        evening.play(ADVANCE, UNDO)
    assert evening.kinds == ["DecisionTaken"]
    assert evening.decisions == (Advance(1),)


class Killed(BaseException):
    """The process ends here."""


class KilledAfterAppend(MemoryJournal):
    """A journal after whose second decision the power fails, before the decision is announced."""

    def append(self, game_id: int, sequence: int, decision: object, outcome: DecisionOutcome | None = None) -> None:
        super().append(game_id, sequence, decision, outcome)
        if sequence == 2:
            raise Killed


def test_a_decision_written_and_not_announced_stands_when_the_evening_goes_on(scripted: Scripted) -> None:
    book = KilledAfterAppend(codecs())
    evening = scripted(book=book)
    with pytest.raises(Killed):
        evening.play(ADVANCE, ADVANCE)
    assert evening.kinds == ["DecisionTaken"], "one was announced"
    kept = book.decisions(1, PATCHWORK)
    assert kept == (Advance(1), Advance(2)), "both were written"
    resumed = scripted(before=kept).play(ADVANCE)
    opened = resumed.told[0]
    assert isinstance(opened, GameOpened)
    assert opened.decisions == kept
    assert resumed.decisions == (*kept, Advance(1))


def test_a_camera_that_fails_ends_the_evening_and_what_was_decided_stands(scripted: Scripted) -> None:
    evening = scripted(unrest=range(9))
    with pytest.raises(CameraError, match="the cable is loose"):
        evening.play(ADVANCE, CONFIRM, None, CameraError("the cable is loose"), ADVANCE)
    assert evening.kinds == ["DecisionTaken", "LookStarted", "LookCalledOff"]
    assert evening.decisions == (Advance(1),)


def test_a_listener_that_fails_is_logged_and_the_others_are_told(
    scripted: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(event: Event) -> None:
        raise ZeroDivisionError(f"on {type(event).__name__}")

    with caplog.at_level(logging.ERROR, "companion.patchwork.table"):
        evening = scripted(before_me=[fail]).play(ADVANCE, ADVANCE)
    assert evening.kinds == ["DecisionTaken", "DecisionTaken"]
    assert evening.decisions == (Advance(1), Advance(2))
    assert ["failed at" in record.message for record in caplog.records] == [True] * 3
    assert caplog.records[1].exc_info is not None
    assert "on DecisionTaken" in str(caplog.records[1].exc_info[1])


@pytest.mark.parametrize("leaving", [BrokenPipeError, KeyboardInterrupt])
def test_a_reader_that_has_gone_ends_the_evening(scripted: Scripted, leaving: type[BaseException]) -> None:
    def leave(event: Event) -> None:
        if isinstance(event, DecisionTaken):
            raise leaving

    evening = scripted(after_me=[leave])
    with pytest.raises(leaving):
        evening.play(ADVANCE, ADVANCE)
    assert evening.decisions == (Advance(1),)


# A recorded evening.


def test_a_replayed_look_takes_what_was_seen_already(scripted: Scripted, reading: Reading) -> None:
    evening = scripted(ReplayedTable, verdicts=[reading]).play(None, CONFIRM)
    assert evening.kinds == ["LookStarted", "DecisionTaken"]
    assert evening.looks == [(reading.decision, "000001.jpg", None)]


def test_a_replayed_look_waits_where_nothing_was_at_rest(scripted: Scripted, reading: Reading) -> None:
    evening = scripted(ReplayedTable, verdicts=[reading], unrest=[1, 2]).play(None, CONFIRM, None, None)
    assert evening.looks == [(reading.decision, "000003.jpg", None)]


def test_a_press_before_the_first_frame_is_no_crash(scripted: Scripted) -> None:
    evening = scripted(ReplayedTable)
    evening.devices.press_late(CONFIRM)
    assert evening.play().kinds == ["LookStarted", "LookCalledOff"]


def test_a_recording_that_ends_in_unrest_says_so(scripted: Scripted) -> None:
    evening = scripted(ReplayedTable, unrest=range(9)).play(None, CONFIRM, None)
    assert evening.kinds == ["LookStarted", "Complained"]
    complained = evening.told[-1]
    assert isinstance(complained, Complained)
    assert (complained.complaint.reason, complained.complaint.frame) == (Reason.UNCLEAR, "000002.jpg")


class Timed(Foresees):
    """A foresight whose decision is due two seconds after the first frame, unless it lapses."""

    due_s: float | None = None

    def see(self, frame: Frame, history: History) -> DecisionForeseen | Verdict | None:
        if self.due_s is None and not history.decisions:
            self.due_s = frame.t_s + 2.0
            return DecisionForeseen(self.reading.decision, 2.0, self.due_s, history.state)
        if self.due_s is not None and frame.t_s >= self.due_s:
            self.due_s = None
            return self.reading
        return None

    def lapse(self, history: History, *, stopped: bool) -> ForesightLapsed | None:
        was, self.due_s = self.due_s, None
        return None if was is None else ForesightLapsed(self.reading.decision, stopped, history.state)


def test_hands_free_a_recording_is_played_without_its_presses_of_confirm(scripted: Scripted, reading: Reading) -> None:
    evening = scripted(ReplayedTable, forecaster=forecasting(Timed(reading)), away=2).play(None, CONFIRM, None, None)
    assert evening.kinds == ["DecisionForeseen", "DecisionTaken"]
    assert evening.decisions == (reading.decision,)


def test_hands_free_time_passes_before_a_press_that_came_later(scripted: Scripted, reading: Reading) -> None:
    evening = scripted(ReplayedTable, forecaster=forecasting(Timed(reading)))
    evening.devices.press_late(ADVANCE)
    assert evening.play(None).decisions == (reading.decision, Advance(2))


def test_hands_free_what_lies_there_at_the_end_is_taken(scripted: Scripted, reading: Reading) -> None:
    assert scripted(ReplayedTable, forecaster=forecasting(Timed(reading))).play(None).decisions == (reading.decision,)


def test_hands_free_a_question_that_a_recording_passes_over_takes_the_likeliest(
    scripted: Scripted, question: Question, reading: Reading
) -> None:
    foresight = Doubts(reading, question, until=3)
    foresight.due_s = None  # type: ignore[attr-defined]  # nothing is due
    evening = scripted(ReplayedTable, forecaster=forecasting(foresight)).play(*[None] * 6)
    assert evening.kinds == ["Asked", "QuestionAnswered", "DecisionTaken"]
    assert evening.decisions == (question.options[0],)


def test_hands_free_a_question_that_a_recording_passes_over_takes_nothing_if_probably_nothing_was_laid(
    scripted: Scripted, question: Question, reading: Reading
) -> None:
    foresight = Doubts(reading, replace(question, none_first=True), until=3)
    foresight.due_s = None  # type: ignore[attr-defined]  # nothing is due
    evening = scripted(ReplayedTable, forecaster=forecasting(foresight)).play(*[None] * 6)
    assert evening.kinds[:2] == ["Asked", "QuestionAnswered"]
    assert question.options[0] not in evening.decisions


@pytest.mark.parametrize("answers", [False, None])
def test_an_unanswered_question_takes_the_likeliest_when_the_next_press_comes(
    scripted: Scripted, question: Question, answers: bool | None
) -> None:
    press = ADVANCE if answers is None else (ADVANCE, answers)
    evening = scripted(ReplayedTable, verdicts=[question]).play(CONFIRM, None, press)
    assert evening.kinds == ["LookStarted", "Asked", "QuestionAnswered", "DecisionTaken", "DecisionTaken"]
    assert evening.decisions == (question.options[0], Advance(2))


def test_a_recorded_player_who_heard_a_complaint_often_and_put_it_right_took_nothing_before(
    scripted: Scripted, overlap: Complaint, reading: Reading
) -> None:
    wrong = replace(overlap, otherwise=(TakePatch(1, "bar3", mask_of(["A1", "B1", "C1"])),))
    verdicts = [wrong, wrong, reading]
    evening = scripted(ReplayedTable, verdicts=verdicts).play(None, *[CONFIRM, None] * 3)
    assert evening.decisions == (reading.decision,)
    assert evening.kinds.count("Asked") == 1


def test_a_question_unanswered_at_the_end_takes_the_likeliest(scripted: Scripted, question: Question) -> None:
    evening = scripted(ReplayedTable, verdicts=[question]).play(CONFIRM, None)
    assert evening.kinds == ["LookStarted", "Asked", "QuestionAnswered", "DecisionTaken"]
    assert evening.decisions == (question.options[0],)


def test_recorded_answers_answer(scripted: Scripted, question: Question) -> None:
    evening = scripted(ReplayedTable, verdicts=[question]).play(CONFIRM, (ADVANCE, True), (CONFIRM, True), ADVANCE)
    assert evening.decisions == (question.options[1], Advance(2))


def test_a_recorded_refusal_refuses(scripted: Scripted, question: Question, reading: Reading) -> None:
    evening = scripted(ReplayedTable, verdicts=[question, reading]).play(CONFIRM, (UNDO, True), (CONFIRM, False))
    assert evening.decisions == (reading.decision,)
    assert [event.taken for event in evening.told if isinstance(event, QuestionAnswered)] == [None]


@pytest.mark.parametrize("button", list(Button))
def test_a_recorded_answer_to_a_question_that_was_not_asked_does_nothing(
    scripted: Scripted, reading: Reading, button: Button
) -> None:
    evening = scripted(ReplayedTable, verdicts=[reading]).play(CONFIRM, (button, True), (button, True))
    assert evening.kinds == ["LookStarted", "DecisionTaken"]
    assert evening.decisions == (reading.decision,)


def test_presses_carry_their_time(scripted: Scripted) -> None:
    presses: list[Press] = []
    scripted(recorder=_recorder(lambda press, _: presses.append(press))).play(None, ADVANCE)
    assert presses == [Press(ADVANCE, 0.2)]


def test_a_look_starts_with_the_state_it_will_judge(scripted: Scripted, reading: Reading) -> None:
    evening = scripted(verdicts=[reading]).play(CONFIRM, None)
    assert evening.told[1] == LookStarted(evening.told[0].state)


# Counting the buttons at the game's end.


class HandsCounted:
    """A fake `ButtonCheck` that asks at the second frame."""

    def __init__(self, question: Question, mended_at: int | None = None) -> None:
        self._question, self._mended_at, self.frames = question, mended_at, 0

    def see(self, _now_s: float) -> None:
        self.frames += 1

    def question(self) -> Question | None:
        return self._question if self.frames == 2 else None

    def is_mended(self, asked: Question) -> bool:
        return asked is self._question and self.frames == self._mended_at


@pytest.fixture
def hands(whole_game: tuple[Decision, ...]) -> Question:
    history = History(Setup(players=("Anna", "Boris")))
    for decision in whole_game:
        history.apply(decision)
    booked = history.state.seat(1).buttons
    return count_question(history.state, 1, booked + 2, "000002.jpg")


def test_the_tokens_on_the_table_stand_if_players_say_so(
    scripted: Scripted, whole_game: tuple[Decision, ...], hands: Question
) -> None:
    evening = scripted(before=whole_game, at_end=(HandsCounted(hands),)).play(None, None, ADVANCE, CONFIRM, None)
    assert evening.kinds == ["Asked", "Asked", "QuestionAnswered", "DecisionTaken"]
    assert [event.unasked for event in evening.told if isinstance(event, Asked)] == [True, False]
    lies = hands.options[1]
    assert isinstance(lies, CountButtons)
    assert evening.decisions == (*whole_game, lies)
    assert evening.table.state.seat(1).buttons == lies.buttons
    assert evening.table.state.finished


def test_a_recording_tells_what_players_let_stand(
    scripted: Scripted, whole_game: tuple[Decision, ...], hands: Question
) -> None:
    told: list[Instruction] = []

    class Writer:
        def press(self, _press: Press, _answers: bool) -> None:
            pass

        def instruction(self, instruction: Instruction) -> None:
            told.append(instruction)

    recorder = Recorder(cast("RecordingWriter", Writer()))
    scripted(before=whole_game, at_end=(HandsCounted(hands),), recorder=recorder).play(None, None, ADVANCE, CONFIRM)
    assert [(each.decision, each.answers) for each in told] == [(decision_to_json(hands.options[1]), False)]

    waiting = [[], told]
    again = scripted(ReplayedTable, before=whole_game, instructions=lambda: waiting.pop(0) if waiting else [])
    assert again.play(None, None, None).decisions == (*whole_game, hands.options[1])


def test_the_recorded_number_stands_if_players_press_confirm(
    scripted: Scripted, whole_game: tuple[Decision, ...], hands: Question
) -> None:
    evening = scripted(before=whole_game, at_end=(HandsCounted(hands),)).play(None, None, CONFIRM, None, UNDO)
    assert evening.kinds == ["Asked", "QuestionAnswered", "DecisionTaken", "DecisionUndone"]
    assert evening.decisions == whole_game


def test_a_question_of_buttons_may_be_left_and_lapses_if_they_are_mended(
    scripted: Scripted, whole_game: tuple[Decision, ...], hands: Question
) -> None:
    left = scripted(before=whole_game, at_end=(HandsCounted(hands),)).play(None, None, UNDO, None)
    assert left.kinds == ["Asked", "QuestionAnswered"]
    assert left.decisions == whole_game
    mended = scripted(before=whole_game, at_end=(HandsCounted(hands, 4),)).play(*[None] * 5)
    assert mended.kinds == ["Asked", "DoubtLapsed"]
