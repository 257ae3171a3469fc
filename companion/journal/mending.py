"""The repair of a damaged journal when it is opened: damage is set aside, undamaged data kept, both reported."""

from __future__ import annotations

import json
import shutil
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from companion.durable import sync_folder, write_whole
from companion.journal.entries import StorageError
from companion.journal.faults import explaining
from companion.journal.logs import LoggedGame
from companion.journal.opening import close_as_it_is, free_name, open_to_write, opened, roll_back, set_aside
from companion.journal.reconciling import compared, repair_of, suspects
from companion.journal.salvage import salvage_games
from companion.journal.soundness import check_header, is_checked_whole, is_sound
from companion.journal.tables import write_game
from companion.languages import counted, said, system_says

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from companion.journal.logs import GameLogs
    from companion.journal.reconciling import Repair
    from companion.languages import Sentence


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
