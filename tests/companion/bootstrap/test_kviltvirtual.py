"""People play Kvilt by hand at the virtual table: they colour and press, and the companion knows the pictures alone."""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING

import pytest

from companion.bootstrap.kvilt import kvilt_history
from companion.bootstrap.kviltsimulating import simulate_kvilt
from companion.bootstrap.simulation import KviltSimulation
from companion.bootstrap.virtual import (
    ColourRegion,
    LaySheet,
    Lift,
    MoveRefusedError,
    RubOut,
    SheetCircumstances,
    SheetTabletop,
    VirtualTable,
)
from companion.config import Config
from companion.events import Asked, Complained
from companion.games.kvilt import Setup, load_layout
from companion.journal import MemoryJournal
from companion.kvilt.choices import Asks
from companion.merging import MergedControls
from hardware.ports import Button, Press
from hardware.simulated.sheetplayers import SheetPlayer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.bootstrap.virtual import SheetMove
    from companion.kvilt.news import Asked as KviltAsked
    from companion.kvilt.news import Event

SETUP = Setup(("Anna", "Boris"))
OPTIONS = KviltSimulation(4, fast=True, table="virtual 4")


class Stop(BaseException):
    """The evening is broken off."""


class People:
    """They take what is on display, colour as simulated players would, and have their sheets looked at.

    Attributes:
        slip: what the first of them colours as well, and rubs out when there is a complaint.
    """

    def __init__(self, virtual: VirtualTable, rounds: int = 1, slip: tuple[str, str] | None = None) -> None:
        self.virtual, self.rounds, self.slip = virtual, rounds, slip
        self.minds = [SheetPlayer(seat) for seat in (1, 2)]
        self.queue: list[Press] = []
        self.done: list[Future[None]] = []
        self.complaints: list[tuple[str, ...]] = []
        self.sheets: list[int] = []

    def presses(self) -> Sequence[Press]:
        presses, self.queue = self.queue, []
        return presses

    def close(self) -> None:
        """Nothing to let go."""

    def __call__(self, event: Event) -> None:
        if isinstance(event, Complained):
            self.complaints.append(event.complaint.codes)
        elif isinstance(event, Asked) and event.state.round > self.rounds:
            raise Stop
        elif isinstance(event, Asked):
            self._answer(event)

    def _answer(self, event: KviltAsked) -> None:
        if event.question.asks is Asks.TROUBLE and self.slip is not None:
            self._move(RubOut(event.question.seat, self.slip[0]))
            self.slip = None
        elif event.question.asks is Asks.SHEET:
            seat = event.question.seat
            self.sheets.append(seat)
            marks = self.minds[seat - 1].colour(event.state, seat).marks
            known = event.state.seat(seat).marks.regions(SETUP.sheet)
            slip = () if self.slip is None else (self.slip,)
            for region, colour in (*marks.items(), *slip):
                if region not in known:
                    self._move(ColourRegion(seat, region, colour))
            self._move(LaySheet(seat))
        self.queue.append(Press(Button.CONFIRM, 0.0))

    def _move(self, move: SheetMove) -> None:
        self.done.append(self.virtual.move(move))


@pytest.fixture
def virtual() -> VirtualTable:
    return VirtualTable()


def play(virtual: VirtualTable, people: People, monkeypatch: pytest.MonkeyPatch, book: MemoryJournal) -> None:
    """Until they have had enough; their presses come beside those of the table's own buttons."""
    monkeypatch.setattr(
        "companion.bootstrap.kviltsimulating.MergedControls", lambda own, _: MergedControls(own, people)
    )
    idle = dict.fromkeys(("inbox", "look_on_sheets", "host", "circle"))
    attached = type("Attached", (), {"controls": people, **idle})()
    monkeypatch.setattr("companion.bootstrap.kviltsimulating.SheetClerk", lambda _: None)
    with pytest.raises(Stop):
        simulate_kvilt(
            Config(), OPTIONS, SETUP, load_layout(), book,
            listeners=[people], attached=attached, virtual=virtual,
        )  # fmt: skip


def test_a_round_is_coloured_rubbed_out_and_read_off_the_sheets(
    virtual: VirtualTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    book, people = MemoryJournal(), People(virtual, slip=("spool4.thread", "red"))
    play(virtual, people, monkeypatch, book)
    assert all(future.done() and future.exception() is None for future in people.done)
    assert people.sheets[:1] == [1]
    assert set(people.sheets) == {1, 2}
    assert any("E_LOCKED" in codes or "E_ORDER" in codes for codes in people.complaints)
    tabletop = virtual.tabletop
    assert isinstance(tabletop, SheetTabletop)
    state = kvilt_history(book, 1).state
    assert [dict(marks) for marks in tabletop.marks] == [side.marks.regions(SETUP.sheet) for side in state.seats]
    assert all(tabletop.marks)

    resumed = VirtualTable()
    evening = resumed.laid_sheets(Config(), OPTIONS, SETUP, load_layout())
    evening.resume_from(state)
    assert evening.tabletop().marks == tabletop.marks


def test_what_cannot_be_done_is_refused_in_a_sentence(virtual: VirtualTable) -> None:
    evening = virtual.laid_sheets(Config(), OPTIONS, SETUP, load_layout())
    wanted: list[tuple[SheetMove, str]] = [
        (ColourRegion(3, "r1c1.picture", "red"), "Nobody sits"),
        (ColourRegion(1, "r9c1.picture", "red"), "nothing like that"),
        (ColourRegion(1, "swatch.red", "red"), "nothing like that"),
        (ColourRegion(1, "r1c1.picture", "mauve"), "nothing like that"),
        (RubOut(1, "r1c1.picture"), "white already"),
        (LaySheet(3), "Nobody sits"),
    ]
    futures = [(virtual.move(move), says) for move, says in wanted]
    evening.camera.capture()
    for future, says in futures:
        with pytest.raises(MoveRefusedError, match=says):
            future.result(0)
    fine, other = (virtual.move(ColourRegion(1, "spool1.thread", colour)) for colour in ("red", "blue"))
    with pytest.raises(MoveRefusedError, match="not on this table"):
        virtual.move(Lift(1)).result(0)
    evening.camera.capture()
    assert fine.result(0) is None
    with pytest.raises(MoveRefusedError, match="rub it out first"):
        other.result(0)


def test_the_picture_changes_with_what_people_do_alone(virtual: VirtualTable) -> None:
    evening = virtual.laid_sheets(Config(), OPTIONS, SETUP, load_layout())
    shown: list[object] = []
    virtual.follow(shown.append)

    def seen(*moves: SheetMove) -> object:
        for move in moves:
            virtual.move(move)
        return evening.camera.capture().image

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


def test_everybody_goes_home_some_time_after_the_end(virtual: VirtualTable) -> None:
    evening = virtual.laid_sheets(Config(), OPTIONS, SETUP, load_layout())
    evening.ended(finished=True)
    evening.clock.sleep(500)
    assert not evening.over
    evening.ended(finished=False)
    evening.clock.sleep(500)
    assert not evening.over
    evening.ended(finished=True)
    evening.clock.sleep(601)
    assert evening.over
