"""Test that a file is written completely or not at all."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from companion.durable import sync_folder, take_place, write_beside, write_named, write_whole


def test_the_file_is_on_the_disk_before_its_name_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []
    sync, replace = os.fsync, Path.replace

    def synced(descriptor: int) -> None:
        steps.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        sync(descriptor)

    def replaced(path: Path, target: Path) -> Path:
        steps.append("rename")
        return replace(path, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", replaced)
    write_whole(tmp_path / "a", b"new")
    assert steps == ["file", "rename", "folder"]
    assert (tmp_path / "a").read_bytes() == b"new"


@pytest.mark.parametrize("fails", ["os.fsync", "pathlib.Path.replace"])
def test_a_failed_write_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "a").write_bytes(b"old")
    monkeypatch.setattr(fails, full)
    with pytest.raises(OSError, match="No space left"):
        write_whole(tmp_path / "a", b"new")
    assert [(entry.name, entry.read_bytes()) for entry in tmp_path.iterdir()] == [("a", b"old")]


def test_an_interrupted_write_leaves_the_old_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    (tmp_path / "a").write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "a", b"new")
    assert [(entry.name, entry.read_bytes()) for entry in tmp_path.iterdir()] == [("a", b"old")]


@pytest.mark.parametrize("name", ["n" * 255, "م" * 127])
def test_a_file_written_beside_waits_until_it_takes_its_place(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"old")
    beside = write_beside(path, b"new")
    assert (path.read_bytes(), beside.read_bytes()) == (b"old", b"new")
    take_place(beside, path)
    assert path.read_bytes() == b"new"
    assert not beside.exists()


def test_a_folder_that_is_not_there_cannot_be_synced(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        sync_folder(tmp_path / "missing")


def test_a_file_that_a_link_names_is_replaced_and_the_link_is_kept(tmp_path: Path) -> None:
    (tmp_path / "b").write_bytes(b"old")
    (tmp_path / "a").symlink_to("b")
    write_named(tmp_path / "a", b"new")
    assert (tmp_path / "a").is_symlink()
    assert (tmp_path / "b").read_bytes() == b"new"


def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    write_named(tmp_path / "pipe", b"new")
    reader.join()
    assert read == [b"new"]
    assert (tmp_path / "pipe").is_fifo()


def test_a_pipe_without_a_path_of_its_own_is_written_into() -> None:
    """As the one that /dev/stdout leads to."""
    reading, writing = os.pipe()
    write_named(Path(f"/proc/self/fd/{writing}"), b"new")
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        assert stream.read() == b"new"
