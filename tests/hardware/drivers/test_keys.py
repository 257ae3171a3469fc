"""Test keys of input devices that are plugged in and out."""

from __future__ import annotations

import errno
from dataclasses import replace

import pytest

from hardware.drivers.keys import LOOKS_S, KeyControls
from hardware.keys import BLUETOOTH, Found, Model, binding_of
from hardware.ports import Button, HardwareError, Press
from hardware.simulated.devices import SimulatedClock
from tests.vendors.input_bus import SimulatedInputBus

PAD = Found("/dev/input/event3", "Number pad", 3, 0x1A2C, 0x0E24, "usb-1", frozenset({71, 72, 96}))
SHUTTER = Found("/dev/input/event5", "AB Shutter3", BLUETOOTH, 0x05AC, 0x0255, "ff:01", frozenset({115}))
LINES = ("confirm KEY_KPENTER 1a2c:0e24", "undo KEY_KP8 1a2c:0e24")


class Table:
    """A table whose controls are keys."""

    def __init__(self, *lines: str, grab: bool = True) -> None:
        self.clock, self.bus = SimulatedClock(10.0), SimulatedInputBus()
        self.lines, self.grab = lines or LINES, grab
        self.bus.plug_in(PAD)

    def open(self, when_held: Button | None = None) -> KeyControls:
        bindings = [binding_of(line) for line in self.lines]
        if when_held is not None:
            bindings = [replace(each, when_held=when_held) for each in bindings]
        self.controls = KeyControls(bindings, self.bus, self.clock, debounce_s=0.05, hold_s=1.0, grab=self.grab)
        return self.controls

    def wait(self, seconds: float) -> None:
        self.clock.sleep(seconds)

    def buttons(self) -> list[tuple[Button, int | None]]:
        return [(press.button, press.seat) for press in self.controls.presses()]


def test_a_key_that_goes_up_in_the_moment_it_goes_down_is_a_press() -> None:
    table = Table()
    table.open()
    table.bus.press(PAD.path, 96)
    assert list(table.controls.presses()) == [Press(Button.CONFIRM, 10.0)]
    table.wait(0.2)
    table.bus.press(PAD.path, 72, 71)
    assert table.buttons() == [(Button.UNDO, None)]


def test_a_key_that_is_down_for_long_is_stuck() -> None:
    table = Table()
    table.open()
    table.bus.push(PAD.path, 96)
    assert (table.buttons(), table.controls.stuck) == ([(Button.CONFIRM, None)], ())
    table.wait(60)
    assert (table.buttons(), table.controls.stuck) == ([], ((Button.CONFIRM, None),))


def test_presses_closer_together_than_the_contact_bounces_are_one() -> None:
    table = Table()
    table.open()
    table.bus.press(PAD.path, 96, 96)
    assert len(table.buttons()) == 1


def test_a_long_press_means_something_else_where_it_shall() -> None:
    table = Table(LINES[0])
    table.open(Button.UNDO)
    table.bus.push(PAD.path, 96)
    assert table.buttons() == []
    table.wait(1.1)
    assert table.buttons() == [(Button.UNDO, None)]
    table.bus.let_go(PAD.path, 96)
    table.wait(0.2)
    assert table.buttons() == []


def test_each_seat_has_its_own_of_two_that_are_alike() -> None:
    other = Found("/dev/input/event4", "Number pad", 3, 0x1A2C, 0x0E24, "usb-2", PAD.keys)
    table = Table("confirm@1 KEY_KPENTER 1a2c:0e24 usb-1", "confirm@2 KEY_KPENTER 1a2c:0e24 usb-2")
    table.bus.plug_in(other)
    table.open()
    table.bus.press(other.path, 96)
    assert table.buttons() == [(Button.CONFIRM, 2)]
    table.bus.press(PAD.path, 96)
    assert table.buttons() == [(Button.CONFIRM, 1)]


