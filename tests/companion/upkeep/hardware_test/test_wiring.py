from __future__ import annotations

import platform
from datetime import date
from typing import TYPE_CHECKING

from companion.config import Config
from companion.patchwork.settings import PatchworkSettings
from companion.upkeep.hardware_test.bench import facts_of, wired
from companion.upkeep.hardware_test.course import report_text
from hardware.drivers.gpio import GpioDriver
from hardware.drivers.keys import KeysDriver
from hardware.drivers.neopixel import NeoPixelDriver
from hardware.drivers.none import NoControlsDriver, NoStripDriver
from hardware.drivers.wled import WledDriver

if TYPE_CHECKING:
    import pytest


def test_a_set_of_buttons_for_each_seat() -> None:
    places = wired(Config(controls=GpioDriver(confirm_pins=(17, 5), advance_pins=(27,), undo_pins=())))
    assert [(place.seat, place.name) for place in places] == [
        (1, "confirm button of seat 1 (GPIO17)"),
        (2, "confirm button of seat 2 (GPIO5)"),
        (None, "advance button (GPIO27)"),
    ]


def test_a_report_tells_nothing_of_people(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("USER", "grandmother")
    config = Config(strip=WledDriver(wled_host="livingroom.example"))
    config = config.with_game(PatchworkSettings(players=("Mathilda", "Theodor")))
    text = report_text(facts_of(config), [], date(2026, 11, 20))
    for secret in ("Mathilda", "Theodor", "livingroom", "grandmother", platform.node()):
        assert not secret or secret not in text


def test_a_missing_device_has_no_wiring() -> None:
    config = Config(controls=NoControlsDriver(), strip=NoStripDriver())
    assert wired(config) == ()
    assert set(facts_of(config).wiring) == {"camera"}
    real = Config(controls=GpioDriver(pull="down"), strip=NeoPixelDriver())
    wiring = facts_of(real).wiring
    assert wiring["confirm button (GPIO17)"] == "to 3.3 V"
    assert wiring["strip"] == "data at GPIO10, 60 pixels GRB, at most 1500 mA"


def test_keys_have_no_wires() -> None:
    keys = ("confirm@1 KEY_KPENTER 1a2c:0e24", "undo KEY_VOLUMEDOWN 05ac:0255")
    config = Config(controls=KeysDriver(keys=keys), strip=NoStripDriver())
    assert [(place.seat, place.name, place.is_key) for place in wired(config)] == [
        (1, "confirm key of seat 1 (KEY_KPENTER)", True),
        (None, "undo key (KEY_VOLUMEDOWN)", True),
    ]
    assert facts_of(config).wiring["undo key (KEY_VOLUMEDOWN)"] == "a key, no wire"
