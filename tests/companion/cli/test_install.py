from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.upkeep.install import Destination

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
    assert (status, out.splitlines()[-1]) == (0, "The service is removed completely.")
    assert list(tmp_path.iterdir()) == []


def test_a_removal_names_what_is_left_and_how_to_delete_that(run: Run, tmp_path: Path) -> None:
    for name in ("opt/quilt-companion", "opt/quilt-companion.previous", "var/lib/quilt-companion", "usr/local/bin"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "usr/local/bin/companion").symlink_to(COMMAND)
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/passwd").write_text("quilt-companion:x:995:995::/var/lib/quilt-companion:/usr/sbin/nologin\n")
    config = tmp_path / "etc/quilt-companion/config.toml"
    assert run("install", "--config-only", "--root", tmp_path)[0] == 0
    _, out, _ = run("install", "--remove", "--root", tmp_path)
    assert "The service is removed. These are kept: the games and calibrations in /var/lib/quilt-companion" in out
    assert "the program in /opt/quilt-companion" in out
    # An unchanged configuration is removed with its folder: a command that named the folder would fail.
    assert (
        "sudo rm -r /opt/quilt-companion /opt/quilt-companion.previous /var/lib/quilt-companion "
        "/usr/local/bin/companion; sudo userdel quilt-companion\n"
    ) in out
    config.parent.mkdir()
    config.write_text("# mine\n")
    _, out, _ = run("install", "--remove", "--root", tmp_path)
    assert "/var/lib/quilt-companion /etc/quilt-companion /usr/local/bin/companion; sudo userdel" in out
