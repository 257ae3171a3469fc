"""The plan of an installation, followed in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.configuration import parse_config
from companion.errors import CompanionError
from companion.upkeep.install import (
    CONFIG,
    HALL_UNIT,
    UNIT,
    Destination,
    InstallStep,
    installation,
    removal,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMAND = Path("/opt/quilt-companion/bin/companion")


class System:
    """A system that is not running: it executes the commands that change files."""

    def __init__(self, root: Path) -> None:
        self.place = Destination(COMMAND, "[page]\nlan = true\n", 8081, root)
        self.commands: list[str] = []

    def execute(self, command: Sequence[str]) -> int:
        line = " ".join(command)
        self.commands.append(line.replace(f" --root={self.place.root}", ""))
        wanted = self.place.path(f"/etc/systemd/system/multi-user.target.wants/{command[-1]}")
        if "enable" in command:
            wanted.parent.mkdir(parents=True, exist_ok=True)
            wanted.symlink_to(f"/etc/systemd/system/{command[-1]}")
        elif "disable" in command:
            wanted.unlink()
        elif command[0] == "systemd-sysusers":
            self.place.path("/etc/passwd").write_text("quilt-companion:x:996:996::/:/usr/sbin/nologin\n")
        elif command[0] == "systemd-tmpfiles":
            self.place.path("/var/lib/quilt-companion").mkdir(parents=True, exist_ok=True)
        return 0

    def follow(self, steps: Sequence[InstallStep]) -> list[str]:
        done = []
        for step in steps:
            if not step.is_done():
                step.do(self.execute)
                done.append(step.says)
        return done

    def files(self) -> set[str]:
        root = self.place.root
        return {f"/{path.relative_to(root)}" for path in root.rglob("*") if path.is_file() or path.is_symlink()}


@pytest.fixture
def system(tmp_path: Path) -> System:
    return System(tmp_path)


def test_an_installation_is_whole_and_a_second_one_does_nothing(system: System) -> None:
    assert len(system.follow(list(installation(system.place)))) == 9
    assert system.files() == {
        CONFIG,
        f"/etc/systemd/system/{UNIT}",
        f"/etc/systemd/system/multi-user.target.wants/{UNIT}",
        "/etc/sysusers.d/quilt-companion.conf",
        "/etc/tmpfiles.d/quilt-companion.conf",
        "/etc/udev/rules.d/70-quilt-companion.rules",
        "/etc/avahi/services/quilt-companion.service",
        "/etc/passwd",
    }
    assert system.commands == [
        "systemd-sysusers quilt-companion.conf",
        "systemd-tmpfiles --create quilt-companion.conf",
        f"systemctl enable {UNIT}",
    ]
    assert system.follow(list(installation(system.place))) == []


def test_the_program_and_the_port_stand_in_the_files(system: System) -> None:
    system.follow(list(installation(system.place)))
    unit = system.place.path(f"/etc/systemd/system/{UNIT}").read_text()
    assert f"ExecStart={COMMAND} serve " in unit
    assert f"ExecStopPost=-{COMMAND} lights-off " in unit
    assert "<port>8081</port>" in system.place.path("/etc/avahi/services/quilt-companion.service").read_text()
    assert not any("@" in line for line in unit.splitlines() if not line.startswith(("#", "SystemCall")))


def test_an_update_is_followed_and_a_configuration_of_ones_own_stays(system: System) -> None:
    system.follow(list(installation(system.place)))
    system.place.path(CONFIG).write_text("[page]\nport = 80\n")
    moved = Destination(Path("/opt/other/bin/companion"), "[page]\n", 8081, system.place.root)
    steps = [step for step in installation(moved) if not step.is_done()]
    assert [step.says.split()[1] for step in steps][:1] == [str(moved.path(f"/etc/systemd/system/{UNIT}"))]
    assert system.place.path(CONFIG).read_text() == "[page]\nport = 80\n"


def test_a_removal_leaves_what_was_there_before(system: System) -> None:
    system.follow(list(installation(system.place)))
    system.follow(list(removal(system.place)))
    assert system.files() == {"/etc/passwd"}
    assert not system.place.path("/etc/quilt-companion").exists()
    assert system.place.path("/var/lib/quilt-companion").is_dir(), "games are kept"
    assert system.follow(list(removal(system.place))) == []


def test_a_removal_keeps_a_configuration_that_was_changed(system: System) -> None:
    system.follow(list(installation(system.place)))
    system.place.path(CONFIG).write_text("[page]\nport = 80\n")
    system.follow(list(removal(system.place)))
    assert system.files() == {"/etc/passwd", CONFIG}


def test_a_hall_is_a_service_beside_the_table_s_and_goes_with_it(system: System) -> None:
    system.follow(list(installation(system.place)))
    before = system.files()
    system.commands.clear()
    system.follow(list(installation(system.place, HALL_UNIT)))
    unit = f"/etc/systemd/system/{HALL_UNIT}"
    wanted = f"/etc/systemd/system/multi-user.target.wants/{HALL_UNIT}"
    assert system.files() - before == {unit, wanted}
    assert system.commands[-1] == f"systemctl enable {HALL_UNIT}"
    assert f"ExecStart={COMMAND} hall " in system.place.path(unit).read_text()
    assert system.follow(list(installation(system.place, HALL_UNIT))) == []
    system.follow(list(removal(system.place)))
    assert system.files() == {"/etc/passwd"}


def test_a_hall_without_a_table_needs_no_rules_for_devices(system: System) -> None:
    system.follow(list(installation(system.place, HALL_UNIT)))
    assert f"/etc/systemd/system/{UNIT}" not in system.files()
    assert not any("udev" in name or "avahi" in name for name in system.files())
    assert system.place.path("/var/lib/quilt-companion").is_dir()


def test_a_hall_that_has_no_broker_yet_is_installed_all_the_same() -> None:
    last = list(installation(Destination(COMMAND, "", 8080), HALL_UNIT))[-1]
    assert last.says == f"run systemctl restart {HALL_UNIT}"
    last.do(lambda _: 1)


def test_the_running_system_is_told_to_load_and_to_start(tmp_path: Path) -> None:
    says = [step.says for step in installation(Destination(COMMAND, "", 8080)) if step.says.startswith("run")]
    assert says[-3:] == ["run systemctl daemon-reload", f"run systemctl enable {UNIT}", f"run systemctl restart {UNIT}"]
    assert next(iter(removal(Destination(COMMAND, "", 8080)))).says == f"run systemctl stop {UNIT}"
    assert not any("daemon-reload" in step.says for step in installation(Destination(COMMAND, "", 8080, tmp_path)))


def test_a_system_without_systemd_gets_files_and_no_commands() -> None:
    says = [
        step.says for step in installation(Destination(COMMAND, "", 8080, booted=False)) if step.says.startswith("run")
    ]
    assert says == [
        "run systemd-sysusers quilt-companion.conf",
        "run systemd-tmpfiles --create quilt-companion.conf",
        f"run systemctl enable {UNIT}",
    ]


@pytest.mark.parametrize("folder", ["/home/me/quilt/.venv", "/root/quilt", "/run/user/1000/quilt"])
def test_a_program_where_the_service_may_not_look_is_refused(folder: str) -> None:
    with pytest.raises(CompanionError, match="not allowed to read"):
        Destination(Path(folder) / "bin/companion", "", 8080).check()
    with pytest.raises(CompanionError, match="not allowed to read"):
        Destination(COMMAND, "", 8080, sources=(Path(folder),)).check()
    Destination(COMMAND, "", 8080, sources=(Path("/opt/quilt-companion/lib"),)).check()


def test_a_command_that_fails_ends_the_installation(system: System) -> None:
    steps = [step for step in installation(system.place) if "sysusers" in step.says and step.says.startswith("run")]
    with pytest.raises(CompanionError, match=r"systemd-sysusers .* failed with status 1"):
        steps[0].do(lambda _: 1)


def test_the_configuration_that_is_written_can_be_read(system: System) -> None:
    assert parse_config(system.place.config, CONFIG).page.lan
