"""Test a real table's composition over the twins of its devices, each of which is unplugged in the middle of a game."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pytest

from companion.compose.playing import device_factory
from companion.config import Config
from companion.errors import CompanionError
from companion.journal import TABLE_NAME, MemoryJournal
from companion.patchwork.codec import PATCHWORK
from companion.patchwork.settings import PatchworkSettings
from companion.patchwork.simulated import PatchworkPeople
from companion.play import events
from companion.play.session import DeviceFactory
from companion.registry import codecs
from hardware.drivers.folder import FolderDriver
from hardware.ports import RGB, Button, Camera, CameraError, HardwareError
from hardware.reconnecting import ReopeningCamera
from hardware.simulated.devices import SimulatedLightStrip
from hardware.simulated.evening import SimulatedEvening
from hardware.strips import ResilientStrip
from tests.companion.journal.conftest import unfinished
from tests.companion.sessions import play_table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


@dataclass
class Room:
    """A simulated table with players, which the companion uses like a real one."""

    evening: SimulatedEvening = field(default_factory=lambda: SimulatedEvening(4))
    strips: list[SimulatedLightStrip] = field(default_factory=list)
    told: list[events.Event] = field(default_factory=list)
    then: Callable[[events.Event], None] = lambda _: None
    power: bool = True
    idled: int = 0
    when_idle: Callable[[], None] = lambda: None

    def openers(self) -> DeviceFactory:
        clock = self.evening.clock
        return DeviceFactory(
            clock,
            self._camera,
            lambda: self.evening.controls,
            lambda say: ResilientStrip(self._strip, 60, clock, say),
        )

    def play(self, book: MemoryJournal, folder: Path, game_id: int | None = None, record: Path | None = None) -> object:
        hearsay = PatchworkPeople(self.evening).on_event
        config = Config().with_game(PatchworkSettings(market=self.evening.setup.market))
        heard = (self.told.append, self._react, hearsay)
        return play_table(config, book, folder, game_id, heard, openers=self.openers(), record=record)

    @property
    def said(self) -> list[str]:
        return [event.says for event in self.told if isinstance(event, events.TableNoticed)]

    @property
    def decisions(self) -> int:
        return sum(isinstance(event, events.DecisionTaken) for event in self.told)

    def _react(self, event: events.Event) -> None:
        self.then(event)

    def _camera(self, say: Callable[[str], None], idle: Callable[[], None]) -> Camera:
        def idling() -> None:
            self.idled += 1
            idle()
            self.when_idle()

        return ReopeningCamera(lambda: _Lent(self.evening), self.evening.clock, say, idling)

    def _strip(self) -> SimulatedLightStrip:
        if not self.power:
            raise HardwareError("no route to host")
        self.strips.append(SimulatedLightStrip(60))
        return self.strips[-1]


class _Lent:
    """The table's camera, which stays open when this one is closed."""

    def __init__(self, evening: SimulatedEvening) -> None:
        self.capture = evening.camera.capture

    def close(self) -> None:
        """Do nothing: the same camera is opened again later."""


class Stop(BaseException):
    """The evening is interrupted, as by Ctrl-C."""


@pytest.fixture
def room() -> Room:
    return Room()


def at_decision(number: int, then: Callable[[], None]) -> Callable[[events.Event], None]:
    """Return a listener that calls `then` once, at the decision of this number."""
    left = [number]

    def react(event: events.Event) -> None:
        left[0] -= isinstance(event, events.DecisionTaken)
        if left[0] == 0:
            left[0] = -1
            then()

    return react


def stop() -> None:
    raise Stop


def test_the_camera_is_pulled_out_and_the_game_waits_says_so_and_goes_on(room: Room, tmp_path: Path) -> None:
    lit: list[Sequence[RGB]] = []

    def plug_in() -> None:
        lit.append(room.strips[-1].pixels)
        room.evening.controls.press(Button.ADVANCE)
        if room.idled == 100:
            room.evening.camera.plug_in()

    room.when_idle = plug_in
    room.then = at_decision(1, room.evening.camera.unplug)
    book = MemoryJournal(codecs())

    def pull_and_stop(event: events.Event) -> None:
        pull(event)
        if room.decisions == 2:
            stop()

    pull = room.then
    room.then = pull_and_stop
    with pytest.raises(Stop):
        room.play(book, tmp_path)
    assert room.said[0].startswith("The camera sends no pictures: simulated camera: the cable is loose. The game waits")
    assert room.said[1] == "The camera is back."
    assert len(set(map(tuple, lit))) > 2, "the lights show that something is wrong"
    assert any(sum(map(sum, pixels)) for pixels in lit[60:]), "and go on showing it"
    assert len(book.decisions(1, PATCHWORK)) == 2, "what was pressed meanwhile was let go"
    assert set(room.strips[-1].pixels) == {(0, 0, 0)}, "and the strip is dark at the end"


