"""Test a journal that is being created when the power fails, and games of unknown setup."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from companion.games.patchwork import Decision, Setup
from companion.journal import JOURNAL_NAME, Journal, JournalError
from companion.journal.logs import GameLogs
from companion.patchwork.codec import PATCHWORK
from companion.registry import codecs

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 1, 2, 19, 0, 7, tzinfo=UTC)


def _open(path: Path) -> Journal:
    return Journal(path, codecs(), lambda: NOW)


def _half_made(path: Path) -> None:
    """Leave the files of a power cut while SQLite creates the first tables: the database and its rollback journal."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA cache_size = 1")
    connection.execute("BEGIN")
    for number in range(20):
        connection.execute(f"CREATE TABLE t{number} (text TEXT)")
    kept = {each: each.read_bytes() for each in path.parent.iterdir()}
    assert len(kept) == 2, "SQLite has spilled the first pages"
    connection.close()
    for each, content in kept.items():
        each.write_bytes(content)


def test_a_journal_that_was_half_made_is_made_anew(tmp_path: Path, game: tuple[Decision, ...]) -> None:
    path = tmp_path / JOURNAL_NAME
    _half_made(path)
    with _open(path) as journal:
        assert journal.findings == []
        number = journal.new_game(Setup(players=("Anna", "Boris")), "table")
        journal.append(number, 1, game[0])
    with _open(path) as journal:
        assert journal.decisions(number, PATCHWORK) == game[:1]


def test_a_damaged_trigger_is_found_before_a_decision_is_to_be_written(
    tmp_path: Path, game: tuple[Decision, ...]
) -> None:
    path = tmp_path / JOURNAL_NAME
    with _open(path) as journal:
        number = journal.new_game(Setup(players=("Anna", "Boris")), "table")
        journal.append(number, 1, game[0])
    content = path.read_bytes()
    damaged = content.replace(b"UPDATE games SET summary_version = NULL", b"UPDATE games SET summary_versaon = NULL", 1)
    assert damaged != content
    path.write_bytes(damaged)
    with _open(path) as journal:
        assert "1 game was recovered" in str(journal.findings[0])
        journal.append(number, 2, game[1])
        assert journal.decisions(number, PATCHWORK) == game[:2]
    assert any(each.read_bytes() == damaged for each in tmp_path.glob("*.damaged-*"))


def test_a_game_without_a_beginning_is_told_of_once_and_kept(tmp_path: Path, game: tuple[Decision, ...]) -> None:
    path = tmp_path / JOURNAL_NAME
    with _open(path) as journal:
        number = journal.new_game(Setup(players=("Anna", "Boris")), "table")
        journal.append(number, 1, game[0])
    log = tmp_path / "decisions" / f"{number}.log"
    begun, *rest = log.read_bytes().splitlines(keepends=True)
    damaged = begun.replace(b"Anna", b"Anns") + b"".join(rest)
    for is_there in (True, False):
        path.write_bytes(b"no database" if is_there else b"")
        log.write_bytes(damaged)
        with _open(path) as journal:
            assert any("the beginning of game 1 is lost" in str(finding) for finding in journal.findings)
            assert not journal.games()
        assert any(each.read_bytes() == damaged for each in tmp_path.glob("*.damaged-*"))
        with _open(path) as journal:
            assert journal.findings == []


def test_a_game_that_is_whole_up_to_a_damaged_line_is_said_to_be_so_beside_a_lost_database(
    tmp_path: Path, game: tuple[Decision, ...]
) -> None:
    path = tmp_path / JOURNAL_NAME
    with _open(path) as journal:
        number = journal.new_game(Setup(players=("Anna", "Boris")), "table")
        for sequence, decision in enumerate(game[:6], start=1):
            journal.append(number, sequence, decision)
    log = tmp_path / "decisions" / f"{number}.log"
    lines = log.read_bytes().splitlines(keepends=True)
    damaged = b"".join([*lines[:3], b"x" + lines[3][1:], *lines[4:]])
    log.write_bytes(damaged)
    path.write_bytes(b"no database")
    with _open(path) as journal:
        assert "1 game was recovered" in str(journal.findings[0])
        assert "game 1 was damaged after entry 2" in str(journal.findings[1])
        assert journal.decisions(number, PATCHWORK) == game[:2]
    assert any(each.read_bytes() == damaged for each in tmp_path.glob("*.log"))
    with _open(path) as journal:
        assert journal.findings == []
        journal.append(number, 3, game[2])
    with _open(path) as journal:
        assert (journal.findings, journal.decisions(number, PATCHWORK)) == ([], game[:3])


def test_a_line_that_the_program_was_killed_in_is_no_damage(tmp_path: Path, game: tuple[Decision, ...]) -> None:
    path = tmp_path / JOURNAL_NAME
    with _open(path) as journal:
        number = journal.new_game(Setup(players=("Anna", "Boris")), "table")
        journal.append(number, 1, game[0])
    log = tmp_path / "decisions" / f"{number}.log"
    log.write_bytes(log.read_bytes() + b'1f3a 2 ["added",2,["deci')
    with _open(path) as journal:
        assert journal.findings == []
        journal.append(number, 2, game[1])
    with _open(path) as journal:
        assert (journal.findings, journal.decisions(number, PATCHWORK)) == ([], game[:2])


def test_a_last_line_whose_end_is_damaged_is_said_and_restored(tmp_path: Path, game: tuple[Decision, ...]) -> None:
    path = tmp_path / JOURNAL_NAME
    with _open(path) as journal:
        number = journal.new_game(Setup(players=("Anna", "Boris")), "table")
        journal.append(number, 1, game[0])
    log = tmp_path / "decisions" / f"{number}.log"
    log.write_bytes(log.read_bytes()[:-1] + b"\x0b")
    with _open(path) as journal:
        assert "the log of game 1 was damaged, but nothing is lost" in str(journal.findings[0])
        assert journal.decisions(number, PATCHWORK) == game[:1]


def test_a_game_and_what_it_needs_to_go_on_are_kept_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A companion that is killed between the two would leave a game that cannot be resumed."""
    path = tmp_path / JOURNAL_NAME
    setup, notes = Setup(players=("Anna", "Boris")), {"bag": "virtual 7", "colours": "red blue"}
    with _open(path) as journal:
        with monkeypatch.context() as patch:
            patch.setattr("companion.journal.logs.write_beside", _fails)
            with pytest.raises(JournalError):
                journal.new_game(setup, "table", notes)
        assert not journal.games()
        number = journal.new_game(setup, "table", notes)
        assert journal.notes(number) == notes
    logged = GameLogs(path).read(number)
    assert logged is not None
    assert logged.notes == notes
    path.unlink()
    with _open(path) as journal:
        assert journal.notes(number) == notes, "the log has them, too"


def _fails(*_: object) -> None:
    raise OSError(28, "No space left on device")
