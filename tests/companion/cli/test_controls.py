"""Keys are learnt by presses, and written into the configuration."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.cli.controls import learn, listed, wanted_of, write_keys
from companion.config.text import with_values
from companion.configuration import config_text, load_config
from companion.errors import CompanionError
from hardware.drivers.keys import KeysDriver
from hardware.keys import Found, binding_of
from hardware.simulated.devices import SimulatedClock
from tests.vendors.input_bus import SimulatedInputBus

Run = Callable[..., tuple[int, str, str]]
PAD = Found("/dev/input/event3", "Number pad", 3, 0x1A2C, 0x0E24, "usb-1", frozenset({71, 72, 96}))
TWIN = Found("/dev/input/event4", "Number pad", 3, 0x1A2C, 0x0E24, "usb-2", PAD.keys)
SHUTTER = Found("/dev/input/event5", "AB Shutter3", 5, 0x05AC, 0x0255, "ff:01", frozenset({115}))


class Hand:
    """A clock that performs the next of a test's actions at every sleep."""

    def __init__(self, *deeds: Callable[[SimulatedInputBus], None]) -> None:
        self.bus, self.told = SimulatedInputBus(), list[str]()
        self._deeds, self._clock = list(deeds), SimulatedClock()

    def now(self) -> float:
        return self._clock.now()

    def sleep(self, seconds: float) -> None:
        self._clock.sleep(seconds + 1)
        if self._deeds:
            self._deeds.pop(0)(self.bus)

    def learn(self, seats: int | None = None) -> tuple[str, ...]:
        return learn(wanted_of(seats), self.bus, self, self.told.append)


def plugs(found: Found) -> Callable[[SimulatedInputBus], None]:
    return lambda bus: bus.plug_in(found)


def presses(found: Found, key: int) -> Callable[[SimulatedInputBus], None]:
    return lambda bus: bus.press(found.path, key)


def waits(_: SimulatedInputBus) -> None:
    """Do nothing for one tick."""


def test_each_key_is_asked_for_and_one_may_be_plugged_in_late() -> None:
    hand = Hand(plugs(PAD), waits, presses(PAD, 96), presses(PAD, 71), presses(PAD, 71), presses(PAD, 72))
    lines = ("confirm KEY_KPENTER 1a2c:0e24", "advance KEY_KP7 1a2c:0e24", "undo KEY_KP8 1a2c:0e24")
    assert hand.learn() == lines
    assert hand.told[0] == "Press the key for confirm."
    assert hand.told[1] == "No device with keys is connected: plug one in or switch it on."
    assert hand.told[2].lower().startswith("confirm: ")
    assert "KEY_KP7 on Number pad is already advance; press a different one." in hand.told


def test_a_device_that_falls_asleep_is_asked_for_again_and_one_that_is_there_is_not() -> None:
    hand = Hand(
        presses(SHUTTER, 115), lambda bus: bus.unplug(SHUTTER.path), waits, plugs(SHUTTER), waits,
        presses(SHUTTER, 115), presses(SHUTTER, 115),
    )  # fmt: skip
    hand.bus.plug_in(SHUTTER)
    assert hand.learn() == ("confirm KEY_VOLUMEUP 05ac:0255",)
    absent = [number for number, says in enumerate(hand.told) if says.startswith("No device with keys is connected")]
    assert len(absent) == 1
    assert hand.told[absent[0] - 1].startswith("Press the key for advance")


def test_a_camera_shutter_has_one_key_and_the_others_are_none() -> None:
    hand = Hand(plugs(SHUTTER), waits, presses(SHUTTER, 115), presses(SHUTTER, 115), presses(SHUTTER, 115))
    assert hand.learn() == ("confirm KEY_VOLUMEUP 05ac:0255",)


