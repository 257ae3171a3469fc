"""The service, where it is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.doctor.finding import Finding, fault, note, ok

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.doctor.machine import Machine

UNIT: Final = "quilt-companion.service"


def check_service(machine: Machine) -> Iterator[Finding]:
    """Whether the service runs; nothing where it is not installed."""
    if not machine.path(f"/etc/systemd/system/{UNIT}").exists():
        return
    shown = machine.run(["systemctl", "show", UNIT, "--property=ActiveState,NRestarts,UnitFileState"])
    if shown is None:
        yield note("service", "systemd does not say how the service is.")
        return
    state = dict(line.partition("=")[::2] for line in shown.splitlines())
    restarts = state.get("NRestarts", "0")
    if state.get("ActiveState") == "failed":
        says = "Nobody keeps the books when the Pi is switched on."
        yield fault("service", "The service has failed.", says, f"journalctl -u {UNIT} -n 30 says why")
    elif restarts.isdecimal() and int(restarts) > 0:
        says = f"The service was started anew {restarts} times."
        yield note("service", says, do=f"journalctl -u {UNIT} -n 100 says why")
    elif state.get("ActiveState") == "active":
        yield ok("service", "The service runs.")
    elif state.get("UnitFileState") == "enabled":
        yield note("service", "The service is stopped until the next start.", do=f"sudo systemctl start {UNIT}")
    else:
        yield note("service", "The service is installed and not enabled.", do=f"sudo systemctl enable --now {UNIT}")
