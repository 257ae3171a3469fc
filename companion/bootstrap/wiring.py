"""How the devices of a configuration are connected, in the words of a hardware test."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING

from companion import __version__
from companion.hardwaretest import Facts
from companion.hardwaretest.buttons import Place
from hardware.pi.board import read_board
from hardware.ports import Button

if TYPE_CHECKING:
    from companion.config import Config, ControlsConfig


def places_of(config: ControlsConfig) -> tuple[Place, ...]:
    """The push-buttons of the configuration."""
    pins = {
        Button.CONFIRM: config.confirm_pins, Button.ADVANCE: config.advance_pins, Button.UNDO: config.undo_pins,
    }  # fmt: skip
    return tuple(
        Place(button, seat, _name(button, seat, pin))
        for button, numbers in pins.items()
        for seat, pin in (((None, numbers[0]),) if len(numbers) == 1 else enumerate(numbers, 1))
    )


def facts_of(config: Config) -> Facts:
    """What a report says of the table."""
    board = read_board()
    strip = config.strip
    wiring = {place.name: "to ground" if config.controls.pull == "up" else "to 3.3 V" for place in wired(config)}
    if strip.driver == "neopixel":
        wiring["strip"] = f"data at GPIO{strip.pin}, {strip.pixels} pixels {strip.order}, at most {strip.max_ma} mA"
    elif strip.driver != "none":
        wiring["strip"] = f"{strip.driver}, {strip.pixels} pixels, at most {strip.max_ma} mA"
    wiring["camera"] = f"{config.camera.driver}, {config.camera.size[0]}x{config.camera.size[1]}"
    return Facts(
        __version__,
        "no Raspberry Pi" if board is None else board.model,
        f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
        {"camera": config.camera.driver, "buttons": config.controls.driver, "strip": strip.driver},
        wiring,
    )


def wired(config: Config) -> tuple[Place, ...]:
    """The push-buttons that are connected; none where there are none."""
    return () if config.controls.driver == "none" else places_of(config.controls)


def _name(button: Button, seat: int | None, pin: int) -> str:
    """As the driver names it, so that what it complains of is found again."""
    whose = "" if seat is None else f" of seat {seat}"
    return f"{button.value} button{whose} (GPIO{pin})"
