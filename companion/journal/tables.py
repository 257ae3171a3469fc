"""The transfer of whole games between the tables and their log form; invalid rows are left out."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from companion.journal.entries import EntryKind
from companion.journal.logs import Begun, LoggedGame, StoredEntry

if TYPE_CHECKING:
    import sqlite3

_KINDS: Final = frozenset(kind.value for kind in EntryKind)
_NEVER: Final = datetime(1970, 1, 1, tzinfo=UTC)


def moment(*texts: object) -> datetime:
    """Return the first of these that is a valid time of day, with its zone (UTC by default); 1970 if none is."""
    for text in texts:
        with suppress(ValueError, TypeError):
            found = datetime.fromisoformat(text)  # type: ignore[arg-type]  # A damaged one may be anything.
            return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
    return _NEVER


def read_game(connection: sqlite3.Connection, game_id: int) -> LoggedGame | None:
    """Return a game from the tables, or None if it has no row there."""
    rows = connection.execute("SELECT table_name, setup, started_at FROM games WHERE id = ?", (game_id,)).fetchall()
    if not rows:
        return None
    game = LoggedGame()
    if _are_texts(rows[0]):
        game.begun = Begun(*rows[0])
    for number, *row in connection.execute(
        "SELECT number, kind, sequence, decision, at FROM entries WHERE game_id = ?", (game_id,)
    ):
        taken_entry(game, number, *row)
    for key, value in connection.execute("SELECT key, value FROM notes WHERE game_id = ?", (game_id,)):
        if _are_texts((key, value)):
            game.notes[key] = value
    return game


def write_game(connection: sqlite3.Connection, game_id: int, game: LoggedGame) -> None:
    """Write a game into the tables, inside a transaction; its summary is computed later.

    Raises:
        ValueError: if its beginning is unknown.
    """
    if game.begun is None:
        raise ValueError(game_id)
    table, setup, started_at = game.begun
    last_at = game.entries[max(game.entries)].at if game.entries else started_at
    connection.execute(
        # A game that is there keeps its `touched`: a repair is no change of the game.
        "INSERT INTO games (id, table_name, setup, started_at, last_at, touched)"
        " VALUES (?, ?, ?, ?, ?, (SELECT coalesce(max(touched), 0) + 1 FROM games))"
        " ON CONFLICT (id) DO UPDATE SET table_name = excluded.table_name, setup = excluded.setup,"
        " started_at = excluded.started_at, last_at = excluded.last_at, summary_version = NULL",
        (game_id, table, setup, started_at, last_at),
    )
    connection.execute("DELETE FROM entries WHERE game_id = ?", (game_id,))
    connection.executemany(
        "INSERT INTO entries (game_id, number, kind, sequence, decision, at) VALUES (?, ?, ?, ?, ?, ?)",
        [(game_id, number, *row) for number, row in sorted(game.entries.items())],
    )
    connection.execute("DELETE FROM notes WHERE game_id = ?", (game_id,))
    notes = [(game_id, key, value) for key, value in game.notes.items()]
    connection.executemany("INSERT INTO notes (game_id, key, value) VALUES (?, ?, ?)", notes)


def taken_entry(game: LoggedGame, number: object, kind: object, sequence: object, *texts: Any) -> bool:
    """Add an entry to a game; return False if it is invalid."""
    if not (isinstance(number, int) and isinstance(sequence, int) and kind in _KINDS and _are_texts(texts)):
        return False
    game.entries[number] = StoredEntry(str(kind), sequence, *texts)
    return True


def _are_texts(values: Any) -> bool:
    return all(isinstance(value, str) for value in values)
