"""A game at the virtual table: moves go in by hand, decisions come out of pictures."""

from __future__ import annotations

from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import current_thread
from typing import TYPE_CHECKING

import pytest

from companion import events
from companion.bootstrap import Attached, Host, SimulationOptions, VirtualTable, simulate, table_name
from companion.bootstrap.arrangement import Arrangement, Circle, circle_in, colours_in
from companion.bootstrap.virtual import AnyTabletop, Circumstances, Forget, Lay, MoveRefusedError, Place, Tabletop
from companion.config import Config
from companion.games.patchwork import PATCHES, Setup, TakePatch
from companion.inbox import Inbox
from companion.journal import MemoryJournal
from companion.market import SeenMarket
from hardware.ports import Button
from hardware.simulated.clock import SimulatedClock
from hardware.simulated.controls import SimulatedControls

if TYPE_CHECKING:
    from hardware.simulated.virtual import VirtualEvening

OPTIONS = SimulationOptions(seed=4, tempers=("tidy", "tidy"), fast=True, by_hand=True)
QUICK = Circumstances(1.0, 0.18, 0.0, 0.7, 0.5, arms=False)


class Stop(BaseException):
    """The evening is broken off."""


class Watched(VirtualTable):
    """Keeps the evening, for the buttons on its table to be pressed."""

    evening: VirtualEvening

    def laid(self, config: Config, options: SimulationOptions, setup: Setup) -> VirtualEvening:
        self.evening = super().laid(config, options, setup)
        return self.evening


class Player:
    """Lays the first patch it can pay once both boards were seen empty, and confirms when no hand has it any more."""

    def __init__(self, table: Watched, arms: bool = True) -> None:
        self.table, self.arms = table, arms
        self.heard: list[events.Event] = []
        self.tops: list[Tabletop] = []
        self.frames = 0
        self.laid = ""
        table.follow(self.see)

    def see(self, top: AnyTabletop) -> None:
        assert isinstance(top, Tabletop)
        self.tops.append(top)

    def __call__(self, event: events.Event) -> None:
        self.heard.append(event)
        if isinstance(event, events.DecisionTaken | events.Complained):
            raise Stop

    def look(self, _: object) -> None:
        """Act, once a frame: the strip shows something in each."""
        self.frames += 1
        top = self.tops[-1]
        if self.frames == 6:
            self.laid = next(name for name in top.circle[:3] if PATCHES[name].buttons <= 5)
            if not self.arms:
                self.table.move(QUICK)
            self.table.move(Lay(self.laid, Place(1, 4.0, 4.0, 1)))
        if self.frames > 8 and top.pieces and not any(piece.in_hand for piece in top.pieces):
            self.table.evening.controls.press(Button.CONFIRM)
        if self.frames > 60:
            raise Stop


def _play(book: MemoryJournal, folder: Path, options: SimulationOptions = OPTIONS, *, arms: bool = True) -> Player:
    table = Watched()
    player = Player(table, arms)
    with suppress(Stop):
        simulate(Config(), options, book, folder, None, [player], [player.look], virtual=table)
    return player


@pytest.mark.parametrize("circle", [*Circle])
def test_a_patch_that_is_laid_by_hand_is_read_off_the_picture(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, circle: Circle
) -> None:
    looked: list[bool] = []

    def see_market(*_: object) -> SeenMarket:
        """Sees none of the circle: to read one takes long, and is of no use here."""
        looked.append(True)
        return SeenMarket((), None, "nowhere")

    monkeypatch.setattr("companion.bootstrap.firstpicture.see_market", see_market)
    book = MemoryJournal()
    player = _play(book, tmp_path, replace(OPTIONS, circle=circle))
    assert looked == [True] * (circle is Circle.SEEN)

    (decision,) = book.decisions(1)
    assert isinstance(decision, TakePatch)
    assert decision.seat == 1
    cells = sum(1 << row * 9 + column for row, column in Place(1, 4.0, 4.0, 1).cells(player.laid))
    assert decision.cells == cells
    assert player.table.evening.table.hands == ()


