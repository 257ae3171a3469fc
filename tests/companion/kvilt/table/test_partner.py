"""Test a partner at a table of Kvilt: it decides, a person colours, and the camera checks the sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.games.kvilt.decisions import (
    ColourPatch,
    ColourThread,
    Done,
    FillNeutral,
    PlacePencil,
    TakeCushion,
    TakeToken,
)
from companion.games.kvilt.state import Phase
from companion.kvilt.codec import KVILT
from companion.kvilt.table.offering import RealBag, VirtualBag
from companion.kvilt.words import sentences, spoken
from companion.play.events import Asked, Complained, DecisionProposed
from companion.play.inbox import Propose, TableAwayError
from tests.companion.kvilt.table.conftest import A, C, Room, Shown, U

if TYPE_CHECKING:
    from companion.games.kvilt.decisions import Decision
    from companion.kvilt.table.offering import AnyBag

ROBOT = 2
"""The seat of the partner."""


class Table(Room):
    """A table at which Boris is a partner; he has taken the blue scrap, and Anna the red one."""

    def __init__(self, bag: AnyBag | None = None) -> None:
        super().__init__(bag=bag, partner=ROBOT)
        self.press(C)
        self.decide(TakeToken(ROBOT, "blue"))

    def decide(self, *decisions: Decision) -> Table:
        """Let the partner decide."""
        for decision in decisions:
            self.inbox.put(Propose(decision, len(self.decisions)))
            self.table.step()
        return self

    def shared(self) -> Table:
        """Share the pencils out: Anna takes the first pincushion that she can, the partner the next one."""
        while self.table.state.phase is Phase.PENCILS:
            if self.asks == "drawn":
                self.press(C)
            elif self.table.state.turn == ROBOT:
                filled = [number for number, each in enumerate(self.table.state.cushions, 1) if each.pencils]
                self.decide(TakeCushion(ROBOT, filled[0]) if filled else PlacePencil(ROBOT, "red", 1))
            else:
                takes = [n for n, option in enumerate(self.asked.options) if option.kind == "take"]
                self.press(*[A] * (takes[0] if takes else 0), C)
        return self

    @property
    def decisions(self) -> tuple[Decision, ...]:
        return self.table.history.decisions

    @property
    def said(self) -> list[str]:
        return [str(says) for event in self.events for says in sentences(event)]

    def paper(self, seat: int = ROBOT) -> dict[str, str | None]:
        """Return the sheet of a seat as the history has it."""
        regions: dict[str, str | None] = dict.fromkeys(self.table.state.setup.sheet.regions())
        return {**regions, **self.table.state.seat(seat).marks.regions(self.table.state.setup.sheet)}


@pytest.fixture
def colouring() -> Table:
    """A table at which the partner is to colour, with what it has in hand."""
    table = Table().shared()
    while table.table.state.turn != ROBOT:
        table.sheets.lies = Shown(table.paper(1))
        table.press(C, A, C)
    return table


def own(table: Table) -> str:
    return table.table.state.seat(ROBOT).hand[0].colour


def test_a_decision_that_leaves_nothing_to_colour_is_taken_at_once_and_announced() -> None:
    table = Table()
    assert table.decisions == (TakeToken(1, "red"), TakeToken(ROBOT, "blue"))
    assert "Boris takes the blue scrap." in table.said
    assert "Boris takes the blue scrap." in [str(says) for event in table.events for says in spoken(event)]


def test_nobody_else_is_asked_to_choose_for_it_unless_it_does_not_answer() -> None:
    table = Room(partner=ROBOT).press(C)
    assert table.table.pending.question is None
    table.press(C)
    assert table.asked.seat == ROBOT
    table.press(C)
    assert table.table.state.phase is Phase.PENCILS


def test_it_draws_what_the_bag_gives_and_places_it() -> None:
    table = Table()
    table.press(C, C)
    while table.table.state.turn != ROBOT:
        table.press(C)
    before = len(table.decisions)
    table.decide(PlacePencil(ROBOT, "red", 1))
    placed = table.decisions[before]
    assert isinstance(placed, PlacePencil)
    bag = VirtualBag(5)
    assert placed.drawn == bag.draw(table.table.history.state_after(before))[0]


def test_its_colouring_is_announced_and_ends_once_the_sheet_shows_it(colouring: Table) -> None:
    hand = own(colouring)
    colouring.decide(ColourThread(ROBOT, hand), Done(ROBOT))
    assert isinstance(colouring.table.pending.proposed, Done)
    asked = colouring.table.pending.question
    assert asked is not None
    assert asked.regions == ("spool1.thread",)
    assert "as decided" in str(asked.says)
    assert any(isinstance(event, DecisionProposed) for event in colouring.events)
    colouring.sheets.lies = Shown(colouring.paper())
    colouring.press(C)
    assert colouring.decisions[-2:] == (ColourThread(ROBOT, hand), Done(ROBOT))
    assert colouring.book.decisions(colouring.number, KVILT) == colouring.decisions


def test_nothing_to_colour_needs_no_sheet(colouring: Table) -> None:
    colouring.decide(Done(ROBOT))
    assert colouring.decisions[-1] == Done(ROBOT)


@pytest.mark.parametrize("stands", [True, False])
def test_the_players_decide_whether_what_is_coloured_otherwise_stands(colouring: Table, stands: bool) -> None:
    hand = own(colouring)
    meant = colouring.decide(ColourThread(ROBOT, hand), Done(ROBOT)).paper()
    colouring.sheets.lies = Shown({**meant, "spool1.thread": None, "p3": hand})
    colouring.press(C)
    told = next(event for event in reversed(colouring.events) if isinstance(event, Complained))
    assert told.complaint.codes == ("otherwise",)
    assert set(told.complaint.regions) == {"spool1.thread", "p3"}
    assert "Boris has decided" in str(told.complaint.says)
    if stands:
        colouring.press(A, C)
        assert colouring.decisions[-2:] == (ColourPatch(ROBOT, hand, "p3"), Done(ROBOT))
        assert colouring.book.decisions(colouring.number, KVILT) == colouring.decisions
        return
    colouring.sheets.lies = Shown(meant)
    colouring.press(C)
    assert colouring.decisions[-2:] == (ColourThread(ROBOT, hand), Done(ROBOT))


def test_a_mark_that_is_missing_is_named(colouring: Table) -> None:
    meant = colouring.decide(ColourThread(ROBOT, own(colouring)), Done(ROBOT)).paper()
    colouring.sheets.lies = Shown({**meant, "spool1.thread": None})
    colouring.press(C)
    assert any("the thread of spool 1" in says and "Boris has decided" in says for says in colouring.said)
    assert not isinstance(colouring.decisions[-1], Done)


def test_a_mark_of_another_colour_is_not_taken_for_the_decided_one(colouring: Table) -> None:
    hand = own(colouring)
    meant = colouring.decide(ColourThread(ROBOT, hand), Done(ROBOT)).paper()
    other = next(colour for colour in colouring.table.state.setup.sheet.colours if colour != hand)
    colouring.sheets.lies = Shown({**meant, "spool1.thread": other})
    colouring.press(C)
    assert not isinstance(colouring.decisions[-1], Done)
    assert any("the thread of spool 1" in says and "Boris has decided" in says for says in colouring.said)


def test_undo_takes_back_a_player_s_own_step_and_what_the_partner_decided_after_it() -> None:
    table = Table()
    table.press(U)
    assert table.decisions == ()
    assert table.asked.seat == 1


def test_a_decision_waits_for_the_end_of_a_look(colouring: Table) -> None:
    colouring.decide(ColourThread(ROBOT, own(colouring)), Done(ROBOT))
    colouring.sheets.settled = False
    colouring.press(C)
    late = colouring.inbox.put(Propose(Done(ROBOT), len(colouring.decisions)))
    colouring.table.step()
    with pytest.raises(TableAwayError):
        late.result(0)


def test_a_resumed_table_proposes_the_same_colouring(colouring: Table) -> None:
    colouring.decide(ColourThread(ROBOT, own(colouring)), Done(ROBOT))
    again = Room(bag=colouring.bag, book=colouring.book, game_id=colouring.number, partner=ROBOT)
    again.inbox.put(Propose(Done(ROBOT), len(colouring.decisions)))
    again.table.step()
    assert again.asked.regions == ("spool1.thread",)
    again.sheets.lies = Shown(colouring.paper())
    again.press(C)
    assert again.table.history.decisions[-1] == Done(ROBOT)


def test_from_a_bag_on_the_table_players_draw_for_it_and_tell_what_came_out() -> None:
    table = Table(RealBag())
    while table.table.state.turn != ROBOT:
        table.press(C)
    before = len(table.decisions)
    table.decide(PlacePencil(ROBOT, "red", 1))
    assert table.asks == "drawn"
    assert table.asked.seat == ROBOT
    colour = table.asked.options[0].colours[0]
    table.press(C)
    placed = table.decisions[before]
    assert isinstance(placed, PlacePencil)
    assert (placed.seat, placed.drawn) == (ROBOT, colour)


def test_a_partner_does_not_fill_the_neutral_pincushion_from_a_bag_on_the_table() -> None:
    table = Table(RealBag()).shared()
    asked = next(event for event in reversed(table.events) if isinstance(event, Asked))
    assert table.table.state.phase is Phase.NEUTRAL
    table.decide(FillNeutral(ROBOT, ("red", "red", "red")))
    assert not isinstance(table.decisions[-1], FillNeutral)
    assert asked.question.asks == "drawn"
