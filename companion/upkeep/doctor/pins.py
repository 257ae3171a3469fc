"""The checks of a Raspberry Pi's pins: push-buttons, and the strip's data wire."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.languages import all_of, any_of, halves, listed, said
from companion.upkeep.doctor.finding import Finding, fault, note, ok
from hardware.environment import pins_command

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.config import ControlsConfig, StripConfig
    from companion.languages import Sentence
    from companion.upkeep.doctor.libraries import Load
    from companion.upkeep.doctor.machine import Machine
    from hardware.environment import Environment

SPI_PINS: Final = (7, 8, 9, 10, 11)
"""The pins that the kernel's SPI occupies once it is enabled: two chip selects, MISO, MOSI, clock."""
_I2C_PINS: Final = (2, 3)
_SERIAL_PINS: Final = (14, 15)
_MODULES: Final = ("gpiozero", "lgpio")
_BUTTONS: Final = said("buttons")
_STRIP: Final = said("strip")


def check_buttons(
    controls: ControlsConfig, machine: Machine, load: Load, environment: Environment
) -> Iterator[Finding]:
    """Yield the findings on the push-buttons' pins."""
    chips = machine.devices("gpiochip*")
    if not chips:
        yield fault(
            _BUTTONS,
            said("There are no GPIO pins on this machine."),
            said("Push-buttons cannot be read."),
            said(
                "Use a Raspberry Pi, or set {key} and play hands-free or on the page.", key='[controls] driver = "none"'
            ),
        )
        return
    if not any(machine.reaches(machine.path(chip)) for chip in chips):
        says = said("Push-buttons cannot be read.")
        do = said("{command}, then log in again", command="sudo usermod -aG gpio $USER")
        yield fault(_BUTTONS, said("{device} cannot be used by this user.", device=chips[0]), says, do)
    else:
        yield ok(_BUTTONS, said("{device} can be used.", device=chips[0]))
    yield from _gpiozero(load, environment)
    yield from _special_pins(controls, machine)


def check_strip(strip: StripConfig, controls: ControlsConfig, in_the_way: str | None) -> Iterator[Finding]:
    """Yield the findings on whether the strip can be driven.

    Args:
        strip: the strip's configuration.
        controls: the push-buttons' configuration, whose pins must be different.
        in_the_way: the reason why the driver cannot work on this board, with the remedy, or None if it can.
    """
    if in_the_way is not None:
        what, do = halves(in_the_way)
        do = do or said("See {file}.", file="docs/build.md")
        says = said("The strip shows no light; you can play without it.")
        yield fault(_STRIP, said("The strip cannot be driven: {fault}.", fault=what), says, do)
        return
    if strip.driver == "wled":
        yield ok(_STRIP, said("WLED answers at {name}.", name=strip.wled_host or ""))
        return
    yield ok(_STRIP, said("A strip at {pin} can be driven on this board.", pin=f"GPIO{strip.pin}"))
    used = {*controls.confirm_pins, *controls.advance_pins, *controls.undo_pins, *controls.lamp_pins}
    taken = sorted(used & ({strip.pin} | (set(SPI_PINS) if strip.pin == 10 else set())))
    # The pins of other drivers are defaults without meaning.
    if taken and controls.driver == "gpio":
        spi = said("The strip is driven by SPI, which uses {first} to {last}.", first="GPIO7", last="GPIO11")
        says = spi if strip.pin == 10 else said("The strip uses that pin.")
        yield fault(
            _STRIP,
            _button_at(taken),
            says,
            said("Connect it to another pin and change {section}.", section="[controls]"),
        )


def _button_at(pins: Sequence[int]) -> Sentence:
    return said("A push-button is at {pins}.", pins=listed([f"GPIO{pin}" for pin in pins]))


def _gpiozero(load: Load, environment: Environment) -> Iterator[Finding]:
    try:
        for module in _MODULES:
            load(module)
    # lgpio writes a file into the working directory when it is imported, and fails if it cannot.
    except (ImportError, OSError, RuntimeError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        yield fault(
            _BUTTONS,
            said("{modules} cannot be imported: {fault}", modules=any_of(_MODULES), fault=reason),
            said("No press is noticed."),
            pins_command(environment),
        )
    else:
        yield ok(_BUTTONS, said("{modules} can be imported.", modules=all_of(_MODULES)))


def _special_pins(controls: ControlsConfig, machine: Machine) -> Iterator[Finding]:
    used = {*controls.confirm_pins, *controls.advance_pins, *controls.undo_pins, *controls.lamp_pins}
    for pins, device, says, key in (
        (_I2C_PINS, "/dev/i2c-1", said("I2C is switched on and uses that pin."), "do_i2c 1"),
        (
            _SERIAL_PINS,
            "/dev/serial0",
            said("The serial console is switched on and uses that pin."),
            "do_serial_cons 1",
        ),
    ):
        taken = sorted(used & set(pins))
        if taken and machine.path(device).exists():
            do = said("{command}, or connect the button to another pin", command=f"sudo raspi-config nonint {key}")
            yield note(_BUTTONS, _button_at(taken[:1]), says, do)
