"""Test the effects of commands, and their way to the table and back."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from companion.games.patchwork import rules
from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.decisions import Advance, Decision, PlaceLeather, TakePatch
from companion.games.patchwork.rules import History, apply, check
from companion.games.patchwork.state import Setup
from companion.journal import JournalError, MemoryJournal
from companion.patchwork.codec import PATCHWORK
from companion.patchwork.commands import Command, NamePatch, Override, Plan, planned
from companion.patchwork.words import sentences
from companion.play.events import DecisionTaken, DecisionUndone, Event, LookCalledOff, LookStarted, QuestionAnswered
from companion.play.inbox import Answer, CommandRefusedError, Inbox, Insist
from companion.registry import codecs
from hardware.ports import Button

if TYPE_CHECKING:
    from companion.games.patchwork.state import State
    from companion.patchwork.reading.verdict import Complaint, Question, Reading
    from tests.companion.conftest import ScriptedTable

Scripted = Callable[..., "ScriptedTable"]
CORNER = mask_of(["A1", "A2", "B2"])
TAKEN = TakePatch(1, "corner-b1", CORNER)
TWIN = TakePatch(1, "corner-b3", CORNER)
SECONDS_3 = 16
"""The number of frames in slightly more than a command's patience."""


def _history(*decisions: Decision) -> History:
    history = History(Setup(players=("Anna", "Boris")))
    for decision in decisions:
        history.apply(decision)
    return history


# Plans.


@pytest.mark.parametrize(("option", "decision"), [(0, 0), (1, 1), (None, None)])
def test_an_answer_is_an_option_or_none(question: Question, option: int | None, decision: int | None) -> None:
    taken = None if decision is None else question.options[decision]
    assert planned(Answer(option), _history(), question) == Plan(taken)


def test_an_override_is_what_the_rules_make_of_the_cells() -> None:
    history, domino = _history(), TakePatch(1, "domino", mask_of(["A1", "B1"]))
    assert planned(Override(1, domino.cells), history, None) == Plan(domino, apply(history.state, domino), looks=True)
    plan = planned(Override(1, CORNER, "corner-b3"), history, None)
    assert plan == Plan(TWIN, apply(history.state, TWIN), looks=True)


def test_an_override_may_be_the_leather_patch(leather_game: tuple[Decision, ...]) -> None:
    history = _history(*leather_game)
    seat = history.state.turn or 0
    free = next(1 << cell for cell in range(81) if not history.state.seat(seat).quilt >> cell & 1)
    assert planned(Override(seat, free), history, None).decision == PlaceLeather(seat, free)


def test_a_name_answers_the_question(question: Question) -> None:
    assert planned(NamePatch("corner-b3"), _history(), question) == Plan(question.options[1])


def test_a_name_mends_the_latest_decision() -> None:
    plan = planned(NamePatch("corner-b3"), _history(TAKEN), None)
    assert plan == Plan(TWIN, apply(_history().state, TWIN), takes_back=True)


@pytest.mark.parametrize(
    ("command", "asked", "says"),
    [
        (Answer(0), False, "There is no question to answer."),
        (Answer(None), False, "There is no question to answer."),
        (Answer(2), True, "The question has only 2 answers."),
        (Answer(-1), True, "The question has only 2 answers."),
        (NamePatch("bar3"), True, "The short bar is not one of the answers."),
        (NamePatch("bar3"), False, "There is no patch to name: the latest decision took none."),
        (Override(2, CORNER), False, "It is Anna’s turn."),
        (Override(1, mask_of(["A1", "C1"])), False, "No patch has this shape."),
        (Override(1, mask_of(["A1"])), False, "No patch has this shape."),
    ],
)
def test_an_impossible_one_is_refused_with_a_sentence(
    question: Question, command: Command, asked: bool, says: str
) -> None:
    with pytest.raises(CommandRefusedError) as caught:
        planned(command, _history(), question if asked else None)
    assert str(caught.value) == says


def test_a_name_must_be_another_patch_of_the_shape_that_could_be_bought() -> None:
    refused = (
        ("corner-b1", "It already is the corner for 1."), ("domino", "These squares are not the shape of the domino")
    )  # fmt: skip
    for name, says in refused:
        with pytest.raises(CommandRefusedError, match=says):
            planned(NamePatch(name), _history(TAKEN), None)


def test_there_is_nothing_to_name_at_the_start_or_after_an_advance() -> None:
    for history in (_history(), _history(TAKEN, Advance(2))):
        with pytest.raises(CommandRefusedError, match="There is no patch to name"):
            planned(NamePatch("corner-b3"), history, None)


def test_cells_that_two_patches_explain_are_refused_with_both() -> None:
    with pytest.raises(CommandRefusedError) as caught:
        planned(Override(1, CORNER), _history(), None)
    assert caught.value.candidates == ("corner-b1", "corner-b3")


