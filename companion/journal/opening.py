"""The opening of the journal's file: a damaged one is set aside, a newer or foreign one refused.

Games and entries are the journal; the other columns of `games` are a summary that is derived from them and can be
rebuilt at any time. A journal of an older version has no summaries: they are added, and the older version can still use
the journal, because an entry added without updating the summary leaves it marked as out of date.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from companion.durable import sync_folder
from companion.journal.entries import JournalError, StorageError
from companion.journal.locks import BUSY_TIMEOUT_S
from companion.languages import said, system_says

# The size up to which a file is fully checked at every opening, which takes about 5 ms; enough for 100 games.
_CHECKED_WHOLE_BYTES: Final = 1 << 20
_SUSPECT_SUFFIX: Final = ".suspect"
SUMMARY_COLUMNS: Final = (
    "summary_version INTEGER",
    "game TEXT",
    "players TEXT",
    "decisions INTEGER",
    "status TEXT",
    "scores TEXT",
    "winners TEXT",
    "figures TEXT",
)
"""All null if there is no summary; `summary_version` is null if it is out of date. The last four are JSON."""
_SUMMARY: Final = ", ".join(column.split()[0] for column in SUMMARY_COLUMNS)
# The bytes of a journal's first page that never change, by offset (SQLite, "Database File Format", 1.3).
_HEADER: Final = {
    **{place: (byte,) for place, byte in enumerate(b"SQLite format 3\0")},
    18: (1, 2),
    19: (1, 2),
    20: (0,),
    **dict.fromkeys((*range(44, 47), *range(52, 59), *range(60, 63), *range(64, 68)), (0,)),
    47: (4,),
    59: (0, 1),
}
# Prepared but not run: only this shows a damaged trigger, or a damaged reference to another table.
_WRITES: Final = (
    "INSERT INTO games (table_name, setup, started_at, last_at, touched) VALUES ('', '', '', '', 0)",
    "INSERT INTO entries (game_id, number, kind, sequence, decision, at) VALUES (0, 0, '', 0, '', '')",
    "INSERT INTO notes (game_id, key, value) VALUES (0, '', '')",
    "UPDATE games SET setup = ''",
)


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


SCHEMA_VERSION: Final = 1
APPLICATION_ID: Final = 0x51554C54
"""The mark of our files ("QULT" in ASCII), so that another program's database is not taken for a journal."""


_JOURNAL: Final = (
    """CREATE TABLE games (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        table_name TEXT NOT NULL,
        setup TEXT NOT NULL,
        started_at TEXT NOT NULL,
        last_at TEXT NOT NULL,
        touched INTEGER NOT NULL
    ) STRICT""",
    """CREATE TABLE entries (
        game_id INTEGER NOT NULL REFERENCES games (id),
        number INTEGER NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('decision', 'undo')),
        sequence INTEGER NOT NULL,
        decision TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (game_id, number)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE notes (
        game_id INTEGER NOT NULL REFERENCES games (id),
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (game_id, key)
    ) STRICT, WITHOUT ROWID""",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)
_SUMMARIES: Final = (
    *(f"ALTER TABLE games ADD COLUMN {column}" for column in SUMMARY_COLUMNS),
    "CREATE INDEX games_by_change ON games (touched)",
    "CREATE INDEX games_by_table ON games (table_name, status, touched)",
    "CREATE INDEX games_by_status ON games (status, touched)",
    "CREATE INDEX games_by_version ON games (summary_version)",
    """CREATE TRIGGER entry_outdates_summary AFTER INSERT ON entries BEGIN
        UPDATE games SET summary_version = NULL WHERE id = NEW.game_id;
    END""",
    """CREATE TRIGGER setup_outdates_summary AFTER UPDATE OF setup ON games BEGIN
        UPDATE games SET summary_version = NULL WHERE id = NEW.id;
    END""",
)


def create(connection: sqlite3.Connection) -> None:
    """Create all tables, inside a transaction."""
    for statement in (*_JOURNAL, *_SUMMARIES):
        connection.execute(statement)


def has_summaries(connection: sqlite3.Connection) -> bool:
    """Return whether the journal has the columns of summaries."""
    return any(name == "summary_version" for _, name, *_ in connection.execute("PRAGMA table_info(games)"))


def add_summaries(connection: sqlite3.Connection) -> None:
    """Add the columns of summaries to an older version's journal, in one transaction."""
    connection.execute("BEGIN IMMEDIATE")
    # Another companion may have done so meanwhile.
    if not has_summaries(connection):
        for statement in _SUMMARIES:
            connection.execute(statement)
    connection.execute("COMMIT")


def emulate_summaries(connection: sqlite3.Connection) -> None:
    """Make an older version's journal, opened read-only, answer queries as if it had the columns of summaries."""
    missing = ", ".join(f"NULL AS {column.split()[0]}" for column in SUMMARY_COLUMNS)
    connection.execute(f"CREATE TEMP VIEW games AS SELECT *, {missing} FROM main.games")  # noqa: S608


_CLOSED = said(
    "cannot be opened; check the folder’s permissions, or choose another folder with {option}", option="--data"
)
# SQLite's message; empty if SQLite's own message names what is missing.
_DAMAGES = {
    sqlite3.SQLITE_CORRUPT: said("database disk image is malformed"),
    sqlite3.SQLITE_NOTADB: said("file is not a database"),
    # A journal's queries are always the same: if SQLite rejects one, the tables are not those of a journal.
    sqlite3.SQLITE_ERROR: "",
    sqlite3.SQLITE_CONSTRAINT: "",
    sqlite3.SQLITE_MISMATCH: "",
    sqlite3.SQLITE_FORMAT: "",
}
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


JOURNAL_NAME = "journal.sqlite3"
"""The journal's file in the data folder."""
# The suffix of SQLite's rollback file, which exists only while a journal is created, before write-ahead mode.
_ROLLBACK_SUFFIX: Final = "-journal"


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
