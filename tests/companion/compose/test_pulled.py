"""Test unplugging each device in mid-game, at the worst moments: the game goes on or waits, says so, and resumes."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from companion.config import Config
from companion.journal import MemoryJournal
from companion.lights import NEUTRAL, NOTICE, all_scaled
from companion.patchwork.codec import PATCHWORK
from companion.patchwork.settings import PatchworkSettings
from companion.patchwork.simulated import PatchworkPeople
from companion.play import events
from companion.play.devices import REMIND_S
from companion.play.session import DeviceFactory
from companion.registry import codecs
from hardware.ports import RGB, Button, Camera, Frame, HardwareError
from hardware.reconnecting import ReopeningCamera
from hardware.simulated.devices import SimulatedControls, SimulatedLightStrip
from hardware.simulated.evening import SimulatedEvening
from hardware.strips import ResilientStrip
from tests.companion.sessions import play_table

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

AWAY_IDLES = 150
"""The number of idle calls, ten a second, for which a device stays away."""


class Enough(BaseException):
    """Ends the evening when enough decisions were taken."""


@dataclass
class Pulled:
    """An evening at which a device is unplugged at an event and plugged in again some time later."""

    when: Callable[[events.Event], bool]
    pull: Callable[[Pulled], None]
    mend: Callable[[Pulled], None]
    evening: SimulatedEvening = field(default_factory=lambda: SimulatedEvening(4))
    told: list[events.Event] = field(default_factory=list)
    shown: list[tuple[float, tuple[RGB, ...]]] = field(default_factory=list)
    strips: list[SimulatedLightStrip] = field(default_factory=list)
    after: Callable[[], object] = lambda: None
    power: bool = True
    pulled_at: int | None = None
    idled: int = 0
    more: int = 1
    away: int = AWAY_IDLES

    def play(self, folder: Path) -> MemoryJournal:
        book = MemoryJournal(codecs())
        config = Config().with_game(PatchworkSettings(market=self.evening.setup.market))
        hearsay = PatchworkPeople(self.evening).on_event
        heard = (self.told.append, hearsay, self._react)
        with pytest.raises(Enough):
            play_table(config, book, folder, None, heard, openers=self._openers())
        return book

    @property
    def said(self) -> list[str]:
        return [event.says for event in self.told if isinstance(event, events.TableNoticed)]

    @property
    def taken_since(self) -> int:
        return sum(isinstance(event, events.DecisionTaken) for event in self.told[self.pulled_at :])

    def _react(self, event: events.Event) -> None:
        if self.pulled_at is None and self.when(event):
            self.pulled_at = len(self.told)
            self.pull(self)
        elif self.pulled_at is not None:
            self.after()
            if self.taken_since == self.more:
                raise Enough

    def _openers(self) -> DeviceFactory:
        clock = self.evening.clock
        return DeviceFactory(
            clock, self._camera, lambda: self.evening.controls, lambda say: ResilientStrip(self._opened, 60, clock, say)
        )

    def _opened(self) -> SimulatedLightStrip:
        if not self.power:
            raise HardwareError("no route to host")
        self.strips.append(SimulatedLightStrip(60))
        return self.strips[-1]

    def _camera(self, say: Callable[[str], None], idle: Callable[[], None]) -> Camera:
        def idling() -> None:
            idle()
            self.shown.append((self.evening.clock.now(), self.strips[-1].pixels))
            self.idled += 1
            if self.idled == self.away:
                self.mend(self)

        self.lent = _Lent(self.evening)
        return ReopeningCamera(lambda: self.lent, self.evening.clock, say, idling)


class _Lent:
    """The table's camera, which stays open when this one is closed."""

    def __init__(self, evening: SimulatedEvening) -> None:
        self.capture = evening.camera.capture

    def close(self) -> None:
        """Do nothing: the same camera is opened again later."""


def unplug_camera(pulled: Pulled) -> None:
    pulled.evening.camera.unplug()


def plug_camera_in(pulled: Pulled) -> None:
    pulled.evening.camera.plug_in()


