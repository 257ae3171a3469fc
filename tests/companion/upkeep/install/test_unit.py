"""Test the files of systemd/ with systemd's own tools where these are installed."""

from __future__ import annotations

import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from companion.upkeep.install import HALL_UNIT, UNIT

SYSTEMD = Path(__file__).parents[4] / "systemd"
ANALYZE = shutil.which("systemd-analyze")
needs_systemd = pytest.mark.skipif(ANALYZE is None, reason="systemd-analyze is not on this machine")


def written(folder: Path, unit: str) -> Path:
    path = folder / unit
    path.write_text((SYSTEMD / unit).read_text(encoding="utf-8").replace("@COMMAND@", "/usr/bin/env"))
    return path


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    return written(tmp_path, UNIT)


@pytest.fixture(params=[UNIT, HALL_UNIT])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return written(tmp_path, request.param)


def keys(text: str, name: str) -> list[str]:
    return re.findall(rf"^{name}=(.*)$", text, re.MULTILINE)


@needs_systemd
def test_systemd_finds_nothing_to_complain_of(either: Path) -> None:
    ended = subprocess.run([str(ANALYZE), "verify", str(either)], capture_output=True, text=True, check=False)
    # It returns 0 for keys that it does not know, and names them.
    assert (ended.returncode, ended.stdout + ended.stderr) == (0, "")


@needs_systemd
def test_a_key_that_systemd_does_not_know_would_be_seen(unit: Path) -> None:
    unit.write_text(unit.read_text().replace("NoNewPrivileges=", "NoNewPrivilege="))
    ended = subprocess.run([str(ANALYZE), "verify", str(unit)], capture_output=True, text=True, check=False)
    assert "NoNewPrivilege" in ended.stderr


@needs_systemd
def test_the_service_is_exposed_by_at_most_2(either: Path) -> None:
    command = [str(ANALYZE), "security", "--offline=yes", "--threshold=20", "--no-pager", str(either)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout[-400:]
    level = re.search(r"Overall exposure level for \S+: ([\d.]+)", ended.stdout)
    assert level is not None
    assert float(level[1]) <= 2.0


def test_no_group_that_a_machine_may_lack_keeps_the_service_from_starting(unit: Path) -> None:
    text = unit.read_text()
    assert keys(text, "SupplementaryGroups") == []
    sysusers = (SYSTEMD / "sysusers.conf").read_text()
    for group in ("audio", "gpio", "input", "spi", "video"):
        assert re.search(rf"^g {group}\s", sysusers, re.MULTILINE)
        assert re.search(rf"^m quilt-companion {group}$", sysusers, re.MULTILINE)


def test_the_watchdog_outlasts_a_camera_that_is_opened_anew(unit: Path) -> None:
    text = unit.read_text()
    assert keys(text, "Type") == ["notify"]
    assert int(keys(text, "WatchdogSec")[0]) >= 60
    assert keys(text, "Restart") == ["always"]


def test_a_hall_reaches_no_device_and_waits_for_what_comes_later(tmp_path: Path) -> None:
    text = written(tmp_path, HALL_UNIT).read_text()
    assert keys(text, "PrivateDevices") == ["yes"]
    assert keys(text, "Restart") == ["always"]
    assert keys(text, "StartLimitIntervalSec") == ["0"]
    assert int(keys(text, "WatchdogSec")[0]) > 60


def test_devices_are_closed_but_for_those_that_drivers_use(unit: Path) -> None:
    text = unit.read_text()
    assert keys(text, "DevicePolicy") == ["closed"]
    allowed = {line.split()[0] for line in keys(text, "DeviceAllow")}
    assert {
        "char-gpiochip",
        "char-input",
        "char-spi",
        "char-video4linux",
        "char-media",
        "char-dma_heap",
        "char-alsa",
    } <= allowed
    assert "/dev/pio0" in allowed


def test_the_rules_give_each_device_to_a_group_of_the_service() -> None:
    rules = [line for line in (SYSTEMD / "udev.rules").read_text().splitlines() if line and not line.startswith("#")]
    assert len(rules) == 5
    groups = {group for rule in rules for group in re.findall(r'GROUP="(\w+)"', rule)}
    assert groups == {"gpio", "input", "spi", "video"}
    assert all('MODE="0660"' in rule for rule in rules)


def test_the_announcement_is_xml_and_of_a_page() -> None:
    text = (SYSTEMD / "avahi.service").read_text().replace("@PORT@", "8080")
    assert [each.text for each in ET.fromstring(text).iter("type")] == ["_http._tcp"]  # noqa: S314 - our own file
