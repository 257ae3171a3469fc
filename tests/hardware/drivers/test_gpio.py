"""Push-buttons through the real gpiozero, over its own mock pins."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import gpiozero
import pytest
from gpiozero.pins import mock
from gpiozero.pins.mock import MockFactory

from hardware.drivers import gpio as driver
from hardware.drivers.gpio import GpioControls, Wiring
from hardware.ports import Button, HardwareError, Press
from hardware.pushbuttons import STUCK_S
from hardware.simulated.devices import SimulatedClock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WIRINGS = (Wiring(Button.CONFIRM, 17), Wiring(Button.ADVANCE, 27), Wiring(Button.UNDO, 22))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimulatedClock:
    clock = SimulatedClock(100.0)
    monkeypatch.setattr(mock, "monotonic", clock.now)
    return clock


@pytest.fixture
def pins(clock: SimulatedClock) -> Iterator[MockFactory]:
    del clock
    factory = MockFactory()
    yield factory
    factory.close()


def opened(
    clock: SimulatedClock, pins: MockFactory, wirings: tuple[Wiring, ...] = WIRINGS, **options: Any
) -> GpioControls:
    return GpioControls(wirings, clock, debounce_s=0.05, hold_s=1.0, pin_factory=pins, **options)


def bounce(pins: MockFactory, clock: SimulatedClock, pin: int, *, down_s: float = 0.2) -> None:
    """Press and release a button whose contact bounces."""
    line = pins.pin(pin)
    for _ in range(5):
        line.drive_low()
        clock.sleep(0.001)
        line.drive_high()
        clock.sleep(0.001)
    line.drive_low()
    clock.sleep(down_s)
    line.drive_high()
    clock.sleep(0.1)


def test_a_contact_that_bounces_is_one_press_at_its_own_time(clock: SimulatedClock, pins: MockFactory) -> None:
    controls = opened(clock, pins)
    bounce(pins, clock, 17)
    assert [(press.button, round(press.t_s, 3)) for press in controls.presses()] == [(Button.CONFIRM, 100.01)]
    assert controls.presses() == []
    controls.close()


def test_presses_of_several_buttons_come_in_the_order_of_time(clock: SimulatedClock, pins: MockFactory) -> None:
    controls = opened(clock, pins)
    for pin in (22, 17, 27, 17):
        bounce(pins, clock, pin)
    buttons = [press.button for press in controls.presses()]
    assert buttons == [Button.UNDO, Button.CONFIRM, Button.ADVANCE, Button.CONFIRM]
    controls.close()


def test_each_seat_has_its_own(clock: SimulatedClock, pins: MockFactory) -> None:
    controls = opened(clock, pins, (Wiring(Button.CONFIRM, 17, seat=1), Wiring(Button.CONFIRM, 5, seat=2)))
    bounce(pins, clock, 5)
    bounce(pins, clock, 17)
    assert [press.seat for press in controls.presses()] == [2, 1]
    controls.close()


def test_a_button_to_the_supply_needs_a_pull_down(clock: SimulatedClock, pins: MockFactory) -> None:
    controls = opened(clock, pins, (Wiring(Button.UNDO, 17),), pull_up=False)
    assert pins.pin(17).pull == "down"
    pins.pin(17).drive_high()
    clock.sleep(0.1)
    assert controls.presses() == [Press(Button.UNDO, 100.0)]
    controls.close()


def test_an_edge_that_was_lost_is_seen_at_the_next_look(
    clock: SimulatedClock, pins: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    controls = opened(clock, pins)
    monkeypatch.setattr(pins.pin(17), "_call_when_changed", lambda: None)
    pins.pin(17).drive_low()
    assert controls.presses() == []
    clock.sleep(0.1)
    assert [press.button for press in controls.presses()] == [Button.CONFIRM]
    controls.close()


def test_a_stuck_button_is_reported_once(clock: SimulatedClock, pins: MockFactory) -> None:
    controls = opened(clock, pins)
    pins.pin(27).drive_low()
    assert controls.notices() == ()
    clock.sleep(STUCK_S + 1)
    controls.presses()
    (says,) = controls.notices()
    assert says.startswith("The advance button (GPIO27) has been down for a long time")
    assert controls.stuck == ((Button.ADVANCE, None),)
    clock.sleep(STUCK_S)
    controls.presses()
    assert controls.notices() == ()
    controls.close()


def test_a_button_that_is_down_at_the_start_presses_nothing(clock: SimulatedClock, pins: MockFactory) -> None:
    pins.pin(17).function = "input"
    pins.pin(17).pull = "up"
    pins.pin(17).drive_low()
    controls = opened(clock, pins)
    clock.sleep(5)
    assert controls.presses() == []
    pins.pin(17).drive_high()
    clock.sleep(1)
    bounce(pins, clock, 17)
    assert len(controls.presses()) == 1
    controls.close()


def test_lamps_show_whose_turn_it_is(clock: SimulatedClock, pins: MockFactory) -> None:
    controls = opened(clock, pins, lamps={1: 5, 2: 6, None: 13})
    for seats, lit in (((1,), (1, 0, 1)), ((2,), (0, 1, 1)), ((), (0, 0, 0)), ((1, 2), (1, 1, 1))):
        controls.light(seats)
        assert tuple(pins.pin(pin).state for pin in (5, 6, 13)) == lit
    controls.close()
    assert [pins.pin(pin).function for pin in (5, 6, 13)] == ["input"] * 3


@pytest.mark.parametrize(
    ("wirings", "lamps", "says"),
    [
        ((*WIRINGS, Wiring(Button.UNDO, 17, seat=2)), {}, "the undo button of seat 2 (GPIO17) cannot be used: "),
        ((Wiring(Button.UNDO, 99),), {}, "the undo button (GPIO99) cannot be used: "),
        (WIRINGS, {1: 27}, "the lamp on GPIO27 cannot be used: "),
    ],
)
def test_a_pin_that_cannot_be_used_is_named_and_the_others_are_given_back(
    clock: SimulatedClock, pins: MockFactory, wirings: tuple[Wiring, ...], lamps: dict[int | None, int], says: str
) -> None:
    with pytest.raises(HardwareError) as caught:
        opened(clock, pins, wirings, lamps=lamps)
    assert str(caught.value).startswith(says)
    opened(clock, pins).close()


def test_no_pins_here_is_one_clear_error(clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "none-such")
    with pytest.raises(HardwareError, match=r"there are no GPIO pins here: .*gpiozero"):
        GpioControls(WIRINGS, clock, debounce_s=0.05, hold_s=1.0)


@pytest.mark.parametrize("writable", [True, False])
def test_lgpio_gets_a_folder_of_its_own_where_the_working_directory_is_read_only(
    writable: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("LG_WD", raising=False)
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    monkeypatch.setattr(os, "access", lambda *_: writable)
    driver._gpiozero()
    assert os.environ.get("LG_WD") == (None if writable else str(tmp_path))
    monkeypatch.delenv("LG_WD", raising=False)


def test_close_gives_the_pins_back_and_ends_the_presses(clock: SimulatedClock, pins: MockFactory) -> None:
    controls = opened(clock, pins)
    pins.pin(17).drive_low()
    controls.close()
    controls.close()
    clock.sleep(1)
    assert controls.presses() == []
    opened(clock, pins).close()
