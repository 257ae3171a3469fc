"""The tables of a journal.

Games and entries are the journal; all else in `games` is a summary of them, which follows from them and may be made
anew at any time. A journal without summaries is one of an older companion. It gets them, and that companion can go on
with it: whoever adds an entry without bringing the summary up to date leaves it marked as out of date.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import sqlite3

SCHEMA_VERSION: Final = 1
APPLICATION_ID: Final = 0x51554C54
"""Marks the file as ours ("QULT" in ASCII), so that no other program's database is taken for a journal."""

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
"""All null where there is no summary; `summary_version` is null where it is out of date. The last four are JSON."""

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
    """Make all tables, inside a transaction."""
    for statement in (*_JOURNAL, *_SUMMARIES):
        connection.execute(statement)


def has_summaries(connection: sqlite3.Connection) -> bool:
    """Return whether the journal has room for summaries."""
    return any(name == "summary_version" for _, name, *_ in connection.execute("PRAGMA table_info(games)"))


def add_summaries(connection: sqlite3.Connection) -> None:
    """Give an older companion's journal room for summaries, all at once or not at all."""
    connection.execute("BEGIN IMMEDIATE")
    # Another companion may have done so meanwhile.
    if not has_summaries(connection):
        for statement in _SUMMARIES:
            connection.execute(statement)
    connection.execute("COMMIT")


def imagine_summaries(connection: sqlite3.Connection) -> None:
    """Let an older companion's journal, which is only looked at, answer as if it had room for summaries."""
    missing = ", ".join(f"NULL AS {column.split()[0]}" for column in SUMMARY_COLUMNS)
    connection.execute(f"CREATE TEMP VIEW games AS SELECT *, {missing} FROM main.games")  # noqa: S608
