"""Copies of a journal in use: a consistent snapshot of the database and of the logs of its games."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from companion.journal.entries import JournalError
from companion.journal.locks import BUSY_TIMEOUT_S
from companion.journal.opening import DamagedError, check_whole, create, explaining, open_to_read, opened
from companion.languages import said


@contextmanager
def writes_paused(journal: Path) -> Iterator[None]:
    """Keep all companions from changing a journal or a log while the context lasts; they wait, so this must be short.

    A log's line is written while its companion holds this same write lock (`Journal`), so that both are consistent.

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
    """Copy a journal's database into a new file, by SQLite's backup; return the number of games in it.

    Raises:
        JournalError: it is damaged, or not a journal of this version.
    """
    with explaining(journal), closing(open_to_read(journal)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
        # A single file, without the files that SQLite keeps beside a database that is written to.
        target.execute("PRAGMA journal_mode = DELETE")
        check_whole(target, journal)
        return _count(target)


def copy_any_database(database: Path, copy: Path) -> bool:
    """Copy a snapshot of a database that others may write to into a new file; return False if it is not a database."""
    try:
        source = sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)
        with closing(source), closing(sqlite3.connect(copy)) as target:
            source.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error:
        return False
    return True


def check_copy(copy: Path) -> None:
    """Check a database of unknown origin.

    Raises:
        JournalError: it is damaged, not a journal of this version, or contains triggers or views that are not a
            journal's.
    """
    try:
        with explaining(copy), closing(open_to_read(copy)) as connection:
            check_whole(connection, copy)
            # A trigger of unknown origin would run at the companion's next write.
            if not set(_active_parts(connection)) <= _known_parts():
                raise DamagedError(said("{path}: contains data that does not belong in a journal", path=str(copy)))
    finally:
        # Reading a database in write-ahead mode creates these; they are no part of the copy.
        for suffix in ("-wal", "-shm"):
            copy.with_name(copy.name + suffix).unlink(missing_ok=True)


def holds_games(journal: Path) -> bool:
    """Return whether a journal contains games; True for one that cannot be read, as it may contain some."""
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
    """Return the triggers and views of a database, which act whenever it is read or written."""
    query = "SELECT name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view')"
    return [(str(name), str(sql)) for name, sql in connection.execute(query)]


def _known_parts() -> set[tuple[str, str]]:
    with closing(sqlite3.connect(":memory:")) as fresh:
        create(fresh)
        return set(_active_parts(fresh))
