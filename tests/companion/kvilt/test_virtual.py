"""Test Kvilt by hand at the virtual table: people colour and press, and the companion has only the pictures."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from companion.config import Config
from companion.games.kvilt.decisions import Done
from companion.games.kvilt.facts import ColouringEnded
from companion.journal import MemoryJournal
from companion.kvilt.choices import ChoiceTopic
from companion.kvilt.codec import KVILT as CODEC
from companion.kvilt.game import KVILT
from companion.kvilt.table.offering import TableNotes
from companion.play.events import Asked, Complained, DecisionTaken, LookStarted, NothingToUndo
from companion.play.host import replayed_history
from companion.play.inbox import Inbox, PressButton
from companion.play.partner import Robot, with_robot
from companion.play.session import RemoteParticipant, Simulation
from companion.registry import codecs
from hardware.ports import Button, EndOfFramesError
from hardware.simulated.sheets.conditions import ColourRegion, LaySheet, RubOut, SheetCircumstances, SheetTabletop
from hardware.simulated.sheets.players import SheetPlayer
from hardware.simulated.virtual.moves import Lift
from hardware.simulated.virtual.table import MoveRefusedError, VirtualTable
from tests.companion.kvilt_setups import own_setup
from tests.companion.sessions import simulate

if TYPE_CHECKING:
    from concurrent.futures import Future
    from pathlib import Path

    from companion.kvilt.codec import Asked as KviltAsked
    from companion.kvilt.codec import Event
    from companion.play.game import SimulatedParts
    from hardware.simulated.sheets.conditions import SheetMove

SETUP = own_setup(("Anna", "Boris"))


class Stop(BaseException):
    """The evening is broken off."""


class People:
    """Fake people who take the displayed option, colour as simulated players would, and lay their sheets for a look.

    Attributes:
        slip: a region and colour that are wrongly coloured as well and rubbed out after a complaint; None for none.
    """

    def __init__(self, virtual: VirtualTable, rounds: int = 1, slip: tuple[str, str] | None = None) -> None:
        self.virtual, self.rounds, self.slip = virtual, rounds, slip
        self.minds = [SheetPlayer(seat) for seat in (1, 2)]
        self.inbox = Inbox()
        self.done: list[Future[None]] = []
        self.complaints: list[tuple[str, ...]] = []
        self.sheets: list[int] = []

    def __call__(self, event: Event) -> None:
        if isinstance(event, Complained):
            self.complaints.append(event.complaint.codes)
        elif isinstance(event, Asked) and event.state.round > self.rounds:
            raise Stop
        elif isinstance(event, Asked):
            self._answer(event)

    def _answer(self, event: KviltAsked) -> None:
        if event.question.asks is ChoiceTopic.TROUBLE and self.slip is not None:
            self._move(RubOut(event.question.seat, self.slip[0]))
            self.slip = None
        elif event.question.asks is ChoiceTopic.SHEET:
            seat = event.question.seat
            self.sheets.append(seat)
            marks = self.minds[seat - 1].colour(event.state, seat).marks
            known = event.state.seat(seat).marks.regions(SETUP.sheet)
            slip = () if self.slip is None else (self.slip,)
            for region, colour in (*marks.items(), *slip):
                if region not in known:
                    self._move(ColourRegion(seat, region, colour))
            self._move(LaySheet(seat))
        self.inbox.put(PressButton(Button.CONFIRM))

    def _move(self, move: SheetMove) -> None:
        self.done.append(self.virtual.move(move))


@pytest.fixture
def virtual() -> VirtualTable:
    return VirtualTable()


def by_hand(virtual: VirtualTable) -> Simulation:
    return Simulation(4, fast=True, by_hand=virtual)


def laid(virtual: VirtualTable) -> SimulatedParts:
    """Return the table as it is before a new game."""
    return KVILT.simulated(by_hand(virtual), Config(), MemoryJournal(codecs()), None)


def play(
    virtual: VirtualTable, people: People, book: MemoryJournal, folder: Path, config: Config | None = None
) -> None:
    """Play until the people stop; their presses come in addition to those of the table's own buttons."""
    attached = RemoteParticipant(people.inbox, lambda *_: None)
    with pytest.raises(Stop):
        simulate(config or Config(), by_hand(virtual), book, folder, None, [people], remote=attached, game=KVILT)


def test_the_robot_colours_its_own_sheet_and_people_theirs(virtual: VirtualTable, tmp_path: Path) -> None:
    class Person(People):
        def _answer(self, event: KviltAsked) -> None:
            if event.question.seat == 1:
                super()._answer(event)
            else:
                assert event.question.asks is ChoiceTopic.SHEET

    person, book = Person(virtual), MemoryJournal(codecs())
    play(virtual, person, book, tmp_path, with_robot(Config(), Robot(2)))
    decided = book.decisions(1, CODEC)
    assert person.sheets == [1]
    assert person.complaints == []
    assert {each.seat for each in decided if isinstance(each, Done)} == {1, 2}
    marks = replayed_history(KVILT, book, 1).state.seat(2).marks.regions(SETUP.sheet)
    tabletop = virtual.tabletop
    assert isinstance(tabletop, SheetTabletop)
    assert marks
    assert tabletop.marks[1] == marks


