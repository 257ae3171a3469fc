"""The checks of the operating system, Python, and its environment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.languages import said
from companion.upkeep.doctor.finding import Finding, fault, note, ok

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.upkeep.doctor.machine import Machine
    from hardware.environment import Environment

OLDEST_DEBIAN: Final = 12
"""Bookworm, the first with Python 3.11 and a maintained picamera2."""
OLDEST_PYTHON: Final = (3, 11)
NEWEST_PYTHON: Final = (3, 13)

_SYSTEM: Final = said("system")
_PYTHON: Final = "python"


def check_os(machine: Machine, *, is_pi: bool) -> Finding:
    """Return the finding that names the operating system."""
    release = dict(
        line.partition("=")[::2] for line in (machine.text("/etc/os-release") or "").splitlines() if "=" in line
    )
    name = release.get("PRETTY_NAME", "").strip('"') or said("an unknown operating system")
    version = release.get("VERSION_ID", "").strip('"')
    if is_pi and release.get("ID", "").strip('"') not in {"debian", "raspbian"}:
        says = said("Raspberry Pi OS includes the drivers for the camera and the pins; other systems may not.")
        return note(
            _SYSTEM,
            said("This Raspberry Pi runs {name}.", name=name),
            says,
            said("If the camera is not found, use Raspberry Pi OS."),
        )
    if is_pi and version.isdecimal() and int(version) < OLDEST_DEBIAN:
        return fault(
            _SYSTEM,
            said("{name} is too old.", name=name),
            said("The companion does not work with its camera software."),
            said("Use Raspberry Pi Imager to write Raspberry Pi OS (64-bit, bookworm or newer) to the card."),
        )
    return ok(_SYSTEM, said("{fault}.", fault=name))


def check_python(version: tuple[int, int, int]) -> Finding:
    """Return the finding on the version of Python."""
    named = f"Python {'.'.join(map(str, version))}"
    if version[:2] < OLDEST_PYTHON:
        says = said("The companion does not run on it.")
        return fault(
            _PYTHON, said("{name} is too old.", name=named), says, said("Install {name} or newer.", name="Python 3.11")
        )
    if version[:2] > NEWEST_PYTHON:
        return note(_PYTHON, said("{name} is newer than the versions that the companion was tested with.", name=named))
    return ok(_PYTHON, said("{fault}.", fault=named))


def check_environment(environment: Environment, *, needs_system: bool) -> Iterator[Finding]:
    """Yield the findings on whether Python sees the system's packages, such as picamera2.

    Args:
        environment: the environment of the running Python.
        needs_system: whether a driver is available only from the system's packages.
    """
    if not needs_system or (environment.is_systems and not environment.is_venv):
        return
    if not environment.is_systems:
        yield fault(
            _PYTHON,
            said("This Python is in {folder} and is not the system’s.", folder=str(environment.base_prefix)),
            said("picamera2 and libcamera come with the system and work only with its own Python."),
            said("Create the environment again with the system’s Python: {command}", command=environment.opened()),
        )
    elif not environment.sees_system:
        yield fault(
            _PYTHON,
            said("The environment cannot use the system’s packages."),
            said("picamera2 and libcamera come with the system and cannot be imported here."),
            said("Allow the environment to use them: {command}", command=environment.opened()),
        )
    else:
        yield ok(_PYTHON, said("The environment can use the system’s packages."))
