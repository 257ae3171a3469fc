from __future__ import annotations

import errno
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from companion.games.patchwork import Advance, Setup
from companion.journal import Journal, JournalError
from companion.journal.opening import (
    APPLICATION_ID,
    SCHEMA_VERSION,
    DamagedError,
    check_header,
    check_tables,
    set_aside,
)
from companion.patchwork.codec import PATCHWORK
from companion.registry import codecs
from tests.cases import each

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 1, 2, 19, 0, 7, tzinfo=UTC)
ASIDE = "journal.sqlite3.damaged-20260102-190007"


def _sound_journal(path: Path, games: int = 1) -> None:
    with Journal(path, codecs()) as journal:
        for _ in range(games):
            journal.append(journal.new_game(Setup()), 1, Advance(1))


def _pragma(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.mark.parametrize("content", [b"not a database at all, and long enough to be looked at" * 40, b"\0" * 4096])
def test_a_file_that_is_no_database_is_set_aside_and_a_new_one_begun(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with Journal(path, codecs(), lambda: NOW) as journal:
        assert journal.set_aside == path.with_name(ASIDE)
        assert journal.games() == []
        journal.append(journal.new_game(Setup()), 1, Advance(1))
    assert path.with_name(ASIDE).read_bytes() == content
    with Journal(path, codecs()) as journal:
        assert (journal.set_aside, len(journal.games())) == (None, 1)


def test_a_journal_that_was_set_aside_survives_a_power_cut(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[tuple[Path, bool]] = []
    monkeypatch.setattr("companion.journal.opening.sync_folder", lambda folder: synced.append((folder, path.exists())))
    path.parent.mkdir()
    path.write_bytes(b"damaged")
    assert set_aside(path, NOW) == path.with_name(ASIDE)
    assert synced == [(path.parent, False)], "the folder is synced once, after the file has its new name"


def test_a_damaged_page_is_found_when_the_journal_is_opened(path: Path) -> None:
    _sound_journal(path, games=60)
    content = bytearray(path.read_bytes())
    content[4096 : 4096 + 3000] = b"\xff" * 3000
    path.write_bytes(content)
    with Journal(path, codecs(), lambda: NOW) as journal:
        assert journal.set_aside == path.with_name(ASIDE)
    assert path.with_name(ASIDE).read_bytes() == bytes(content)


@pytest.mark.parametrize(("index", "text"), [("games_by_status", b"unfinished"), ("games_by_table", b"table")])
def test_a_damaged_index_hides_no_game_that_can_be_resumed(path: Path, index: str, text: bytes) -> None:
    with Journal(path, codecs()) as journal:
        number = journal.new_game(Setup(), "table")
    with closing(sqlite3.connect(path)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (index,)).fetchone()
    content = path.read_bytes()
    start, end = (page - 1) * 4096, page * 4096
    damaged = content[start:end].replace(text, text[:-1] + b"_")
    assert damaged != content[start:end]
    path.write_bytes(content[:start] + damaged + content[end:])
    with Journal(path, codecs(), lambda: NOW) as journal:
        assert journal.set_aside == path.with_name(ASIDE)
        for table in ("table", None):
            found = journal.unfinished(table)
            assert found is not None
            assert found.game_id == number


def test_a_cut_off_file_is_set_aside(path: Path) -> None:
    _sound_journal(path, games=60)
    path.write_bytes(path.read_bytes()[:-5000])
    with Journal(path, codecs(), lambda: NOW) as journal:
        assert journal.set_aside is not None


@each("length", [1, 16, 99])
def test_a_file_that_ends_in_its_header_is_no_database(tmp_path: Path, length: int) -> None:
    path = tmp_path / str(length) / "journal.sqlite3"
    _sound_journal(path)
    path.write_bytes(path.read_bytes()[:length])
    with Journal(path, codecs(), lambda: NOW) as journal:
        assert journal.set_aside == path.with_name(ASIDE)
        assert [found.decisions for found in journal.games()] == [1], "its log has it"


def test_a_header_that_no_journal_has_is_damage(path: Path) -> None:
    _sound_journal(path)
    check_header(path)
    content = path.read_bytes()
    # The name, the versions to write and to read, the reserved bytes, the schema's format, and the text's encoding.
    for place in (0, 15, 18, 19, 20, 47, 59):
        path.write_bytes(content[:place] + b"\x7f" + content[place + 1 :])
        with pytest.raises(DamagedError, match="file is not a database"):
            check_header(path)


def test_a_damaged_file_that_another_companion_has_open_is_left_where_it_is(path: Path) -> None:
    _sound_journal(path, games=60)
    with Journal(path, codecs()) as other:
        content = path.read_bytes()
        path.write_bytes(content[:4096] + b"\xff" * 3000 + content[7096:])
        with pytest.raises(JournalError, match="is damaged, and another companion has it open; close that one"):
            Journal(path, codecs())
        assert other.path.exists()
        assert not list(path.parent.glob("*.damaged-*"))
    with Journal(path, codecs(), lambda: NOW) as journal:
        assert journal.set_aside == path.with_name(ASIDE)


@pytest.mark.parametrize(("table", "column"), [("games", "touched"), ("entries", "at"), ("notes", "value")])
def test_a_damaged_name_of_a_column_is_found_before_anything_is_written(path: Path, table: str, column: str) -> None:
    _sound_journal(path)
    _pragma(path, f"ALTER TABLE {table} RENAME COLUMN {column} TO {column}x")
    with Journal(path, codecs(), lambda: NOW) as journal:
        assert journal.set_aside == path.with_name(ASIDE)
        assert [found.decisions for found in journal.games()] == [1], "its log has it"


@pytest.mark.parametrize(("table", "column"), [("games", "touched"), ("entries", "at"), ("notes", "value")])
def test_a_reader_is_told_of_a_damaged_name_of_a_column_at_once(path: Path, table: str, column: str) -> None:
    _sound_journal(path)
    _pragma(path, f"ALTER TABLE {table} RENAME COLUMN {column} TO {column}x")
    with pytest.raises(JournalError, match=rf"is damaged .*{column}"):
        Journal(path, codecs(), read_only=True)


@pytest.mark.parametrize("table", ["games", "entries", "notes"])
def test_every_column_is_asked_for(path: Path, table: str) -> None:
    _sound_journal(path)
    with closing(sqlite3.connect(path)) as connection:
        check_tables(connection)
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        assert len(columns) >= 3
        for column in columns:
            connection.execute("BEGIN")
            connection.execute(f"ALTER TABLE {table} RENAME COLUMN {column} TO {column}x")
            with pytest.raises(sqlite3.OperationalError, match=f"no such column: {column}"):
                check_tables(connection)
            connection.execute("ROLLBACK")


def test_what_was_set_aside_is_never_overwritten(path: Path) -> None:
    path.parent.mkdir()
    names = []
    for content in (b"one", b"two", b"three"):
        path.write_bytes(content)
        path.with_name(path.name + "-wal").write_bytes(content + b"-wal")
        names.append(set_aside(path, NOW))
    assert [name.name for name in names] == [ASIDE, f"{ASIDE}-2", f"{ASIDE}-3"]
    assert [name.read_bytes() for name in names] == [b"one", b"two", b"three"]
    assert names[1].with_name(names[1].name + "-wal").read_bytes() == b"two-wal"
    assert not path.exists()


def test_a_reader_leaves_a_damaged_file_where_it_is(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database" * 100)
    with pytest.raises(JournalError, match=r"is damaged.*sets it aside"):
        Journal(path, codecs(), read_only=True)
    assert [child.name for child in path.parent.iterdir()] == [path.name]


def test_a_newer_companion_s_journal_is_refused_and_kept(path: Path) -> None:
    _sound_journal(path)
    _pragma(path, f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    for read_only in (False, True):
        with pytest.raises(JournalError, match=r"newer companion \(format 2, this one knows 1\)"):
            Journal(path, codecs(), read_only=read_only)
    _pragma(path, f"PRAGMA user_version = {SCHEMA_VERSION}")
    with Journal(path, codecs()) as journal:
        assert len(journal.games()) == 1


def test_another_program_s_database_is_refused_and_kept(path: Path) -> None:
    path.parent.mkdir()
    _pragma(path, "CREATE TABLE recipes (name TEXT)")
    with pytest.raises(JournalError, match="another program’s database"):
        Journal(path, codecs())
    _pragma(path, f"PRAGMA application_id = {APPLICATION_ID}")
    with pytest.raises(JournalError, match="format 0, which does not exist"):
        Journal(path, codecs())


def test_an_empty_file_is_begun_and_not_set_aside(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    with pytest.raises(JournalError, match="is empty"):
        Journal(path, codecs(), read_only=True)
    with Journal(path, codecs()) as journal:
        assert (journal.set_aside, journal.games()) == (None, [])


def test_a_missing_journal_is_not_made_by_looking(path: Path) -> None:
    with pytest.raises(JournalError, match="there is no journal yet"):
        Journal(path, codecs(), read_only=True)
    assert not path.parent.exists()


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JournalError, match=r"file/data: cannot be created: Not a directory; choose another folder"):
        Journal(tmp_path / "file" / "data" / "journal.sqlite3", codecs())


def test_a_read_only_folder_is_one_line(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.parent.mkdir()

    def refuse(*_: object, **__: object) -> int:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("companion.journal.locks.os.open", refuse)
    with pytest.raises(JournalError, match=r"cannot be written: Read-only file system; choose another folder"):
        Journal(path, codecs())


def test_a_folder_in_the_journal_s_place_is_one_line(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(JournalError, match="cannot be opened"):
        Journal(path, codecs())


def test_a_failed_opening_gives_the_lock_back(path: Path) -> None:
    _sound_journal(path)
    _pragma(path, "PRAGMA user_version = 9")
    for _ in range(2):
        with pytest.raises(JournalError, match="newer companion"):
            Journal(path, codecs())


def test_a_large_journal_is_not_looked_through_until_something_in_it_cannot_be_read(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _sound_journal(path, games=150)
    monkeypatch.setattr("companion.journal.opening._CHECKED_WHOLE_BYTES", 8192)
    content = bytearray(path.read_bytes())
    # The first is the root of the tree, the second has the oldest games.
    _, page, *_ = (start for start in range(8192, len(content), 4096) if b"advance" in content[start : start + 4096])
    content[page : page + 4096] = b"\xff" * 4096
    path.write_bytes(content)
    # Only the games played last are compared with their logs.
    monkeypatch.setattr("companion.journal.reconciling._NEWEST", 1)
    with Journal(path, codecs(), lambda: NOW) as journal:
        assert journal.set_aside is None
        with pytest.raises(JournalError, match=r"is damaged.*sets it aside"):
            [journal.decisions(number, PATCHWORK) for number in range(1, 151)]
    with Journal(path, codecs(), lambda: NOW) as journal:
        assert journal.set_aside == path.with_name(ASIDE)
        assert [game.decisions for game in journal.games()] == [1] * 150
        journal.append(journal.new_game(Setup()), 1, Advance(1))
    with Journal(path, codecs(), lambda: NOW) as journal:
        assert (journal.set_aside, len(journal.games())) == (None, 151)
    assert not path.with_name(path.name + ".suspect").exists()


def test_a_whole_large_journal_is_looked_through_where_that_is_asked_for(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _sound_journal(path, games=60)
    content = bytearray(path.read_bytes())
    content[-2000:] = b"\xff" * 2000
    path.write_bytes(content)
    monkeypatch.setattr("companion.journal.opening._CHECKED_WHOLE_BYTES", 8192)
    with Journal(path, codecs(), read_only=True) as journal, pytest.raises(JournalError, match="is damaged"):
        journal.check()