def test_the_strip_is_pulled_out_and_a_button_sticks_and_the_game_goes_on(room: Room, tmp_path: Path) -> None:
    def pull() -> None:
        room.power = False
        room.strips[-1].unplug()
        room.evening.controls.stick(Button.UNDO)

    def react(event: events.Event) -> None:
        pulled(event)
        if room.decisions == 2:
            room.power = True
        if len(room.said) == 3 or room.decisions == 9:
            stop()

    pulled = at_decision(1, pull)
    room.then = react
    with pytest.raises(Stop):
        room.play(MemoryJournal(codecs()), tmp_path)
    assert sorted(room.said) == [
        "The lights are back.",
        "The lights do not respond: simulated strip: the wire is loose. The game continues without them.",
        "The undo button has been down for a long time: remove anything lying on it.",
    ]
    assert len(room.strips) == 2
    assert room.decisions > 1


def test_the_lights_pulse_from_one_decision_to_the_next_look(room: Room, tmp_path: Path) -> None:
    shown: list[int] = []

    def count(event: events.Event) -> None:
        if isinstance(event, events.DecisionTaken | events.LookStarted) and room.decisions == 1:
            shown.append(len(room.strips[-1].history))
            if isinstance(event, events.LookStarted):
                stop()

    room.then = count
    with pytest.raises(Stop):
        room.play(MemoryJournal(codecs()), tmp_path)
    assert shown[1] - shown[0] > 3


def test_a_camera_that_is_not_there_leaves_no_game_behind(
    room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_camera(*_: object) -> Camera:
        raise CameraError("there is no camera")

    monkeypatch.setattr(room, "_camera", no_camera)
    book = MemoryJournal(codecs())
    with pytest.raises(CameraError):
        room.play(book, tmp_path)
    assert list(book.games()) == []
    assert set(room.strips[0].pixels) == {(0, 0, 0)}
    with pytest.raises(HardwareError, match="closed"):
        room.strips[0].show([(1, 1, 1)] * 60)


def test_a_game_that_was_cut_off_goes_on_with_its_quilts(room: Room, tmp_path: Path) -> None:
    book = MemoryJournal(codecs())
    room.then = at_decision(2, stop)
    with pytest.raises(Stop):
        room.play(book, tmp_path)
    made = book.decisions(1, PATCHWORK)
    again = Room()
    again.evening.resume_from(made)
    again.then = at_decision(1, stop)
    with pytest.raises(Stop):
        again.play(book, tmp_path, 1)
    opened = again.told[0]
    assert isinstance(opened, events.GameOpened)
    assert (opened.game_id, opened.decisions) == (1, made)
    assert book.decisions(1, PATCHWORK)[:2] == made
    assert len(book.decisions(1, PATCHWORK)) == 3
    found = unfinished(book, TABLE_NAME)
    assert found is not None
    assert found.game_id == 1


def test_the_default_configuration_has_no_table_to_look_at() -> None:
    with pytest.raises(CompanionError, match=r'\[camera\] driver is "simulated".*add --simulate'):
        device_factory(Config())


def test_the_service_speaks_in_its_own_name_and_of_no_option_that_it_has_not() -> None:
    with pytest.raises(CompanionError, match=r'^serve: \[camera\] driver is "simulated"') as caught:
        device_factory(Config(), by_service=True)
    assert "--simulate" not in str(caught.value)


def test_each_device_is_opened_as_configured_and_when_it_is_wanted(tmp_path: Path) -> None:
    devices = device_factory(replace(Config(), camera=FolderDriver(path=tmp_path / "nowhere")))
    assert devices.strip(print).pixel_count == 60
    assert devices.controls().presses() == ()
    with pytest.raises(CameraError, match="there is no such picture folder"):
        devices.camera(print, stop)
