from __future__ import annotations

import sys
from pathlib import Path

import pytest

from hardware.environment import (
    Environment,
    camera_command,
    is_clash,
    opens_to_system,
    pins_command,
    this_environment,
)

USR = Path("/usr")
INSTALLED = Environment(Path("/opt/quilt-companion"), USR, writable=False, managed=True)
SEALED = Environment(Path("/home/anna/.venv"), USR, sees_system=False, managed=True)
PACKAGED = Environment(Path("/usr/lib/quilt-companion"), USR, writable=False, managed=True)
SYSTEM = Environment(USR, USR, writable=False, managed=True)
FOREIGN = Environment(Path("/home/anna/.venv"), Path("/usr/local"), sees_system=False)


def test_an_environment_of_root_s_is_installed_into_by_its_own_pip() -> None:
    assert INSTALLED.pip("numpy<2") == "sudo /opt/quilt-companion/bin/python3 -m pip install 'numpy<2'"
    assert SEALED.pip("numpy<2") == "/home/anna/.venv/bin/python3 -m pip install 'numpy<2'"


def test_no_remedy_is_a_bare_pip_that_the_system_refuses() -> None:
    assert SYSTEM.pip("rpi_ws281x>=4") == "sudo make install"
    assert SYSTEM.numpy_fitting() == "sudo /usr/bin/python3 -m pip uninstall --yes --break-system-packages numpy"


def test_a_packaged_environment_is_repaired_by_apt() -> None:
    assert PACKAGED.pip("opencv-python-headless") == "sudo apt install --reinstall quilt-companion"


def test_a_camera_stack_built_for_numpy_1_gets_that_one() -> None:
    wanted = "sudo /opt/quilt-companion/bin/python3 -m pip install 'numpy<2' 'opencv-python-headless<4.12'"
    assert INSTALLED.numpy_fitting() == wanted


def test_apt_is_named_only_if_its_packages_can_be_imported() -> None:
    apt = "sudo apt install --no-install-recommends python3-picamera2"
    assert camera_command(INSTALLED) == apt
    assert camera_command(SEALED) == f"{apt} && /usr/bin/python3 -m venv --system-site-packages /home/anna/.venv"
    assert camera_command(FOREIGN) == f"{apt} && sudo make install PYTHON=/usr/bin/python3"


def test_wheels_go_into_an_environment_without_the_systems_packages() -> None:
    assert pins_command(INSTALLED) == "sudo apt install --no-install-recommends python3-gpiozero python3-lgpio"
    assert pins_command(SEALED) == "/home/anna/.venv/bin/python3 -m pip install gpiozero lgpio"


@pytest.mark.parametrize(
    ("cfg", "opens"),
    [("include-system-site-packages = true\n", True), ("include-system-site-packages = false\n", False), ("", False)],
)
def test_an_environment_says_what_it_sees(cfg: str, opens: bool) -> None:
    assert opens_to_system(f"home = /usr/bin\n{cfg}version = 3.11.2\n") is opens


def test_a_clash_is_told_from_other_faults() -> None:
    assert is_clash("numpy.dtype size changed, may indicate binary incompatibility. Expected 96, got 88")
    assert is_clash("numpy.core.multiarray failed to import")
    assert not is_clash("libfoo.so: no such file")


def test_the_environment_that_runs_is_this_one() -> None:
    here = this_environment()
    assert here.prefix == Path(sys.prefix)
    assert here.is_venv is (sys.prefix != sys.base_prefix)
    assert here.is_systems is (sys.base_prefix == "/usr")
