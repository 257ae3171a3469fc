from __future__ import annotations

from pathlib import Path

import pytest

from companion.config import ControlsConfig, StripConfig
from companion.upkeep.doctor.pins import check_buttons, check_strip
from hardware.environment import Environment
from tests.companion.upkeep.doctor.conftest import Plant, faults, levels

BUTTONS = ControlsConfig("gpio")
STRIP = StripConfig("neopixel")
HERE = Environment(Path("/opt/quilt-companion"), Path("/usr"))
CHIP = {"/dev/gpiochip0": ""}


def load(module: str) -> object:
    return module


def test_buttons_that_can_be_read(plant: Plant) -> None:
    assert levels(check_buttons(BUTTONS, plant(CHIP), load, HERE)) == ["ok", "ok"]


def test_a_machine_without_pins_is_told(plant: Plant) -> None:
    assert faults(check_buttons(BUTTONS, plant(), load, HERE)) == ["There are no GPIO pins on this machine."]


def test_pins_that_this_user_may_not_use_are_told(plant: Plant) -> None:
    found = list(check_buttons(BUTTONS, plant(CHIP, closed=CHIP), load, HERE))
    assert faults(found) == ["/dev/gpiochip0 cannot be used by this user."]
    assert "usermod -aG gpio" in found[0].do


def test_a_library_that_is_missing_is_told(plant: Plant) -> None:
    def missing(module: str) -> object:
        raise ModuleNotFoundError(f"No module named {module!r}")

    assert "No module named 'gpiozero'" in faults(check_buttons(BUTTONS, plant(CHIP), missing, HERE))[0]


def test_a_button_at_a_pin_of_i2c_is_noted_where_i2c_is_on(plant: Plant) -> None:
    wired = ControlsConfig("gpio", confirm_pins=(2,))
    assert levels(check_buttons(wired, plant(CHIP), load, HERE)) == ["ok", "ok"]
    found = list(check_buttons(wired, plant({**CHIP, "/dev/i2c-1": ""}), load, HERE))
    assert levels(found) == ["ok", "ok", "note"]
    assert "GPIO2" in found[2].title


def test_a_strip_that_can_be_driven() -> None:
    assert levels(check_strip(STRIP, BUTTONS, None)) == ["ok"]
    assert levels(check_strip(StripConfig("wled", wled_host="w"), BUTTONS, None)) == ["ok"]


def test_what_is_in_the_strips_way_is_told_with_what_to_do() -> None:
    found = list(check_strip(STRIP, BUTTONS, "/dev/spidev0.0 is missing; sudo raspi-config nonint do_spi 0"))
    assert faults(found) == ["The strip cannot be driven: /dev/spidev0.0 is missing."]
    assert found[0].do == "sudo raspi-config nonint do_spi 0"


@pytest.mark.parametrize("pin", [8, 9, 10, 11])
def test_a_button_on_a_pin_that_spi_takes_is_told(pin: int) -> None:
    wired = ControlsConfig("gpio", undo_pins=(pin,))
    assert faults(check_strip(STRIP, wired, None)) == [f"A push-button is at GPIO{pin}."]
    assert faults(check_strip(STRIP, ControlsConfig("none", undo_pins=(pin,)), None)) == []


def test_by_another_pin_only_that_one_is_taken() -> None:
    wired = ControlsConfig("gpio", undo_pins=(8,))
    assert faults(check_strip(StripConfig("neopixel", pin=21), wired, None)) == []
    assert faults(check_strip(StripConfig("neopixel", pin=8), wired, None)) == ["A push-button is at GPIO8."]
