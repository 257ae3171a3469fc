"""Test that the empty boards are first seen in the light of the later looks."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.lights import NEUTRAL, Lights, all_scaled
from companion.patchwork.lights import LightShow
from companion.patchwork.watching.opening import NeutralStart
from companion.play.events import Event, GameOpened, LookCalledOff, LookStarted, NothingToUndo, TableNoticed
from hardware.drivers.simulated import SimulatedStripDriver
from hardware.simulated.devices import SimulatedLightStrip

CONFIG = SimulatedStripDriver()
(LIT,) = all_scaled([NEUTRAL], CONFIG.brightness)


@dataclass
class Watch:
    """A fake watch whose boards count as seen when a test sets `ready`."""

    ready: bool = False
    anew: int = 0

    def restart_rest(self) -> None:
        self.anew += 1


@dataclass
class Scene:
    """A strip with its show, and a table."""

    watch: Watch = field(default_factory=Watch)
    strip: SimulatedLightStrip = field(default_factory=lambda: SimulatedLightStrip(CONFIG.pixels))
    history: History = field(default_factory=lambda: History(Setup()))
    now_s: float = 0.0

    def __post_init__(self) -> None:
        self.lights = Lights(LightShow(self.strip.pixel_count, strip=CONFIG), self.strip)
        self.first = NeutralStart(self.lights, self.watch, self.history)  # type: ignore[arg-type]  # all that is asked

    def send(self, event: Event) -> None:
        self.first(event)

    def frames(self, seconds: float) -> None:
        for _ in range(round(seconds * 5)):
            self.now_s += 0.2
            self.first.tick(self.now_s)

    def is_neutral(self) -> bool:
        return set(self.strip.pixels) == {LIT}


@pytest.fixture
def scene() -> Scene:
    scene = Scene()
    scene.send(GameOpened(1, scene.history.state))
    return scene


def test_the_strip_is_neutral_until_both_boards_have_been_seen_and_the_game_is_shown_then(scene: Scene) -> None:
    scene.frames(30)
    assert scene.is_neutral()
    assert all(set(pixels) == {LIT} for pixels in scene.strip.history), "and nothing else was ever shown"
    assert scene.watch.anew == 0, "every picture counts"
    scene.watch.ready = True
    shown = len(scene.strip.history)
    scene.frames(3)
    assert not scene.is_neutral()
    assert len(scene.strip.history) - shown > 5, "a run over the whole strip"


def test_a_sign_is_shown_meanwhile_and_no_picture_of_it_counts(scene: Scene) -> None:
    scene.frames(1)
    scene.send(TableNoticed("Seat 2’s board is not seen.", scene.history.state))
    scene.frames(0.2)
    assert not scene.is_neutral()
    assert scene.watch.anew == 1
    scene.frames(10)
    assert scene.is_neutral()
    counted = scene.watch.anew
    scene.frames(10)
    assert scene.watch.anew == counted


def test_somebodys_look_is_neutral_already_and_ends_by_its_own_verdict(scene: Scene) -> None:
    scene.send(LookStarted(scene.history.state))
    scene.frames(1)
    assert (scene.is_neutral(), scene.watch.anew) == (True, 0)
    scene.watch.ready = True
    scene.frames(1)
    assert scene.is_neutral(), "nobody else calls it off"
    scene.send(LookCalledOff(scene.history.state))
    scene.frames(0.2)
    assert not scene.is_neutral()


def test_lights_that_were_turned_off_by_others_are_held_anew(scene: Scene) -> None:
    scene.lights(LookCalledOff(scene.history.state))  # as the camera's absence does
    assert not scene.is_neutral()
    scene.frames(0.4)
    assert scene.is_neutral()
    assert scene.watch.anew == 1


def test_later_events_are_shown_unchanged() -> None:
    scene = Scene(Watch(ready=True))
    scene.send(GameOpened(1, scene.history.state))
    scene.frames(5)
    scene.send(NothingToUndo(scene.history.state))
    scene.frames(1)
    assert not scene.is_neutral()
    assert scene.watch.anew == 0
