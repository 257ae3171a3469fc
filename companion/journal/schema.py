"""The tables of a journal.

Games and entries are the journal; the other columns of `games` are a summary that is derived from them and can be
rebuilt at any time. A journal of an older version has no summaries: they are added, and the older version can still use
the journal, because an entry added without updating the summary leaves it marked as out of date.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import sqlite3

SCHEMA_VERSION: Final = 1
APPLICATION_ID: Final = 0x51554C54
"""The mark of our files ("QULT" in ASCII), so that another program's database is not taken for a journal."""

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
