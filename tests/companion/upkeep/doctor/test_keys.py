from __future__ import annotations

from pathlib import Path

from companion.upkeep.doctor.pins import check_keys
from hardware.diagnosis import Level, Machine
from hardware.keys.binding import binding_of
from hardware.keys.bus import Found

PAD = Found("/dev/input/event3", "Number pad", 3, 0x1A2C, 0x0E24, "usb-1", frozenset({96}))
BOUND = [binding_of("confirm KEY_KPENTER 1a2c:0e24"), binding_of("undo KEY_VOLUMEUP 05ac:0255")]


def test_what_is_there_may_be_used_or_not_and_the_rest_is_waited_for() -> None:
    used, missing = check_keys(BOUND, [PAD], Machine(reaches=lambda path: path == Path(PAD.path)))
    assert (used.level, used.title) == (Level.OK, "Number pad (/dev/input/event3) can be used.")
    assert (missing.level, missing.title) == (Level.NOTE, "No device 05ac:0255 is connected.")
    refused, _ = check_keys(BOUND, [PAD], Machine(reaches=lambda _: False))
    assert refused.level is Level.FAULT
    assert "sudo usermod -aG input" in refused.do


def test_a_device_without_the_key_is_not_the_one() -> None:
    mouse = Found("/dev/input/event4", "Number pad", 3, 0x1A2C, 0x0E24, "usb-1", frozenset({272}))
    assert [each.level for each in check_keys(BOUND[:1], [mouse], Machine())] == [Level.NOTE]
