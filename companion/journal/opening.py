"""Opening the journal's file: a damaged one is set aside, a newer or a strange one refused."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, Final

from companion.durable import sync_folder
from companion.journal.entries import JournalError, StorageError
from companion.journal.locks import BUSY_TIMEOUT_S
from companion.journal.schema import (
    APPLICATION_ID,
    SCHEMA_VERSION,
    SUMMARY_COLUMNS,
    add_summaries,
    create,
    has_summaries,
    imagine_summaries,
)
from companion.languages import said, system_says

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

JOURNAL_NAME = "journal.sqlite3"
"""The journal's file in the data folder."""

_CHECKED_WHOLE_BYTES: Final = 1 << 20
"""Up to here a file is looked through whenever it is opened, which takes some 5 ms; that is room for 100 games."""
_SUSPECT_SUFFIX: Final = ".suspect"
_ROLLBACK_SUFFIX: Final = "-journal"
"""Of what SQLite keeps beside a file while it is made, until it is in write-ahead mode."""
_SUMMARY: Final = ", ".join(column.split()[0] for column in SUMMARY_COLUMNS)
_HEADER: Final = {
    **{place: (byte,) for place, byte in enumerate(b"SQLite format 3\0")},
    18: (1, 2),
    19: (1, 2),
    20: (0,),
    **dict.fromkeys((*range(44, 47), *range(52, 59), *range(60, 63), *range(64, 68)), (0,)),
    47: (4,),
    59: (0, 1),
}
"""Bytes of a journal's first page that never change, by their places (SQLite, "Database File Format", 1.3)."""


_WRITES: Final = (
    "INSERT INTO games (table_name, setup, started_at, last_at, touched) VALUES ('', '', '', '', 0)",
    "INSERT INTO entries (game_id, number, kind, sequence, decision, at) VALUES (0, 0, '', 0, '', '')",
    "INSERT INTO notes (game_id, key, value) VALUES (0, '', '')",
    "UPDATE games SET setup = ''",
)
"""Asked whether they could be done: a damaged trigger is seen in nothing else."""


class DamagedError(JournalError):
    """The file is no sound database."""


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
    """Return a connection to a sound journal of this version, made where there is none.

    Raises:
        DamagedError: if the file is no sound database.
        JournalError: if it is a newer companion's or another program's, or cannot be opened.
    """
    is_new = not path.exists()
    with opened(path, "rwc") as connection:
        if not is_sound(connection, path):
            _create(connection, path)
        connection.execute("PRAGMA journal_mode = WAL")
        # Each change is synced in the log of its game before it is committed here; a power cut loses none of them.
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        if not has_summaries(connection):
            add_summaries(connection)
        check_tables(connection)
        # A mark that stays has the file looked through once more.
        with suppress(OSError):
            _suspect_mark(path).unlink(missing_ok=True)
        if is_new:
            _sync_folder(path.parent)
    return connection


def roll_back(path: Path) -> None:
    """Undo what was under way when the power failed while the file was being made; read-only, SQLite cannot.

    Raises:
        DamagedError: if the file is no sound database.
        JournalError: if it cannot be written to.
    """
    if path.with_name(path.name + _ROLLBACK_SUFFIX).exists():
        with opened(path, "rwc") as connection, closing(connection):
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()


def is_checked_whole(path: Path) -> bool:
    """Return whether a file is looked through when it is opened: it is small, or something in it was unreadable."""
    return path.stat().st_size <= _CHECKED_WHOLE_BYTES or _suspect_mark(path).exists()


def open_to_read(path: Path) -> sqlite3.Connection:
    """Return a connection to an existing journal that never writes.

    Raises:
        DamagedError: if the file is no sound database.
        JournalError: as `open_to_write`, or if there is no file.
    """
    if not path.exists():
        raise JournalError(
            said("{path}: there is no journal yet; {command} begins one", path=str(path), command="`companion play`")
        )
    roll_back(path)
    with opened(path, "ro") as connection:
        if not is_sound(connection, path):
            raise JournalError(
                said("{path}: is empty; {command} begins a journal", path=str(path), command="`companion play`")
            )
        if not has_summaries(connection):
            imagine_summaries(connection)
        check_tables(connection)
    return connection


def is_sound(connection: sqlite3.Connection, path: Path) -> bool:
    """Look at a file as closely as it is looked at whenever it is opened; return False if it is empty.

    Raises:
        DamagedError: if it is no sound database.
        JournalError: if it is a newer companion's or another program's.
    """
    if is_checked_whole(path):
        check_whole(connection, path)
    if not _is_ours(connection, path):
        return False
    for statement in _WRITES:
        connection.execute(f"EXPLAIN {statement}").fetchall()
    return True


def free_name(path: Path, now: datetime) -> Path:
    """Return a name for a damaged journal that no other one has."""
    stem = f"{path.name}.damaged-{now:%Y%m%d-%H%M%S}"
    aside = path.with_name(stem)
    count = 1
    while aside.exists():
        count += 1
        aside = path.with_name(f"{stem}-{count}")
    return aside


