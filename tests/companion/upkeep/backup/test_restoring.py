"""Test restoring a backup on another machine, also where files are already present."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from companion.configuration import load_config
from companion.errors import CompanionError
from companion.journal import JOURNAL_NAME, Journal, JournalError
from companion.journal.logs import JournalLock
from companion.registry import codecs
from companion.upkeep.backup.manifest import Places
from companion.upkeep.backup.restoring import restore
from companion.upkeep.backup.writing import back_up
from tests.companion.upkeep.backup.conftest import NOW, Evening, tree


@pytest.fixture
def backup_path(places: Places, tmp_path: Path) -> Path:
    path = tmp_path / "kept.zip"
    back_up(places, path, NOW)
    return path


def test_another_machine_gets_everything(backup_path: Path, places: Places, other: Places) -> None:
    restored = restore(backup_path, other, NOW, replace=False)
    assert restored.aside is None
    assert restored.manifest.games == 2
    there = tree(other.data)
    assert there["profiles/1.npz"] == b"PK pixels"
    assert there["games/2.log"] == (places.data / "games/2.log").read_bytes()
    assert not [name for name in there if name.startswith((".", "page", "tables"))]
    with Journal(other.data / JOURNAL_NAME, codecs(), lambda: NOW) as journal:
        assert (len(journal.games()), journal.findings) == (2, [])


def test_files_named_by_the_configuration_are_found_in_their_new_place(
    backup_path: Path, other: Places, tmp_path: Path
) -> None:
    shutil.rmtree(tmp_path / "home")
    done = restore(backup_path, other, NOW, replace=False)
    assert (done.is_rewritten, done.password) == (True, tmp_path / "home" / "mqtt.password")
    config = load_config(other.config)
    assert config.data.folder == other.data
    assert config.table.calibration == other.data / "named" / "calibration" / "lens.toml"
    assert config.table.calibration.read_text() == "# where the boards lie"
    assert config.table.calibration.with_suffix(".npz").read_bytes() == b"how they look"
    assert config.table.time_board_print is not None
    assert config.table.time_board_print.read_text() == "# our printing"
    assert config.mqtt.ca is not None
    assert config.mqtt.ca.read_text() == "# whom the hall trusts"
    assert not [name for name in tree(other.data) if "password" in name]


@pytest.mark.parametrize(("link", "file"), [("data/table.toml", "far/lens.toml"), (None, "far/.lens.toml")])
def test_a_named_file_that_a_backup_leaves_out_does_not_spoil_it(
    places: Places, other: Places, tmp_path: Path, link: str | None, file: str
) -> None:
    """A link in the data folder is not followed there, and a hidden file belongs in no backup."""
    assert places.config is not None
    calibration = tmp_path / file
    calibration.parent.mkdir()
    calibration.write_text("# far away")
    named = calibration if link is None else tmp_path / link
    if link is not None:
        named.symlink_to(calibration)
    places.config.write_text(f'[table]\ncalibration = "{named}"\n')
    back_up(places, tmp_path / "kept.zip", NOW)
    restore(tmp_path / "kept.zip", other, NOW, replace=False)
    path = load_config(other.config).table.calibration
    assert path == (named if link is None else other.data / "named" / "calibration" / "table.toml")
    assert path.read_text() == "# far away"


def test_existing_files_are_replaced_only_on_request(backup_path: Path, other: Places) -> None:
    assert other.config is not None
    restore(backup_path, other, NOW, replace=False)
    (other.data / "page.key").write_text("its own")
    other.config.write_text("# my own\n")
    other.config.chmod(0o640)
    before = tree(other.data)
    with pytest.raises(CompanionError, match=r"data/games.*config\.toml: already exists; --replace"):
        restore(backup_path, other, NOW, replace=False)
    assert (tree(other.data), other.config.read_text()) == (before, "# my own\n")

    done = restore(backup_path, other, NOW, replace=True)
    assert done.aside == other.data / "before-restore-20260102-190007"
    aside = tree(done.aside)
    assert aside == {name: content for name, content in before.items() if not name.endswith(("key", "lock"))}
    assert (other.data / "page.key").read_text() == "its own"
    assert done.config_aside is not None
    assert done.config_aside.read_text() == "# my own\n"
    assert other.config.stat().st_mode & 0o777 == 0o640
    again = restore(backup_path, other, NOW, replace=True)
    assert again.aside == other.data / "before-restore-20260102-190007-2"


def test_the_configuration_may_stay(backup_path: Path, other: Places) -> None:
    assert other.config is not None
    other.config.parent.mkdir()
    other.config.write_text("# for another camera\n")
    restore(backup_path, other, NOW, replace=False, with_config=False)
    assert other.config.read_text() == "# for another camera\n"


def test_a_journal_that_was_merely_begun_is_no_loss(backup_path: Path, other: Places) -> None:
    with Journal(other.data / JOURNAL_NAME, codecs(), lambda: NOW):
        pass
    assert restore(backup_path, other, NOW, replace=False).manifest.games == 2


def test_games_that_somebody_plays_are_not_pulled_away(evening: Evening, backup_path: Path, places: Places) -> None:
    before = tree(places.data)
    with pytest.raises(CompanionError, match="has the games open; stop it first"):
        restore(backup_path, places, NOW, replace=True)
    assert tree(places.data) == before
    evening.journal.close()
    assert restore(backup_path, places, NOW, replace=True).aside is not None


def test_a_move_that_fails_is_undone(backup_path: Path, other: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    restore(backup_path, other, NOW, replace=False)
    before, moves, rename = tree(other.data), [], Path.rename

    def fails_once(self: Path, target: Path) -> Path:
        moves.append(self)
        if len(moves) == 8:
            raise OSError(28, "No space left on device", str(self))
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fails_once)
    with pytest.raises(CompanionError, match="No space left"):
        restore(backup_path, other, NOW, replace=True)
    assert len(moves) > 8
    after = {name: content for name, content in tree(other.data).items() if not name.startswith("before")}
    assert after == before


def _killed_at(count: int, backup_path: Path, other: Places) -> bool:
    """Restore in a process that ends before a rename, as in a power cut; return whether it came so far."""
    child = os.fork()
    if child == 0:
        moves, rename = iter(range(1, count)), Path.rename

        def dies(self: Path, target: Path) -> Path:
            return rename(self, target) if next(moves, None) is not None else os._exit(137)

        with suppress(BaseException), pytest.MonkeyPatch.context() as patched:
            patched.setattr(Path, "rename", dies)
            restore(backup_path, other, NOW, replace=True)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 137


def test_a_restoration_that_is_cut_at_any_move_is_completed_by_the_next_command(
    backup_path: Path, other: Places, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    restore(backup_path, other, NOW, replace=False)
    (other.data / "games" / "1.log").unlink()
    shutil.copytree(other.data, tmp_path / "kept" / "data")
    count = 0
    while True:
        shutil.rmtree(other.data)
        shutil.copytree(tmp_path / "kept" / "data", other.data)
        count += 1
        was_killed = _killed_at(count, backup_path, other)
        caplog.clear()
        with Journal(other.data / JOURNAL_NAME, codecs(), lambda: NOW, read_only=count % 2 == 0) as journal:
            numbers = sorted(game.game_id for game in journal.games())
        asides = list(other.data.glob("before-restore-*"))
        assert not [path for path in other.data.iterdir() if path.name.startswith(".restor")]
        if count == 1:
            # Before anything was moved; what was unpacked is deleted.
            assert (numbers, asides, "left was deleted" in caplog.text) == ([2], [], True)
            continue
        assert numbers == [1, 2]
        assert {name for name in tree(asides[0]) if name.startswith("games/")} == {"games/2.log"}
        if not was_killed:
            break
        assert "is complete now" in caplog.text or "left was deleted" in caplog.text
    assert count > 8


def test_a_restoration_waits_for_a_hall_to_end(backup_path: Path, other: Places) -> None:
    other.data.mkdir(parents=True)
    with JournalLock(other.data / "hall"), pytest.raises(JournalError, match="hall: is in use by another companion"):
        restore(backup_path, other, NOW, replace=True)
    assert tree(other.data) == {}
    assert restore(backup_path, other, NOW, replace=True).manifest.games == 2


def test_the_mode_of_a_configuration_stays(backup_path: Path, other: Places) -> None:
    assert other.config is not None
    other.config.parent.mkdir()
    other.config.write_text("# mine\n")
    other.config.chmod(0o600)
    restore(backup_path, other, NOW, replace=True)
    assert other.config.stat().st_mode & 0o777 == 0o600
