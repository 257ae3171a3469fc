"""The checks of a Raspberry Pi's supply voltage and temperature."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from companion.languages import said
from companion.upkeep.doctor.finding import Finding, fault, note, ok

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.languages import Sentence
    from companion.upkeep.doctor.machine import Machine

UNDERVOLTAGE: Final = 1 << 0
CAPPED: Final = 1 << 1
THROTTLED: Final = 1 << 2
WARM: Final = 1 << 3
SINCE_START: Final = 16
"""The bits of `vcgencmd get_throttled` (Raspberry Pi documentation, "vcgencmd"): the current flags and, shifted left by
SINCE_START, those that have been set since the start."""

HOT_C: Final = 80.0
"""The temperature at which a Pi begins to throttle."""
_BITS: Final = re.compile(r"throttled=0x([0-9a-fA-F]+)")
_SUPPLY: Final = said(
    "Use the official supply (5 V 3 A; Pi 5: 5 A) and a short cable, and another supply for the strip."
)
_COOLER: Final = said("Add a cooler, and let air into the case.")
_ABOUT: Final = said("power")


def throttled_bits(machine: Machine) -> int | None:
    """Return the firmware's flags on supply and temperature, or None if they are not available."""
    found = _BITS.search(machine.run(["vcgencmd", "get_throttled"]) or "")
    if found is not None:
        return int(found[1], 16)
    # The kernel's own alarm, for systems without vcgencmd, which does not tell now from before.
    for name in sorted(machine.path("/sys/class/hwmon").glob("hwmon*/name")):
        monitor = f"/sys/class/hwmon/{name.parent.name}"
        if machine.text(f"{monitor}/name") == "rpi_volt":
            alarm = machine.text(f"{monitor}/in0_lcrit_alarm")
            return None if alarm is None else (UNDERVOLTAGE << SINCE_START if alarm == "1" else 0)
    return None


def check_power(machine: Machine, *, is_pi: bool) -> Iterator[Finding]:
    """Yield the findings on the Pi's supply and temperature."""
    bits = throttled_bits(machine)
    if bits is None:
        if is_pi:
            do = said("{command}; be in the group {group}", command="sudo apt install raspi-utils", group="video")
            yield note(_ABOUT, said("The firmware does not say whether the power supply is strong enough."), do=do)
        return
    yield _supply(bits)
    yield from _heat(bits, machine)


def _supply(bits: int) -> Finding:
    if bits & UNDERVOLTAGE:
        says = said("The Pi slows down and may restart at any moment; cameras and cards may fail in strange ways.")
        return fault(_ABOUT, said("The power supply is too weak right now."), says, _SUPPLY)
    if bits & UNDERVOLTAGE << SINCE_START:
        says = said("This happened at least for a moment; it will happen again when all lights are on.")
        return fault(
            _ABOUT, said("The power supply was too weak at some time since the Pi was switched on."), says, _SUPPLY
        )
    return ok(_ABOUT, said("The power supply has been strong enough since the Pi was switched on."))


def _heat(bits: int, machine: Machine) -> Iterator[Finding]:
    now, before = bits & (CAPPED | THROTTLED | WARM), bits >> SINCE_START & (CAPPED | THROTTLED | WARM)
    millidegrees = machine.text("/sys/class/thermal/thermal_zone0/temp") or ""
    degrees = int(millidegrees) / 1000 if millidegrees.lstrip("-").isdecimal() else None
    if now or (degrees is not None and degrees >= HOT_C):
        says = said("It works more slowly than it could; pictures are read with a delay.")
        yield note(_ABOUT, _warm(said("The Pi is throttled now, usually because of heat"), degrees), says, _COOLER)
    elif before:
        yield note(
            _ABOUT, _warm(said("The Pi was throttled at some time since it was switched on"), degrees), do=_COOLER
        )
    elif degrees is not None:
        yield ok(_ABOUT, said("{degrees} °C.", degrees=round(degrees)))


def _warm(says: Sentence, degrees: float | None) -> Sentence:
    if degrees is None:
        return said("{fault}.", fault=says)
    return said("{fault} ({degrees} °C).", fault=says, degrees=round(degrees))
