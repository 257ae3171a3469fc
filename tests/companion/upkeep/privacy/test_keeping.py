"""Test the list of stored personal data, and what remains when it is deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.errors import CompanionError
from companion.games.patchwork.state import Setup
from companion.journal import JOURNAL_NAME, Journal, JournalError
from companion.journal.logs import JournalLock
from companion.registry import codecs
from companion.upkeep.backup.manifest import included_files as backed_up
from companion.upkeep.privacy.keeping import KINDS, delete, stored_files

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    "backups/2026-01-02.tar": "copies",
    "games.sqlite3.damaged-2026-01-02": "copies",
    "games/7.log.damaged-2026-01-02": "copies",
    "earlier-journal/journal.sqlite3": "copies",
    "before-restore-1/games.sqlite3": "copies",
    "games.sqlite3": "games",
    "games.sqlite3-wal": "games",
    "games/7.log": "games",
    "journal.sqlite3": "games",
    "decisions/7.log": "games",
    "profiles/7.npz": "pictures",
    "profiles/7.circle.jpg": "pictures",
    "pictures/7-1.jpg": "pictures",
    "looks/000012-look.jpg": "looks",
    "outbox.sqlite3": "messages",
    "hall/hall.sqlite3": "hall",
    "hall/keys/director": "hall",
    "page.key": "keys",
    "mqtt.password": "keys",
    "calibration.toml": "calibrations",
    "calibration.png": "calibrations",
    "kvilt-mine-blank.jpg": "calibrations",
    "calibrations/table.toml": "calibrations",
    "calibrations/table.png": "calibrations",
    "named/calibration/desk.npz": "calibrations",
    "notes.txt": "other",
    "profiles-of-mine/x": "other",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    data = tmp_path / "data"
    for name in (*FILES, "games.sqlite3.lock", "tables/simulated.lock"):
        (data / name).parent.mkdir(parents=True, exist_ok=True)
        (data / name).write_bytes(b"x" * 1000)
    return data


def test_every_file_is_of_one_kind(folder: Path) -> None:
    kept = stored_files(folder)
    found = {path.relative_to(folder).as_posix(): each.kind.name for each in kept for path in each.paths}
    assert found == FILES
    assert {each.kind.name: each.size_bytes for each in kept} == {
        kind.name: 1000 * list(FILES.values()).count(kind.name) for kind in KINDS
    }


def test_every_file_in_a_backup_is_listed(folder: Path) -> None:
    found = {path.relative_to(folder).as_posix() for each in stored_files(folder) for path in each.paths}
    assert set(backed_up(folder)) <= found


@pytest.mark.parametrize("name", [kind.name for kind in KINDS])
def test_only_the_chosen_kind_is_deleted(folder: Path, name: str) -> None:
    gone = delete(folder, [name])
    assert [each.kind.name for each in gone] == [name]
    left = {path.relative_to(folder).as_posix() for each in stored_files(folder) for path in each.paths}
    assert left == {path for path, kind in FILES.items() if kind != name}
    assert delete(folder, [name]) == ()


def test_of_everything_nothing_is_left_but_locks(folder: Path) -> None:
    delete(folder, [kind.name for kind in KINDS])
    assert {path.name for path in folder.rglob("*") if path.is_file()} == {
        "games.sqlite3.lock",
        "hall.lock",
        "simulated.lock",
    }


def test_an_empty_folder_of_the_owners_is_left(folder: Path) -> None:
    (folder / "mine" / "empty").mkdir(parents=True)
    delete(folder, [kind.name for kind in KINDS])
    assert {path.name for path in folder.rglob("*") if path.is_dir()} == {"tables", "mine", "empty"}


def test_while_a_companion_plays_nothing_is_deleted(tmp_path: Path) -> None:
    with Journal(tmp_path / JOURNAL_NAME, codecs()) as journal:
        journal.new_game(Setup(), "table")
        with pytest.raises(CompanionError, match="a companion is using it"):
            delete(tmp_path, ["games"])
    assert (tmp_path / JOURNAL_NAME).is_file()
    delete(tmp_path, ["games"])
    with Journal(tmp_path / JOURNAL_NAME, codecs()) as journal:
        assert list(journal.games()) == []


def test_nothing_of_a_hall_that_is_running_is_deleted(folder: Path) -> None:
    before = sorted((folder / "hall").rglob("*"))
    with JournalLock(folder / "hall"), pytest.raises(JournalError, match="hall: is in use by another companion"):
        delete(folder, ["hall"])
    assert sorted((folder / "hall").rglob("*")) == before
    delete(folder, ["hall"])
    assert not (folder / "hall").exists()


def test_leftovers_of_interrupted_commands_are_among_the_copies(tmp_path: Path) -> None:
    for name in (".restore-abc/data/games/1.log", ".backup-xyz/backup", "backups/.backup-1/backup", ".a.zip.1f.tmp"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("Anna")
    delete(tmp_path, ["copies"])
    assert [path.name for path in tmp_path.rglob("*")] == ["games.sqlite3.lock"]


def test_a_link_is_deleted_and_what_it_leads_to_is_not(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "diary.txt").write_text("dear diary")
    (folder / "linked").symlink_to(tmp_path / "mine")
    (folder / "hall" / "keys" / "link").symlink_to(tmp_path / "mine")
    (folder / "profiles" / "link.npz").symlink_to(tmp_path / "mine" / "diary.txt")
    links = {each.kind.name: [path.name for path in each.links] for each in stored_files(folder) if each.links}
    assert links == {"pictures": ["link.npz"], "hall": ["link"], "other": ["linked"]}
    assert stored_files(folder)[-1].size_bytes < 3000
    delete(folder, [kind.name for kind in KINDS])
    assert not any(path.is_symlink() for path in folder.rglob("*"))
    assert (tmp_path / "mine" / "diary.txt").read_text() == "dear diary"


def test_in_a_folder_that_is_not_there_nothing_is_kept(tmp_path: Path) -> None:
    assert all(not each.paths for each in stored_files(tmp_path / "none"))
    assert delete(tmp_path / "none", ["games"]) == ()
    assert not (tmp_path / "none").exists()
