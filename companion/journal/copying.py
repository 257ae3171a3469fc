"""Copies of a journal that is in use: the database and the logs of its games as they were at one moment."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from companion.journal.entries import JournalError
from companion.journal.faults import DamagedError, explaining
from companion.journal.locks import BUSY_TIMEOUT_S
from companion.journal.opening import open_to_read, opened
from companion.journal.schema import create
from companion.journal.soundness import check_whole
from companion.languages import said

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def at_rest(journal: Path) -> Iterator[None]:
    """Let no companion change a journal or a log meanwhile; each waits for its turn, so this must be short.

    A log's line is written while its companion has this same right to write (`Journal`), so both agree.

    Raises:
        JournalError: another program keeps the journal busy, or it cannot be written to.
    """
    with opened(journal, "rw") as connection, closing(connection):
        connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_S * 1000:.0f}")
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            connection.execute("ROLLBACK")


def copy_database(journal: Path, copy: Path) -> int:
    """Copy a journal's database into a new file, by SQLite's backup; return how many games are in it.

    Raises:
        JournalError: it is damaged, or no journal of this version.
    """
    with explaining(journal), closing(open_to_read(journal)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
        # One file, without what SQLite keeps beside a journal that is written to.
        target.execute("PRAGMA journal_mode = DELETE")
        check_whole(target, journal)
        return _count(target)


def copy_any_database(database: Path, copy: Path) -> bool:
    """Copy a database that others may write to into a new file, as it is at one moment; False if it is none."""
    try:
        source = sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)
        with closing(source), closing(sqlite3.connect(copy)) as target:
            source.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error:
        return False
    return True


def check_copy(copy: Path) -> None:
    """Examine a database of unknown origin.

    Raises:
        JournalError: it is damaged, no journal of this version, or does more than keep games.
    """
    try:
        with explaining(copy), closing(open_to_read(copy)) as connection:
            check_whole(connection, copy)
            if not set(_active_parts(connection)) <= _known_parts():
                raise DamagedError(said("{path}: holds what no journal does", path=str(copy)))
    finally:
        for suffix in ("-wal", "-shm"):
            copy.with_name(copy.name + suffix).unlink(missing_ok=True)


def holds_games(journal: Path) -> bool:
    """Return whether there is a game in a journal; one that cannot be read may hold some."""
    if not journal.exists():
        return False
    try:
        with explaining(journal), closing(open_to_read(journal)) as connection:
            return _count(connection) > 0
    except JournalError:
        return True


def _count(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM games").fetchone()[0])


def _active_parts(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return the parts of a database that act by themselves whenever it is read or written."""
    query = "SELECT name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view')"
    return [(str(name), str(sql)) for name, sql in connection.execute(query)]


def _known_parts() -> set[tuple[str, str]]:
    with closing(sqlite3.connect(":memory:")) as fresh:
        create(fresh)
        return set(_active_parts(fresh))
