"""Test damaged and malicious backups: each is refused in one line, and nothing is written outside the folder."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import sqlite3
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.errors import CompanionError
from companion.journal import JOURNAL_NAME, Journal
from companion.registry import codecs
from companion.upkeep.backup.manifest import Places
from companion.upkeep.backup.restoring import checked, restore
from companion.upkeep.backup.writing import back_up
from tests.companion.upkeep.backup.conftest import NOW, tree

MANIFEST = {"format": 1, "program": "quilt-companion", "version": "0.1.0", "taken_at": "2026-01-02", "games": 0}


def archive(path: Path, files: dict[str, bytes], /, **manifest: Any) -> Path:
    """Write an archive with a valid list of its files, whatever their names, and return its path."""
    listed = [
        {"name": name, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in files.items()
    ]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in files.items():
            out.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
        out.writestr("manifest.json", json.dumps({**MANIFEST, "files": listed, **manifest}))
    return path


def test_a_path_that_no_companion_writes_is_refused(tmp_path: Path, other: Places) -> None:
    for name in (
        "../evil",
        "data/../../evil",
        "/etc/evil",
        "data//evil",
        "data/./evil",
        "data/a\\..\\evil",
        "data/\x1b[2Jevil",
        "config/other.toml",
        "data/page.key",
        "data/tables/table.lock",
        "data/games.sqlite3",
        "data/.profile",
        "data/backups/x.zip",
        "data/" + "a/" * 20 + "b",
        "data/" + "é" * 200,
        "data/",
    ):
        kept = archive(tmp_path / "kept.zip", {name: b"x"})
        before = tree(tmp_path)
        with pytest.raises(CompanionError, match="is not an intact backup"):
            restore(kept, other, NOW, replace=True)
        assert tree(tmp_path) == before, name


@pytest.mark.parametrize("more", [b"", random.Random(1).randbytes(500_000)], ids=["everywhere", "in one game"])
def test_a_bomb_is_refused_before_it_is_unpacked(more: bytes, tmp_path: Path, other: Places) -> None:
    kept = archive(tmp_path / "kept.zip", {"data/games/1.log": more + bytes(80 << 20)})
    assert kept.stat().st_size < 1 << 20
    with pytest.raises(CompanionError, match="far more than its size"):
        restore(kept, other, NOW, replace=True)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"format": 2}, "newer companion"),
        ({"format": 0}, "list of files cannot be read"),
        ({"program": "other"}, "list of files cannot be read"),
        ({"files": 7}, "list of files cannot be read"),
        ({"games": 10**400}, "list of files cannot be read"),
        ({"files": []}, "do not match its list"),
        ({"files": [{"name": "data/a", "size": 1, "sha256": "0" * 64}]}, "has a different checksum"),
        ({"files": [{"name": "data/a", "size": 2, "sha256": "0" * 64}]}, "do not match its list"),
        ({"named": {"table.calibration": "../../etc/passwd"}}, "not a file of the companion"),
    ],
)
def test_a_list_that_does_not_fit_is_refused(changes: dict[str, Any], says: str, tmp_path: Path, other: Places) -> None:
    kept = archive(tmp_path / "kept.zip", {"data/a": b"x"}, **changes)
    with pytest.raises(CompanionError, match=says):
        restore(kept, other, NOW, replace=False)


def test_a_device_without_end_is_not_read(tmp_path: Path, other: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("zipfile.ZipFile", read)
    with pytest.raises(CompanionError, match="its archive is damaged"):
        restore(Path("/dev/zero"), other, NOW, replace=True)
    with pytest.raises(CompanionError, match="its archive is damaged"):
        checked(Path("/dev/zero"), tmp_path)


def test_a_named_file_that_an_earlier_version_left_out_is_not_looked_for(tmp_path: Path, other: Places) -> None:
    kept = archive(tmp_path / "kept.zip", {"data/a": b"x"}, named={"table.calibration": "calibration.toml"})
    assert restore(kept, other, NOW, replace=False).manifest.named == {}
    assert (other.data / "a").read_bytes() == b"x"


def test_a_way_of_packing_that_may_ask_for_any_memory_is_refused(tmp_path: Path, other: Places) -> None:
    kept = archive(tmp_path / "kept.zip", {})
    with zipfile.ZipFile(kept, "a") as out:
        out.writestr(zipfile.ZipInfo("data/a"), b"x", zipfile.ZIP_LZMA)
    with pytest.raises(CompanionError, match="packed in a way that the companion does not use"):
        restore(kept, other, NOW, replace=False)


def test_a_list_of_files_that_asks_for_gigabytes_to_be_unpacked_is_not_read(
    tmp_path: Path, other: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kept.zip"
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_LZMA) as out:
        out.writestr("manifest.json", b"{}")

    def unpacks(*_: object) -> bytes:
        raise MemoryError

    monkeypatch.setattr(zipfile.ZipFile, "read", unpacks)
    with pytest.raises(CompanionError, match="packed in a way that the companion does not use"):
        restore(kept, other, NOW, replace=False)


def test_two_files_of_one_name_are_refused(tmp_path: Path, other: Places) -> None:
    kept = archive(tmp_path / "kept.zip", {"data/a": b"x"})
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(kept, "a") as out:
        out.writestr("data/a", b"x")
    with pytest.raises(CompanionError, match="do not match its list"):
        restore(kept, other, NOW, replace=False)


def test_a_configuration_that_cannot_be_used_is_refused_before_anything_is_moved(tmp_path: Path, other: Places) -> None:
    kept = archive(tmp_path / "kept.zip", {"config/config.toml": b"[table]\nboards = 7\n", "data/a": b"x"})
    with pytest.raises(CompanionError, match=r"config\.toml: \[table\] boards"):
        restore(kept, other, NOW, replace=False)
    assert not (other.data / "a").exists()


def test_a_database_of_the_former_format_runs_nothing_of_its_own(tmp_path: Path, other: Places) -> None:
    with sqlite3.connect(tmp_path / "hostile.sqlite3") as connection:
        endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT x AS id FROM n"
        for name in ("games", "entries", "notes"):
            connection.execute(f"CREATE VIEW {name} AS {endless}")
    connection.close()
    kept = archive(tmp_path / "kept.zip", {"data/journal.sqlite3": (tmp_path / "hostile.sqlite3").read_bytes()})
    restore(kept, other, NOW, replace=False)
    with Journal(other.data / JOURNAL_NAME, codecs()) as journal:
        assert journal.games() == []


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.floats(0, 1, exclude_max=True), how=st.sampled_from(["flip", "cut", "zero"]), bit=st.integers(0, 7))
def test_a_damaged_backup_is_sound_or_refused(place: float, how: str, bit: int, places: Places, tmp_path: Path) -> None:
    kept, harmed, folder = tmp_path / "kept.zip", tmp_path / "harmed.zip", tmp_path / "unpacked"
    if not kept.exists():
        back_up(places, kept, NOW)
    content = bytearray(kept.read_bytes())
    at = int(place * len(content))
    if how == "flip":
        content[at] ^= 1 << bit
    else:
        content[at:] = bytes(len(content) - at) if how == "zero" else b""
    harmed.write_bytes(content)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    with suppress(CompanionError):
        manifest = checked(harmed, folder)
        found = {name: hashlib.sha256(content).hexdigest() for name, content in tree(folder).items()}
        assert found == {kept.name: kept.sha256 for kept in manifest.files}


def test_a_file_that_is_no_archive_is_refused_in_one_line(tmp_path: Path, other: Places) -> None:
    path = tmp_path / "kept.zip"
    for content in (b"", b"hello", bytes(100_000)):
        path.write_bytes(content)
        with pytest.raises(CompanionError, match="is not an intact backup"):
            restore(path, other, NOW, replace=False)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(CompanionError, match="is not an intact backup"):
        restore(tmp_path / "pipe", other, NOW, replace=False)
    with pytest.raises(CompanionError, match="No such file"):
        restore(tmp_path / "none", other, NOW, replace=False)
    with pytest.raises(CompanionError, match="Is a directory"):
        restore(tmp_path, other, NOW, replace=False)
