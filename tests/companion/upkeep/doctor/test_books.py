from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from companion.config import Config
from companion.games.kvilt.decisions import TakeToken
from companion.games.patchwork.decisions import Advance
from companion.games.patchwork.state import Setup
from companion.journal import JOURNAL_NAME, Journal
from companion.kvilt.settings import KviltSettings
from companion.patchwork.codec import PATCHWORK
from companion.registry import codecs
from companion.upkeep.doctor.books import check_hall, check_journal
from tests.companion.upkeep.doctor.conftest import levels

if TYPE_CHECKING:
    from pathlib import Path

PROFILED = {PATCHWORK.name}


def a_game(folder: Path, decisions: int = 1) -> int:
    with Journal(folder / JOURNAL_NAME, codecs()) as journal:
        number = journal.new_game(Setup(players=("Anna", "Boris")), "table")
        for made in range(decisions):
            journal.append(number, made + 1, Advance(made % 2 + 1))
        return number


def test_no_journal_and_a_sound_one(tmp_path: Path) -> None:
    assert levels(check_journal(tmp_path, codecs(), PROFILED)) == ["ok"]
    assert levels(check_journal(tmp_path / "nowhere", codecs(), PROFILED)) == ["ok"]
    a_game(tmp_path, 0)
    (found,) = check_journal(tmp_path, codecs(), PROFILED)
    assert found.title == "The journal is intact: 1 game, 1 replayed."


def test_a_damaged_index_is_noted_and_left_as_it_is(tmp_path: Path) -> None:
    a_game(tmp_path)
    (tmp_path / JOURNAL_NAME).write_bytes(b"no database at all" * 100)
    found = list(check_journal(tmp_path, codecs(), set()))
    assert levels(found) == ["note", "ok"]
    assert "is damaged" in found[0].title
    assert found[1].title == "The journal is intact: 1 game, 1 replayed."
    assert (tmp_path / JOURNAL_NAME).read_bytes().startswith(b"no database")


def test_a_file_that_was_set_aside_is_noted(tmp_path: Path) -> None:
    (tmp_path / f"{JOURNAL_NAME}.damaged-20260101-200000").touch()
    found = list(check_journal(tmp_path, codecs(), PROFILED))
    assert levels(found) == ["note", "ok"]
    assert "damaged-20260101-200000" in found[0].title


def test_the_files_from_before_a_restoration_are_noted(tmp_path: Path) -> None:
    a_game(tmp_path)
    (tmp_path / "before-restore-20260101-200000").mkdir()
    found = list(check_journal(tmp_path, codecs(), set()))
    assert levels(found) == ["note", "ok"]
    assert "before-restore-20260101-200000" in found[0].title


def test_a_folder_that_goes_while_it_is_looked_into_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_game(tmp_path)
    going, look = tmp_path / "hall" / "going", os.scandir
    going.mkdir(parents=True)

    def gone(path: str | Path) -> object:
        if str(path) == str(going):
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", str(path))
        return look(path)

    monkeypatch.setattr("os.scandir", gone)
    assert levels(list(check_journal(tmp_path, codecs(), set()))) == ["ok"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_logs_of_another_user_are_found(tmp_path: Path) -> None:
    a_game(tmp_path)
    a_game(tmp_path)
    for log in tmp_path.glob("games/*.log"):
        os.chown(log, 4321, -1)
    found = list(check_journal(tmp_path, codecs(), set()))
    assert levels(found) == ["fault", "ok"]
    assert found[0].title == "2 files belong to another user, such as games/1.log."


def test_a_game_that_cannot_be_replayed_is_noted_and_hides_no_other(tmp_path: Path) -> None:
    (tmp_path / "profiles").mkdir()
    number = a_game(tmp_path)
    (tmp_path / "profiles" / f"{a_game(tmp_path)}.npz").touch()
    log = tmp_path / "games" / f"{number}.log"
    log.write_bytes(log.read_bytes().replace(b"decision", b"xxxxxxxx"))
    found = list(check_journal(tmp_path, codecs(), PROFILED))
    assert levels(found) == ["note", "ok"]
    assert found[0].title.startswith(f"Game {number} cannot be replayed")
    assert "2 games, 1 replayed" in found[1].title


def test_a_game_whose_empty_boards_are_lost_is_noted(tmp_path: Path) -> None:
    number = a_game(tmp_path)
    found = list(check_journal(tmp_path, codecs(), PROFILED))
    assert levels(found) == ["ok", "note"]
    assert found[1].title == f"Game {number} has lost the picture of its empty boards."
    (tmp_path / "profiles").mkdir()
    (tmp_path / "profiles" / f"{number}.npz").touch()
    assert levels(check_journal(tmp_path, codecs(), PROFILED)) == ["ok"]


def test_a_game_without_boards_has_none_to_lose(tmp_path: Path) -> None:
    with Journal(tmp_path / JOURNAL_NAME, codecs()) as journal:
        number = journal.new_game(Config().of(KviltSettings).setup(), "table")
        journal.append(number, 1, TakeToken(1, "red"))
    assert levels(check_journal(tmp_path, codecs(), PROFILED)) == ["ok"]


def test_the_game_that_was_changed_last_is_looked_at(tmp_path: Path) -> None:
    first, second = a_game(tmp_path), a_game(tmp_path)
    (tmp_path / "profiles").mkdir()
    (tmp_path / "profiles" / f"{second}.npz").touch()
    with Journal(tmp_path / JOURNAL_NAME, codecs()) as journal:
        journal.append(first, 2, Advance(2))
    assert levels(check_journal(tmp_path, codecs(), PROFILED)) == ["ok", "note"]


def test_the_database_of_a_hall_is_checked_where_there_is_one(tmp_path: Path) -> None:
    assert list(check_hall(tmp_path)) == []
    path = tmp_path / "hall" / "hall.sqlite3"
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as hall:
        hall.execute("CREATE TABLE results (who TEXT)")
        hall.commit()
    assert levels(check_hall(tmp_path)) == ["ok"]
    with path.open("r+b") as stream:
        stream.seek(4096)
        stream.write(bytes(4096))
    (found,) = check_hall(tmp_path)
    assert found.title.startswith("The hall’s database is damaged: ")
    path.rename(path.with_name("hall.sqlite3.damaged-20260102-190007"))
    assert levels(check_hall(tmp_path)) == ["note"]
