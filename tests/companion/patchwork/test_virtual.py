"""Test a game at the virtual table: moves are made by hand, and decisions are read off pictures."""

from __future__ import annotations

from contextlib import suppress
from threading import current_thread
from typing import TYPE_CHECKING, Any

import pytest

from companion.config import Config
from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import TakePatch
from companion.journal import MemoryJournal
from companion.patchwork.arrangement import (
    CircleSource,
    PatchworkArrangement,
    circle_in,
    circle_of,
    colours_in,
    with_circle_known,
)
from companion.patchwork.circle.seen import SeenMarket
from companion.patchwork.codec import PATCHWORK
from companion.patchwork.game import PATCHWORK as GAME
from companion.play import events
from companion.play.host import Host
from companion.play.inbox import Inbox
from companion.play.session import RemoteParticipant, Simulation, by_hand_name
from companion.registry import codecs, games
from hardware.ports import Button
from hardware.simulated.virtual.evening import VirtualEvening
from hardware.simulated.virtual.moves import Circumstances, Forget, Lay, Place, Tabletop
from hardware.simulated.virtual.table import MoveRefusedError, VirtualTable
from tests.companion.sessions import simulate

if TYPE_CHECKING:
    from concurrent.futures import Future
    from pathlib import Path

CONFIG = with_circle_known(Config(), CircleSource.DEALT)
QUICK = Circumstances(1.0, 0.18, 0.0, 0.7, 0.5, arms=False)


class Stop(BaseException):
    """The evening is broken off."""


Evenings = list[VirtualEvening]


@pytest.fixture
def evenings(monkeypatch: pytest.MonkeyPatch) -> Evenings:
    """The evenings that were created, so that the buttons of their tables can be pressed."""
    made: Evenings = []

    def lay(*arguments: Any, **options: Any) -> VirtualEvening:
        made.append(VirtualEvening(*arguments, **options))
        return made[-1]

    monkeypatch.setattr("companion.patchwork.simulated.VirtualEvening", lay)
    return made


def by_hand(table: VirtualTable) -> Simulation:
    return Simulation(4, fast=True, by_hand=table)


class Player:
    """Lays the first affordable patch once both boards were seen empty, and confirms when no hand holds it."""

    def __init__(self, table: VirtualTable, evenings: Evenings, arms: bool = True) -> None:
        self.table, self.evenings, self.arms = table, evenings, arms
        self.heard: list[events.Event] = []
        self.tops: list[Tabletop] = []
        self.frames = 0
        self.laid = ""
        table.follow(self.see)

    def see(self, top: object) -> None:
        assert isinstance(top, Tabletop)
        self.tops.append(top)

    def __call__(self, event: events.Event) -> None:
        self.heard.append(event)
        if isinstance(event, events.DecisionTaken | events.Complained):
            raise Stop

    def look(self, _: object) -> None:
        """Act once a frame, called by the strip."""
        self.frames += 1
        top = self.tops[-1]
        if self.frames == 6:
            self.laid = next(name for name in top.circle[:3] if PATCHES[name].buttons <= 5)
            if not self.arms:
                self.table.move(QUICK)
            self.table.move(Lay(self.laid, Place(1, 4.0, 4.0, 1)))
        if self.frames > 8 and top.pieces and not any(piece.in_hand for piece in top.pieces):
            self.evenings[-1].controls.press(Button.CONFIRM)
        if self.frames > 60:
            raise Stop


def _play(
    book: MemoryJournal, folder: Path, evenings: Evenings, config: Config = CONFIG, *, arms: bool = True
) -> Player:
    table = VirtualTable()
    player = Player(table, evenings, arms)
    with suppress(Stop):
        simulate(config, by_hand(table), book, folder, None, [player], [player.look])
    return player


@pytest.mark.parametrize("circle", [*CircleSource])
def test_a_patch_that_is_laid_by_hand_is_read_off_the_picture(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, circle: CircleSource, evenings: Evenings
) -> None:
    looked: list[bool] = []

    def see_market(*_: object) -> SeenMarket:
        """See no circle: reading one takes long and is not needed here."""
        looked.append(True)
        return SeenMarket((), None, "nowhere")

    monkeypatch.setattr("companion.patchwork.circle.first_picture.see_market", see_market)
    book = MemoryJournal(codecs())
    config = with_circle_known(Config(), circle)
    player = _play(book, tmp_path, evenings, config, arms=circle is CircleSource.DEALT)
    assert looked == [True] * (circle is CircleSource.SEEN)

    (decision,) = book.decisions(1, PATCHWORK)
    assert isinstance(decision, TakePatch)
    assert decision.seat == 1
    cells = sum(1 << row * 9 + column for row, column in Place(1, 4.0, 4.0, 1).cells(player.laid))
    assert decision.cells == cells
    assert evenings[-1].table.hands == ()


