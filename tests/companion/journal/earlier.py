"""A journal in the format before summaries were kept beside the games: a copy of that version's SQL."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SCHEMA = """
CREATE TABLE games (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    table_name TEXT NOT NULL,
    setup TEXT NOT NULL,
    started_at TEXT NOT NULL,
    last_at TEXT NOT NULL,
    touched INTEGER NOT NULL
) STRICT;
CREATE TABLE entries (
    game_id INTEGER NOT NULL REFERENCES games (id),
    number INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('decision', 'undo')),
    sequence INTEGER NOT NULL,
    decision TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (game_id, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE notes (
    game_id INTEGER NOT NULL REFERENCES games (id),
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (game_id, key)
) STRICT, WITHOUT ROWID;
PRAGMA application_id = 1364544596;
PRAGMA user_version = 1;
"""
AT = "2026-01-02T19:0{}:00+00:00"


def begin(path: Path) -> sqlite3.Connection:
    """An empty journal."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.executescript(SCHEMA)
    return connection


def new_game(connection: sqlite3.Connection, setup: str, texts: Sequence[str], table: str = "table") -> int:
    """Insert a game and return its number."""
    cursor = connection.execute(
        "INSERT INTO games (table_name, setup, started_at, last_at, touched)"
        " SELECT ?, ?, ?, ?, coalesce(max(touched), 0) + 1 FROM games",
        (table, setup, AT.format(1), AT.format(1)),
    )
    game_id = int(cursor.lastrowid or 0)
    for number, text in enumerate(texts, start=1):
        add(connection, game_id, number, "decision", number, text)
    return game_id


def add(connection: sqlite3.Connection, game_id: int, number: int, kind: str, sequence: int, text: str) -> None:
    """Insert an entry."""
    connection.execute(
        "INSERT INTO entries (game_id, number, kind, sequence, decision, at) VALUES (?, ?, ?, ?, ?, ?)",
        (game_id, number, kind, sequence, text, AT.format(2)),
    )
    connection.execute(
        "UPDATE games SET last_at = ?, touched = (SELECT max(touched) + 1 FROM games) WHERE id = ?",
        (AT.format(2), game_id),
    )
