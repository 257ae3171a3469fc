"""Test that a backup holds all that an owner would miss, as of a single moment."""

from __future__ import annotations

import errno
import io
import json
import os
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from companion.__main__ import main
from companion.cli.backup import contents
from companion.errors import CompanionError
from companion.journal import JOURNAL_NAME, Journal
from companion.journal.restoration import folder_for_copies
from companion.patchwork.codec import PATCHWORK
from companion.registry import codecs
from companion.upkeep.backup.manifest import Places, included_files
from companion.upkeep.backup.restoring import checked, restore
from companion.upkeep.backup.writing import back_up, usual_name, without_passwords
from tests.companion.upkeep.backup.conftest import NOW, Evening


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of temporary folders."""
    room = tmp_path / "var"
    room.mkdir()
    monkeypatch.setattr("companion.journal.restoration.ROOMY", room)
    return room


def _killed(monkeypatch: pytest.MonkeyPatch, places: Places, target: Path) -> None:
    """Back up, as a process that is killed once its copies are made."""

    def kill(*_: object) -> None:
        os._exit(137)

    if (child := os.fork()) == 0:
        monkeypatch.setattr("companion.upkeep.backup.writing.manifest_bytes", kill)
        back_up(places, target, NOW)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 137


@pytest.mark.parametrize("line", [["games"], ["privacy"], ["privacy", "delete", "keys", "--yes"]])
def test_the_copies_of_a_killed_backup_are_deleted_by_the_next_command(
    evening: Evening, places: Places, room: Path, tmp_path: Path, line: list[str], monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    evening.journal.close()
    _killed(monkeypatch, places, tmp_path / "kept.zip")
    (left,) = room.iterdir()
    assert list(left.iterdir())
    with folder_for_copies() as used:
        for each in (left, used):
            os.utime(each, (0, 0))
        main([*line, "--data", str(places.data)])
        assert list(room.iterdir()) == [used]
    assert f"{left}: what an interrupted backup left was deleted" in caplog.messages


def test_a_killed_backup_s_file_is_deleted_by_the_next_one_in_its_folder(
    places: Places, room: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del room
    stick = tmp_path / "stick"
    stick.mkdir()
    for name in ("kept.zip", usual_name(NOW)):
        _killed(monkeypatch, places, stick / name)
    assert len(list(stick.iterdir())) == 2
    back_up(places, stick / "kept.zip", NOW)
    assert [path.name for path in stick.iterdir()] == ["kept.zip"]


def test_files_of_one_machine_are_left_out(places: Places, tmp_path: Path) -> None:
    manifest = back_up(places, tmp_path / "kept.zip", NOW)
    assert {kept.name for kept in manifest.files} == {
        "config/config.toml",
        "data/games/1.log",
        "data/games/2.log",
        "data/calibrations/table.toml",
        "data/profiles/1.npz",
        "data/games.sqlite3.damaged-20260101-000000",
        "data/named/calibration/lens.toml",
        "data/named/calibration/lens.npz",
        "data/named/time_board_print/board.toml",
        "data/named/ca/mqtt-ca.pem",
    }
    assert (manifest.games, manifest.taken_at) == (2, NOW.isoformat())


def test_a_hall_s_database_is_whole_while_the_hall_writes_to_it_and_its_keys_stay(
    places: Places, other: Places, tmp_path: Path
) -> None:
    (places.data / "hall" / "keys").mkdir(parents=True)
    (places.data / "hall" / "keys" / "director").write_text("secret")
    (places.data / "hall" / "invitations").mkdir()
    (places.data / "hall" / "invitations" / "1.json").write_text("secret")
    with closing(sqlite3.connect(places.data / "hall" / "hall.sqlite3", isolation_level=None)) as hall:
        hall.execute("PRAGMA journal_mode = WAL")
        hall.execute("CREATE TABLE results (who TEXT)")
        hall.execute("INSERT INTO results VALUES ('Anna')")
        manifest = back_up(places, tmp_path / "kept.zip", NOW)
    assert {kept.name for kept in manifest.files if "hall" in kept.name} == {"data/hall/hall.sqlite3"}
    restore(tmp_path / "kept.zip", other, NOW, replace=False)
    with closing(sqlite3.connect(other.data / "hall" / "hall.sqlite3")) as restored:
        assert restored.execute("SELECT who FROM results").fetchall() == [("Anna",)]


def test_passwords_in_addresses_stay_out_of_a_backup(places: Places, tmp_path: Path) -> None:
    assert places.config is not None
    places.config.write_text(
        '[hall]\ndatabase = "postgresql://hall:secret1@db/hall?password=secret2&sslmode=require"\n'
        '# database = "postgresql://hall:secret3@db/hall"\n[mqtt]\nbroker = "mqtt://hall.local:1883"\n'
    )
    back_up(places, tmp_path / "kept.zip", NOW)
    with zipfile.ZipFile(tmp_path / "kept.zip") as archive:
        text = archive.read("config/config.toml").decode()
    assert text == (
        '[hall]\ndatabase = "postgresql://hall@db/hall?password=&sslmode=require"\n'
        '# database = "postgresql://hall@db/hall"\n[mqtt]\nbroker = "mqtt://hall.local:1883"\n'
    )


def test_a_disk_that_is_full_is_named_and_nothing_is_left(places: Places, tmp_path: Path) -> None:
    target = tmp_path / "stick" / "kept.zip"
    target.parent.mkdir()

    class Full(io.FileIO):
        def write(self, _: object) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "fdopen", lambda descriptor, _: Full(descriptor, "w"))
        with pytest.raises(CompanionError, match=rf"{target}: cannot be written: No space left"):
            back_up(places, target, NOW)
    assert list(target.parent.iterdir()) == []


def test_a_disk_that_cannot_be_written_is_said_of_the_backup(
    places: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, *_: object, **__: object) -> int:
        raise OSError(errno.EROFS, "Read-only file system", str(path))

    # Such a disk refuses to delete even what is not there.
    monkeypatch.setattr(os, "open", refuse)
    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(CompanionError, match=rf"{tmp_path / 'kept.zip'}: cannot be written: Read-only file system"):
        back_up(places, tmp_path / "kept.zip", NOW)


def test_a_file_named_like_a_database_is_kept_as_it_is(places: Places, tmp_path: Path) -> None:
    (places.data / "outbox.sqlite3").write_text("torn")
    back_up(places, tmp_path / "kept.zip", NOW)
    with zipfile.ZipFile(tmp_path / "kept.zip") as archive:
        assert archive.read("data/outbox.sqlite3") == b"torn"


def test_the_file_is_an_ordinary_archive_that_others_may_not_read(places: Places, tmp_path: Path) -> None:
    target = tmp_path / "kept.zip"
    back_up(places, target, NOW)
    assert target.stat().st_mode & 0o077 == 0
    with zipfile.ZipFile(target) as archive:
        assert archive.testzip() is None
        assert json.loads(archive.read("manifest.json"))["program"] == "quilt-companion"
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_a_game_in_play_is_backed_up_to_its_last_complete_line(
    evening: Evening, places: Places, other: Places, tmp_path: Path
) -> None:
    log = places.data / "games" / "2.log"
    log.write_bytes(log.read_bytes() + b"0123abcd 9 half a li")
    back_up(places, tmp_path / "kept.zip", NOW)
    evening.play(1)
    restore(tmp_path / "kept.zip", other, NOW, replace=False)
    assert (other.data / "games" / "2.log").read_bytes().endswith(b"\n")
    with Journal(other.data / JOURNAL_NAME, codecs(), lambda: NOW) as journal:
        assert journal.findings == []
        assert journal.decisions(2, PATCHWORK) == evening.history.decisions[:3]


def test_a_configuration_that_cannot_be_read_is_kept_as_it_is(places: Places, tmp_path: Path) -> None:
    assert places.config is not None
    places.config.write_text("[nonsense")
    manifest = back_up(places, tmp_path / "kept.zip", NOW)
    assert manifest.named == {}
    with zipfile.ZipFile(tmp_path / "kept.zip") as archive:
        assert archive.read("config/config.toml") == b"[nonsense"


def test_a_backup_that_cannot_be_written_leaves_nothing(places: Places, tmp_path: Path) -> None:
    target = tmp_path / "kept.zip"
    target.write_bytes(b"mine")
    with pytest.raises(CompanionError, match="already exists"):
        back_up(places, target, NOW)
    assert target.read_bytes() == b"mine"
    with pytest.raises(CompanionError, match="contains no games"):
        back_up(Places(tmp_path / "none", None), tmp_path / "new.zip", NOW)
    with pytest.raises(CompanionError, match=r"no/new\.zip: cannot be written: No such file"):
        back_up(places, tmp_path / "no" / "new.zip", NOW)
    assert not (tmp_path / "new.zip").exists()


def test_games_are_counted_without_their_index(evening: Evening, places: Places, tmp_path: Path) -> None:
    evening.journal.close()
    (places.data / JOURNAL_NAME).unlink()
    assert back_up(places, tmp_path / "kept.zip", NOW).games == 2


def test_a_damaged_database_is_saved_and_named(places: Places, tmp_path: Path) -> None:
    path = places.data / "hall" / "hall.sqlite3"
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as hall:
        hall.execute("CREATE TABLE results (who TEXT)")
        hall.executemany("INSERT INTO results VALUES (?)", [["Anna" * 100]] * 100)
        hall.commit()
    assert back_up(places, tmp_path / "sound.zip", NOW).damaged == ()
    with path.open("r+b") as stream:
        stream.seek(3 * 4096)
        stream.write(bytes(4096))
    assert back_up(places, tmp_path / "kept.zip", NOW).damaged == ("hall/hall.sqlite3",)


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("postgresql://hall:a/b c'd@db/hall", "postgresql://hall@db/hall"),
        ("postgresql+psycopg://hall:x@db/hall?sslpassword=y", "postgresql+psycopg://hall@db/hall?sslpassword="),
        ("rtsp://admin:p%40ss@192.168.1.5/live", "rtsp://admin@192.168.1.5/live"),
        ("http://camera:8080/now.jpg?user=a&PWD=b", "http://camera:8080/now.jpg?user=a&PWD="),
        ("http://camera:8080/now@large.jpg", "http://camera:8080/now@large.jpg"),
    ],
)
def test_an_address_is_kept_without_its_password(address: str, kept: str) -> None:
    assert without_passwords(f'url = "{address}"\n'.encode()).decode() == f'url = "{kept}"\n'


def test_a_game_that_is_deleted_meanwhile_stops_no_backup(
    places: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(folder: Path) -> list[str]:
        names = [*included_files(folder)]
        for name in ("games/2.log", "profiles/1.npz"):
            (folder / name).unlink()
        return names

    monkeypatch.setattr("companion.upkeep.backup.writing.included_files", gone)
    names = {kept.name for kept in back_up(places, tmp_path / "kept.zip", NOW).files}
    assert "data/games/1.log" in names
    assert names.isdisjoint({"data/games/2.log", "data/profiles/1.npz"})
    assert checked(tmp_path / "kept.zip", tmp_path / "staging").files


def test_a_log_that_cannot_be_read_is_named_and_the_rest_is_backed_up(places: Places, tmp_path: Path) -> None:
    os.mkfifo(places.data / "games" / "7.log")
    manifest = back_up(places, tmp_path / "kept.zip", NOW)
    assert (manifest.games, manifest.unread) == (2, ("games/7.log",))
    assert contents(manifest, tmp_path / "kept.zip").endswith("The backup lacks games/7.log, which could not be read.")
    assert checked(tmp_path / "kept.zip", tmp_path / "staging") == manifest


def test_games_that_lie_on_another_disk_are_backed_up(places: Places, other: Places, tmp_path: Path) -> None:
    (places.data / "games").rename(tmp_path / "stick")
    (places.data / "games").symlink_to(tmp_path / "stick")
    (tmp_path / "stick" / "1.log").rename(tmp_path / "1.log")
    (tmp_path / "stick" / "1.log").symlink_to(tmp_path / "1.log")
    back_up(places, tmp_path / "kept.zip", NOW)
    restore(tmp_path / "kept.zip", other, NOW, replace=False)
    with Journal(other.data / JOURNAL_NAME, codecs()) as journal:
        assert [game.error for game in journal.games()] == [None, None]
