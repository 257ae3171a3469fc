"""The check of a Raspberry Pi's firmware settings that a strip on SPI depends on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.languages import said
from companion.upkeep.doctor.finding import Finding, fault, note, ok

if TYPE_CHECKING:
    from collections.abc import Collection

    from companion.upkeep.doctor.machine import Machine

FILES: Final = ("/boot/firmware/config.txt", "/boot/config.txt")
"""The path of the settings since bookworm, and the path before."""
_ABOUT: Final = said("strip")


def check_core_clock(machine: Machine, key: str, value: int, filters: Collection[str]) -> Finding:
    """Return the finding on the core clock, from which the SPI clock is derived, and which must not vary with the load.

    Args:
        machine: the Raspberry Pi.
        key: the setting that fixes it, such as "core_freq".
        value: its required value, in MHz.
        filters: the file's sections that apply to this board, such as "pi4".
    """
    file, wanted = next((name for name in FILES if machine.path(name).exists()), None), f"{key}={value}"
    says = said("The SPI clock depends on it, so colours flicker or are wrong whenever the load changes.")
    if file is None:
        title = said("{file} does not exist, so it is not known whether the core clock is fixed.", file=FILES[0])
        return note(_ABOUT, title, says, said("Set {setting} where this system keeps such settings.", setting=wanted))
    if settings_of(machine.text(file) or "", filters).get(key) == str(value):
        return ok(_ABOUT, said("The core clock is fixed: {setting}.", setting=wanted))
    command = f"printf '[all]\\n{wanted}\\n' | sudo tee -a {file}"
    do = said("{command}, then restart the Pi", command=command)
    return fault(_ABOUT, said("The core clock is not fixed: {setting} is missing.", setting=wanted), says, do)


def settings_of(text: str, filters: Collection[str]) -> dict[str, str]:
    """Return the settings in a `config.txt` that apply to this board; later ones win, as in the firmware.

    Args:
        text: the file's text.
        filters: the sections that apply to this board, beside `[all]`.
    """
    settings: dict[str, str] = {}
    # Settings before the first section apply to all boards.
    holds = True
    for line in (line.partition("#")[0].strip() for line in text.splitlines()):
        if line.startswith("["):
            holds = line.strip("[]").lower() in {"all", *filters}
        elif holds and "=" in line:
            key, _, value = line.partition("=")
            settings[key.strip()] = value.strip()
    return settings
