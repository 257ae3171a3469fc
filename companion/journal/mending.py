"""The repair of a damaged journal when it is opened: damage is set aside, undamaged data kept, both reported."""

import json
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from companion.durable import sync_folder, write_whole
from companion.journal.entries import StorageError
from companion.journal.logs import Begun, GameLogs, LoggedGame
from companion.journal.opening import (
    check_header,
    close_as_it_is,
    create,
    explaining,
    free_name,
    is_checked_whole,
    is_sound,
    open_to_write,
    opened,
    roll_back,
    set_aside,
)
from companion.journal.reconciling import Repair, compared, repair_of, suspects
from companion.journal.summed import read_game, taken_entry, write_game
from companion.languages import Sentence, counted, said, system_says

# The page size in bytes, the same for every journal ever created.
_PAGE: Final = 4096
# The number of consecutive numbers without a game that ends the search, if nothing else shows how many games there are.
_BEYOND: Final = 50


def salvage_games(damaged: Path) -> dict[int, LoggedGame]:
    """Return the games that can be read in a damaged journal, each up to its first unreadable entry, by number.

    The file is not changed. The result is empty for a file that is not a journal at all.
    """
    found: dict[int, LoggedGame] = {}
    with tempfile.TemporaryDirectory(dir=damaged.parent) as folder, suppress(OSError, sqlite3.Error):
        copy = Path(folder) / damaged.name
        _copy_salvage(damaged, copy)
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


def _copy_salvage(damaged: Path, copy: Path) -> None:
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


def examine(path: Path, logs: GameLogs) -> list[Repair]:
    """Compare a journal that no other process has open with its logs, without changing anything.

    Raises:
        DamagedError: if the file is damaged or not a database.
        JournalError: if it is a newer version's or another program's, or cannot be read.
    """
    roll_back(path)
    if path.is_file() and path.stat().st_size:
        check_header(path)
        with opened(path, "ro") as connection:
            try:
                if is_sound(connection, path):
                    ids = suspects(connection, logs, all_of_them=is_checked_whole(path))
                    return compared(connection, logs, ids)
            finally:
                connection.close()
    return _all_logged(logs)


class RepairedJournal(NamedTuple):
    """A repaired journal.

    Attributes:
        connection: the connection to it.
        findings: the damages, and where the damaged files are kept.
        recovered: the changes that were not in the database because the power failed; nothing was damaged or set aside.
    """

    connection: sqlite3.Connection
    findings: list[Sentence]
    recovered: list[Sentence]


def open_repaired(
    path: Path, logs: GameLogs, repairs: Sequence[Repair], now: Callable[[], datetime], *, is_restarted: bool
) -> RepairedJournal:
    """Open a journal, make the repairs in it, and report the damages.

    Args:
        path: the journal's file.
        logs: the logs of its games.
        repairs: the result of `examine`.
        now: returns the time of day.
        is_restarted: whether the machine was switched off since the journal was last opened. Without a restart all
            written data persists, so that anything missing is damage.

    Raises:
        DamagedError: if the file is damaged or not a database.
        JournalError: if it cannot be written to.
    """
    is_there = path.exists()
    shown = [repair for repair in repairs if repair.shows_damage or not is_there]
    damaged = [repair for repair in shown if not (is_restarted and repair.is_behind and is_there)]
    says: list[Sentence] = []
    kept = free_name(path, now()) if damaged else path
    if damaged:
        if is_there:
            _copy(path, logs, damaged, kept)
            says = [repair.says(str(kept)) for repair in damaged]
        else:
            says = [_missing(path, len(damaged))]
    # After the copies: opening a file to write may already change it.
    connection = open_to_write(path)
    try:
        with explaining(path):
            _repair(connection, logs, repairs, kept)
    except BaseException:
        close_as_it_is(connection, path)
        raise
    return RepairedJournal(connection, says, [repair.recovery for repair in shown if repair not in damaged])


def rebuild(path: Path, logs: GameLogs, now: datetime) -> tuple[sqlite3.Connection, Path, list[Sentence]]:
    """Set a damaged journal aside and begin a new one with all games that it or the logs still contain.

    Raises:
        JournalError: if it cannot be set aside, or the new one cannot be written.
    """
    aside = set_aside(path, now)
    found = salvage_games(aside)
    games: dict[int, LoggedGame] = {}
    broken: list[Repair] = []
    for game_id in sorted({*found, *logs.ids()}):
        logged, stored = logs.read(game_id), found.get(game_id)
        repair = None if logged is None else repair_of(game_id, logged, stored)
        games[game_id] = (stored or LoggedGame()) if repair is None else repair.game
        if repair is not None and (repair.log or repair.game.begun is None):
            broken.append(repair)
    whole = {game_id: game for game_id, game in games.items() if game.begun is not None}
    _copy_logs(path, logs, broken, aside)
    connection = open_to_write(path)
    try:
        with explaining(path):
            _write(connection, whole)
        _write_logs(logs, broken, aside)
    except BaseException:
        connection.close()
        raise
    losses = [repair.says(str(_aside_log_path(aside, repair.game_id))) for repair in broken if repair.is_loss]
    return connection, aside, [_set_aside_says(path, aside, len(whole)), *losses]


