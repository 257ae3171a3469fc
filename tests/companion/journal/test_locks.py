from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from companion.journal import Journal, JournalError, TableTakenError, table_lock
from companion.journal.logs import JournalLock
from companion.registry import codecs

OPEN: Final = Path("/proc/self/fd")
"""The folder with an entry for each file that this process has open."""


def test_the_first_has_the_journal_to_itself_until_it_shares(path: Path) -> None:
    path.parent.mkdir()
    with JournalLock(path) as first:
        assert first.is_exclusive
        with pytest.raises(JournalError, match="is in use by another companion; close that one"):
            JournalLock(path, timeout_s=0.0)
        first.share()
        with JournalLock(path, timeout_s=0.0) as second:
            assert not second.is_exclusive
    with JournalLock(path, timeout_s=0.0) as third:
        assert third.is_exclusive


def test_a_refused_companion_leaves_no_file_open(path: Path) -> None:
    path.parent.mkdir()
    with JournalLock(path):
        before = len(list(OPEN.iterdir()))
        with pytest.raises(JournalError, match="is in use by another companion"):
            JournalLock(path, timeout_s=0.0)
        assert len(list(OPEN.iterdir())) == before


def test_a_closed_lock_holds_nothing(path: Path) -> None:
    path.parent.mkdir()
    lock = JournalLock(path)
    lock.close()
    lock.share()
    lock.close()
    with JournalLock(path, timeout_s=0.0) as other:
        assert other.is_exclusive


def test_one_table_is_for_one_companion(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with table_lock(folder, "simulated 1 tidy tidy"), table_lock(folder, "simulated 2 tidy tidy"):
        with (
            pytest.raises(TableTakenError, match="another companion is playing at the table 'simulated 1 tidy tidy'"),
            table_lock(folder, "simulated 1 tidy tidy"),
        ):
            pytest.fail("two at one table")
        with table_lock(tmp_path / "other", "simulated 1 tidy tidy"):
            pass
    with table_lock(folder, "simulated 1 tidy tidy"):
        pass


def test_a_table_s_name_may_be_anything(tmp_path: Path) -> None:
    with table_lock(tmp_path, "../../the table\0 by the window"):
        assert [path.parent.name for path in tmp_path.rglob("*.lock")] == ["tables"]


def test_a_data_folder_that_cannot_be_written_to_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JournalError, match="cannot be created: Not a directory"), table_lock(tmp_path / "file", "a"):
        pytest.fail("no lock was taken")
    (tmp_path / "tables" / "a.lock").mkdir(parents=True)
    with pytest.raises(JournalError, match="cannot be written: Is a directory"), table_lock(tmp_path, "a"):
        pytest.fail("no lock was taken")


HOLDER = """
import sys, time
from pathlib import Path
from companion.journal import table_lock
with table_lock(Path(sys.argv[1]), "a"):
    print("seated", flush=True)
    time.sleep(600)
"""


def test_the_table_of_a_killed_companion_is_free_at_once(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"seated\n"
        with pytest.raises(TableTakenError), table_lock(tmp_path, "a"):
            pytest.fail("two at one table")
        process.kill()
        process.wait()
    with table_lock(tmp_path, "a"):
        pass


def test_a_file_system_without_locks_is_one_line(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As of a network drive."""

    def refused(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("fcntl.flock", refused)
    with pytest.raises(JournalError, match="cannot be written: No locks available; choose another folder with --data"):
        Journal(path, codecs())
    with pytest.raises(JournalError, match="No locks available"), table_lock(path.parent, "table"):
        pass
