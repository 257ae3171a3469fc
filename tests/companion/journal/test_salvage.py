"""Test what is salvaged from the tables of a journal of which a part cannot be read."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from companion.games.patchwork import Decision
from companion.journal import Book, Journal
from companion.journal.mending import salvage_games
from companion.patchwork.codec import PATCHWORK
from companion.registry import codecs

if TYPE_CHECKING:
    from pathlib import Path

Keep = Callable[[Book, tuple[Decision, ...]], int]


@pytest.fixture
def spoiled(path: Path, game: tuple[Decision, ...], keep: Keep) -> Callable[..., Path]:
    """A function that stores two games, of four and of two decisions, and damages their journal by SQL statements."""

    def spoil(*statements: str) -> Path:
        with Journal(path, codecs()) as journal:
            keep(journal, game[:4])
            keep(journal, game[:2])
            journal.note(1, "seed", "7")
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA ignore_check_constraints = ON")
            for statement in statements:
                connection.execute(statement)
            connection.commit()
        return path

    return spoil


def _entries(path: Path) -> dict[int, list[int]]:
    return {number: sorted(game.entries) for number, game in salvage_games(path).items()}


def test_a_game_without_a_table_of_notes_comes_back_entry_by_entry(spoiled: Callable[..., Path]) -> None:
    assert _entries(spoiled("DROP TABLE notes")) == {1: [1, 2, 3, 4], 2: [1, 2]}


def test_entry_by_entry_a_game_comes_back_as_far_as_its_entries_are_such(spoiled: Callable[..., Path]) -> None:
    wrong = "UPDATE entries SET kind = 'decisiom' WHERE game_id = 1 AND number = 3"
    assert _entries(spoiled("DROP TABLE notes", wrong)) == {1: [1, 2], 2: [1, 2]}


def test_a_game_whose_entries_cannot_be_read_comes_back_with_its_beginning(spoiled: Callable[..., Path]) -> None:
    path = spoiled()
    with closing(sqlite3.connect(path)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'entries'").fetchone()
    content = path.read_bytes()
    path.write_bytes(content[: (page - 1) * 4096] + b"\xff" * 4096 + content[page * 4096 :])
    assert _entries(path) == {1: [], 2: []}
    assert all(game.begun is not None for game in salvage_games(path).values())


@pytest.mark.parametrize("change", ["entries RENAME COLUMN at TO atx", "notes RENAME COLUMN value TO valuf"])
def test_a_damaged_name_of_a_column_costs_no_entry_and_no_note(spoiled: Callable[..., Path], change: str) -> None:
    path = spoiled(f"ALTER TABLE {change}")
    assert _entries(path) == {1: [1, 2, 3, 4], 2: [1, 2]}
    assert [game.notes for game in salvage_games(path).values()] == [{"seed": "7"}, {}]


def test_a_damaged_trigger_hides_no_game_of_a_journal_that_was_restored_from_sql(spoiled: Callable[..., Path]) -> None:
    """Its tables are in other places than in a new journal, whose first page is of no use to it."""
    path = spoiled()
    with closing(sqlite3.connect(path)) as connection:
        statements = "\n".join(connection.iterdump())
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(statements)
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_schema SET sql = replace(sql, 'AFTER', 'AFTEQ') WHERE type = 'trigger'")
        connection.commit()
    assert _entries(path) == {1: [1, 2, 3, 4], 2: [1, 2]}


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "No space left on device"), sqlite3.OperationalError("disk is full")]
)
def test_what_was_read_stays_if_no_first_page_can_be_made(
    spoiled: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    path = spoiled()

    def fails(_: object) -> None:
        raise error

    monkeypatch.setattr("companion.journal.mending.create", fails)
    assert _entries(path) == {1: [1, 2, 3, 4], 2: [1, 2]}


def test_what_was_taken_out_does_not_come_back_from_the_log(path: Path, game: tuple[Decision, ...], keep: Keep) -> None:
    with Journal(path, codecs()) as journal:
        keep(journal, game[:4])
        journal.truncate_game(1, 3)
    for file in path.parent.glob(f"{path.name}*"):
        if file.is_file() and "damaged" not in file.name:
            file.unlink()
    with Journal(path, codecs()) as journal:
        assert journal.decisions(1, PATCHWORK) == game[:3]
