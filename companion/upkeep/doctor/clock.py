"""The check of the clock, by which games are dated; most Raspberry Pis lose the time when switched off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.languages import said
from companion.upkeep.doctor.finding import Finding, note, ok

if TYPE_CHECKING:
    from datetime import datetime

    from companion.upkeep.doctor.machine import Machine

EARLIEST_YEAR: Final = 2025
"""The year of this version; a clock before it is wrong."""
_SET: Final = "timedatectl set-ntp true"
_ABOUT: Final = said("clock")


def check_clock(machine: Machine, now: datetime, *, is_pi: bool) -> Finding:
    """Return the finding on whether the clock is right."""
    says = said("Games are stored under the wrong date; nothing else depends on it.")
    if now.year < EARLIEST_YEAR:
        do = said(
            "Connect the Pi to a network for a minute, or: {command}", command="sudo date --set '2026-01-31 20:00'"
        )
        return note(_ABOUT, said("The clock says {time}, which is impossible.", time=f"{now:%Y-%m-%d}"), says, do)
    shown, synchronised = f"{now:%Y-%m-%d %H:%M}", _synchronised(machine)
    if synchronised:
        return ok(_ABOUT, said("{time}, set by the network.", time=shown))
    # Without a battery-backed clock, the time is that of the last shutdown until a network sets it.
    if is_pi and not machine.path("/dev/rtc0").exists():
        title = said("The clock says {time}, and nobody has set it since the Pi was switched on.", time=shown)
        return note(_ABOUT, title, says, said("Connect the Pi to a network: {command}", command=_SET))
    if synchronised is None:
        return ok(_ABOUT, said("{time}; whether the network sets it is not known.", time=shown))
    return note(_ABOUT, said("{time}; the network does not set the clock.", time=shown), says, _SET)


def _synchronised(machine: Machine) -> bool | None:
    if machine.path("/run/systemd/timesync/synchronized").exists():
        # The file of systemd-timesyncd; timedatectl needs D-Bus, which a minimal system may lack.
        return True
    answer = machine.run(["timedatectl", "show", "--property=NTPSynchronized", "--value"])
    return None if answer is None else answer.strip() == "yes"
