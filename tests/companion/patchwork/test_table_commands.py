"""Test commands from the page at a table of fakes: each is taken after a frame and answered by its result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.decisions import Advance, TakePatch
from companion.patchwork.commands import Command, NamePatch, Override
from companion.play.events import NOTHING_ASKED, Asked
from companion.play.inbox import Answer, CommandRefusedError, Inbox, Insist
from hardware.ports import Button

if TYPE_CHECKING:
    from concurrent.futures import Future

    from companion.patchwork.reading.verdict import Complaint, Question, Reading
    from companion.play.events import Event
    from tests.companion.conftest import Moment, ScriptedTable

Scripted = Callable[..., "ScriptedTable"]
CONFIRM = Button.CONFIRM
CORNER = TakePatch(1, "corner-b1", mask_of(["A1", "A2", "B2"]))
TWIN = TakePatch(1, "corner-b3", CORNER.cells)


class Page:
    """The page of a table: it sends one command per frame, from a given frame on."""

    def __init__(self, scripted: Scripted, first: int, *commands: Command, **options: object) -> None:
        self.inbox = Inbox()
        self.answers: list[Future[tuple[Event, ...]]] = []
        self._first, self._left = first, list(commands)
        self.tick: Callable[[float], None] = lambda _: None
        self.table = scripted(inbox=self.inbox, ticks=[self._tick], **options)

    def _tick(self, now_s: float) -> None:
        self.tick(now_s)
        self._first -= 1
        if self._first < 0 and self._left:
            self.answers.append(self.inbox.put(self._left.pop(0)))

    def play(self, *moments: Moment) -> ScriptedTable:
        """Run the table to its end."""
        return self.table.play(*moments)

    @property
    def answered(self) -> list[list[str]]:
        """The kinds of the events in the commands' answers."""
        return [[type(event).__name__ for event in answer.result(timeout=0)] for answer in self.answers]


def test_a_question_is_answered_from_the_page(scripted: Scripted, question: Question) -> None:
    page = Page(scripted, 1, Answer(1), verdicts=[question])
    table = page.play(CONFIRM, None, None, None)
    assert page.answered == [["QuestionAnswered", "DecisionTaken"]]
    assert table.decisions == (TWIN,)
    assert table.table.pending.question is None
    assert table.looks == [(TWIN, "000001.jpg", None)]


def test_an_answer_to_another_question_is_refused(scripted: Scripted, question: Question) -> None:
    page = Page(scripted, 1, Answer(1, NOTHING_ASKED), verdicts=[question])
    table = page.play(CONFIRM, None, None, None)
    with pytest.raises(CommandRefusedError, match="question has changed"):
        page.answers[0].result(timeout=0)
    assert (table.decisions, table.table.pending.question) == ((), question)


def test_commands_of_one_frame_are_each_answered_by_their_own_events(scripted: Scripted, question: Question) -> None:
    inbox = Inbox()
    table = scripted(inbox=inbox, verdicts=[question])
    table.table._open()
    table.go_on(CONFIRM, None)
    first, second = inbox.put(Answer(1)), inbox.put(NamePatch("corner-b1"))
    table.go_on(None)
    kinds = [[type(event).__name__ for event in each.result(timeout=0)] for each in (first, second)]
    assert kinds == [["QuestionAnswered", "DecisionTaken"], ["DecisionUndone", "DecisionTaken"]]


def test_an_answer_that_names_the_open_question_is_taken(scripted: Scripted, question: Question) -> None:
    page = Page(scripted, 9, verdicts=[question])
    table = page.table

    def answer(now_s: float) -> None:
        del now_s
        asked = [event.pending.number for event in table.told if isinstance(event, Asked)]
        if asked and not page.answers:
            page.answers.append(page.inbox.put(Answer(1, asked[-1])))

    page.tick = answer
    table.play(CONFIRM, None, None, None)
    assert page.answered == [["QuestionAnswered", "DecisionTaken"]]
    assert table.decisions == (TWIN,)


