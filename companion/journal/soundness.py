"""The checks of the journal's file: whether it is a journal, is undamaged, and has this version."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Final

from companion.journal.entries import JournalError
from companion.journal.faults import DamagedError, damaged
from companion.journal.schema import APPLICATION_ID, SCHEMA_VERSION, SUMMARY_COLUMNS
from companion.languages import said

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

_CHECKED_WHOLE_BYTES: Final = 1 << 20
"""The size up to which a file is fully checked at every opening, which takes about 5 ms; enough for 100 games."""
_SUSPECT_SUFFIX: Final = ".suspect"
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
"""The bytes of a journal's first page that never change, by offset (SQLite, "Database File Format", 1.3)."""
_WRITES: Final = (
    "INSERT INTO games (table_name, setup, started_at, last_at, touched) VALUES ('', '', '', '', 0)",
    "INSERT INTO entries (game_id, number, kind, sequence, decision, at) VALUES (0, 0, '', 0, '', '')",
    "INSERT INTO notes (game_id, key, value) VALUES (0, '', '')",
    "UPDATE games SET setup = ''",
)
"""Prepared but not run: only this shows a damaged trigger, or a damaged reference to another table."""


def is_checked_whole(path: Path) -> bool:
    """Return whether a file is fully checked when it is opened: it is small, or part of it was unreadable."""
    return path.stat().st_size <= _CHECKED_WHOLE_BYTES or suspect_mark(path).exists()


def mark_suspect(path: Path) -> None:
    """Mark the file for a full check at the next opening, because part of it could not be read.

    Small files are always checked; large ones are not, so that beginning a game does not take longer with every game.
    """
    if path.stat().st_size > _CHECKED_WHOLE_BYTES:
        suspect_mark(path).touch()


def suspect_mark(path: Path) -> Path:
    """Return the file beside a journal that marks it for a full check at the next opening."""
    return path.with_name(path.name + _SUSPECT_SUFFIX)


def is_sound(connection: sqlite3.Connection, path: Path) -> bool:
    """Make the checks of every opening; return False if the file is empty.

    Raises:
        DamagedError: if it is damaged or not a database.
        JournalError: if it is a newer version's or another program's.
    """
    if is_checked_whole(path):
        check_whole(connection, path)
    if not is_ours(connection, path):
        return False
    for statement in _WRITES:
        connection.execute(f"EXPLAIN {statement}").fetchall()
    return True


def check_header(path: Path) -> None:
    """Check the header for a write version that SQLite would accept, although no journal was ever written in it.

    Call it only while no one has the file open: closing it releases all locks that the process has on it, also
    SQLite's.

    Raises:
        DamagedError: if a byte differs from its constant value.
    """
    try:
        with path.open("rb") as stream:
            header = stream.read(100)
    except OSError:
        # SQLite reports why it cannot be read.
        return
    if header and (len(header) < 100 or any(header[place] not in known for place, known in _HEADER.items())):
        raise damaged(path, said("file is not a database"))


def check_tables(connection: sqlite3.Connection) -> None:
    """Query every column once, to find a damaged column name before anything is written."""
    for query in (
        f"SELECT id, table_name, setup, started_at, last_at, touched, {_SUMMARY} FROM games LIMIT 0",  # noqa: S608
        "SELECT game_id, number, kind, sequence, decision, at FROM entries LIMIT 0",
        "SELECT game_id, key, value FROM notes LIMIT 0",
    ):
        connection.execute(query).fetchall()


def check_whole(connection: sqlite3.Connection, path: Path) -> None:
    """Check the whole file.

    Raises:
        DamagedError: if it is damaged.
    """
    # Not quick_check: it does not compare indices with their tables, and a damaged index hides games. It saves a fifth
    # of the time.
    with closing(connection.execute("PRAGMA integrity_check(1)")) as cursor:
        found = cursor.fetchone()[0]
    if found != "ok":
        # A message of several lines begins with the name of the database.
        raise DamagedError(said("{path}: is damaged ({fault})", path=str(path), fault=str(found).splitlines()[-1]))


def is_ours(connection: sqlite3.Connection, path: Path) -> bool:
    """Return whether the file is a journal of this version; False for an empty file."""
    if connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0:
        return False
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    is_journal = {"games", "entries", "notes"} <= names
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        if is_journal:
            raise damaged(path, said("file is not a database"))
        raise JournalError(
            said(
                "{path}: is another program’s database; choose another folder with {option}",
                path=str(path),
                option="--data",
            )
        )
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version == SCHEMA_VERSION and not is_journal:
        raise damaged(path, said("file is not a database"))
    if version < SCHEMA_VERSION:
        if is_journal:
            raise damaged(path, said("file is not a database"))
        raise JournalError(
            said(
                "{path}: has format {version}, which does not exist; choose another folder with {option}",
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
