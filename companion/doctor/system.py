"""The operating system, Python, and the environment that Python runs in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.doctor.finding import Finding, fault, note, ok

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.doctor.machine import Machine

OLDEST_DEBIAN: Final = 12
"""Bookworm: the first with Python 3.11, and with a picamera2 that is still looked after."""
OLDEST_PYTHON: Final = (3, 11)
NEWEST_PYTHON: Final = (3, 13)

_VENV: Final = "/usr/bin/python3 -m venv --system-site-packages .venv"


def check_os(machine: Machine, *, is_pi: bool) -> Finding:
    """Which operating system this is."""
    release = dict(
        line.partition("=")[::2] for line in (machine.text("/etc/os-release") or "").splitlines() if "=" in line
    )
    name = release.get("PRETTY_NAME", "an unknown system").strip('"')
    version = release.get("VERSION_ID", "").strip('"')
    if is_pi and release.get("ID", "").strip('"') not in {"debian", "raspbian"}:
        says = "Drivers for the camera and the pins come with Raspberry Pi OS; elsewhere they may be missing."
        return note("system", f"This Raspberry Pi runs {name}.", says, "If the camera is not found: Raspberry Pi OS.")
    if is_pi and version.isdecimal() and int(version) < OLDEST_DEBIAN:
        return fault(
            "system",
            f"{name} is too old.",
            "Its camera software is not the one that the companion speaks to.",
            "Write Raspberry Pi OS (64-bit, bookworm or newer) to the card with Raspberry Pi Imager.",
        )
    return ok("system", f"{name}.")


def check_python(version: tuple[int, int, int]) -> Finding:
    """Whether this Python will do."""
    named = ".".join(map(str, version))
    if version[:2] < OLDEST_PYTHON:
        says = "The companion does not run on it."
        return fault("python", f"Python {named} is too old.", says, "Install Python 3.11 or newer.")
    if version[:2] > NEWEST_PYTHON:
        return note("python", f"Python {named} is newer than what the companion was tried on.")
    return ok("python", f"Python {named}.")


def check_environment(prefix: str, base_prefix: str, venv: str | None, *, needs_system: bool) -> Iterator[Finding]:
    """Whether Python finds what comes with the system, such as picamera2.

    Args:
        prefix: of the Python that runs.
        base_prefix: of the Python that its environment was made from.
        venv: what stands in the environment's `pyvenv.cfg`; None where there is none.
        needs_system: whether a driver comes with the system alone.
    """
    if not needs_system or (prefix == base_prefix and prefix.startswith("/usr")):
        return
    if not base_prefix.startswith("/usr") or base_prefix.startswith("/usr/local"):
        yield fault(
            "python",
            f"This Python lives in {base_prefix} and is not the system's.",
            "picamera2 and libcamera come with the system, for its own Python only.",
            f"Make the environment anew with the system's Python: {_VENV}",
        )
    elif not _sees_system(venv or ""):
        yield fault(
            "python",
            "The environment does not see the system's packages.",
            "picamera2 and libcamera come with the system, and cannot be imported here.",
            f"Make the environment anew: {_VENV}",
        )
    else:
        yield ok("python", "The environment sees the system's packages.")


def _sees_system(venv: str) -> bool:
    pairs = (line.partition("=") for line in venv.splitlines())
    return any(key.strip() == "include-system-site-packages" and value.strip() == "true" for key, _, value in pairs)