def test_two_alike_are_told_apart_by_where_they_are_plugged_in() -> None:
    hand = Hand(
        plugs(PAD), plugs(TWIN), waits,
        presses(PAD, 96), presses(PAD, 96), presses(PAD, 96),
        presses(TWIN, 96), presses(TWIN, 71), presses(TWIN, 96),
    )  # fmt: skip
    assert hand.learn(2) == (
        "confirm@1 KEY_KPENTER 1a2c:0e24 usb-1",
        "confirm@2 KEY_KPENTER 1a2c:0e24 usb-2",
        "advance@2 KEY_KP7 1a2c:0e24 usb-2",
    )
    assert "Seat 2: press the key for confirm." in hand.told


def test_devices_that_none_of_may_be_used_are_one_line() -> None:
    hand = Hand()
    hand.bus.plug_in(PAD)
    hand.bus.refuses[PAD.path] = PermissionError(13, "Permission denied")
    with pytest.raises(CompanionError, match=r"Permission denied.*sudo usermod -aG input"):
        hand.learn()


def test_the_rest_of_a_configuration_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    before = (
        '# mine\n[controls] # here\ndriver = "none"\ndebounce_s = 0.05 # slow\nkeys = [\n  "undo KEY_A 0001:0002",\n]\n'
    )
    path.write_text(before + "[page]\nport = 81\n")
    lines = ("confirm KEY_KPENTER 1a2c:0e24", "undo KEY_KP8 1a2c:0e24")
    write_keys(path, lines)
    assert path.read_text() == (
        '# mine\n[controls] # here\ndriver = "keys"\nkeys = [\n    "confirm KEY_KPENTER 1a2c:0e24",\n'
        '    "undo KEY_KP8 1a2c:0e24",\n]\ndebounce_s = 0.05 # slow\n[page]\nport = 81\n'
    )
    config = load_config(path)
    assert (config.controls, config.page.port) == (KeysDriver(keys=lines), 81)
    write_keys(tmp_path / "new" / "config.toml", lines)
    assert load_config(tmp_path / "new" / "config.toml").controls == KeysDriver(keys=lines)


def test_a_configuration_of_every_way_of_writing_says_so_afterwards(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    usual = config_text(load_config(None))
    for text in ("controls = {debounce_s = 0.05}\n[page]\nport = 81\n", "[ controls ]\ndebounce_s = 0.05\n", usual):
        path.write_text(text)
        write_keys(path, ("confirm KEY_KPENTER 1a2c:0e24",))
        assert load_config(path).controls == KeysDriver(keys=("confirm KEY_KPENTER 1a2c:0e24",))


def test_values_are_put_into_a_section_or_a_new_one() -> None:
    assert with_values("", "a", {"b": "1"}) == "[a]\nb = 1\n"
    assert with_values("[c]\nb = 2", "a", {"b": "1"}) == "[c]\nb = 2\n\n[a]\nb = 1\n"
    assert with_values("[a]\n# b = 3\nb = [\n2]\nd = 4\n", "a", {"b": "1"}) == "[a]\nb = 1\n# b = 3\nd = 4\n"


def test_devices_with_keys_are_listed() -> None:
    assert list(listed([], ())) == ["No device with keys is connected."]
    lines = ("confirm KEY_KPENTER 1a2c:0e24", "undo KEY_VOLUMEUP 05ac:0255")
    pad, confirm, undo = listed([PAD], map(binding_of, lines))
    assert pad == "Number pad: 1a2c:0e24 usb-1, /dev/input/event3"
    assert confirm.endswith("on 1a2c:0e24: connected")
    assert undo.endswith("on 05ac:0255: not connected")


def test_the_command_lists_and_refuses_a_broken_configuration(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('[controls]\ndriver = "keys"\n')
    for line in (("controls",), ("controls", "learn")):
        status, _, err = run(*line, "--config", path)
        assert status == 2
        assert "[controls] keys: no key is confirm; companion controls learn asks for one" in err
    path.write_text('[controls]\nkeys = ["confirm KEY_NOPE 0001:0002"]\n')
    assert 'allowed: a list of lines such as "confirm@1 KEY_KPENTER 1a2c:0e24"' in run("controls", "--config", path)[2]
