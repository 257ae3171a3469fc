"""Test a partner's decision at the table: announced, carried out, or carried out otherwise."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.decisions import Advance, TakePatch
from companion.patchwork.reading.verdict import Question, QuestionTopic, Reading
from companion.patchwork.table import PatchworkTable
from companion.patchwork.words import sentences
from companion.play.events import Asked, DecisionProposed, DecisionTaken
from companion.play.inbox import CommandRefusedError, Inbox, Propose
from hardware.ports import Button, Press

if TYPE_CHECKING:
    from tests.companion.conftest import ScriptedTable

CONFIRM, ADVANCE, UNDO = Button.CONFIRM, Button.ADVANCE, Button.UNDO
MEANT = TakePatch(1, "corner-b1", mask_of(["A1", "A2", "B2"]))
OTHER = TakePatch(1, "corner-b1", mask_of(["D1", "D2", "E2"]))


class Seated(PatchworkTable):
    """A table at which a partner has seat 1."""

    def __init__(self, parts, *others, **more) -> None:  # type: ignore[no-untyped-def]
        super().__init__(replace(parts, partner=1), *others, **more)


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


@pytest.fixture
def evening(scripted: "Callable[..., ScriptedTable]", inbox: Inbox) -> "Callable[..., ScriptedTable]":
    """A function that opens a table with a partner at seat 1, who has decided."""

    def opened(*verdicts: object, meant: object = MEANT, before: tuple[object, ...] = ()) -> "ScriptedTable":
        table = scripted(Seated, verdicts=[*verdicts], inbox=inbox, before=before)
        table.table._open()
        inbox.put(Propose(meant, len(before)))
        return table.go_on(None)

    return opened


def read(decision: TakePatch) -> Reading:
    return Reading(decision, "000001.jpg", 0.99)


def test_a_decision_is_announced_and_taken_when_it_lies_there(evening: "Callable[..., ScriptedTable]") -> None:
    table = evening(read(MEANT)).go_on(CONFIRM, None)
    assert table.kinds == ["DecisionProposed", "LookStarted", "DecisionTaken"]
    announced = table.told[1]
    assert isinstance(announced, DecisionProposed)
    assert announced.pending.proposed == MEANT
    assert str(sentences(announced)[0]) == (
        "Next: Anna takes the corner for 1 at A1 A2 B2. The neutral token goes where the patch was, the marker to 3."
    )
    assert table.told[-1].pending.proposed is None


@pytest.mark.parametrize(("button", "taken"), [(CONFIRM, (OTHER,)), (UNDO, ())])
def test_the_players_decide_whether_another_placement_stands(
    evening: "Callable[..., ScriptedTable]", button: Button, taken: tuple[TakePatch, ...]
) -> None:
    table = evening(read(OTHER)).go_on(CONFIRM, None)
    asked = table.told[-1]
    assert isinstance(asked, Asked)
    assert asked.question.asks is QuestionTopic.PARTNER
    assert "A1 A2 B2" in str(asked.question.says)
    assert "D1 D2 E2" in str(asked.question.says)
    assert table.decisions == ()
    table.go_on(button)
    assert table.decisions == taken
    assert (table.table.pending.proposed is None) == bool(taken)


def test_to_advance_instead_is_asked_about(evening: "Callable[..., ScriptedTable]") -> None:
    table = evening().go_on(ADVANCE)
    assert isinstance(table.told[-1], Asked)
    assert table.go_on(CONFIRM).decisions == (Advance(1),)


def test_an_advance_is_taken_without_a_press(evening: "Callable[..., ScriptedTable]") -> None:
    table = evening(meant=Advance(1))
    assert table.kinds == ["DecisionTaken"]
    assert table.decisions == (Advance(1),)


def test_of_two_twins_the_one_that_the_partner_chose_is_taken(evening: "Callable[..., ScriptedTable]") -> None:
    twin = replace(MEANT, patch="corner-b3")
    asks = Question(QuestionTopic.WHICH_PATCH, 1, (twin, MEANT), (), "Which one?", "000001.jpg")
    assert evening(asks).go_on(CONFIRM, None).decisions == (MEANT,)


def test_a_press_at_the_other_seat_carries_the_decision_out(evening: "Callable[..., ScriptedTable]") -> None:
    table = evening(read(MEANT))
    table.devices._presses.append(Press(CONFIRM, 1.0, seat=2))
    table.go_on(None, None)
    assert table.decisions == (MEANT,)


def test_an_undo_takes_back_the_player_s_own_decision_and_the_partner_s_after_it(
    evening: "Callable[..., ScriptedTable]",
) -> None:
    first = TakePatch(1, "corner-b1", mask_of(["A1", "A2", "B2"]))
    table = evening(before=(first, Advance(2)), meant=Advance(1))
    assert len(table.decisions) == 3
    assert table.go_on(UNDO).decisions == (first,)


def test_a_decision_that_comes_too_late_is_refused(evening: "Callable[..., ScriptedTable]", inbox: Inbox) -> None:
    table = evening(meant=Advance(1))
    late = inbox.put(Propose(Advance(1), 0))
    table.go_on(None)
    with pytest.raises(CommandRefusedError, match="gone on"):
        late.result(0)
    assert isinstance(table.told[-1], DecisionTaken)
