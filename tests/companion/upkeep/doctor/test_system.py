from __future__ import annotations

from pathlib import Path

import pytest

from companion.upkeep.doctor.system import check_environment, check_os, check_python
from hardware.diagnosis import Level
from hardware.environment import Environment
from tests.companion.upkeep.doctor.conftest import Plant, faults, levels

RELEASE = 'PRETTY_NAME="Debian GNU/Linux {0}"\nID=debian\nVERSION_ID="{0}"\n'


@pytest.mark.parametrize(("version", "level"), [("13", Level.OK), ("12", Level.OK), ("11", Level.FAULT)])
def test_an_old_raspberry_pi_os_is_told(plant: Plant, version: str, level: Level) -> None:
    machine = plant({"/etc/os-release": RELEASE.format(version)})
    found = check_os(machine, is_pi=True)
    assert found.level is level
    assert f"Debian GNU/Linux {version}" in found.title


def test_a_pc_may_run_what_it_likes(plant: Plant) -> None:
    assert check_os(plant({"/etc/os-release": "PRETTY_NAME=Arch\nID=arch\n"}), is_pi=False).level is Level.OK
    assert check_os(plant({"/etc/os-release": "PRETTY_NAME=Arch\nID=arch\n"}), is_pi=True).level is Level.NOTE
    assert "unknown" in check_os(plant({"/etc/os-release": ""}), is_pi=False).title


@pytest.mark.parametrize(
    ("version", "level"),
    [((3, 10, 4), Level.FAULT), ((3, 11, 0), Level.OK), ((3, 13, 9), Level.OK), ((3, 14, 0), Level.NOTE)],
)
def test_pythons_version(version: tuple[int, int, int], level: Level) -> None:
    assert check_python(version).level is level


def environment(prefix: str, base: str, *, sees_system: bool = True) -> Environment:
    return Environment(Path(prefix), Path(base), sees_system=sees_system)


def test_an_environment_without_the_systems_packages_is_told() -> None:
    sealed = environment("/home/me/.venv", "/usr", sees_system=False)
    (found,) = check_environment(sealed, needs_system=True)
    assert (found.level, found.title) == (Level.FAULT, "The environment cannot use the system’s packages.")
    assert "/usr/bin/python3 -m venv --system-site-packages /home/me/.venv" in found.do
    assert levels(check_environment(environment("/home/me/.venv", "/usr"), needs_system=True)) == ["ok"]


@pytest.mark.parametrize("base", ["/usr/local", "/home/me/.local/share/uv/python/cpython-3.11"])
def test_a_python_that_is_not_the_systems_is_told(base: str) -> None:
    assert "is not the system’s" in faults(check_environment(environment("/x", base), needs_system=True))[0]


def test_the_environment_is_no_finding_if_no_driver_needs_the_system() -> None:
    assert list(check_environment(environment("/x", "/usr/local", sees_system=False), needs_system=False)) == []
    assert list(check_environment(environment("/usr", "/usr"), needs_system=True)) == []
