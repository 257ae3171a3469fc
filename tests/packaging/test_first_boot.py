"""Test what the first start changes in a card's files; its installation is tested in chroots, by hand."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hardware.drivers.neopixel import boot_settings
from hardware.environment import board_of

if TYPE_CHECKING:
    from collections.abc import Sequence

SCRIPT = Path(__file__).parents[2] / "packaging" / "first-boot.sh"
USER_DATA = SCRIPT.with_name("user-data")
CONFIG = "boot/firmware/config.txt"
BEFORE = "dtparam=audio=on\n[cm4]\notg_mode=1\n"


def started(root: Path, model: str, *, name: str = "quilt") -> str:
    """Run a card's first start and return its `config.txt`."""
    (root / "boot" / "firmware").mkdir(parents=True, exist_ok=True)
    (root / "etc").mkdir(exist_ok=True)
    config = root / CONFIG
    if not config.exists():
        config.write_text(BEFORE)
        (root / "etc" / "hostname").write_text("raspberrypi\n")
        (root / "etc" / "hosts").write_text("127.0.0.1\tlocalhost\n127.0.1.1\traspberrypi\n")
    (root / "model").write_text(model + "\0")
    environ = {**os.environ, "ROOT": str(root), "MODEL": str(root / "model"), "NAME": name}
    subprocess.run(["/bin/sh", SCRIPT], env=environ, check=True, capture_output=True)
    return config.read_text()


@pytest.mark.parametrize(
    "model",
    [
        "Raspberry Pi 4 Model B Rev 1.4",
        "Raspberry Pi 3 Model B Plus Rev 1.3",
        "Raspberry Pi Zero 2 W Rev 1.0",
        "Raspberry Pi Compute Module 4 Rev 1.0",
    ],
)
def test_spi_and_its_clock_are_set_as_the_doctor_wants_them(tmp_path: Path, model: str) -> None:
    text = started(tmp_path, model)
    board = board_of(model)
    assert board is not None
    assert board.core_clock is not None
    key, value = board.core_clock
    settings = boot_settings(text, board.filters)
    assert (settings["dtparam"], settings[key]) == ("spi=on", str(value))
    assert text.startswith(BEFORE)


@pytest.mark.parametrize("model", ["Raspberry Pi 5 Model B Rev 1.0", "Raspberry Pi Compute Module 5", "ThinkPad"])
def test_a_board_without_spi_keeps_its_settings(tmp_path: Path, model: str) -> None:
    assert started(tmp_path, model) == BEFORE


def test_a_second_start_changes_nothing(tmp_path: Path) -> None:
    once = started(tmp_path, "Raspberry Pi 4 Model B")
    hosts = (tmp_path / "etc" / "hosts").read_text()
    assert started(tmp_path, "Raspberry Pi 4 Model B") == once
    assert (tmp_path / "etc" / "hosts").read_text() == hosts == "127.0.0.1\tlocalhost\n127.0.1.1\tquilt\n"


@pytest.mark.parametrize(("name", "called"), [("quilt", "quilt"), ("", "raspberrypi")])
def test_the_machine_is_called_as_the_page_is_to_be_found_unless_it_is_not_to_be(
    tmp_path: Path, name: str, called: str
) -> None:
    started(tmp_path, "Raspberry Pi 5", name=name)
    assert (tmp_path / "etc" / "hostname").read_text().strip() == called


def test_cloud_init_is_given_commands_that_are_there() -> None:
    lines: Sequence[str] = USER_DATA.read_text().splitlines()
    assert lines[0] == "#cloud-config"
    assert "  - [sh, /usr/local/src/quilt-companion/packaging/first-boot.sh]" in lines
    assert "source=/usr/local/src/quilt-companion" in SCRIPT.read_text()


def test_a_card_whose_installation_failed_does_not_restart_as_if_it_had_not() -> None:
    condition = re.search(r"^  condition: test -x (\S+)$", USER_DATA.read_text(), re.MULTILINE)
    assert condition is not None
    assert f"ln -sf {condition[1]} " in SCRIPT.read_text()