def set_aside(path: Path, now: datetime) -> Path:
    """Rename a damaged journal, with what SQLite keeps beside it, and return its new name. Nothing is deleted.

    Raises:
        JournalError: if it cannot be renamed.
    """
    aside = free_name(path, now)
    try:
        # The file itself goes last: should the power fail in between, the rest is found damaged again.
        for suffix in ("-wal", "-shm", _ROLLBACK_SUFFIX, ""):
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
    except UnicodeDecodeError as error:
        # A damaged name of a table or a column; SQLite gives it back as it is.
        raise _damaged(path, said("file is not a database")) from error


def _explained(error: sqlite3.Error, path: Path) -> JournalError:
    # The lower byte is the kind, the upper ones say more of it (SQLite, "Result and Error Codes").
    kind = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if kind in _DAMAGES:
        return _damaged(path, _DAMAGES[kind] or str(error))
    fault = _REASONS.get(kind) or said("cannot be used: {fault}", fault=str(error))
    return StorageError(said("{path}: {fault}", path=str(path), fault=fault))


def _damaged(path: Path, fault: str) -> DamagedError:
    return DamagedError(
        said(
            "{path}: is damaged ({fault}); {command} sets it aside and begins a new one",
            path=str(path),
            fault=fault,
            command="`companion play`",
        )
    )


_CLOSED = said(
    "cannot be opened; check the folder's permissions, or choose another folder with {option}", option="--data"
)
_DAMAGES = {
    sqlite3.SQLITE_CORRUPT: said("database disk image is malformed"),
    sqlite3.SQLITE_NOTADB: said("file is not a database"),
    # What is asked of a journal is always the same: if it is refused, the tables are not those of a journal.
    sqlite3.SQLITE_ERROR: "",
    sqlite3.SQLITE_CONSTRAINT: "",
    sqlite3.SQLITE_MISMATCH: "",
    sqlite3.SQLITE_FORMAT: "",
}
"""In SQLite's words; empty where it names what it did not find."""
_REASONS = {
    sqlite3.SQLITE_FULL: said("the disk is full; make room"),
    sqlite3.SQLITE_BUSY: said("another program is writing to it; end that one"),
    sqlite3.SQLITE_LOCKED: said("another program is writing to it; end that one"),
    sqlite3.SQLITE_PROTOCOL: said("another program is writing to it; end that one"),
    sqlite3.SQLITE_READONLY: said(
        "the file or its folder cannot be written to; choose another folder with {option}", option="--data"
    ),
    sqlite3.SQLITE_CANTOPEN: _CLOSED,
    sqlite3.SQLITE_PERM: _CLOSED,
    sqlite3.SQLITE_IOERR: said("the disk reports an error; copy the folder to another disk"),
}


@contextmanager
def opened(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    """Return a connection that is closed again only where the opening fails."""
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    with explaining(path):
        connection = sqlite3.connect(uri, uri=True, timeout=BUSY_TIMEOUT_S, isolation_level=None)
        # A text with a damaged byte is one that cannot be read, or a name with a strange letter.
        connection.text_factory = lambda text: text.decode(errors="replace")
        try:
            yield connection
        except BaseException:
            _close_as_it_is(connection, path)
            raise


def _close_as_it_is(connection: sqlite3.Connection, path: Path) -> None:
    """Close a connection without what SQLite does at the last one's end: write the log into the file, and delete it.

    A file that turns out to be damaged is kept as it was found.
    """
    uri = f"{path.absolute().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as other:
            with suppress(sqlite3.Error):
                other.execute("PRAGMA user_version").fetchall()
            connection.close()
    except sqlite3.Error:
        connection.close()


def check_header(path: Path) -> None:
    """Check the header for a write version that SQLite would accept, although no journal was ever written in it.

    Only while nobody has it open: closing a file gives back all locks that the process has on it, SQLite's among them.

    Raises:
        DamagedError: if a byte is not as it always is.
    """
    try:
        with path.open("rb") as stream:
            header = stream.read(100)
    except OSError:
        # SQLite says why it cannot be read.
        return
    if header and (len(header) < 100 or any(header[place] not in known for place, known in _HEADER.items())):
        raise _damaged(path, said("file is not a database"))


def check_tables(connection: sqlite3.Connection) -> None:
    """Ask for every column once: a damaged name of one is found before anything is written."""
    for query in (
        f"SELECT id, table_name, setup, started_at, last_at, touched, {_SUMMARY} FROM games LIMIT 0",  # noqa: S608
        "SELECT game_id, number, kind, sequence, decision, at FROM entries LIMIT 0",
        "SELECT game_id, key, value FROM notes LIMIT 0",
    ):
        connection.execute(query).fetchall()


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
    """Return whether the file holds a journal of this version; False for an empty file."""
    if connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0:
        return False
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    is_journal = {"games", "entries", "notes"} <= names
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        if is_journal:
            raise _damaged(path, said("file is not a database"))
        raise JournalError(
            said(
                "{path}: is another program's database; choose another folder with {option}",
                path=str(path),
                option="--data",
            )
        )
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version == SCHEMA_VERSION and not is_journal:
        raise _damaged(path, said("file is not a database"))
    if version < SCHEMA_VERSION:
        if is_journal:
            raise _damaged(path, said("file is not a database"))
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