# At the table.


class Ordered:
    """A table whose inbox gets a command before some of its frames."""

    def __init__(self, scripted: Scripted, at: dict[int, Command], **more: object) -> None:
        self.inbox, self.outcomes = Inbox(), dict[int, Future[tuple[Event, ...]]]()
        self._at, self._frames = at, 0
        self.evening = scripted(inbox=self.inbox, ticks=[self._tick], **more)
        self._put()

    def _put(self) -> None:
        if self._frames in self._at:
            self.outcomes[self._frames] = self.inbox.put(self._at[self._frames])

    def _tick(self, _: float) -> None:
        self._frames += 1
        self._put()

    def says(self, frame: int) -> list[str]:
        return [said for event in self.outcomes[frame].result(timeout=0) for said in sentences(event)]


def test_an_override_is_looked_at_written_and_announced(scripted: Scripted) -> None:
    ordered = Ordered(scripted, {1: Override(1, CORNER, "corner-b1")})
    evening = ordered.evening.play(None, None, None)
    assert evening.decisions == (TAKEN,)
    assert evening.kinds == ["DecisionTaken"]
    assert evening.looks == [(TAKEN, "000001.jpg", None)]
    assert ordered.says(1)[0].startswith("Anna takes the corner for 1 at A1 A2 B2")


@pytest.mark.parametrize(
    ("command", "before"), [(Override(1, CORNER, "corner-b1"), ()), (NamePatch("corner-b3"), (TAKEN,))]
)
def test_the_rules_check_a_correction_once(
    scripted: Scripted, monkeypatch: pytest.MonkeyPatch, command: Command, before: tuple[Decision, ...]
) -> None:
    checked: list[Decision] = []

    def check_and_count(state: State, decision: Decision) -> None:
        checked.append(decision)
        check(state, decision)

    ordered = Ordered(scripted, {1: command}, before=before)
    monkeypatch.setattr(rules, "check", check_and_count)
    assert checked == []
    assert ordered.evening.play(None, None, None).decisions == tuple(checked)


def test_an_override_calls_off_the_look_that_is_under_way(scripted: Scripted) -> None:
    ordered = Ordered(scripted, {1: Override(1, CORNER, "corner-b1")})
    evening = ordered.evening.play(None, Button.CONFIRM, None)
    assert [type(event) for event in evening.told[1:]] == [LookStarted, LookCalledOff, DecisionTaken]


def test_an_override_answers_the_question_that_is_open(scripted: Scripted, question: Question) -> None:
    override = Override(1, mask_of(["C1", "D1"]), "domino")
    ordered = Ordered(scripted, {3: override}, verdicts=[question])
    evening = ordered.evening.play(Button.CONFIRM, None, None, None, None)
    assert evening.kinds == ["LookStarted", "Asked", "QuestionAnswered", "DecisionTaken"]
    assert evening.decisions == (TakePatch(1, "domino", mask_of(["C1", "D1"])),)
    assert evening.table.pending.question is None


def test_an_answer_takes_an_option_or_none(scripted: Scripted, question: Question) -> None:
    for option, decisions in ((1, (TWIN,)), (None, ())):
        ordered = Ordered(scripted, {2: Answer(option)}, verdicts=[question])
        evening = ordered.evening.play(Button.CONFIRM, None, None, None)
        assert evening.decisions == decisions
        assert any(isinstance(event, QuestionAnswered) for event in evening.told)
        assert evening.looks == [(each, "000001.jpg", None) for each in decisions], "as they lay when it was asked"


