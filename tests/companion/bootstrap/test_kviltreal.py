"""A real table of Kvilt's composition, over the twins of its devices."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.bootstrap.attached import Attached
from companion.bootstrap.kviltreal import play_kvilt, sheet_devices
from companion.bootstrap.real import LINGER_S, TABLE_NAME, Devices, NoTableError
from companion.config import Config
from companion.events import Asked, GameOpened, TableNoticed
from companion.games.kvilt import Setup, load_layout, play_game
from companion.inbox import Inbox
from companion.journal import MemoryJournal
from companion.record import KVILT
from hardware.ports import Button, Camera, CameraError, EndOfFramesError, Frame
from hardware.reopening import ReopeningCamera
from hardware.resilient import ResilientStrip
from hardware.simulated.clock import SimulatedClock
from hardware.simulated.controls import SimulatedControls
from hardware.simulated.strip import SimulatedLightStrip

if TYPE_CHECKING:
    from companion.bootstrap.circledesk import CircleDesk
    from companion.kvilt.news import Event

SETUP = Setup(("Anna", "Boris", "Vera"), first_seat=2)


@dataclass
class Room:
    """A table whose camera sees nothing, and whose buttons are pressed when something is asked."""

    clock: SimulatedClock = field(default_factory=SimulatedClock)
    told: list[Event] = field(default_factory=list)
    strip: SimulatedLightStrip = field(default_factory=lambda: SimulatedLightStrip(60))
    presses: list[tuple[Button, int | None]] = field(default_factory=list)
    frames: int = 60
    fails_at: int = -1

    def __post_init__(self) -> None:
        self.controls = SimulatedControls(self.clock)

    def devices(self) -> Devices:
        return Devices(
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

    def hear(self, event: Event) -> None:
        self.told.append(event)
        if isinstance(event, Asked) and self.presses:
            self.controls.press(*self.presses.pop(0))

    @property
    def said(self) -> list[str]:
        return [event.says for event in self.told if isinstance(event, TableNoticed)]


def test_a_game_begins_and_goes_on_with_its_bag_after_it_was_cut_off() -> None:
    book, room = MemoryJournal(), Room(presses=[(Button.CONFIRM, None)] * 2)
    played = play_kvilt(Config(), SETUP, load_layout(), book, listeners=[room.hear], devices=room.devices())
    assert played.error is None
    assert [it.seat for it in played.history.decisions] == [2, 3]
    bag = book.notes(1)["bag"]
    assert bag.startswith("virtual ")
    found = book.unfinished(TABLE_NAME, "kvilt")
    assert found is not None
    again = Room(presses=[(Button.CONFIRM, None)])
    played = play_kvilt(
        Config(), Setup(), load_layout(), book, game_id=1, listeners=[again.hear], devices=again.devices()
    )
    assert [it.seat for it in played.history.decisions] == [2, 3, 1]
    assert played.history.setup == SETUP
    assert book.notes(1)["bag"] == bag
    assert isinstance(again.told[0], GameOpened)
    assert again.told[0].decisions == 2
    assert any(map(any, room.strip.history))


def test_a_circle_that_lay_out_before_is_put_away(circle: CircleDesk) -> None:
    room = Room(frames=3)
    company = Attached(room.controls, Inbox(), lambda *_: None, circle=circle)
    play_kvilt(Config(), SETUP, load_layout(), MemoryJournal(), attached=company, devices=room.devices())
    assert circle.laid is None


def test_only_the_seat_to_move_is_heard_where_each_has_buttons() -> None:
    room = Room(presses=[(Button.CONFIRM, 1)])
    played = play_kvilt(
        Config(), SETUP, load_layout(), MemoryJournal(), listeners=[room.hear], devices=room.devices(), real_bag=True
    )
    assert played.history.decisions == ()
    assert room.said == ["Boris takes a scrap."]


def test_a_camera_that_is_pulled_out_is_waited_for() -> None:
    book, room = MemoryJournal(), Room(fails_at=50, presses=[])
    play_kvilt(Config(), SETUP, load_layout(), book, listeners=[room.hear], devices=room.devices())
    assert any("the cable is loose" in says for says in room.said)
    assert room.frames <= 0


def test_a_finished_game_stays_open_for_a_while() -> None:
    book, room = MemoryJournal(), Room(frames=10_000)
    game = play_game(SETUP, random.Random(1))
    number = book.new_game(SETUP, TABLE_NAME)
    book.note(number, "bag", "real")
    for sequence, decision in enumerate(game.decisions, start=1):
        book.append(number, sequence, decision)
    play_kvilt(Config(), SETUP, load_layout(), book, game_id=number, listeners=[room.hear], devices=room.devices())
    assert LINGER_S <= room.clock.now() < LINGER_S + 5
    assert book.decisions(number, KVILT) == game.decisions


def test_a_configuration_without_a_camera_is_refused_and_leaves_no_game_behind() -> None:
    book = MemoryJournal()
    with pytest.raises(NoTableError):
        play_kvilt(Config(), SETUP, load_layout(), book)
    with pytest.raises(NoTableError):
        sheet_devices(Config())
    assert book.games() == []
