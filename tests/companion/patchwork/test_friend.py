"""Test a friend at another table: only there it is decided for that seat, and nothing is taken back alone."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pytest

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.decisions import Advance, TakePatch
from companion.patchwork.commands import NamePatch, Override
from companion.patchwork.reading.verdict import Question, QuestionTopic, Reading
from companion.patchwork.table import PatchworkTable
from companion.patchwork.words import sentences
from companion.play.inbox import CommandRefusedError, Inbox, Propose, SendWord, TakeBack
from hardware.ports import Button

if TYPE_CHECKING:
    from tests.companion.conftest import ScriptedTable

CONFIRM, ADVANCE, UNDO = Button.CONFIRM, Button.ADVANCE, Button.UNDO
MEANT = TakePatch(1, "corner-b1", mask_of(["A1", "A2", "B2"]))
OTHER = TakePatch(1, "corner-b1", mask_of(["D1", "D2", "E2"]))


@dataclass
class Far:
    """The friend's table, as far as the turn loop asks it."""

    is_laid: bool = True
    wants_undo: bool = False
    words: list[str] = field(default_factory=list)

    def ask_undo(self) -> str:
        self.wants_undo = not self.wants_undo
        return "The friend is asked."

    def send(self, text: str) -> None:
        self.words.append(text)


@pytest.fixture
def far() -> Far:
    return Far()


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


@pytest.fixture
def evening(scripted: "Callable[..., ScriptedTable]", inbox: Inbox, far: Far) -> "Callable[..., ScriptedTable]":
    """A function that opens a table whose friend has seat 1."""

    class Seated(PatchworkTable):
        def __init__(self, parts, *others, **more) -> None:  # type: ignore[no-untyped-def]
            super().__init__(replace(parts, partner=1, friend=far), *others, **more)

    def opened(*verdicts: object, meant: object = None, before: tuple[object, ...] = ()) -> "ScriptedTable":
        table = scripted(Seated, verdicts=[*verdicts], inbox=inbox, before=before)
        table.table._open()
        if meant is not None:
            inbox.put(Propose(meant, len(before)))
        return table.go_on(None)

    return opened


def read(decision: TakePatch) -> Reading:
    return Reading(decision, "000001.jpg", 0.99)


def latest(table: "ScriptedTable") -> str:
    return " ".join(str(says) for says in sentences(table.told[-1]))


def test_the_friend_s_decision_is_announced_and_taken_once_it_lies_there(
    evening: "Callable[..., ScriptedTable]",
) -> None:
    table = evening(read(MEANT), meant=MEANT)
    assert latest(table) == (
        "Next: Anna takes the corner for 1 at A1 A2 B2. The neutral token goes where the patch was, the marker to 3."
    )
    assert table.go_on(CONFIRM, None).decisions == (MEANT,)


def test_laid_otherwise_it_is_not_taken(evening: "Callable[..., ScriptedTable]") -> None:
    table = evening(read(OTHER), meant=MEANT).go_on(CONFIRM, None)
    assert table.decisions == ()
    assert latest(table).startswith("Not as Anna decided: Anna takes the corner for 1 at A1 A2 B2. On the table: ")
    table.go_on(CONFIRM)
    assert table.decisions == ()


def test_an_answer_that_is_not_the_friend_s_is_not_taken(evening: "Callable[..., ScriptedTable]") -> None:
    asks = Question(QuestionTopic.CELLS, 1, (OTHER, MEANT), ("A1",), "Where?", "000001.jpg")
    table = evening(asks, meant=MEANT).go_on(CONFIRM, None, CONFIRM)
    assert table.decisions == ()
    assert "Not as Anna decided" in latest(table)


@pytest.mark.parametrize("button", [CONFIRM, ADVANCE])
def test_nobody_decides_for_the_friend(evening: "Callable[..., ScriptedTable]", button: Button) -> None:
    table = evening(read(MEANT)).go_on(button, None)
    assert table.decisions == ()
    assert latest(table) == "Anna decides at the other table, and has not yet."


def test_an_advance_in_place_of_the_friend_s_patch_is_not_taken(evening: "Callable[..., ScriptedTable]") -> None:
    assert evening(meant=MEANT).go_on(ADVANCE).decisions == ()


def test_the_page_cannot_decide_for_the_friend_or_rename_what_both_have(
    evening: "Callable[..., ScriptedTable]", inbox: Inbox
) -> None:
    table = evening()
    entered = inbox.put(Override(1, MEANT.cells, MEANT.patch))
    table.go_on(None)
    with pytest.raises(CommandRefusedError, match="Anna decides that at the other table"):
        entered.result(0)
    table = evening(before=(MEANT,))
    renamed = inbox.put(NamePatch("corner-b3"))
    table.go_on(None)
    with pytest.raises(CommandRefusedError, match="by undo"):
        renamed.result(0)


def test_on_the_screen_alone_it_is_taken_at_once_and_said_what_is_to_be_moved(
    evening: "Callable[..., ScriptedTable]", far: Far
) -> None:
    far.is_laid = False
    table = evening(meant=MEANT)
    assert table.decisions == (MEANT,)
    assert [str(says) for event in table.told[1:2] for says in sentences(event)] == [
        "Anna takes the corner for 1 at A1 A2 B2. Take the patch out of the circle, with the neutral token in its "
        "place, and move the marker to 3."
    ]


def test_undo_asks_the_friend_and_takes_nothing_back(evening: "Callable[..., ScriptedTable]", far: Far) -> None:
    table = evening(before=(MEANT,)).go_on(UNDO)
    assert table.decisions == (MEANT,)
    assert far.wants_undo
    assert latest(table) == "The friend is asked."


def test_a_decision_is_taken_back_with_all_after_it_if_both_agree(
    evening: "Callable[..., ScriptedTable]", inbox: Inbox
) -> None:
    table = evening(before=(MEANT, Advance(2)))
    done = inbox.put(TakeBack(0))
    assert table.go_on(None).decisions == ()
    assert [type(event).__name__ for event in done.result(0)] == ["DecisionUndone", "DecisionUndone"]


def test_a_decision_that_was_not_laid_yet_is_taken_back_as_well(
    evening: "Callable[..., ScriptedTable]", inbox: Inbox
) -> None:
    table = evening(meant=MEANT)
    inbox.put(TakeBack(0))
    table.go_on(None)
    assert latest(table) == "Taken back: Anna takes the corner for 1 at A1 A2 B2."
    assert table.table.pending.proposed is None


def test_a_word_is_passed_on_and_refused_without_a_friend(
    evening: "Callable[..., ScriptedTable]", scripted: "Callable[..., ScriptedTable]", inbox: Inbox, far: Far
) -> None:
    table = evening()
    inbox.put(SendWord("hello"))
    table.go_on(None)
    assert far.words == ["hello"]
    alone = scripted(PatchworkTable, verdicts=[], inbox=inbox)
    refused = inbox.put(SendWord("hello"))
    alone.go_on(None)
    with pytest.raises(CommandRefusedError, match="no friend"):
        refused.result(0)
