"""The devices' connections in a configuration, as described in a hardware test."""

import platform

from companion import __version__
from companion.config import Config
from companion.languages import said
from companion.upkeep.hardwaretest.buttons import ButtonToTry
from companion.upkeep.hardwaretest.report import Facts
from hardware.driver import ControlsDriver
from hardware.drivers.gpio import GpioDriver
from hardware.drivers.keys import KeysDriver
from hardware.environment import read_board


def facts_of(config: Config) -> Facts:
    """Return the data on the table for a report."""
    board = read_board()
    strip = config.strip
    wiring: dict[str, str] = {place.name: _led_to(config.controls, place) for place in wired(config)}
    if strip.wiring is not None:
        wiring[said("strip")] = strip.wiring
    wiring[said("camera")] = f"{config.camera.driver}, {config.camera.size[0]}x{config.camera.size[1]}"
    return Facts(
        __version__,
        "no Raspberry Pi" if board is None else board.model,
        f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
        {"camera": config.camera.driver, "buttons": config.controls.driver, "strip": strip.driver},
        wiring,
    )


def _led_to(controls: ControlsDriver, place: ButtonToTry) -> str:
    """Return a description of a push-button's connection."""
    if place.is_key:
        return said("a key, no wire")
    pulled_down = isinstance(controls, GpioDriver) and controls.pull == "down"
    return said("to {volts} V", volts=3.3) if pulled_down else said("to ground")


def wired(config: Config) -> tuple[ButtonToTry, ...]:
    """Return the connected push-buttons or keys; none with the driver "none"."""
    is_key = isinstance(config.controls, KeysDriver)
    return tuple(ButtonToTry(each.button, each.seat, each.name, is_key=is_key) for each in config.controls.places)
