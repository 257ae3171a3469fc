"""The faults of the journal's file that SQLite reports, each as one line for users."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from companion.journal.entries import JournalError, StorageError
from companion.languages import said

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_CLOSED = said(
    "cannot be opened; check the folder’s permissions, or choose another folder with {option}", option="--data"
)
_DAMAGES = {
    sqlite3.SQLITE_CORRUPT: said("database disk image is malformed"),
    sqlite3.SQLITE_NOTADB: said("file is not a database"),
    # A journal's queries are always the same: if SQLite rejects one, the tables are not those of a journal.
    sqlite3.SQLITE_ERROR: "",
    sqlite3.SQLITE_CONSTRAINT: "",
    sqlite3.SQLITE_MISMATCH: "",
    sqlite3.SQLITE_FORMAT: "",
}
"""SQLite's message; empty if SQLite's own message names what is missing."""
_REASONS = {
    sqlite3.SQLITE_FULL: said("the disk is full; free some space"),
    sqlite3.SQLITE_BUSY: said("another program is writing to it; close that program"),
    sqlite3.SQLITE_LOCKED: said("another program is writing to it; close that program"),
    sqlite3.SQLITE_PROTOCOL: said("another program is writing to it; close that program"),
    sqlite3.SQLITE_READONLY: said(
        "the file or its folder cannot be written to; choose another folder with {option}", option="--data"
    ),
    sqlite3.SQLITE_CANTOPEN: _CLOSED,
    sqlite3.SQLITE_PERM: _CLOSED,
    sqlite3.SQLITE_IOERR: said("the disk reports an error; copy the folder to another disk"),
}


class DamagedError(JournalError):
    """Raised if the file is damaged or not a database."""


@contextmanager
def explaining(path: Path) -> Iterator[None]:
    """Convert SQLite's errors into a JournalError (DamagedError for a damaged file) with one line for the user."""
    try:
        yield
    except sqlite3.Error as error:
        raise _explained(error, path) from error
    except UnicodeDecodeError as error:
        # A damaged name of a table or a column, which SQLite returns as it is.
        raise damaged(path, said("file is not a database")) from error


def _explained(error: sqlite3.Error, path: Path) -> JournalError:
    # The low byte is the kind, the higher ones give details (SQLite, "Result and Error Codes").
    kind = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if kind in _DAMAGES:
        return damaged(path, _DAMAGES[kind] or str(error))
    fault = _REASONS.get(kind) or said("cannot be used: {fault}", fault=str(error))
    return StorageError(said("{path}: {fault}", path=str(path), fault=fault))


def damaged(path: Path, fault: str) -> DamagedError:
    """Return the error for a damaged file, which says what will be done with it."""
    return DamagedError(
        said(
            "{path}: is damaged ({fault}); {command} sets it aside and starts a new one",
            path=str(path),
            fault=fault,
            command="`companion play`",
        )
    )