def test_tokens_follow_the_decision_and_a_cut_off_evening_is_laid_again(tmp_path: Path) -> None:
    book = MemoryJournal()
    laid = _play(book, tmp_path, arms=False).laid

    table, opened = Watched(), list[events.Event]()

    def leave(_: object) -> None:
        if table.tabletop is not None:
            raise Stop

    with suppress(Stop):
        simulate(Config(), OPTIONS, book, tmp_path, 1, [opened.append], [leave], virtual=table)
    top, books = table.tabletop, table.evening.table.books
    assert isinstance(top, Tabletop)
    assert [(piece.name, piece.seat) for piece in top.pieces] == [(laid, 1)]
    assert laid not in top.circle
    assert books.times == (PATCHES[laid].time, 0)
    assert isinstance(opened[0], events.GameOpened)
    assert opened[0].decisions == 1


def test_the_table_has_a_name_of_its_own() -> None:
    assert table_name(OPTIONS) == "virtual 4"
    assert table_name(replace(OPTIONS, mats=False)) == "virtual 4 without mats"
    assert table_name(SimulationOptions(4, ("tidy", "tidy"), fast=True)) == "simulated 4 tidy tidy"


def test_before_the_evening_there_is_nothing_to_see_and_after_it_nothing_to_move() -> None:
    table = VirtualTable()
    assert table.tabletop is None
    waiting = table.move(Forget(1, 4.0, 4.0))
    table.close()

    for outcome in (waiting, table.move(Forget(1, 4.0, 4.0))):
        with pytest.raises(MoveRefusedError):
            outcome.result(0)


def test_another_game_takes_the_table_before_the_first_move(tmp_path: Path) -> None:
    book, table = MemoryJournal(), VirtualTable()
    host = Host(Config(), table_name(OPTIONS), Circle.DEALT, by_hand=True)
    wanted = Arrangement(("Clara", "Dmitri"), ("blue", "rose"), 2, circle=Circle.UNKNOWN)
    attached = Attached(SimulatedControls(SimulatedClock()), Inbox(), lambda *_: None, host)
    wishes: list[Future[None]] = []

    def wish(event: events.Event) -> None:
        if isinstance(event, events.GameOpened) and not wishes:
            wishes.append(host.begin(wanted))

    simulate(Config(), OPTIONS, book, tmp_path, None, [host, wish], (), attached, virtual=table)
    first, sitting = table.tabletop, host.next(book)
    assert sitting is not None

    def leave(event: events.Event) -> None:
        if isinstance(event, events.GameOpened):
            host.begin(wanted)

    options = replace(OPTIONS, circle=sitting.circle)
    simulate(sitting.config, options, book, tmp_path, sitting.game_id, [host, leave], (), attached, virtual=table)
    assert wishes[0].done()
    setup = book.setup(2)
    assert (setup.players, setup.first_seat, setup.market) == (("Clara", "Dmitri"), 2, None)
    assert (first, table.tabletop) != (None, None)
    assert isinstance(table.tabletop, Tabletop)
    assert table.tabletop.circle == circle_in(book.notes(2))
    assert colours_in(book.notes(2)) == ("blue", "rose")


@pytest.mark.parametrize(("fast", "thread"), [(True, "MainThread"), (False, "background_0")])
@pytest.mark.parametrize("by_hand", [True, False])
def test_nobody_at_the_page_waits_for_the_first_look_at_the_table(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, by_hand: bool, fast: bool, thread: str
) -> None:
    looked: list[str] = []

    def look(*_: object) -> tuple[()]:
        looked.append(current_thread().name)
        return ()

    def stop(_: object) -> None:
        if looked:
            raise Stop

    monkeypatch.setattr("companion.bootstrap.firstpicture.first_look", look)
    options, virtual = replace(OPTIONS, fast=fast, by_hand=by_hand), VirtualTable() if by_hand else None
    with pytest.raises(Stop):
        simulate(Config(), options, MemoryJournal(), tmp_path, mirrors=[stop], virtual=virtual)
    assert looked == [thread]