def test_a_patch_is_renamed_by_taking_it_back_and_taking_its_twin(
    scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    ordered = Ordered(scripted, {1: NamePatch("corner-b3")}, before=[TAKEN])
    # It is on the quilt of the player who has just moved.
    monkeypatch.setattr(ordered.evening.watch, "settled", [None, True, False].__getitem__)
    evening = ordered.evening.play(None, None)
    assert evening.decisions == (TWIN,)
    assert [type(event) for event in evening.told[1:]] == [DecisionUndone, DecisionTaken]
    assert evening.looks == [], "the patch itself stays, with its look"


def test_a_power_cut_while_a_patch_is_renamed_loses_neither_name(scripted: Scripted) -> None:
    stored: list[tuple[Decision, ...]] = []

    def look_up(event: Event) -> None:
        if isinstance(event, DecisionUndone):
            stored.append(ordered.evening.book.decisions(1, PATCHWORK))

    ordered = Ordered(scripted, {1: NamePatch("corner-b3")}, before=[TAKEN], after_me=[look_up])
    ordered.evening.play(None, None)
    assert stored == [(TWIN,)]


def test_a_refusal_leaves_the_table_as_it_was(scripted: Scripted) -> None:
    ordered = Ordered(scripted, {1: Override(2, CORNER), 2: Answer(0)})
    evening = ordered.evening.play(None, None, None)
    assert (evening.decisions, evening.kinds) == ((), [])
    for frame in (1, 2):
        with pytest.raises(CommandRefusedError):
            ordered.outcomes[frame].result(timeout=0)


def test_an_override_waits_until_the_quilt_lies_still(scripted: Scripted) -> None:
    ordered = Ordered(scripted, {1: Override(1, CORNER, "corner-b1"), 2: Answer(0)}, unrest=range(1, 6))
    evening = ordered.evening.go_on(*[None] * 5)
    assert not ordered.outcomes[2].done()
    assert evening.play(None, None).decisions == (TAKEN,)
    assert ordered.outcomes[2].done()


def test_an_override_waits_no_longer_than_it_must_for_a_quilt_that_never_rests(scripted: Scripted) -> None:
    ordered = Ordered(scripted, {1: Override(1, CORNER, "corner-b1")}, unrest=range(99))
    evening = ordered.evening.go_on(*[None] * SECONDS_3)
    assert not ordered.outcomes[1].done()
    assert evening.play(None, None).decisions == (TAKEN,)
    assert ordered.outcomes[1].done()


def test_an_override_before_the_empty_boards_were_seen_loses_patience(scripted: Scripted) -> None:
    ordered = Ordered(scripted, {1: Override(1, CORNER, "corner-b1")}, ready=False)
    evening = ordered.evening.play(*[None] * (SECONDS_3 + 2))
    with pytest.raises(CommandRefusedError, match="boards are seen, but they are not still"):
        ordered.outcomes[1].result(timeout=0)
    assert evening.decisions == ()


def test_insisting_is_answered_by_a_question_and_its_answer_is_believed(scripted: Scripted, overlap: Complaint) -> None:
    complaint = replace(overlap, otherwise=(TAKEN, TWIN))
    ordered = Ordered(scripted, {2: Insist(), 3: Answer(1)}, verdicts=[complaint])
    evening = ordered.evening.play(Button.CONFIRM, *[None] * 4)
    assert evening.kinds == ["LookStarted", "Complained", "Asked", "QuestionAnswered", "DecisionTaken"]
    assert evening.decisions == (TWIN,)
    assert evening.looks == [(TWIN, "000001.jpg", overlap.reason)]
    assert "You may be right" in ordered.says(2)[0]


def test_insisting_without_alternatives_names_the_ways_out_once(scripted: Scripted, overlap: Complaint) -> None:
    ordered = Ordered(scripted, {2: Insist(), 3: Insist()}, verdicts=[overlap])
    evening = ordered.evening.play(Button.CONFIRM, *[None] * 4)
    assert evening.kinds == ["LookStarted", "Complained", "Complained", "Complained"]
    assert "page" in ordered.says(2)[0]
    assert ordered.says(3) == ordered.says(2)


def test_there_must_be_something_to_insist_on(scripted: Scripted, question: Question) -> None:
    for verdicts, says in (([], "no complaint from the companion"), ([question], "Answer the question first")):
        ordered = Ordered(scripted, {2: Insist()}, verdicts=verdicts)
        ordered.evening.play(*([Button.CONFIRM] if verdicts else [None]), *[None] * 3)
        with pytest.raises(CommandRefusedError, match=says):
            ordered.outcomes[2].result(timeout=0)


def test_an_order_that_is_withdrawn_while_it_waits_is_not_carried_out(scripted: Scripted) -> None:
    ordered = Ordered(scripted, {1: Override(1, CORNER, "corner-b1")}, unrest=range(1, 4))
    evening = ordered.evening.go_on(None, None, None)
    assert ordered.outcomes[1].cancel()
    evening.play(None, None, None)
    assert evening.decisions == ()


def test_a_failed_journal_ends_the_game_and_is_reported(scripted: Scripted) -> None:
    class Full(MemoryJournal):
        def append(self, *_: object) -> None:
            raise JournalError("the disk is full")

    ordered = Ordered(scripted, {1: Override(1, CORNER, "corner-b1")}, book=Full(codecs()))
    with pytest.raises(JournalError):
        ordered.evening.play(None, None)
    with pytest.raises(CommandRefusedError, match="could not be saved"):
        ordered.outcomes[1].result(timeout=0)


def test_commands_come_after_the_presses_of_their_frame(scripted: Scripted, reading: Reading) -> None:
    ordered = Ordered(scripted, {1: NamePatch("corner-b3")}, verdicts=[reading])
    ordered.evening.play(Button.CONFIRM, Button.UNDO, None)
    with pytest.raises(CommandRefusedError, match="no patch to name"):
        ordered.outcomes[1].result(timeout=0)
