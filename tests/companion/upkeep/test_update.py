"""Test `companion update` on a stand-in for an installed program; commands change its files as real ones would."""

import errno
import os
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion import __version__
from companion.errors import CompanionError
from companion.games.patchwork.state import Setup
from companion.journal import JOURNAL_NAME, Journal
from companion.registry import codecs
from companion.upkeep.backup.manifest import Places
from companion.upkeep.update import CommandResult, Program, Update, installer_of

NOW = datetime(2026, 1, 2, 19, 0, 7, tzinfo=UTC)


class Machine:
    """A machine with an installed program whose commands succeed, or fail if a test says so."""

    def __init__(self, folder: Path) -> None:
        self.prefix = folder / "opt" / "quilt-companion"
        install(self.prefix, "old", named=self.prefix)
        self.data = folder / "data"
        with Journal(self.data / JOURNAL_NAME, codecs()) as journal:
            journal.new_game(Setup())
        self.program = Program(self.prefix, Path("/usr"), self.prefix / "lib", folder / "no.list")
        self.installer = folder / "clone" / "packaging" / "install-program.sh"
        self.installer.parent.mkdir(parents=True)
        self.installer.touch()
        self.lines: list[str] = []
        self.steps: list[str] = []
        self.fails, self.interrupts = "", ""
        self.service = True

    @property
    def version(self) -> str:
        """The installed version."""
        return (self.prefix / "lib" / "module.py").read_text()

    def run(self, command: Sequence[str]) -> CommandResult:
        line = " ".join(command).replace(str(self.prefix), "PREFIX")
        self.lines.append(f"{self.version}: {line}")
        if "install-program.sh" in line:
            install(Path(command[-1]), "new", named=Path(command[-1]))
        if self.interrupts and self.interrupts in line:
            raise KeyboardInterrupt
        if self.fails and self.fails in self.lines[-1]:
            return CommandResult(1, "it is broken")
        return CommandResult(0, "quilt-companion 9.1" if "--version" in line else "")

    def update(self) -> Update:
        return Update(self.program, Places(self.data, None), self.run, self.steps.append, has_service=self.service)

    def installed(self) -> list[str]:
        return sorted(path.name for path in self.prefix.parent.iterdir())


def install(prefix: Path, version: str, named: Path) -> None:
    """Install a version in which a script names a folder."""
    (prefix / "bin").mkdir(parents=True)
    (prefix / "bin" / "python3").symlink_to("/usr/bin/python3")
    (prefix / "bin" / "companion").write_text(f"#!{named}/bin/python3\n")
    (prefix / "lib").mkdir()
    (prefix / "lib" / "module.py").write_text(version)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_another_version_is_installed_and_tried_beside_the_old_one_before_it_takes_its_place(machine: Machine) -> None:
    assert machine.update().carry_out(machine.installer, NOW) == "9.1"
    backup = machine.data / "backups" / "before-update-20260102-190007.zip"
    assert zipfile.is_zipfile(backup)
    module = "old: PREFIX.other/bin/python3 -m companion"
    assert machine.lines == [
        f"old: env PARTS= sh {machine.installer} /usr/bin/python3 PREFIX.other",
        f"{module} --version",
        f"{module} serve --help",
        f"{module} games --limit 1 --data {machine.data}",
        "old: systemctl stop quilt-companion.service",
        "new: PREFIX/bin/companion --version",
        "new: PREFIX/bin/companion install",
    ]
    assert machine.installed() == ["quilt-companion", "quilt-companion.previous"]
    assert (machine.prefix / "bin" / "companion").read_text() == f"#!{machine.prefix}/bin/python3\n"
    assert machine.steps[0] == f"Back up into {backup}"


@pytest.mark.parametrize("fails", ["install-program.sh", "-m companion --version", "serve --help"])
def test_a_version_that_cannot_be_installed_or_started_never_takes_the_place_of_the_old_one(
    fails: str, machine: Machine
) -> None:
    machine.fails = fails
    with pytest.raises(CompanionError, match=rf"^update: version {__version__} stays: .*it is broken"):
        machine.update().carry_out(machine.installer, NOW)
    assert {line.partition(":")[0] for line in machine.lines} == {"old"}
    assert not any("systemctl" in line for line in machine.lines), "the service runs on"
    assert machine.installed() == ["quilt-companion"]


@pytest.mark.parametrize("fails", ["systemctl stop", "new: PREFIX/bin/companion install"])
def test_the_old_version_comes_back_if_the_service_cannot_be_stopped_or_does_not_start(
    fails: str, machine: Machine
) -> None:
    machine.fails = fails
    with pytest.raises(CompanionError, match=f"version {__version__} stays"):
        machine.update().carry_out(machine.installer, NOW)
    assert machine.version == "old"
    assert machine.lines[-1] == "old: PREFIX/bin/companion install"
    assert machine.installed() == ["quilt-companion"]


@pytest.mark.parametrize("interrupts", ["install-program.sh", "PREFIX/bin/companion install"])
def test_an_interrupted_update_leaves_the_old_version(interrupts: str, machine: Machine) -> None:
    machine.interrupts = interrupts
    with pytest.raises(KeyboardInterrupt):
        machine.update().carry_out(machine.installer, NOW)
    assert machine.version == "old"
    assert machine.installed() == ["quilt-companion"]