def test_none_of_the_answers_closes_the_question_and_takes_nothing(scripted: Scripted, question: Question) -> None:
    page = Page(scripted, 1, Answer(None), verdicts=[question])
    table = page.play(CONFIRM, None, None, None)
    assert page.answered == [["QuestionAnswered"]]
    assert (table.decisions, table.table.pending.question) == ((), None)


def test_an_entry_on_the_page_is_taken_after_a_look(scripted: Scripted) -> None:
    page = Page(scripted, 0, Override(1, CORNER.cells, "corner-b1"))
    table = page.play(None, None, None)
    assert page.answered == [["DecisionTaken"]]
    assert table.decisions == (CORNER,)
    assert table.looks == [(CORNER, "000001.jpg", None)]


def test_the_latest_patch_is_named_otherwise_and_taken_anew(scripted: Scripted, reading: Reading) -> None:
    page = Page(scripted, 1, NamePatch("corner-b3"), verdicts=[reading])
    table = page.play(CONFIRM, None, None, None)
    assert page.answered == [["DecisionUndone", "DecisionTaken"]]
    assert table.decisions == (TWIN,)


def test_a_look_under_way_gives_way_to_a_command(scripted: Scripted, overlap: Complaint) -> None:
    told = replace(overlap, otherwise=(CORNER,))
    page = Page(scripted, 2, Insist(), verdicts=[told], unrest=(3, 4))
    table = page.play(CONFIRM, None, CONFIRM, None, None)
    assert page.answered == [["LookCalledOff", "Asked"]]
    assert table.table.pending.question is not None


def test_a_command_that_looks_waits_for_rest(scripted: Scripted) -> None:
    page = Page(scripted, 0, Override(1, CORNER.cells, "corner-b1"), unrest=(1, 2))
    table = page.play(None, None, None, None)
    assert page.answered == [["DecisionTaken"]]
    assert table.looks == [(CORNER, "000003.jpg", None)]


def test_before_the_empty_boards_were_seen_it_waits_and_is_refused(scripted: Scripted) -> None:
    page = Page(scripted, 0, Override(1, CORNER.cells, "corner-b1"), ready=False)
    table = page.play(*[None] * 80)
    (answer,) = page.answers
    with pytest.raises(CommandRefusedError, match="quilt boards are seen, but they are not still"):
        answer.result(timeout=0)
    assert (table.decisions, table.kinds) == ((), [])


def test_a_patch_entered_beside_what_lies_on_the_boards_is_refused_at_once_with_the_way_on(scripted: Scripted) -> None:
    page = Page(scripted, 0, Override(1, CORNER.cells, "corner-b1"), ready=False)
    page.table.watch.withheld = ("There is something on seat 1’s board.",)
    table = page.play(None, None)
    (answer,) = page.answers
    with pytest.raises(CommandRefusedError, match=r"seat 1’s board\. Or press confirm twice to begin"):
        answer.result(timeout=0)
    assert (table.decisions, table.kinds) == ((), [])


def test_insisting_on_the_page_is_answered_by_a_question_at_once(scripted: Scripted, overlap: Complaint) -> None:
    told = replace(overlap, otherwise=(CORNER,))
    page = Page(scripted, 1, Insist(), Answer(0), verdicts=[told])
    table = page.play(CONFIRM, None, None, None, None)
    assert page.answered == [["Asked"], ["QuestionAnswered", "DecisionTaken"]]
    assert table.decisions == (CORNER,)
    assert table.looks == [(CORNER, "000001.jpg", overlap.reason)]


@pytest.mark.parametrize(
    ("command", "says"),
    [(Answer(0), "no question to answer"), (Insist(), "no complaint from the companion")],
)
def test_a_command_that_fits_nothing_is_refused_and_changes_nothing(
    scripted: Scripted, command: Command, says: str
) -> None:
    page = Page(scripted, 0, command, before=(Advance(1),))
    table = page.play(None, None, None)
    (answer,) = page.answers
    with pytest.raises(CommandRefusedError, match=says):
        answer.result(timeout=0)
    assert (table.decisions, table.kinds) == ((Advance(1),), [])
