from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.compose.installing import place_of, service_config
from companion.config import Config, parse_config
from companion.install import Destination
from hardware.pi.board import board_of

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


def test_a_pi_begins_with_its_own_devices_and_another_machine_with_a_webcam() -> None:
    pi = service_config(board_of("Raspberry Pi 5 Model B Rev 1.0"))
    assert (pi.camera.driver, pi.controls.driver, pi.strip.driver, pi.page.lan) == ("pi", "gpio", "neopixel", True)
    pc = service_config(None)
    assert (pc.camera.driver, pc.controls.driver, pc.strip.driver, pc.page.lan) == ("webcam", "none", "none", True)


@pytest.mark.parametrize(
    ("model", "size", "fps"),
    [
        ("Raspberry Pi 5 Model B Rev 1.0", (1536, 864), 10.0),
        ("Raspberry Pi Compute Module 4 Rev 1.0", (1536, 864), 10.0),
        ("Raspberry Pi 3 Model B Plus Rev 1.3", (1536, 864), 8.0),
        ("Raspberry Pi Zero 2 W Rev 1.0", (1280, 720), 5.0),
    ],
)
def test_a_small_board_begins_with_pictures_that_it_keeps_up_with(
    model: str, size: tuple[int, int], fps: float
) -> None:
    camera = service_config(board_of(model)).camera
    assert (camera.driver, camera.size, camera.fps) == ("pi", size, fps)


def test_the_place_is_that_of_the_program_which_runs(tmp_path: Path) -> None:
    place = place_of(tmp_path, board_of("Raspberry Pi 4 Model B"))
    assert place.command.name == "companion"
    assert (place.sources[1] / "companion").is_dir()
    assert parse_config(place.config, "written").camera.driver == "pi"
    assert place.port == Config().page.port