def test_games_that_the_old_version_can_no_longer_read_come_from_the_backup(machine: Machine) -> None:
    machine.fails = "PREFIX/bin/companion install"
    read = machine.run

    def unreadable(command: Sequence[str]) -> CommandResult:
        outcome = read(command)
        return CommandResult(1, "") if machine.lines[-1].startswith("old: PREFIX/bin/companion games") else outcome

    with pytest.raises(CompanionError):
        Update(machine.program, Places(machine.data, None), unreadable, print, has_service=True).carry_out(
            machine.installer, NOW
        )
    (restored,) = [line for line in machine.lines if "restore" in line]
    assert "before-update-20260102-190007.zip --replace --without-config" in restored


def test_going_back_exchanges_both_versions_each_time(machine: Machine) -> None:
    machine.update().carry_out(machine.installer, NOW)
    for minutes, there in ((5, "old"), (9, "new"), (12, "old")):
        machine.update().take_back(NOW + timedelta(minutes=minutes))
        assert machine.version == there
        assert machine.lines[-1] == f"{there}: PREFIX/bin/companion install"
    assert machine.installed() == ["quilt-companion", "quilt-companion.previous"]


def test_a_failed_update_leaves_the_version_to_go_back_to(machine: Machine) -> None:
    machine.update().carry_out(machine.installer, NOW)
    machine.fails = "serve --help"
    with pytest.raises(CompanionError):
        machine.update().carry_out(machine.installer, NOW + timedelta(minutes=5))
    machine.fails = ""
    machine.update().take_back(NOW + timedelta(minutes=9))
    assert machine.version == "old"


def test_a_previous_version_that_does_not_start_is_not_left_in_place(machine: Machine) -> None:
    machine.update().carry_out(machine.installer, NOW)
    machine.fails = "old: PREFIX/bin/companion install"
    with pytest.raises(CompanionError, match=f"version {__version__} stays: .*it is broken"):
        machine.update().take_back(NOW + timedelta(minutes=5))
    assert machine.lines[-1] == "new: PREFIX/bin/companion install"


def test_without_a_previous_version_nothing_is_done(machine: Machine) -> None:
    with pytest.raises(CompanionError, match="there is no previous version"):
        machine.update().take_back(NOW)
    assert machine.lines == []


def test_the_service_goes_on_if_the_versions_cannot_be_exchanged(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: Path) -> None:
        raise OSError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("companion.upkeep.update.exchange", refused)
    with pytest.raises(CompanionError, match="stays: Permission denied"):
        machine.update().carry_out(machine.installer, NOW)
    assert machine.lines[-1] == "old: PREFIX/bin/companion install"


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOSYS])
def test_folders_are_renamed_one_by_one_on_a_file_system_without_an_exchange(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def refuses(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("companion.upkeep.update.exchange", refuses)
    machine.update().carry_out(machine.installer, NOW)
    assert machine.version == "new"
    assert machine.installed() == ["quilt-companion", "quilt-companion.previous"]


def test_five_backups_are_kept(machine: Machine) -> None:
    machine.service = False
    for day in range(7):
        machine.update().carry_out(machine.installer, NOW + timedelta(days=day))
    names = sorted(path.name for path in (machine.data / "backups").iterdir())
    assert names == [f"before-update-2026010{day}-190007.zip" for day in range(4, 9)]


def test_a_backup_made_while_the_clock_is_wrong_is_neither_deleted_nor_passed_over(machine: Machine) -> None:
    for day in range(6):
        machine.update().carry_out(machine.installer, NOW + timedelta(days=day))
    wrong = datetime(1970, 1, 1, 0, 5, tzinfo=UTC)
    machine.fails = "PREFIX/bin/companion games"
    update = machine.update()
    update.take_back(wrong)
    names = sorted(path.name for path in (machine.data / "backups").iterdir())
    assert (len(names), names[0]) == (5, "before-update-19700101-000500.zip")
    update._restore_games()
    assert "before-update-19700101-000500.zip --replace" in machine.lines[-1]
    machine.update().take_back(wrong)
    assert (machine.data / "backups" / "before-update-19700101-000500-2.zip").is_file()


def test_a_package_and_a_clone_are_updated_in_their_own_way(machine: Machine, tmp_path: Path) -> None:
    listed = tmp_path / "quilt-companion.list"
    listed.touch()
    lib, no = machine.prefix / "lib", tmp_path / "no"
    for program, says in (
        (Program(machine.prefix, Path("/usr"), lib, listed), "is installed as a Debian package; sudo apt install"),
        (Program(machine.prefix, Path("/usr"), tmp_path / "clone", no), "git pull && make setup"),
        (Program(machine.prefix, machine.prefix, lib, no), "runs from its own folder"),
    ):
        update = Update(program, Places(machine.data, None), machine.run, machine.steps.append)
        with pytest.raises(CompanionError, match=says):
            update.carry_out(machine.installer, NOW)
    assert machine.lines == []


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("none", "is not a quilt-companion; give the folder of a clone"),
        (".", "is not a quilt-companion"),
        ("https://example.invalid/x", "is not a quilt-companion"),
        ("quilt-companion_1_all.deb", "sudo apt install .*quilt-companion_1_all.deb"),
    ],
)
def test_anything_else_than_a_clone_is_refused_in_one_line(
    name: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CompanionError, match=says):
        installer_of(name)


def test_a_clone_brings_its_own_installer() -> None:
    root = Path(__file__).parents[3]
    assert installer_of(str(root)) == root / "packaging" / "install-program.sh"
