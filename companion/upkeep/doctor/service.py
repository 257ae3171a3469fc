"""The check of the installed service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.languages import counted, said
from companion.upkeep.doctor.finding import Finding, fault, note, ok
from companion.upkeep.install.plan import UNIT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.languages import Sentence
    from companion.upkeep.doctor.machine import Machine

_PLACES: Final = ("/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system")
"""The folders in which `companion install` and a Debian package place the unit."""
_ABOUT: Final = said("service")


def check_service(machine: Machine) -> Iterator[Finding]:
    """Yield the findings on the service; none if it is not installed."""
    if not any(machine.path(f"{folder}/{UNIT}").exists() for folder in _PLACES):
        return
    shown = machine.run(["systemctl", "show", UNIT, "--property=ActiveState,NRestarts,UnitFileState"])
    if shown is None:
        yield note(_ABOUT, said("systemd does not report the state of the service."))
        return
    state = dict(line.partition("=")[::2] for line in shown.splitlines())
    restarts = state.get("NRestarts", "0")
    if state.get("ActiveState") == "failed":
        says = said("The companion does not run when the Pi is switched on.")
        yield fault(_ABOUT, said("The service has failed."), says, _why(30))
    elif restarts.isdecimal() and int(restarts) > 0:
        says = counted(
            "The service was restarted {count} time.", "The service was restarted {count} times.", int(restarts)
        )
        yield note(_ABOUT, says, do=_why(100))
    elif state.get("ActiveState") == "active":
        yield ok(_ABOUT, said("The service is running."))
    elif state.get("UnitFileState") == "enabled":
        yield note(_ABOUT, said("The service is stopped until the next start."), do=f"sudo systemctl start {UNIT}")
    else:
        yield note(_ABOUT, said("The service is installed but not enabled."), do=f"sudo systemctl enable --now {UNIT}")


def _why(lines: int) -> Sentence:
    return said("{command} says why", command=f"journalctl -u {UNIT} -n {lines}")
