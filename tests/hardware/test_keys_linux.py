"""Test the kernel's interface with files and pipes that hold the kernel's data."""

from __future__ import annotations

import os
import struct
import time
from pathlib import Path

import pytest

from hardware.keys import KeyEvent, LinuxInputBus, LinuxInputDevice, keys_of

EVENT = struct.Struct("@llHHi")


def plug_in(root: Path, number: int, **texts: str) -> None:
    device = root / "sys" / "class" / "input" / f"event{number}" / "device"
    (device / "id").mkdir(parents=True)
    (device / "capabilities").mkdir()
    told = {"name": "Number pad", "phys": "usb-3f98.usb-1.2/input1", "uniq": "", "keys": "100000000 0", **texts}
    for name, text in told.items():
        (device / ("capabilities/key" if name == "keys" else name)).write_text(text + "\n")
    for name, text in (("vendor", "1a2c"), ("product", "0e24"), ("bustype", "0003")):
        (device / "id" / name).write_text(text + "\n")


def test_devices_are_described_by_sysfs(tmp_path: Path) -> None:
    plug_in(tmp_path, 10)
    plug_in(tmp_path, 2, name="AB Shutter3", uniq="ff:ff:01", phys="b8:27:eb")
    plug_in(tmp_path, 3, name="Lid Switch", keys="0")
    (tmp_path / "sys/class/input/event4").mkdir()
    shutter, pad = LinuxInputBus(tmp_path).found()
    assert (shutter.name, shutter.place, shutter.path) == ("AB Shutter3", "ff:ff:01", "/dev/input/event2")
    assert (pad.vendor, pad.product, pad.bus) == (0x1A2C, 0x0E24, 3)
    assert pad.place == "usb-3f98.usb-1.2"
    assert pad.keys == {96}
    assert list(LinuxInputBus(tmp_path / "none").found()) == []


def test_the_list_of_keys_is_read_word_by_word() -> None:
    assert keys_of("0") == frozenset()
    assert keys_of("3") == {0, 1}
    assert keys_of("8000000000000000 0 1") == {0, 191}


def packed(kind: int, code: int, value: int, ago_s: float = 0.0) -> bytes:
    t_s = time.monotonic() - ago_s
    return EVENT.pack(int(t_s), int(t_s % 1 * 1e6), kind, code, value)


@pytest.fixture
def pipe() -> tuple[LinuxInputDevice, int]:
    reading, writing = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    return LinuxInputDevice(reading), writing


def test_presses_are_reported_and_repetitions_are_not(pipe: tuple[LinuxInputDevice, int]) -> None:
    device, writing = pipe
    assert device.events() == []
    os.write(writing, packed(1, 96, 1, 0.5) + packed(0, 0, 0) + packed(1, 96, 2) + packed(4, 4, 9) + packed(1, 96, 0))
    down, up = device.events()
    assert (down.code, down.down, up.code, up.down) == (96, True, 96, False)
    assert down.ago_s == pytest.approx(0.5, abs=0.3)
    assert device.events() == []
    os.close(writing)
    device.close()
    device.close()
    assert device.events() == []


def test_after_lost_events_no_key_is_down_for_ever(pipe: tuple[LinuxInputDevice, int]) -> None:
    device, writing = pipe
    os.write(writing, packed(1, 96, 1) + packed(1, 71, 1) + packed(0, 3, 0))
    assert device.events()[2:] == [KeyEvent(71, down=False, ago_s=0.0), KeyEvent(96, down=False, ago_s=0.0)]
    os.close(writing)
    device.close()


def test_a_device_is_opened_below_the_root_and_one_that_is_no_device_is_not_grabbed(tmp_path: Path) -> None:
    (tmp_path / "dev" / "input").mkdir(parents=True)
    (tmp_path / "dev" / "input" / "event1").touch()
    bus = LinuxInputBus(tmp_path)
    device = bus.open("/dev/input/event1")
    with pytest.raises(OSError, match="ioctl"):
        device.grab()
    device.close()
    with pytest.raises(FileNotFoundError):
        bus.open("/dev/input/event2")
