"""The time of day, which stands beside every game. A Raspberry Pi forgets it when it is switched off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.doctor.finding import Finding, note, ok

if TYPE_CHECKING:
    from datetime import datetime

    from companion.doctor.machine import Machine

EARLIEST_YEAR: Final = 2025
"""This version is from then: a clock that says less is wrong."""


def check_clock(machine: Machine, now: datetime, *, is_pi: bool) -> Finding:
    """Whether the clock is right."""
    says = "Games are kept under the wrong date; nothing else depends on it."
    if now.year < EARLIEST_YEAR:
        do = "Connect the Pi to a network for a minute, or: sudo date --set '2026-01-31 20:00'"
        return note("clock", f"The clock says {now:%Y-%m-%d}, which cannot be.", says, do)
    synchronised = _synchronised(machine)
    if synchronised:
        return ok("clock", f"{now:%Y-%m-%d %H:%M}, set by the network.")
    if is_pi and not machine.path("/dev/rtc0").exists():
        title = f"The clock says {now:%Y-%m-%d %H:%M}, and nobody has set it since the Pi was switched on."
        return note("clock", title, says, "Connect the Pi to a network: timedatectl set-ntp true")
    if synchronised is None:
        return ok("clock", f"{now:%Y-%m-%d %H:%M}; whether the network sets it is not known.")
    return note("clock", f"{now:%Y-%m-%d %H:%M}; the network does not set the clock.", says, "timedatectl set-ntp true")


def _synchronised(machine: Machine) -> bool | None:
    if machine.path("/run/systemd/timesync/synchronized").exists():
        return True
    told = machine.run(["timedatectl", "show", "--property=NTPSynchronized", "--value"])
    return None if told is None else told.strip() == "yes"
