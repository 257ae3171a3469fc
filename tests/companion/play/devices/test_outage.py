from __future__ import annotations

from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.lights import Lights
from companion.patchwork.lights import LightShow
from companion.play import events
from companion.play.devices import REMIND_S, Notices, Outage
from hardware.ports import Button
from hardware.simulated.devices import SimulatedClock, SimulatedControls, SimulatedLightStrip


class Setting:
    """A table in the middle of a game, whose camera may be missing."""

    def __init__(self) -> None:
        self.clock = SimulatedClock(100.0)
        self.strip = SimulatedLightStrip(60)
        self.lights = Lights(LightShow(60), self.strip)
        self.controls = SimulatedControls(self.clock)
        self.history = History(Setup(players=("Anna", "Boris")))
        self.tended = 0
        self.outage = Outage(self.clock, self.lights, self.controls, Notices(), self.history, self.serve_strip)

    def serve_strip(self) -> None:
        self.tended += 1

    def send(self, event: events.Event) -> None:
        self.lights(event)
        self.outage(event)

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds * 10)):
            self.clock.sleep(0.1)
            self.outage.idle()

    def go_on(self, seconds: float) -> None:
        for _ in range(round(seconds * 10)):
            self.clock.sleep(0.1)
            self.outage.tick(self.clock.now())
            self.lights.tick(self.clock.now())


def test_the_lights_say_it_again_and_again() -> None:
    table = Setting()
    table.send(events.GameOpened(1, table.history.state))
    table.go_on(20)
    resting = table.strip.pixels
    for _ in range(3):
        before = len(table.strip.history)
        table.wait(REMIND_S)
        shown = list(table.strip.history)[before:]
        assert any(pixels != resting for pixels in shown)
    assert table.tended >= 3 * REMIND_S * 10


def test_presses_during_an_outage_are_dropped() -> None:
    table = Setting()
    table.controls.press(Button.ADVANCE)
    table.wait(0.1)
    assert table.controls.presses() == ()


def test_a_look_that_was_cut_short_has_its_steady_light_again_afterwards() -> None:
    table = Setting()
    table.send(events.GameOpened(1, table.history.state))
    table.go_on(20)
    table.send(events.LookStarted(table.history.state))
    table.send(events.TableNoticed("The camera sends no pictures.", table.history.state))
    neutral = table.strip.pixels
    assert len(set(neutral)) == 1
    table.wait(6)
    table.go_on(0.1)
    assert table.strip.pixels == neutral


def test_a_look_that_had_ended_is_not_taken_up() -> None:
    table = Setting()
    table.send(events.LookStarted(table.history.state))
    neutral = table.strip.pixels
    table.send(events.LookCalledOff(table.history.state))
    table.wait(1)
    table.go_on(5)
    assert table.strip.pixels != neutral


def test_without_an_outage_the_lights_are_left_alone() -> None:
    table = Setting()
    table.send(events.GameOpened(1, table.history.state))
    shown = len(table.strip.history)
    table.outage.tick(table.clock.now())
    assert len(table.strip.history) == shown
    assert table.tended == 1
