"""Test all checks together on a fake machine in a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.registry import codecs
from companion.upkeep.doctor.diagnosing import Installation, diagnose
from companion.upkeep.doctor.system import Membership
from hardware.diagnosis import Finding, Level, Machine
from tests.vendors.wled import wled

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

REAL = """
[camera]
driver = "pi"
[controls]
driver = "gpio"
[strip]
driver = "neopixel"
"""


def found(
    tmp_path: Path, config: str | None = None, model: str | None = None, *, simulate: bool = False
) -> list[Finding]:
    path = None
    if config is not None:
        path = tmp_path / "config.toml"
        path.write_text(config)
    root = tmp_path / "machine"
    (root / "proc" / "device-tree").mkdir(parents=True)
    if model is not None:
        (root / "proc" / "device-tree" / "model").write_text(model + "\0")
    environ = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "none")}
    machine = Machine(root, lambda _: None, load=lambda _: object())
    installation = Installation(machine, environ, codecs(), (), path, tmp_path / "data", look=lambda: None)
    return list(diagnose(installation, simulate=simulate))


def faults(findings: list[Finding]) -> list[str]:
    return [finding.title for finding in findings if finding.level is Level.FAULT]


@pytest.fixture(autouse=True)
def no_system_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("companion.config.text.SYSTEM_CONFIG", tmp_path / "none")
    monkeypatch.setattr("companion.upkeep.doctor.diagnosing.find_config", lambda _: None)


def test_a_simulated_table_needs_no_device(tmp_path: Path) -> None:
    assert faults(found(tmp_path, simulate=True)) == []


def test_a_pc_with_the_defaults_is_no_table(tmp_path: Path) -> None:
    titles = faults(found(tmp_path))
    assert "The camera is simulated." in titles
    assert "The push-buttons are simulated." in titles


def test_a_pi_without_anything_connected_names_each_thing_that_is_missing(tmp_path: Path) -> None:
    findings = found(tmp_path, REAL, "Raspberry Pi 4 Model B Rev 1.4")
    assert {"camera", "push-buttons", "strip"} <= {each.subject for each in findings if each.level is Level.FAULT}
    assert any("/dev/spidev0.0 is missing" in title for title in faults(findings))


def test_keys_that_are_not_connected_are_waited_for_and_their_group_is_needed(tmp_path: Path) -> None:
    config = '[controls]\ndriver = "keys"\nkeys = ["confirm KEY_KPENTER 1a2c:0e24"]\n'
    findings = found(tmp_path, config)
    assert [(each.level, each.title) for each in findings if each.subject == "keys"] == [
        (Level.NOTE, "No device 1a2c:0e24 is connected.")
    ]
    assert "groups" in {each.subject for each in findings}


def test_a_voice_needs_the_group_of_the_sound_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outsider = Membership(frozenset({"users"}), frozenset({"users"}), None, frozenset(), is_root=False)
    monkeypatch.setattr("companion.upkeep.doctor.diagnosing.this_membership", lambda: outsider)
    findings = found(tmp_path, '[voice]\ndriver = "espeak-ng"\n')
    assert "This user is not in audio." in [each.title for each in findings if each.level is Level.NOTE]


def test_a_pi_5_needs_another_device_for_its_strip(tmp_path: Path) -> None:
    assert any("/dev/pio0 is missing" in title for title in faults(found(tmp_path, REAL, "Raspberry Pi 5 Model B")))


def test_a_broken_configuration_is_a_finding_and_the_rest_is_looked_at(tmp_path: Path) -> None:
    findings = found(tmp_path, "[camera]\nfps = 1000\n", simulate=True)
    (title,) = faults(findings)
    assert "[camera] fps: 1000 is not valid" in title
    assert any(finding.subject == "journal" for finding in findings)


def test_a_damaged_calibration_that_was_made_on_the_page_is_a_fault(tmp_path: Path) -> None:
    made = tmp_path / "data" / "calibrations" / "table.toml"
    made.parent.mkdir(parents=True)
    made.write_text("nonsense")
    assert any(f"{made}: is not TOML" in title for title in faults(found(tmp_path, REAL)))


def test_wled_is_asked_and_its_light_is_left_alone(tmp_path: Path) -> None:
    with wled(60) as controller:
        text = f'[strip]\ndriver = "wled"\nwled_host = "{controller.host}"\n'
        findings = found(tmp_path, text)
        assert any(finding.title == f"WLED answers at {controller.host}." for finding in findings)
        assert controller.state["on"] is not False
    again = tmp_path / "again"
    again.mkdir()
    assert any("does not answer" in title for title in faults(found(again, text)))


@pytest.mark.parametrize(
    ("model", "told"),
    [
        ("Raspberry Pi Zero 2 W Rev 1.0", "core_freq=250"),
        ("Raspberry Pi 4 Model B Rev 1.4", "core_freq_min=500"),
        ("Raspberry Pi 5 Model B Rev 1.0", None),
    ],
)
def test_a_strip_at_the_spi_wants_a_steady_clock(tmp_path: Path, model: str, told: str | None) -> None:
    (tmp_path / "machine" / "boot" / "firmware").mkdir(parents=True)
    (tmp_path / "machine" / "boot" / "firmware" / "config.txt").write_text("dtparam=spi=on\n")
    clocks = [title for title in faults(found(tmp_path, REAL, model)) if "clock is not fixed" in title]
    assert clocks == ([] if told is None else [f"The core clock is not fixed: {told} is missing."])


def installed(
    tmp_path: Path, environ: dict[str, str], reaches: Callable[[Path], bool], data: Path | None = None
) -> str:
    """Return the titles of what the doctor finds on a machine with the service, whose folder has a damaged file."""
    system = tmp_path / "etc-config.toml"
    system.write_text("")
    root = tmp_path / "machine"
    for folder in ("etc/systemd/system", "var/lib/quilt-companion"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    (root / "etc/systemd/system/quilt-companion.service").touch()
    (root / "var/lib/quilt-companion/games.sqlite3.damaged-1").touch()
    machine = Machine(root, lambda _: None, reaches, load=lambda _: object())
    made = Installation(machine, {"HOME": str(tmp_path), **environ}, codecs(), (), data=data, look=lambda: None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("companion.upkeep.doctor.diagnosing.SYSTEM_CONFIG", system)
        patch.setattr("companion.upkeep.doctor.diagnosing.find_config", lambda _: system)
        return "\n".join(str(each.title) for each in diagnose(made))


def test_the_installed_services_games_are_looked_at(tmp_path: Path) -> None:
    assert "A damaged file was set aside" in installed(tmp_path, {}, lambda _: True)
    for environ, data in (({"QUILT_COMPANION_DATA": str(tmp_path / "own")}, None), ({}, tmp_path / "own")):
        assert "set aside" not in installed(tmp_path, environ, lambda _: True, data), "other games were asked for"


def test_games_of_the_service_that_this_user_may_not_read_are_named_and_nothing_is_said_of_others(
    tmp_path: Path,
) -> None:
    titles = installed(tmp_path, {}, lambda _: False)
    assert "The service’s games in /var/lib/quilt-companion can be read by root only." in titles
    assert "journal" not in titles