@pytest.mark.parametrize("moment", [events.DecisionTaken, events.LookStarted], ids=["between-turns", "in-mid-look"])
def test_without_its_camera_a_game_waits_under_a_clear_light_and_resumes(
    tmp_path: Path, moment: type[events.Event]
) -> None:
    pulled = Pulled(lambda event: isinstance(event, moment), unplug_camera, plug_camera_in)
    book = pulled.play(tmp_path)
    assert pulled.said[0].startswith("The camera sends no pictures: simulated camera: the cable is loose. The game")
    assert pulled.said[1:] == ["The camera is back."]
    assert len(book.decisions(1, PATCHWORK)) >= pulled.taken_since == 1
    config = Config().strip
    (notice,) = all_scaled([NOTICE], config.brightness)
    signs = [at_s for at_s, pixels in pulled.shown if pixels[0] == pixels[-1] == notice]
    spans = [after - before for before, after in pairwise(signs)]
    assert len(signs) >= 20, "both ends of the strip shine"
    assert max(spans) <= REMIND_S, "and again every few seconds"
    (neutral,) = all_scaled([NEUTRAL], config.brightness)
    assert all(set(pixels) != {neutral} for at_s, pixels in pulled.shown[5:]), "nobody is told to hold still"


def test_a_look_that_the_camera_breaks_off_for_a_moment_is_ended_when_it_is_back(tmp_path: Path) -> None:
    pulled = Pulled(lambda event: isinstance(event, events.LookStarted), unplug_camera, plug_camera_in, away=30)
    pulled.play(tmp_path)
    after = [type(event) for event in pulled.told[pulled.pulled_at :]]
    assert after == [events.TableNoticed, events.TableNoticed, events.DecisionTaken]


def test_a_game_goes_on_in_the_dark_and_the_strip_shows_where_it_stands_when_it_is_back(tmp_path: Path) -> None:
    def cut(pulled: Pulled) -> None:
        pulled.power = False
        pulled.strips[-1].unplug()

    pulled = Pulled(lambda event: isinstance(event, events.DecisionTaken), cut, lambda _: None, more=4)
    pulled.after = lambda: setattr(pulled, "power", pulled.power or pulled.taken_since >= 2)
    book = pulled.play(tmp_path)
    assert pulled.said == [
        "The lights do not respond: simulated strip: the wire is loose. The game continues without them.",
        "The lights are back.",
    ]
    back = next(place for place, event in enumerate(pulled.told) if getattr(event, "says", "") == pulled.said[1])
    in_the_dark = [event for event in pulled.told[pulled.pulled_at : back] if isinstance(event, events.DecisionTaken)]
    assert len(in_the_dark) >= 2, "decisions were taken without the strip"
    assert len(pulled.strips) == 2
    assert any(any(map(sum, pixels)) for pixels in pulled.strips[1].history), "and the new one shines"
    assert len(book.decisions(1, PATCHWORK)) == 5


def test_without_its_buttons_a_game_waits_and_the_next_press_after_they_are_back_counts(tmp_path: Path) -> None:
    frames, lost = [0], list[Button]()

    def cut(pulled: Pulled) -> None:
        controls, capture = pulled.evening.controls, pulled.evening.camera.capture
        controls.unplug()

        def pressed(button: Button, seat: int | None = None) -> None:
            if frames[0] < 14:
                lost.append(button)
            SimulatedControls.press(controls, button, seat)

        controls.press = pressed  # type: ignore[method-assign]

        def counted() -> Frame:
            frames[0] += 1
            if frames[0] == 14:
                controls.plug_in()
            return capture()

        pulled.evening.camera.capture = counted  # type: ignore[method-assign]
        pulled.lent.capture = counted

    pulled = Pulled(lambda event: isinstance(event, events.DecisionTaken), cut, lambda _: None)
    book = pulled.play(tmp_path)
    assert frames[0] > 14
    assert lost, "a player pressed a button meanwhile"
    assert len(book.decisions(1, PATCHWORK)) == 2