def save_copy(path: Path, game_id: int, rows: Iterable[Sequence[object]], now: datetime) -> Path:
    """Write all entries of a game, as the tables have them, into a file beside the journal, and return its path.

    Raises:
        StorageError: if it cannot be written.
    """
    aside = free_name(path.with_name(f"{path.name}.{game_id}"), now)
    try:
        write_whole(aside, "".join(f"{json.dumps(list(row))}\n" for row in rows).encode())
    except OSError as error:
        says = said("{path}: cannot be written: {fault}", path=str(aside), fault=system_says(error))
        raise StorageError(says) from error
    return aside


def _set_aside_says(path: Path, aside: Path, count: int) -> Sentence:
    if not count:
        return said("{path}: was damaged and is kept as {kept}; a new one was started", path=str(path), kept=str(aside))
    return counted(
        "{path}: was damaged and is kept as {kept}; {count} game was recovered",
        "{path}: was damaged and is kept as {kept}; {count} games were recovered",
        count,
        path=str(path),
        kept=str(aside),
    )


def _missing(path: Path, count: int) -> Sentence:
    return counted(
        "{path}: was missing; {count} game was recovered from its log",
        "{path}: was missing; {count} games were recovered from their logs",
        count,
        path=str(path),
    )


def _all_logged(logs: GameLogs) -> list[Repair]:
    repairs = [repair_of(game_id, logs.read(game_id) or LoggedGame(), None) for game_id in logs.ids()]
    return [repair for repair in repairs if repair is not None]


def _copy(path: Path, logs: GameLogs, repairs: Iterable[Repair], aside: Path) -> None:
    """Copy a damaged journal, and those of its logs that are damaged, to an unused name."""
    with _copying(path):
        for suffix in ("-wal", ""):
            part = path.with_name(path.name + suffix)
            if part.exists():
                shutil.copyfile(part, aside.with_name(aside.name + suffix))
    _copy_logs(path, logs, repairs, aside)


def _copy_logs(path: Path, logs: GameLogs, repairs: Iterable[Repair], aside: Path) -> None:
    with _copying(path):
        for repair in repairs:
            if repair.log_damaged:
                shutil.copyfile(logs.path(repair.game_id), _aside_log_path(aside, repair.game_id))
        sync_folder(path.parent)


@contextmanager
def _copying(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        says = said("{path}: is damaged and cannot be set aside: {fault}", path=str(path), fault=system_says(error))
        raise StorageError(says) from error


def _aside_log_path(aside: Path, game_id: int) -> Path:
    return aside.with_name(f"{aside.name}.{game_id}.log")


def _repair(connection: sqlite3.Connection, logs: GameLogs, repairs: Sequence[Repair], aside: Path) -> None:
    known = {repair.game_id: repair.game for repair in repairs if repair.game.begun is not None and repair.changes}
    _write(connection, known)
    _write_logs(logs, repairs, aside)


def _write_logs(logs: GameLogs, repairs: Iterable[Repair], aside: Path) -> None:
    """Rewrite logs; the log of a game whose beginning is lost is moved away, so that it is reported only once."""
    for repair in repairs:
        if repair.game.begun is None:
            # If it cannot be moved, it is only reported again.
            with suppress(OSError):
                logs.path(repair.game_id).replace(_aside_log_path(aside, repair.game_id))
                sync_folder(logs.folder)
        elif repair.log:
            logs.write(repair.game_id, repair.game.changes())


def _write(connection: sqlite3.Connection, games: Mapping[int, LoggedGame]) -> None:
    """Write these games into the tables, all or none; the one changed last is written last."""
    if not games:
        return
    connection.execute("BEGIN IMMEDIATE")
    # The order becomes that of the changes, by which `Book.unfinished` selects the game to resume.
    for game_id in sorted(games, key=lambda each: _last_at(games[each])):
        write_game(connection, game_id, games[game_id])
    connection.execute("COMMIT")


def _last_at(game: LoggedGame) -> str:
    started_at = "" if game.begun is None else game.begun.started_at
    return game.entries[max(game.entries)].at if game.entries else started_at
