"""The recovery of games from a damaged database, row by row; only rows that SQLite cannot read are left out."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.journal.logs import Begun, LoggedGame
from companion.journal.schema import create
from companion.journal.tables import read_game, taken_entry

if TYPE_CHECKING:
    from collections.abc import Iterator

_PAGE: Final = 4096
"""The page size in bytes, the same for every journal ever created."""
_BEYOND: Final = 50
"""The number of consecutive numbers without a game that ends the search, if nothing else shows how many games there
are."""


def salvage_games(damaged: Path) -> dict[int, LoggedGame]:
    """Return the games that can be read in a damaged journal, each up to its first unreadable entry, by number.

    The file is not changed. The result is empty for a file that is not a journal at all.
    """
    found: dict[int, LoggedGame] = {}
    with tempfile.TemporaryDirectory(dir=damaged.parent) as folder, suppress(OSError, sqlite3.Error):
        copy = Path(folder) / damaged.name
        _copy(damaged, copy)
        found = _readable(copy)
        # Each finds what the other does not: the first page may be damaged, or the tables may be in other places than
        # in a new journal, as after a restoration from SQL.
        _replace_first_page(copy)
        found = _fullest(found, _readable(copy))
    return found


def _fullest(*readings: dict[int, LoggedGame]) -> dict[int, LoggedGame]:
    """Return each game as the reading has it that found most of it, the first such one."""
    found: dict[int, LoggedGame] = {}
    for game_id in sorted(set().union(*readings)):
        games = [reading[game_id] for reading in readings if game_id in reading]
        found[game_id] = max(games, key=lambda game: (len(game.entries), len(game.notes)))
    return found


def _copy(damaged: Path, copy: Path) -> None:
    for suffix in ("", "-wal"):
        part = damaged.with_name(damaged.name + suffix)
        if part.exists():
            shutil.copyfile(part, copy.with_name(copy.name + suffix))
    # SQLite refuses a truncated file entirely, but not one padded with zero pages.
    with copy.open("r+b") as stream:
        pages = int.from_bytes(stream.read(32)[28:32], "big")
        size = copy.stat().st_size
        # The number of pages may be damaged, too: no file is padded to more than 4 GiB.
        if size // _PAGE < pages < 1 << 20:
            stream.truncate(pages * _PAGE)


def _replace_first_page(copy: Path) -> None:
    """Replace a file's first page by that of a new journal, whose tables are always in the same places."""
    fresh = copy.with_name("fresh")
    with closing(sqlite3.connect(fresh)) as connection:
        create(connection)
        connection.commit()
        # Without the mark of this mode SQLite would ignore the write-ahead log.
        connection.execute("PRAGMA journal_mode = WAL")
    first = bytearray(fresh.read_bytes()[:_PAGE])
    # The size in pages (SQLite, "Database File Format", 1.3.8).
    first[28:32] = (copy.stat().st_size // _PAGE).to_bytes(4, "big")
    with copy.open("r+b") as stream:
        stream.write(first)


def _readable(copy: Path) -> dict[int, LoggedGame]:
    found = {}
    with suppress(sqlite3.Error), closing(sqlite3.connect(copy)) as connection:
        connection.text_factory = lambda text: text.decode(errors="replace")
        # SQLite then ignores faults in the schema instead of refusing every query.
        connection.execute("PRAGMA writable_schema = ON")
        for game_id in _ids(connection):
            with suppress(sqlite3.Error):
                game = _game(connection, game_id)
                if game is not None:
                    found[game_id] = game
    return found


def _ids(connection: sqlite3.Connection) -> Iterator[int]:
    """Return the possible numbers of games: those that an index or the table still lists, and all from 1 on."""
    found: set[int] = set()
    # From either end of the table, along an index, and by the entries: a damaged page ends only some of these.
    for query in (
        "SELECT id FROM games NOT INDEXED",
        "SELECT id FROM games NOT INDEXED ORDER BY id DESC",
        "SELECT id FROM games ORDER BY touched",
        "SELECT game_id FROM entries GROUP BY game_id",
    ):
        with suppress(sqlite3.Error):
            for (game_id,) in connection.execute(query):
                if isinstance(game_id, int) and 0 < game_id < 1 << 40:
                    found.add(game_id)
    # A damaged number must not make the search endless.
    return iter(sorted(found | set(range(1, max(found, default=0) % 100_000 + _BEYOND))))


def _game(connection: sqlite3.Connection, game_id: int) -> LoggedGame | None:
    try:
        game = read_game(connection, game_id)
    except sqlite3.Error:
        game = _in_parts(connection, game_id)
    if game is None or game.begun is None:
        return None
    whole = 0
    while whole + 1 in game.entries:
        whole += 1
    return LoggedGame(game.begun, {number: game.entries[number] for number in range(1, whole + 1)}, game.notes)


def _in_parts(connection: sqlite3.Connection, game_id: int) -> LoggedGame | None:
    """Return a game that is only partly readable, by reading its entries one by one."""
    rows = connection.execute("SELECT table_name, setup, started_at FROM games WHERE id = ?", (game_id,)).fetchall()
    if not rows or not all(isinstance(value, str) for value in rows[0]):
        return None
    game = LoggedGame(Begun(*rows[0]))
    query = "SELECT number, kind, sequence, decision, at FROM entries WHERE game_id = ? AND number = ?"
    with suppress(sqlite3.Error):
        while (row := connection.execute(query, (game_id, len(game.entries) + 1)).fetchone()) is not None:
            if not taken_entry(game, *row):
                break
    return game
