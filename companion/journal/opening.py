"""The opening of the journal's file: a damaged one is set aside, a newer or foreign one refused."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, Final

from companion.durable import sync_folder
from companion.journal.entries import JournalError, StorageError
from companion.journal.faults import explaining
from companion.journal.locks import BUSY_TIMEOUT_S
from companion.journal.schema import add_summaries, create, emulate_summaries, has_summaries
from companion.journal.soundness import check_tables, is_ours, is_sound, suspect_mark
from companion.languages import said, system_says

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

JOURNAL_NAME = "journal.sqlite3"
"""The journal's file in the data folder."""
_ROLLBACK_SUFFIX: Final = "-journal"
"""The suffix of SQLite's rollback file, which exists only while a journal is created, before write-ahead mode."""


def make_folder(folder: Path) -> None:
    """Create the data folder and its parents, synced so that they survive a power cut.

    Raises:
        JournalError: if it cannot be created.
    """
    missing = [part for part in (folder, *folder.parents) if not part.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for part in missing:
            sync_folder(part.parent)
    except OSError as error:
        raise JournalError(
            said(
                "{path}: cannot be created: {fault}; choose another folder with {option}",
                path=str(folder),
                fault=system_says(error),
                option="--data",
            )
        ) from error


def open_to_write(path: Path) -> sqlite3.Connection:
    """Return a connection to an undamaged journal of this version, which is created if there is none.

    Raises:
        DamagedError: if the file is damaged or not a database.
        JournalError: if it is a newer version's or another program's, or cannot be opened.
    """
    is_new = not path.exists()
    with opened(path, "rwc") as connection:
        if not is_sound(connection, path):
            _create(connection, path)
        connection.execute("PRAGMA journal_mode = WAL")
        # Each change is synced in the log of its game before it is committed here; a power cut loses none of them.
        connection.execute("PRAGMA synchronous = NORMAL")
        if not has_summaries(connection):
            add_summaries(connection)
        check_tables(connection)
        # If the mark cannot be removed, the file is only checked once more.
        with suppress(OSError):
            suspect_mark(path).unlink(missing_ok=True)
        if is_new:
            _sync_folder(path.parent)
    return connection


def roll_back(path: Path) -> None:
    """Roll back the transaction that a power cut interrupted while the file was created; SQLite cannot do so read-only.

    Raises:
        DamagedError: if the file is damaged or not a database.
        JournalError: if it cannot be written to.
    """
    if path.with_name(path.name + _ROLLBACK_SUFFIX).exists():
        with opened(path, "rwc") as connection, closing(connection):
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()


def open_to_read(path: Path) -> sqlite3.Connection:
    """Return a read-only connection to an existing journal.

    Raises:
        DamagedError: if the file is damaged or not a database.
        JournalError: as `open_to_write`, or if there is no file.
    """
    if not path.exists():
        raise JournalError(
            said("{path}: there is no journal yet; {command} starts one", path=str(path), command="`companion play`")
        )
    roll_back(path)
    with opened(path, "ro") as connection:
        if not is_sound(connection, path):
            raise JournalError(
                said("{path}: is empty; {command} starts a journal", path=str(path), command="`companion play`")
            )
        if not has_summaries(connection):
            emulate_summaries(connection)
        check_tables(connection)
    return connection


def free_name(path: Path, now: datetime) -> Path:
    """Return an unused name for setting a damaged journal aside."""
    stem = f"{path.name}.damaged-{now:%Y%m%d-%H%M%S}"
    aside = path.with_name(stem)
    count = 1
    while aside.exists():
        count += 1
        aside = path.with_name(f"{stem}-{count}")
    return aside


def set_aside(path: Path, now: datetime) -> Path:
    """Rename a damaged journal and SQLite's files beside it, and return its new path. Nothing is deleted.

    Raises:
        JournalError: if it cannot be renamed.
    """
    aside = free_name(path, now)
    try:
        # The file itself goes last: if the power fails before that, the rest is found damaged again.
        for suffix in ("-wal", "-shm", _ROLLBACK_SUFFIX, ""):
            part = path.with_name(path.name + suffix)
            if part.exists():
                part.rename(aside.with_name(aside.name + suffix))
        suspect_mark(path).unlink(missing_ok=True)
        sync_folder(path.parent)
    except OSError as error:
        raise JournalError(
            said("{path}: is damaged and cannot be set aside: {fault}", path=str(path), fault=system_says(error))
        ) from error
    return aside


@contextmanager
def opened(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    """Yield a connection that is closed only if the context raises."""
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    with explaining(path):
        # Without isolation level: the module begins no transactions by itself.
        connection = sqlite3.connect(uri, uri=True, timeout=BUSY_TIMEOUT_S, isolation_level=None)
        # A text with a damaged byte becomes unreadable, or a name with a wrong letter, instead of raising.
        connection.text_factory = lambda text: text.decode(errors="replace")
        try:
            # Set before the first query: a damaged reference between two tables has no other symptom.
            connection.execute("PRAGMA foreign_keys = ON")
            yield connection
        except BaseException:
            close_as_it_is(connection, path)
            raise


def close_as_it_is(connection: sqlite3.Connection, path: Path) -> None:
    """Close a connection without SQLite's usual steps for the last one: writing the log into the file and deleting it.

    A file that turns out to be damaged is thereby kept as it was found.
    """
    uri = f"{path.absolute().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as other:
            with suppress(sqlite3.Error):
                other.execute("PRAGMA user_version").fetchall()
            connection.close()
    except sqlite3.Error:
        connection.close()


def _create(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("BEGIN IMMEDIATE")
    # Another process may have created it between the check of the file and this transaction.
    if not is_ours(connection, path):
        create(connection)
    connection.execute("COMMIT")


def _sync_folder(folder: Path) -> None:
    try:
        sync_folder(folder)
    except OSError as error:
        raise StorageError(
            said(
                "{path}: cannot be written: {fault}; choose another folder with {option}",
                path=str(folder),
                fault=system_says(error),
                option="--data",
            )
        ) from error
