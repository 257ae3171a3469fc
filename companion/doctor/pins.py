"""The pins of a Raspberry Pi: push-buttons, the strip's data wire, and who may use them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.doctor.finding import Finding, fault, note, ok

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from companion.config import ControlsConfig, StripConfig
    from companion.doctor.libraries import Load
    from companion.doctor.machine import Machine

SPI_PINS: Final = (7, 8, 9, 10, 11)
"""What the kernel's SPI takes (two chip selects, MISO, MOSI, clock) as soon as it is switched on."""
_I2C_PINS: Final = (2, 3)
_SERIAL_PINS: Final = (14, 15)
_LIBRARIES: Final = "sudo apt install python3-gpiozero python3-lgpio"


def check_buttons(controls: ControlsConfig, machine: Machine, load: Load) -> Iterator[Finding]:
    """Whether the push-buttons' pins can be used."""
    chips = machine.devices("gpiochip*")
    if not chips:
        yield fault(
            "buttons",
            "There are no GPIO pins on this machine.",
            "Push-buttons cannot be read.",
            'Use a Raspberry Pi, or set [controls] driver = "none" and play hands-free or by the page.',
        )
        return
    if not any(machine.reaches(machine.path(chip)) for chip in chips):
        says = "Push-buttons cannot be read."
        do = "sudo usermod -aG gpio $USER, then log in anew"
        yield fault("buttons", f"{chips[0]} may not be used by this user.", says, do)
    else:
        yield ok("buttons", f"{chips[0]} may be used.")
    yield from _gpiozero(load)
    yield from _special_pins(controls, machine)


def check_strip(strip: StripConfig, controls: ControlsConfig, in_the_way: str | None) -> Iterator[Finding]:
    """Whether the strip can be driven.

    Args:
        strip: as it is configured.
        controls: whose pins must be others.
        in_the_way: what the driver says is in its way on this board, with what to do; None for nothing.
    """
    if in_the_way is not None:
        what, _, do = in_the_way.partition(";")
        do = do.strip() or "See docs/build.md."
        says = "No light is shown; the game can be played without."
        yield fault("strip", f"The strip cannot be driven: {what}.", says, do)
        return
    if strip.driver == "wled":
        yield ok("strip", f"WLED answers at {strip.wled_host}.")
        return
    yield ok("strip", f"A strip at GPIO{strip.pin} can be driven on this board.")
    used = {*controls.confirm_pins, *controls.advance_pins, *controls.undo_pins, *controls.lamp_pins}
    taken = sorted(used & ({strip.pin} | (set(SPI_PINS) if strip.pin == 10 else set())))
    if taken and controls.driver == "gpio":
        named = ", ".join(f"GPIO{pin}" for pin in taken)
        says = "The strip is driven by SPI, which takes GPIO7 to 11." if strip.pin == 10 else "The strip has that pin."
        yield fault("strip", f"A push-button is at {named}.", says, "Connect it elsewhere and change [controls].")


def check_groups(mine: Collection[str], known: Collection[str], needed: Collection[str], *, root: bool) -> Finding:
    """Whether this user is in the groups that may use the devices.

    Args:
        mine: the names of this user's groups.
        known: those of this machine.
        needed: those that own the devices that are used.
        root: whether this user is root, who needs none.
    """
    missing = sorted(set(needed) - set(mine))
    if root or not missing:
        return ok("groups", "This user may do everything." if root else f"In {', '.join(sorted(needed)) or 'none'}.")
    strange = [name for name in missing if name not in known]
    do = f"sudo usermod -aG {','.join(missing)} $USER, then log in anew"
    if strange:
        do = " && ".join(f"sudo groupadd --system {name}" for name in strange) + f"; {do}"
    says = "Their devices cannot be used, whatever the rest says."
    return fault("groups", f"This user is not in {', '.join(missing)}.", says, do)


def _gpiozero(load: Load) -> Iterator[Finding]:
    try:
        load("gpiozero")
        load("lgpio")
    except (ImportError, OSError, RuntimeError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        yield fault("buttons", f"gpiozero or lgpio cannot be imported: {reason}", "No press is heard.", _LIBRARIES)
    else:
        yield ok("buttons", "gpiozero and lgpio can be imported.")


def _special_pins(controls: ControlsConfig, machine: Machine) -> Iterator[Finding]:
    used = {*controls.confirm_pins, *controls.advance_pins, *controls.undo_pins, *controls.lamp_pins}
    for pins, device, name, key in (
        (_I2C_PINS, "/dev/i2c-1", "I2C", "do_i2c 1"),
        (_SERIAL_PINS, "/dev/serial0", "the serial console", "do_serial_cons 1"),
    ):
        taken = sorted(used & set(pins))
        if taken and machine.path(device).exists():
            says = f"{name[0].upper()}{name[1:]} is switched on and has that pin."
            do = f"sudo raspi-config nonint {key}, or connect the button elsewhere"
            yield note("buttons", f"A push-button is at GPIO{taken[0]}.", says, do)