def test_a_round_is_coloured_rubbed_out_and_read_off_the_sheets(virtual: VirtualTable, tmp_path: Path) -> None:
    book, people = MemoryJournal(codecs()), People(virtual, slip=("spool4.thread", "red"))
    play(virtual, people, book, tmp_path)
    assert all(future.done() and future.exception() is None for future in people.done)
    assert people.sheets[:1] == [1]
    assert set(people.sheets) == {1, 2}
    assert any("E_LOCKED" in codes or "E_ORDER" in codes for codes in people.complaints)
    tabletop = virtual.tabletop
    assert isinstance(tabletop, SheetTabletop)
    history = replayed_history(KVILT, book, 1)
    assert history.setup == SETUP
    sides = history.state.seats
    assert [dict(marks) for marks in tabletop.marks] == [side.marks.regions(SETUP.sheet) for side in sides]
    assert all(tabletop.marks)

    # What does not count stays on the paper, too.
    TableNotes(book, 1).decline(history.state, [("spool4.thread", "red"), ("r1c1.picture", None)])
    mover = history.state.mover
    resumed = VirtualTable()
    table = KVILT.simulated(by_hand(resumed), Config(), book, 1)
    table.people.resume(history)
    table.camera.capture()
    assert resumed.tabletop.marks[mover - 1] == {**tabletop.marks[mover - 1], "spool4.thread": "red"}
    assert resumed.tabletop.marks[2 - mover] == tabletop.marks[2 - mover]


def test_an_impossible_move_is_refused_in_a_sentence(virtual: VirtualTable) -> None:
    camera = laid(virtual).camera
    wanted: list[tuple[SheetMove, str]] = [
        (ColourRegion(3, "r1c1.picture", "red"), "Nobody is sitting"),
        (ColourRegion(1, "r9c1.picture", "red"), "nothing like that"),
        (ColourRegion(1, "swatch.red", "red"), "nothing like that"),
        (ColourRegion(1, "r1c1.picture", "mauve"), "nothing like that"),
        (RubOut(1, "r1c1.picture"), "already white"),
        (LaySheet(3), "Nobody is sitting"),
    ]
    futures = [(virtual.move(move), says) for move, says in wanted]
    camera.capture()
    for future, says in futures:
        with pytest.raises(MoveRefusedError, match=says):
            future.result(0)
    fine, other = (virtual.move(ColourRegion(1, "spool1.thread", colour)) for colour in ("red", "blue"))
    with pytest.raises(MoveRefusedError, match="not on this table"):
        virtual.move(Lift(1)).result(0)
    camera.capture()
    assert fine.result(0) is None
    with pytest.raises(MoveRefusedError, match="rub it out first"):
        other.result(0)


def test_the_picture_changes_with_what_people_do_alone(virtual: VirtualTable) -> None:
    camera = laid(virtual).camera
    shown: list[object] = []
    virtual.follow(shown.append)

    def seen(*moves: SheetMove) -> object:
        for move in moves:
            virtual.move(move)
        return camera.capture().image

    bare = seen()
    assert seen() is bare
    lying = seen(LaySheet(2))
    assert seen(ColourRegion(1, "spool1.thread", "red")) is lying
    coloured = seen(ColourRegion(2, "spool1.thread", "red"))
    assert coloured is not lying
    difference = (coloured != lying).any(axis=2).mean()  # type: ignore[attr-defined]
    assert difference < 0.6, "it lies where it lay"
    assert seen(SheetCircumstances(exposure=0.3)) is not coloured
    assert len(shown) == 5
    tabletop = virtual.tabletop
    assert isinstance(tabletop, SheetTabletop)
    assert (tabletop.lying, tabletop.circumstances.exposure) == (2, 0.3)


def test_the_evening_ends_some_time_after_the_game(virtual: VirtualTable) -> None:
    table = laid(virtual)

    def ended(finished: bool) -> None:
        table.people.on_event(NothingToUndo(SimpleNamespace(finished=finished)))

    ended(True)
    table.clock.sleep(500)
    table.camera.capture()
    ended(False)
    table.clock.sleep(500)
    table.camera.capture()
    ended(True)
    table.clock.sleep(601)
    with pytest.raises(EndOfFramesError):
        table.camera.capture()


def test_a_look_lays_the_sheet_of_the_player_who_wants_it(virtual: VirtualTable) -> None:
    table = laid(virtual)
    state = SimpleNamespace(finished=False, mover=2)

    def lying() -> int | None:
        table.camera.capture()
        assert isinstance(virtual.tabletop, SheetTabletop)
        return virtual.tabletop.lying

    table.people.on_event(LookStarted(state))
    assert lying() == 2
    table.people.on_event(DecisionTaken(Done(2), (ColouringEnded(2, ()),), state))
    assert lying() == 2, "its player sees what was read"
    state.mover = 1
    table.people.on_event(LookStarted(state))
    assert lying() == 1
    virtual.move(LaySheet(2))
    assert lying() == 2
    table.people.on_event(LookStarted(state))
    assert lying() == 2, "a sheet that players have laid stays, even another one"
