"""The operating system, Python, and the environment that Python runs in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.doctor.finding import Finding, fault, note, ok
from companion.languages import said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.doctor.machine import Machine

OLDEST_DEBIAN: Final = 12
"""Bookworm: the first with Python 3.11, and with a picamera2 that is still looked after."""
OLDEST_PYTHON: Final = (3, 11)
NEWEST_PYTHON: Final = (3, 13)

_SYSTEM: Final = said("system")
_PYTHON: Final = "python"
_VENV: Final = "/usr/bin/python3 -m venv --system-site-packages .venv"


def check_os(machine: Machine, *, is_pi: bool) -> Finding:
    """Which operating system this is."""
    release = dict(
        line.partition("=")[::2] for line in (machine.text("/etc/os-release") or "").splitlines() if "=" in line
    )
    name = release.get("PRETTY_NAME", "").strip('"') or said("an unknown system")
    version = release.get("VERSION_ID", "").strip('"')
    if is_pi and release.get("ID", "").strip('"') not in {"debian", "raspbian"}:
        says = said("Drivers for the camera and the pins come with Raspberry Pi OS; elsewhere they may be missing.")
        return note(
            _SYSTEM,
            said("This Raspberry Pi runs {name}.", name=name),
            says,
            said("If the camera is not found: Raspberry Pi OS."),
        )
    if is_pi and version.isdecimal() and int(version) < OLDEST_DEBIAN:
        return fault(
            _SYSTEM,
            said("{name} is too old.", name=name),
            said("Its camera software is not the one that the companion speaks to."),
            said("Write Raspberry Pi OS (64-bit, bookworm or newer) to the card with Raspberry Pi Imager."),
        )
    return ok(_SYSTEM, said("{fault}.", fault=name))


def check_python(version: tuple[int, int, int]) -> Finding:
    """Whether this Python will do."""
    named = f"Python {'.'.join(map(str, version))}"
    if version[:2] < OLDEST_PYTHON:
        says = said("The companion does not run on it.")
        return fault(
            _PYTHON, said("{name} is too old.", name=named), says, said("Install {name} or newer.", name="Python 3.11")
        )
    if version[:2] > NEWEST_PYTHON:
        return note(_PYTHON, said("{name} is newer than what the companion was tried on.", name=named))
    return ok(_PYTHON, said("{fault}.", fault=named))


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
            _PYTHON,
            said("This Python lives in {folder} and is not the system's.", folder=base_prefix),
            said("picamera2 and libcamera come with the system, for its own Python only."),
            said("Make the environment anew with the system's Python: {command}", command=_VENV),
        )
    elif not _sees_system(venv or ""):
        yield fault(
            _PYTHON,
            said("The environment does not see the system's packages."),
            said("picamera2 and libcamera come with the system, and cannot be imported here."),
            said("Make the environment anew: {command}", command=_VENV),
        )
    else:
        yield ok(_PYTHON, said("The environment sees the system's packages."))


def _sees_system(venv: str) -> bool:
    pairs = (line.partition("=") for line in venv.splitlines())
    return any(key.strip() == "include-system-site-packages" and value.strip() == "true" for key, _, value in pairs)
