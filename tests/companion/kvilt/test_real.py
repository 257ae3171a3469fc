"""A real table of Kvilt's composition, over the twins of its devices."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.config import Config
from companion.errors import CompanionError
from companion.journal import TABLE_NAME, MemoryJournal
from companion.kvilt.codec import KVILT
from companion.kvilt.game import KVILT as GAME
from companion.kvilt.settings import KviltSettings
from companion.play.devices import LINGER_S
from companion.play.events import Asked, GameOpened, TableNoticed
from companion.play.session import DeviceFactory
from companion.registry import codecs
from hardware.ports import Button, Camera, CameraError, EndOfFramesError, Frame
from hardware.reconnecting import ReopeningCamera
from hardware.simulated.devices import SimulatedClock, SimulatedControls, SimulatedLightStrip
from hardware.strips import ResilientStrip
from tests.companion.games.kvilt.played import play_game
from tests.companion.journal.conftest import unfinished
from tests.companion.kvilt_setups import own_setup
from tests.companion.sessions import play_table

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.journal import Journal
    from companion.kvilt.codec import Event
    from companion.play.session import GameResult

SETUP = own_setup(("Anna", "Boris", "Vera"), first_seat=2)
CONFIG = Config().with_game(KviltSettings(players=SETUP.players, first_seat=2))


@dataclass
class Room:
    """A table whose camera sees nothing and whose buttons are pressed when a question is asked."""

    clock: SimulatedClock = field(default_factory=SimulatedClock)
    told: list[Event] = field(default_factory=list)
    strip: SimulatedLightStrip = field(default_factory=lambda: SimulatedLightStrip(60))
    presses: list[tuple[Button, int | None]] = field(default_factory=list)
    frames: int = 60
    fails_at: int = -1

    def __post_init__(self) -> None:
        self.controls = SimulatedControls(self.clock)

    def openers(self) -> DeviceFactory:
        return DeviceFactory(
            self.clock,
            self._camera,
            lambda: self.controls,
            lambda say: ResilientStrip(lambda: self.strip, 60, self.clock, say),
        )

    def _camera(self, say: Callable[[str], None], idle: Callable[[], None]) -> Camera:
        return ReopeningCamera(lambda: self, self.clock, say, idle)

    def capture(self) -> Frame:
        self.clock.sleep(0.5)
        self.frames -= 1
        if self.frames == self.fails_at:
            raise CameraError("the cable is loose")
        if self.frames <= 0:
            raise EndOfFramesError("no more")
        image = np.random.default_rng(self.frames).integers(0, 255, (40, 60, 3)).astype(np.uint8)
        return Frame(image, self.clock.now(), f"{self.frames}.jpg")

    def close(self) -> None: ...

    def play(self, book: Journal, folder: Path, game_id: int | None = None, config: Config = CONFIG) -> GameResult:
        return play_table(config, book, folder, game_id, [self.on_event], game=GAME, openers=self.openers())

    def on_event(self, event: Event) -> None:
        self.told.append(event)
        if isinstance(event, Asked) and self.presses:
            self.controls.press(*self.presses.pop(0))

    @property
    def said(self) -> list[str]:
        return [event.says for event in self.told if isinstance(event, TableNoticed)]


def test_a_game_begins_and_goes_on_with_its_bag_after_it_was_cut_off(tmp_path: Path) -> None:
    book, room = MemoryJournal(codecs()), Room(presses=[(Button.CONFIRM, None)] * 2)
    played = room.play(book, tmp_path)
    assert played.error is None
    assert [it.seat for it in played.history.decisions] == [2, 3]
    bag = book.notes(1)["bag"]
    assert bag.startswith("virtual ")
    found = unfinished(book, TABLE_NAME, "kvilt")
    assert found is not None
    again = Room(presses=[(Button.CONFIRM, None)])
    played = again.play(book, tmp_path, 1, Config())
    assert [it.seat for it in played.history.decisions] == [2, 3, 1]
    assert played.history.state.setup == SETUP
    assert book.notes(1)["bag"] == bag
    assert isinstance(again.told[0], GameOpened)
    assert len(again.told[0].decisions) == 2
    assert any(map(any, room.strip.history))


def test_only_the_seat_to_move_is_heard_where_each_has_buttons(tmp_path: Path) -> None:
    room = Room(presses=[(Button.CONFIRM, 1)])
    book = MemoryJournal(codecs())
    played = room.play(book, tmp_path, config=CONFIG.with_game(replace(CONFIG.of(KviltSettings), bag="real")))
    assert played.history.decisions == ()
    assert book.notes(1)["bag"] == "real"
    assert room.said == ["Boris takes a scrap."]


def test_a_camera_that_is_pulled_out_is_waited_for(tmp_path: Path) -> None:
    book, room = MemoryJournal(codecs()), Room(fails_at=50, presses=[])
    room.play(book, tmp_path)
    assert any("the cable is loose" in says for says in room.said)
    assert room.frames <= 0


def test_a_finished_game_stays_open_for_a_while(tmp_path: Path) -> None:
    book, room = MemoryJournal(codecs()), Room(frames=10_000)
    game = play_game(SETUP, random.Random(1))
    number = book.new_game(SETUP, TABLE_NAME)
    book.note(number, "bag", "real")
    for sequence, decision in enumerate(game.decisions, start=1):
        book.append(number, sequence, decision)
    room.play(book, tmp_path, number)
    assert LINGER_S <= room.clock.now() < LINGER_S + 5
    assert book.decisions(number, KVILT) == game.decisions


def test_a_configuration_without_a_camera_is_refused_and_leaves_no_game_behind(tmp_path: Path) -> None:
    book = MemoryJournal(codecs())
    with pytest.raises(CompanionError):
        play_table(CONFIG, book, tmp_path, game=GAME)
    assert book.games() == []