def test_a_device_comes_back_under_another_name() -> None:
    table = Table()
    table.open()
    table.bus.push(PAD.path, 96)
    assert len(table.buttons()) == 1
    table.bus.unplug(PAD.path)
    assert table.buttons() == []
    assert table.controls.notices() == ("Number pad was unplugged; the companion is waiting for it.",)
    table.wait(60)
    assert table.buttons() == []
    assert table.controls.notices() == (), "a key that was down when its device went is not stuck"
    again = Found("/dev/input/event9", "Number pad", 3, 0x1A2C, 0x0E24, "usb-1", PAD.keys)
    table.bus.plug_in(again)
    table.wait(LOOKS_S)
    assert table.buttons() == []
    assert table.controls.notices() == ("Number pad is connected again.",)
    table.bus.press(again.path, 96)
    assert table.buttons() == [(Button.CONFIRM, None)]


def test_a_remote_that_sleeps_is_no_news() -> None:
    table = Table("confirm KEY_VOLUMEUP 05ac:0255")
    table.open()
    assert table.controls.notices() == ("The keys on 05ac:0255 are not connected; the companion is waiting for them.",)
    for _ in range(2):
        table.bus.plug_in(SHUTTER)
        table.wait(LOOKS_S)
        table.controls.presses()
        table.bus.press(SHUTTER.path, 115)
        assert table.buttons() == [(Button.CONFIRM, None)]
        table.bus.unplug(SHUTTER.path)
        table.wait(LOOKS_S)
        assert table.buttons() == []
    assert table.controls.notices() == ()


def test_devices_are_looked_for_only_while_one_is_missing() -> None:
    table = Table()
    table.open()
    looks = table.bus.looks
    for _ in range(5):
        table.wait(LOOKS_S)
        table.controls.presses()
    assert table.bus.looks == looks
    table.bus.unplug(PAD.path)
    for _ in range(30):
        table.wait(LOOKS_S / 10)
        table.controls.presses()
    assert table.bus.looks - looks == pytest.approx(3, abs=1)


def test_keys_type_nowhere_else_unless_they_may() -> None:
    table = Table()
    table.open()
    assert table.bus.is_grabbed(PAD.path)
    table.controls.close()
    assert not table.bus.is_grabbed(PAD.path)
    table = Table(grab=False)
    table.open()
    assert not table.bus.is_grabbed(PAD.path)


def test_only_the_part_of_a_device_that_has_the_keys_is_taken() -> None:
    table = Table()
    mouse = Found("/dev/input/event4", "Number pad mouse", 3, 0x1A2C, 0x0E24, "usb-1", frozenset({272}))
    table.bus.plug_in(mouse)
    table.open()
    assert table.bus.is_grabbed(PAD.path)
    assert not table.bus.is_grabbed(mouse.path)


def test_a_device_that_may_not_be_used_is_one_line_at_the_start_and_a_notice_later() -> None:
    table = Table()
    table.bus.refuses[PAD.path] = PermissionError(errno.EACCES, "Permission denied")
    with pytest.raises(HardwareError, match="Number pad cannot be used by this user: sudo usermod -aG input"):
        table.open()
    table.bus.unplug(PAD.path)
    table.open()
    table.controls.notices()
    table.bus.plug_in(PAD)
    for _ in range(3):
        table.wait(LOOKS_S)
        table.controls.presses()
    told = table.controls.notices()
    assert len(told) == 1
    assert told[0].endswith("then log in again.")


def test_a_device_in_another_programs_hands_is_taken_as_soon_as_it_is_free() -> None:
    table = Table()
    table.bus.held.add(PAD.path)
    table.open()
    assert "Number pad is in use by another program; close that program." in table.controls.notices()
    table.bus.held.clear()
    table.wait(LOOKS_S)
    table.controls.presses()
    table.bus.press(PAD.path, 96)
    assert table.buttons() == [(Button.CONFIRM, None)]


def test_a_model_is_one_place_or_any() -> None:
    assert PAD.is_a(Model(0x1A2C, 0x0E24))
    assert PAD.is_a(Model(0x1A2C, 0x0E24, "usb-1"))
    assert not PAD.is_a(Model(0x1A2C, 0x0E24, "usb-2"))
    assert not PAD.is_a(Model(0x1A2C, 0x0E25))
