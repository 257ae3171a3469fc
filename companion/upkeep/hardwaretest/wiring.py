"""The devices' connections in a configuration, as described in a hardware test."""

import platform

from companion import __version__
from companion.config import Config, ControlsConfig
from companion.languages import said
from companion.play.devices import bindings_of, wirings_of
from companion.upkeep.hardwaretest.buttons import ButtonToTry
from companion.upkeep.hardwaretest.report import Facts
from hardware.pi.board import read_board


def places_of(config: ControlsConfig) -> tuple[ButtonToTry, ...]:
    """Return the configured push-buttons or keys, with the names that their driver uses."""
    if config.driver == "keys":
        return tuple(ButtonToTry(each.button, each.seat, each.name, is_key=True) for each in bindings_of(config))
    return tuple(ButtonToTry(each.button, each.seat, each.name) for each in wirings_of(config))


def facts_of(config: Config) -> Facts:
    """Return the data on the table for a report."""
    board = read_board()
    strip = config.strip
    wiring: dict[str, str] = {place.name: _led_to(config.controls, place) for place in wired(config)}
    if strip.driver == "neopixel":
        wiring[said("strip")] = said(
            "data at {pin}, {pixels} pixels {order}, at most {current} mA",
            pin=f"GPIO{strip.pin}",
            pixels=strip.pixels,
            order=strip.order,
            current=strip.max_ma,
        )
    elif strip.driver != "none":
        wiring[said("strip")] = said(
            "{driver}, {pixels} pixels, at most {current} mA",
            driver=strip.driver,
            pixels=strip.pixels,
            current=strip.max_ma,
        )
    wiring[said("camera")] = f"{config.camera.driver}, {config.camera.size[0]}x{config.camera.size[1]}"
    return Facts(
        __version__,
        "no Raspberry Pi" if board is None else board.model,
        f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
        {"camera": config.camera.driver, "buttons": config.controls.driver, "strip": strip.driver},
        wiring,
    )


def _led_to(config: ControlsConfig, place: ButtonToTry) -> str:
    """Return a description of a push-button's connection."""
    if place.is_key:
        return said("a key, no wire")
    return said("to ground") if config.pull == "up" else said("to {volts} V", volts=3.3)


def wired(config: Config) -> tuple[ButtonToTry, ...]:
    """Return the connected push-buttons or keys; none with the driver "none"."""
    return () if config.controls.driver == "none" else places_of(config.controls)