def test_tokens_follow_the_decision_and_a_cut_off_evening_is_laid_again(tmp_path: Path, evenings: Evenings) -> None:
    book = MemoryJournal(codecs())
    laid = _play(book, tmp_path, evenings, arms=False).laid

    table, opened = VirtualTable(), list[events.Event]()

    def leave(_: object) -> None:
        if table.tabletop is not None:
            raise Stop

    with suppress(Stop):
        simulate(CONFIG, by_hand(table), book, tmp_path, 1, [opened.append], [leave])
    top, books = table.tabletop, evenings[-1].table.books
    assert isinstance(top, Tabletop)
    assert [(piece.name, piece.seat) for piece in top.pieces] == [(laid, 1)]
    assert laid not in top.circle
    assert books.times == (PATCHES[laid].time, 0)
    assert isinstance(opened[0], events.GameOpened)
    assert len(opened[0].decisions) == 1


def test_before_the_evening_there_is_nothing_to_see_and_after_it_nothing_to_move() -> None:
    table = VirtualTable()
    assert table.tabletop is None
    waiting = table.move(Forget(1, 4.0, 4.0))
    table.close()

    for outcome in (waiting, table.move(Forget(1, 4.0, 4.0))):
        with pytest.raises(MoveRefusedError):
            outcome.result(0)


def test_another_game_takes_the_table_before_the_first_move(tmp_path: Path) -> None:
    book, table = MemoryJournal(codecs()), VirtualTable()
    host = Host(CONFIG, by_hand_name(4, CONFIG), GAME, games(), by_hand=True)
    wanted = PatchworkArrangement(("Clara", "Dmitri"), ("blue", "rose"), 2, circle=CircleSource.UNKNOWN)
    attached = RemoteParticipant(Inbox(), lambda *_: None)
    wishes: list[Future[None]] = []

    def wish(event: events.Event) -> None:
        if isinstance(event, events.GameOpened) and not wishes:
            wishes.append(host.begin(wanted))

    simulate(CONFIG, by_hand(table), book, tmp_path, None, [wish], remote=attached, host=host)
    first, sitting = table.tabletop, host.next(book)
    assert sitting is not None

    def leave(event: events.Event) -> None:
        if isinstance(event, events.GameOpened):
            host.begin(wanted)

    assert circle_of(sitting.config) is CircleSource.UNKNOWN
    simulate(sitting.config, by_hand(table), book, tmp_path, sitting.game_id, [leave], remote=attached, host=host)
    assert wishes[0].done()
    setup = book.setup(2, PATCHWORK)
    assert (setup.players, setup.first_seat, setup.market) == (("Clara", "Dmitri"), 2, None)
    assert (first, table.tabletop) != (None, None)
    assert isinstance(table.tabletop, Tabletop)
    assert table.tabletop.circle == circle_in(book.notes(2))
    assert colours_in(book.notes(2)) == ("blue", "rose")


@pytest.mark.parametrize(
    ("is_by_hand", "fast", "thread"),
    [(True, False, "background_0"), (False, False, "background_0"), (True, True, "MainThread")],
)
def test_nobody_at_the_page_waits_for_the_first_look_at_the_table(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, is_by_hand: bool, fast: bool, thread: str
) -> None:
    looked: list[str] = []

    def look(*_: object) -> tuple[()]:
        looked.append(current_thread().name)
        return ()

    def stop(_: object) -> None:
        if looked:
            raise Stop

    monkeypatch.setattr("companion.patchwork.circle.first_picture.first_look", look)
    simulation = Simulation(4, fast=fast, by_hand=VirtualTable() if is_by_hand else None)
    with pytest.raises(Stop):
        simulate(CONFIG, simulation, MemoryJournal(codecs()), tmp_path, mirrors=[stop])
    assert looked == [thread]
