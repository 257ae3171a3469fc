"""Opening the journal's file: a damaged one is set aside, a newer or a strange one refused."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Final

from companion.durable import sync_folder
from companion.journal.entries import JournalError
from companion.journal.locks import BUSY_TIMEOUT_S
from companion.journal.schema import (
    APPLICATION_ID,
    SCHEMA_VERSION,
    add_summaries,
    create,
    has_summaries,
    imagine_summaries,
)
from companion.languages import said, system_says

JOURNAL_NAME = "journal.sqlite3"
"""The journal's file in the data folder."""

_CHECKED_WHOLE_BYTES: Final = 1 << 20
"""Up to here a file is looked through whenever it is opened, which takes some 5 ms; that is room for 100 games."""
_SUSPECT_SUFFIX: Final = ".suspect"


class DamagedError(JournalError):
    """The file is no sound database."""


def make_folder(folder: Path) -> None:
    """Make the data folder, with those above it, and let each outlast a power cut.

    Raises:
        JournalError: if it cannot be made.
    """
    missing = [part for part in (folder, *folder.parents) if not part.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for part in missing:
            sync_folder(part.parent)
    except OSError as error:
        raise JournalError(
            said(
                "{path}: cannot be made: {fault}; choose another folder with {option}",
                path=str(folder),
                fault=system_says(error),
                option="--data",
            )
        ) from error


def open_to_write(path: Path) -> sqlite3.Connection:
    """A connection to a sound journal of this version, made where there is none.

    Raises:
        DamagedError: if the file is no sound database.
        JournalError: if it is a newer companion's or another program's, or cannot be opened.
    """
    is_new = not path.exists()
    with _opened(path, "rwc") as connection:
        _check_soundness(connection, path)
        if not _is_ours(connection, path):
            _create(connection, path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        if not has_summaries(connection):
            add_summaries(connection)
        _suspect_mark(path).unlink(missing_ok=True)
        if is_new:
            sync_folder(path.parent)
    return connection


def open_to_read(path: Path) -> sqlite3.Connection:
    """A connection to an existing journal that never writes.

    Raises:
        DamagedError: if the file is no sound database.
        JournalError: as `open_to_write`, or if there is no file.
    """
    if not path.exists():
        raise JournalError(
            said("{path}: there is no journal yet; {command} begins one", path=str(path), command="`companion play`")
        )
    with _opened(path, "ro") as connection:
        _check_soundness(connection, path)
        if not _is_ours(connection, path):
            raise JournalError(
                said("{path}: is empty; {command} begins a journal", path=str(path), command="`companion play`")
            )
        if not has_summaries(connection):
            imagine_summaries(connection)
    return connection


def set_aside(path: Path, now: datetime) -> Path:
    """Rename a damaged journal, with what SQLite keeps beside it, and return its new name. Nothing is deleted.

    Raises:
        JournalError: if it cannot be renamed.
    """
    stem = f"{path.name}.damaged-{now:%Y%m%d-%H%M%S}"
    aside = path.with_name(stem)
    count = 1
    while aside.exists():
        count += 1
        aside = path.with_name(f"{stem}-{count}")
    try:
        # The file itself goes last: should the power fail in between, the rest is found damaged again.
        for suffix in ("-wal", "-shm", ""):
            part = path.with_name(path.name + suffix)
            if part.exists():
                part.rename(aside.with_name(aside.name + suffix))
        _suspect_mark(path).unlink(missing_ok=True)
        sync_folder(path.parent)
    except OSError as error:
        raise JournalError(
            said("{path}: is damaged and cannot be set aside: {fault}", path=str(path), fault=system_says(error))
        ) from error
    return aside


def suspect(path: Path) -> None:
    """Have the file looked through when it is next opened: something in it could not be read.

    Small files always are; a large one is not, so that beginning a game does not take longer with every game.
    """
    if path.stat().st_size > _CHECKED_WHOLE_BYTES:
        _suspect_mark(path).touch()


def _suspect_mark(path: Path) -> Path:
    return path.with_name(path.name + _SUSPECT_SUFFIX)


@contextmanager
def explaining(path: Path) -> Iterator[None]:
    """Turn what SQLite reports inside into a JournalError (a damaged file: DamagedError), one line for the user."""
    try:
        yield
    except sqlite3.Error as error:
        raise _explained(error, path) from error


def _explained(error: sqlite3.Error, path: Path) -> JournalError:
    # The lower byte is the kind, the upper ones say more of it (SQLite, "Result and Error Codes").
    kind = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if kind in _DAMAGES:
        says = said(
            "{path}: is damaged ({fault}); {command} sets it aside and begins a new one",
            path=str(path),
            fault=_DAMAGES[kind],
            command="`companion play`",
        )
        return DamagedError(says)
    fault = _REASONS.get(kind) or said("cannot be used: {fault}", fault=str(error))
    return JournalError(said("{path}: {fault}", path=str(path), fault=fault))


_CLOSED = said(
    "cannot be opened; check the folder's permissions, or choose another folder with {option}", option="--data"
)
_DAMAGES = {
    sqlite3.SQLITE_CORRUPT: said("database disk image is malformed"),
    sqlite3.SQLITE_NOTADB: said("file is not a database"),
}
"""In SQLite's words."""
_REASONS = {
    sqlite3.SQLITE_FULL: said("the disk is full; make room, nothing was stored"),
    sqlite3.SQLITE_BUSY: said("another program is writing to it; end that one"),
    sqlite3.SQLITE_LOCKED: said("another program is writing to it; end that one"),
    sqlite3.SQLITE_READONLY: said(
        "the file or its folder cannot be written to; choose another folder with {option}", option="--data"
    ),
    sqlite3.SQLITE_CANTOPEN: _CLOSED,
    sqlite3.SQLITE_PERM: _CLOSED,
    sqlite3.SQLITE_IOERR: said("the disk reports an error; nothing was stored"),
}


@contextmanager
def _opened(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    """A connection that is closed again only where the opening fails."""
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    with explaining(path):
        connection = sqlite3.connect(uri, uri=True, timeout=BUSY_TIMEOUT_S, isolation_level=None)
        try:
            yield connection
        except BaseException:
            connection.close()
            raise


def _check_soundness(connection: sqlite3.Connection, path: Path) -> None:
    # SQLite itself refuses what is no database when the tables are looked up, and what cannot be read when it is read.
    if path.stat().st_size > _CHECKED_WHOLE_BYTES and not _suspect_mark(path).exists():
        return
    check_whole(connection, path)


def check_whole(connection: sqlite3.Connection, path: Path) -> None:
    """Look the whole file through.

    Raises:
        DamagedError: if it is damaged.
    """
    with closing(connection.execute("PRAGMA quick_check(1)")) as cursor:
        found = cursor.fetchone()[0]
    if found != "ok":
        raise DamagedError(said("{path}: is damaged ({fault})", path=str(path), fault=str(found).splitlines()[-1]))


def _is_ours(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether the file holds a journal of this version; False for an empty file."""
    if connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0:
        return False
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise JournalError(
            said(
                "{path}: is another program's database; choose another folder with {option}",
                path=str(path),
                option="--data",
            )
        )
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version < SCHEMA_VERSION:
        raise JournalError(
            said(
                "{path}: has format {version}, which never was; choose another folder with {option}",
                path=str(path),
                version=version,
                option="--data",
            )
        )
    if version > SCHEMA_VERSION:
        raise JournalError(
            said(
                "{path}: was written by a newer companion (format {version}, this one knows {known}); install that "
                "one, or choose another folder with {option}",
                path=str(path),
                version=version,
                known=SCHEMA_VERSION,
                option="--data",
            )
        )
    return True


def _create(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("BEGIN IMMEDIATE")
    # Between the look at the file and this transaction somebody else may have begun it.
    if not _is_ours(connection, path):
        create(connection)
    connection.execute("COMMIT")
