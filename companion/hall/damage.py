"""Damage of the hall's database: looked for at the start and while the hall runs, set aside, and made up for."""

import logging
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread
from typing import Final

from companion.durable import database_damage, set_aside
from companion.hall.database import (
    Announcement,
    Base,
    Database,
    DatabaseError,
    Deed,
    Pairing,
    Player,
    Tournament,
    TournamentEntry,
)
from companion.languages import Sentence, reason, said

_LOG: Final = logging.getLogger(__name__)
# What people have entered; the other tables are made from the events of tables.
_ENTERED: Final[tuple[type[Base], ...]] = (Player, Tournament, TournamentEntry, Pairing, Announcement, Deed)
# A check reads the whole file: 0.15 s for 34 MB, which are 100,000 events.
_EVERY_S: Final = 900.0
# Between two checks, however often SQLite reports damage.
_PAUSE_S: Final = 5.0
_ENDS_IN_S: Final = 5.0


def repair(database: Database, now: datetime) -> Sentence | None:
    """Set a damaged file of SQLite aside, begin a new one, and copy into it what people have entered.

    The games come again from the tables, as far as they have their events.

    Returns:
        The sentence on it, or None if there is no damage, or the database is on a server.

    Raises:
        DatabaseError: it cannot be set aside, or no new one can be made.
    """
    path = database.file
    fault = None if path is None or not path.is_file() else database_damage(path)
    if path is None or fault is None:
        return None
    try:
        with database.replacing():
            aside = set_aside(path, now, _successor(path))
    except (OSError, sqlite3.Error) as error:
        raise DatabaseError.said("{place}: cannot be used: {fault}", place=database.shown, fault=str(error)) from error
    return said(
        "{path}: is damaged ({fault}) and was set aside as {name}; the games come again from the tables, as far as "
        "they have them; check the tournaments",
        path=str(path),
        fault=fault,
        name=aside.name,
    )


def _successor(damaged: Path) -> Path:
    """Make a database beside a damaged one, of the rows that can be read of what people have entered."""
    path = damaged.with_name(f"{damaged.name}.new")
    for suffix in ("", "-wal", "-shm"):
        # Of a repair that was interrupted.
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    database = Database(f"sqlite:///{path}")
    database.upgrade()
    database.close()
    with closing(sqlite3.connect(path)) as new:
        new.execute("PRAGMA foreign_keys = ON")
        for model in _ENTERED:
            # Up to the first damaged page from either end.
            for order in ("ASC", "DESC"):
                _copy_rows(damaged, new, model, order)
        _enter_lost(new)
        new.commit()
    return path


def _copy_rows(damaged: Path, new: sqlite3.Connection, model: type[Base], order: str) -> None:
    table, columns = model.__tablename__, [column.name for column in model.__table__.columns]
    # The games' numbers are new ones.
    read = ["NULL" if column == "game_id" else column for column in columns]
    query = f"SELECT {', '.join(read)} FROM {table} ORDER BY rowid {order}"  # noqa: S608 - names of the models
    insert = f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"  # noqa: S608
    # A connection of its own: one that has met damage neither reads nor commits anything more.
    with suppress(sqlite3.Error, UnicodeDecodeError), closing(sqlite3.connect(damaged)) as old:
        for row in old.execute(query):
            # Of the others, what refers to what is there.
            with suppress(sqlite3.IntegrityError):
                new.execute(insert, row)


def _enter_lost(new: sqlite3.Connection) -> None:
    """Enter a player without a name for each number in pairings whose own row was lost, so that the rest is shown."""
    lost = new.execute(
        "SELECT tournament_id, first FROM pairings UNION SELECT tournament_id, second FROM pairings "
        "WHERE second IS NOT NULL EXCEPT SELECT tournament_id, number FROM entries"
    ).fetchall()
    for tournament, number in lost:
        name = f"? {tournament}.{number}"
        new.execute(
            "INSERT OR IGNORE INTO players (name, key, rating, deviation, volatility) VALUES (?1, ?1, 1500, 350, 0.06)",
            (name,),
        )
        new.execute(
            "INSERT INTO entries (tournament_id, player_id, number, present) "
            "SELECT ?, id, ?, 1 FROM players WHERE key = ?",
            (tournament, number, name),
        )


class DamageWatch:
    """A thread that checks the database's file now and then, and at once if SQLite reports damage, and repairs it.

    Args:
        database: the database.
        repaired: called with the sentence on a repair.
        every_s: the time between two checks.
    """

    def __init__(self, database: Database, repaired: Callable[[Sentence], None], every_s: float = _EVERY_S) -> None:
        self._database, self._repaired, self._every_s = database, repaired, every_s
        self._closing = Event()
        self._thread = Thread(target=self._run, name="hall-checking", daemon=True)

    def start(self) -> None:
        """Start the thread; a database on a server needs none."""
        if self._database.file is not None:
            self._thread.start()

    def close(self) -> None:
        """End the thread; may be called more than once."""
        self._closing.set()
        self._database.suspected.set()
        if self._thread.is_alive():
            self._thread.join(_ENDS_IN_S)

    def _run(self) -> None:
        while not self._closing.is_set():
            self._database.suspected.wait(self._every_s)
            if not self._closing.is_set():
                self._check()
                self._closing.wait(_PAUSE_S)

    def _check(self) -> None:
        self._database.suspected.clear()
        try:
            says = repair(self._database, datetime.now(UTC))
        except DatabaseError as error:
            _LOG.error("%s", reason(error))
            return
        if says is not None:
            _LOG.error("%s", says)
            self._repaired(says)
