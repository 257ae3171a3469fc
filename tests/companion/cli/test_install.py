from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.install import Destination

Run = Callable[..., tuple[int, str, str]]
COMMAND = Path("/opt/quilt-companion/bin/companion")


@pytest.fixture(autouse=True)
def program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.cli.install.place_of", lambda root: Destination(COMMAND, "[page]\n", 8080, root))


def test_a_dry_run_says_each_step_and_does_none(run: Run, tmp_path: Path) -> None:
    status, out, err = run("install", "--dry-run", "--root", tmp_path)
    assert (status, err) == (0, "")
    assert f"would write {tmp_path}/etc/systemd/system/quilt-companion.service" in out
    assert "would run systemctl" in out
    assert list(tmp_path.iterdir()) == []


def test_a_command_of_systemd_that_is_missing_is_one_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    status, out, err = run("install", "--root", tmp_path)
    assert status == 2
    assert "companion: systemd-sysusers is missing on this machine" in err
    assert "Traceback" not in err + out


def test_a_package_asks_for_the_board_s_configuration_alone_and_keeps_one_that_is_there(
    run: Run, tmp_path: Path
) -> None:
    assert run("install", "--config-only", "--root", tmp_path)[0] == 0
    config = tmp_path / "etc/quilt-companion/config.toml"
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [config]
    config.write_text("# mine\n")
    assert run("install", "--config-only", "--root", tmp_path)[0] == 0
    assert config.read_text() == "# mine\n"


def test_a_hall_s_dry_run_names_its_unit_alone(run: Run, tmp_path: Path) -> None:
    status, out, err = run("install", "--hall", "--dry-run", "--root", tmp_path)
    assert (status, err) == (0, "")
    assert f"would write {tmp_path}/etc/systemd/system/quilt-companion-hall.service" in out
    assert "/quilt-companion.service" not in out


def test_a_removal_where_nothing_is_installed_does_nothing(run: Run, tmp_path: Path) -> None:
    status, out, _ = run("install", "--remove", "--root", tmp_path)
    assert status == 0
    assert "The service is gone. Kept: the games and calibrations in /var/lib/quilt-companion" in out
    assert "the program in /opt/quilt-companion" in out
    assert "sudo rm -r /opt/quilt-companion /var/lib/quilt-companion /etc/quilt-companion; sudo userdel" in out
    assert list(tmp_path.iterdir()) == []
