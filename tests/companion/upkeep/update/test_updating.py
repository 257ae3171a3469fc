"""Test updates of a fake program of a few files, by an installer that writes others."""

from __future__ import annotations

import errno
import os
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion import __version__
from companion.games.patchwork import Setup
from companion.journal import JOURNAL_NAME, Journal
from companion.registry import codecs
from companion.upkeep.backup import Places
from companion.upkeep.update import CommandResult, Program, Update, UpdateError, UpdateSource

NOW = datetime(2026, 1, 2, 19, 0, 7, tzinfo=UTC)


class Machine:
    """A machine with an installed program; commands change its files as real ones would, or fail if a test says so."""

    def __init__(self, folder: Path) -> None:
        self.prefix = folder / "opt" / "quilt-companion"
        (self.prefix / "lib" / "site-packages" / "companion").mkdir(parents=True)
        (self.prefix / "bin").mkdir()
        (self.prefix / "bin" / "python").symlink_to("/usr/bin/python3")
        self.module = self.prefix / "lib" / "site-packages" / "companion" / "module.py"
        self.module.write_text("old")
        self.data = folder / "data"
        with Journal(self.data / JOURNAL_NAME, codecs()) as journal:
            journal.new_game(Setup())
        self.program = Program(self.prefix, Path("/usr"), self.prefix / "lib", folder / "no.list")
        self.lines: list[str] = []
        self.told: list[str] = []
        self.fails = self.constrained = ""
        self.service = True

    def run(self, command: Sequence[str]) -> CommandResult:
        line = " ".join(command).replace(str(self.prefix), "PREFIX")
        self.lines.append(f"{self.module.read_text()}: {line}")
        if "--force-reinstall" in line:
            # As pip does: the old file is deleted and a new one created.
            self.module.unlink()
            self.module.write_text("new")
            (self.prefix / "lib" / "extra.py").write_text("new")
        if "--constraint" in command:
            self.constrained = Path(command[command.index("--constraint") + 1]).read_text()
        if self.fails and self.fails in self.lines[-1]:
            return CommandResult(1, "it is broken")
        return CommandResult(0, "")

    def update(self) -> Update:
        return Update(
            self.program,
            Places(self.data, None),
            self.run,
            self.told.append,
            "[pi]",
            ("numpy<2",),
            has_service=self.service,
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.fixture
def wheel(tmp_path: Path) -> UpdateSource:
    path = tmp_path / "quilt_companion-9.1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as out:
        out.writestr("quilt_companion-9.1.dist-info/METADATA", "Name: quilt-companion\nVersion: 9.1\n\n")
    return UpdateSource(path)


def test_an_update_is_installed_tried_and_started(machine: Machine, wheel: UpdateSource) -> None:
    assert machine.update().carry_out(wheel, NOW) == "9.1"
    assert machine.module.read_text() == "new"
    order = ["systemctl stop", "--force-reinstall", "--version", "serve --help", "games", "companion install"]
    places = [next(n for n, line in enumerate(machine.lines) if word in line) for word in order]
    assert places == sorted(places)
    assert machine.lines[-1] == "new: PREFIX/bin/companion install"
    backup = machine.data / "backups" / "before-update-20260102-190007.zip"
    assert zipfile.is_zipfile(backup)
    assert machine.constrained == "numpy<2\n"
    assert any(line.endswith("none-any.whl[pi]") for line in machine.lines)
    assert machine.told[0] == f"Back up into {backup}"


@pytest.mark.parametrize(
    "fails",
    [
        "--force-reinstall",
        "new: PREFIX/bin/companion --version",
        "serve --help",
        "new: PREFIX/bin/companion install",
    ],
)
def test_an_update_that_fails_is_taken_back(fails: str, machine: Machine, wheel: UpdateSource) -> None:
    machine.fails = fails
    with pytest.raises(UpdateError, match=rf"9\.1 was removed again, and {__version__} is restored: .*it is broken"):
        machine.update().carry_out(wheel, NOW)
    assert machine.module.read_text() == "old"
    assert not (machine.prefix / "lib" / "extra.py").exists()
    assert (machine.prefix / "bin" / "python").is_symlink()
    assert machine.lines[-1] == "old: PREFIX/bin/companion install"
    assert _installed(machine) == ["quilt-companion"]


def test_an_interrupted_update_is_taken_back(machine: Machine, wheel: UpdateSource) -> None:
    update = machine.update()

    def interrupted(command: Sequence[str]) -> CommandResult:
        outcome = machine.run(command)
        if "--force-reinstall" in command:
            raise KeyboardInterrupt
        return outcome

    with pytest.raises(KeyboardInterrupt):
        Update(update.program, update.places, interrupted, update.say).carry_out(wheel, NOW)
    assert machine.module.read_text() == "old"


def test_games_that_the_old_version_cannot_read_any_more_come_from_the_backup(
    machine: Machine, wheel: UpdateSource
) -> None:
    machine.fails = "bin/companion games"
    with pytest.raises(UpdateError):
        machine.update().carry_out(wheel, NOW)
    restored = [line for line in machine.lines if "restore" in line]
    assert len(restored) == 1
    assert "before-update-20260102-190007.zip --replace --without-config" in restored[0]


def test_what_cannot_be_built_changes_nothing(machine: Machine, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    clone.mkdir()
    (clone / "pyproject.toml").write_text('[project]\nname = "quilt-companion"\n')
    machine.fails = "wheel"
    with pytest.raises(UpdateError, match="failed: it is broken"):
        machine.update().carry_out(UpdateSource(clone), NOW)
    assert len(machine.lines) == 1
    assert machine.module.read_text() == "old"


def test_a_clone_is_installed_by_its_own_installer(machine: Machine, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    (clone / "packaging").mkdir(parents=True)
    installer = clone / "packaging" / "install-program.sh"
    installer.touch()
    (clone / "pyproject.toml").write_text('[project]\nname = "quilt-companion"\nversion = "9.2"\n')
    assert machine.update().carry_out(UpdateSource(clone), NOW) == "9.2"
    assert f"old: sh {installer} /usr/bin/python3 PREFIX" in machine.lines
    assert not any(" pip " in line for line in machine.lines)


def test_what_is_kept_beside_does_not_change_with_what_is_written_anew(machine: Machine) -> None:
    (machine.prefix / "pyvenv.cfg").write_text("old")
    machine.program.keep()
    (machine.prefix / "pyvenv.cfg").write_text("new")
    machine.program.exchange()
    assert (machine.prefix / "pyvenv.cfg").read_text() == "old"


def test_going_back_leaves_the_way_on(machine: Machine, wheel: UpdateSource) -> None:
    machine.update().carry_out(wheel, NOW)
    for minutes, there in ((5, "old"), (9, "new"), (12, "old")):
        machine.update().take_back(NOW + timedelta(minutes=minutes))
        assert machine.module.read_text() == there
        assert machine.lines[-1] == f"{there}: PREFIX/bin/companion install"
    assert _installed(machine) == ["quilt-companion", "quilt-companion.previous"]


def test_an_update_that_fails_leaves_the_version_to_go_back_to(machine: Machine, wheel: UpdateSource) -> None:
    machine.update().carry_out(wheel, NOW)
    machine.fails = "new: PREFIX/bin/companion --version"
    with pytest.raises(UpdateError, match="was removed again"):
        machine.update().carry_out(wheel, NOW + timedelta(minutes=5))
    assert machine.module.read_text() == "new"
    assert _installed(machine) == ["quilt-companion", "quilt-companion.previous"]
    machine.fails = ""
    machine.update().take_back(NOW + timedelta(minutes=9))
    assert machine.module.read_text() == "old"


def test_a_version_before_that_does_not_start_is_not_left_in_place(machine: Machine, wheel: UpdateSource) -> None:
    machine.update().carry_out(wheel, NOW)
    machine.fails = "old: PREFIX/bin/companion games"
    with pytest.raises(UpdateError, match=rf"does not start, and {__version__} is restored: .*it is broken"):
        machine.update().take_back(NOW + timedelta(minutes=5))
    assert machine.module.read_text() == "new"
    assert machine.lines[-1] == "new: PREFIX/bin/companion install"
    assert _installed(machine) == ["quilt-companion", "quilt-companion.previous"]


def test_where_there_is_no_version_before_the_service_goes_on(machine: Machine) -> None:
    with pytest.raises(UpdateError, match="there is no previous version"):
        machine.update().take_back(NOW)
    assert machine.lines == []


def _installed(machine: Machine) -> list[str]:
    return sorted(path.name for path in machine.prefix.parent.iterdir())


def test_a_service_that_cannot_be_stopped_leaves_no_update_begun(machine: Machine, wheel: UpdateSource) -> None:
    machine.fails = "systemctl stop"
    with pytest.raises(UpdateError, match=r"version 9\.1 was removed again"):
        machine.update().carry_out(wheel, NOW)
    assert (machine.module.read_text(), machine.program.is_interrupted) == ("old", False)
    assert machine.lines[-1] == "old: PREFIX/bin/companion install"
    assert not machine.program.previous.exists()


def test_the_service_goes_on_where_the_versions_cannot_be_exchanged(
    machine: Machine, wheel: UpdateSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: Path) -> None:
        raise OSError(errno.EACCES, "Permission denied")

    machine.update().carry_out(wheel, NOW)
    monkeypatch.setattr("companion.upkeep.update.program.exchange", refused)
    with pytest.raises(UpdateError, match="cannot be written: Permission denied"):
        machine.update().take_back(NOW + timedelta(days=1))
    assert machine.lines[-1] == "new: PREFIX/bin/companion install"


def test_five_backups_are_kept(machine: Machine, wheel: UpdateSource) -> None:
    machine.service = False
    for day in range(7):
        machine.update().carry_out(wheel, NOW + timedelta(days=day))
    names = sorted(path.name for path in (machine.data / "backups").iterdir())
    assert names == [f"before-update-2026010{day}-190007.zip" for day in range(4, 9)]


def test_other_ways_of_installing_are_updated_in_their_own_way(
    machine: Machine, wheel: UpdateSource, tmp_path: Path
) -> None:
    listed = tmp_path / "quilt-companion.list"
    listed.touch()
    lib = machine.prefix / "lib"
    for program, says in (
        (
            Program(machine.prefix, Path("/usr"), lib, listed),
            "is installed as a Debian package; sudo apt install",
        ),
        (Program(machine.prefix, Path("/usr"), tmp_path / "clone", tmp_path / "no"), "git pull && make setup"),
        (Program(machine.prefix, machine.prefix, lib, tmp_path / "no"), "runs from its own folder"),
    ):
        update = Update(program, Places(machine.data, None), machine.run, machine.told.append)
        with pytest.raises(UpdateError, match=says):
            update.carry_out(wheel, NOW)
    assert machine.lines == []


class Killed(BaseException):
    """The process is killed."""


@pytest.mark.parametrize("dies_in", ["scandir", "link", "sync", "rename", "nothing"])
def test_a_version_that_was_kept_in_part_is_not_gone_back_to(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, dies_in: str
) -> None:
    machine.program.keep()
    machine.program.settle()
    machine.module.unlink()
    machine.module.write_text("newer")

    def dies(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr("companion.upkeep.update.program.os.sync", lambda: None)
        if dies_in == "rename":
            patch.setattr(Path, "rename", dies)
        elif dies_in != "nothing":
            patch.setattr(f"companion.upkeep.update.program.os.{dies_in}", dies)
        with suppress(Killed):
            machine.program.keep()
            machine.program.settle()
    kept = machine.program.previous / machine.module.relative_to(machine.prefix)
    assert kept.read_text() == ("newer" if dies_in == "nothing" else "old")
    machine.program.keep()
    assert kept.read_text() == "newer"
    assert [each.name for each in machine.prefix.parent.iterdir() if "partial" in each.name] == []


def test_an_update_after_one_that_was_cut_off_keeps_the_version_that_is_whole(
    machine: Machine, wheel: UpdateSource
) -> None:
    machine.program.keep()
    machine.module.unlink()
    machine.module.write_text("half of another one")
    assert machine.program.is_interrupted
    machine.fails = "bin/companion --version"
    with pytest.raises(UpdateError, match="was removed again"):
        machine.update().carry_out(wheel, NOW)
    assert machine.module.read_text() == "old"
    assert not machine.program.is_interrupted


def test_a_version_that_was_given_up_is_never_gone_back_to(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.program.keep()
    machine.program.settle()
    machine.program.keep()
    machine.module.unlink()
    machine.module.write_text("broken")

    def dies(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        # After the exchange.
        patch.setattr("companion.upkeep.update.program.sync_folder", dies)
        with suppress(Killed):
            machine.program.roll_back()
    assert machine.module.read_text() == "old"
    machine.program.exchange()
    assert machine.module.read_text() == "old", "the version that was kept before"
    assert not machine.program.is_interrupted


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOSYS])
def test_folders_change_names_by_a_third_one_where_a_file_system_cannot_do_it_at_once(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def refuses(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    machine.program.keep()
    (machine.prefix / "pyvenv.cfg").write_text("new")
    monkeypatch.setattr("companion.upkeep.update.program.exchange", refuses)
    machine.program.roll_back()
    assert not (machine.prefix / "pyvenv.cfg").exists()
    assert [path.name for path in machine.prefix.parent.iterdir()] == ["quilt-companion"]
