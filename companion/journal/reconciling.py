"""Hold the tables against the logs when a journal is opened; of what either has lost, the other has a copy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.journal.logs import Added, Amended, Begun, LoggedGame, Noted, StoredEntry
from companion.journal.tables import read_game
from companion.languages import counted, said

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from companion.journal.logs import GameLogs
    from companion.languages import Sentence

_NEWEST: Final = 20
"""The number of games begun last, and of games changed last, that are compared in a journal too large to compare them
all."""


@dataclass(frozen=True, slots=True)
class Repair:
    """A game that the tables and its log do not agree on, or that one of them has lost a part of.

    Attributes:
        game_id: its number.
        game: what is whole of it; `begun` is None if nothing tells how it began.
        changes: how many entries, notes and beginnings the tables get from the log.
        log: whether its log is to be written anew.
        log_damaged: whether lines of its log are damaged or missing.
        lost: how many entries neither has whole, or stand behind such a one.
        is_uncommitted: whether the tables lack the last change alone: the program had no time to commit it.
        is_behind: whether the tables are as they were some changes ago, and nothing else is wrong: what a power cut
            leaves, for the tables are not synced with each change.
    """

    game_id: int
    game: LoggedGame
    changes: int
    log: bool
    log_damaged: bool
    lost: int
    is_uncommitted: bool = False
    is_behind: bool = False

    @property
    def shows_damage(self) -> bool:
        """True if something was damaged."""
        return self.lost > 0 or self.log_damaged or (self.changes > 0 and not self.is_uncommitted)

    @property
    def recovery(self) -> Sentence:
        """Say what was brought back of a game whose tables are behind."""
        return counted(
            "the machine was switched off before {count} change of game {game} was in the database: it was brought "
            "back from the game's log, and nothing is lost",
            "the machine was switched off before the last {count} changes of game {game} were in the database: they "
            "were brought back from the game's log, and nothing is lost",
            self.changes,
            game=self.game_id,
        )

    @property
    def is_loss(self) -> bool:
        """True if something is gone that neither has."""
        return self.lost > 0 or self.game.begun is None

    def says(self, kept: str) -> Sentence:
        """Say what was found, and where the damaged file is kept."""
        if self.game.begun is None:
            return said(
                "how game {game} began is lost; what is left of it is kept in {kept}", game=self.game_id, kept=kept
            )
        if self.lost:
            return said(
                "game {game} was damaged: it is whole up to entry {count}; what follows is kept in {kept}",
                game=self.game_id,
                count=len(self.game.entries),
                kept=kept,
            )
        if self.changes:
            return counted(
                "game {game} was damaged: {count} entry was restored from its log; the damaged file is kept as {kept}",
                "game {game} was damaged: {count} entries were restored from its log; the damaged file is kept as "
                "{kept}",
                self.changes,
                game=self.game_id,
                kept=kept,
            )
        return said(
            "the log of game {game} was damaged, and nothing is lost; the damaged one is kept as {kept}",
            game=self.game_id,
            kept=kept,
        )


def suspects(connection: sqlite3.Connection, logs: GameLogs, *, all_of_them: bool) -> list[int]:
    """Return the numbers of the games to be held against their logs."""
    logged = logs.ids()
    if all_of_them:
        return logged
    rows = connection.execute(
        "SELECT id FROM (SELECT id FROM games ORDER BY id DESC LIMIT ?)"
        " UNION SELECT id FROM (SELECT id FROM games ORDER BY touched DESC LIMIT ?)",
        (_NEWEST, _NEWEST),
    )
    newest = {game_id for (game_id,) in rows}
    return sorted({*newest.intersection(logged), *logged[-_NEWEST:]})


def compared(connection: sqlite3.Connection, logs: GameLogs, ids: Iterable[int]) -> list[Repair]:
    """Return what is to be repaired of these games, which have logs."""
    found = []
    for game_id in ids:
        logged = logs.read(game_id)
        repair = None if logged is None else repair_of(game_id, logged, read_game(connection, game_id))
        if repair is not None:
            found.append(repair)
    return found


def repair_of(game_id: int, logged: LoggedGame, stored: LoggedGame | None) -> Repair | None:
    """Return the repair of a game; None if its log and the tables agree.

    Args:
        game_id: its number.
        logged: its log.
        stored: the game in the tables; None if they do not have it.
    """
    tables = stored or LoggedGame()
    if _is_another(logged, tables):
        logged = LoggedGame(damaged=1)
    game, lost = merged(logged, tables)
    changes = _changes(tables, game)
    log = not logged.is_whole or _changes(logged, game) > 0
    # A line without an end that nobody misses was never announced.
    log_damaged = logged.damaged > 0 or (logged.is_torn and _changes(logged, game) > 0)
    if not changes and not log:
        return None
    earlier = len(game.entries) - 1
    is_last = all(tables.entries.get(number) == game.entries[number] for number in range(1, earlier + 1))
    is_uncommitted = (changes == 1 and is_last) or (stored is None and not logged.entries and logged.is_whole)
    is_behind = not lost and not log_damaged and _was(logged, tables)
    return Repair(game_id, game, changes, log, log_damaged, lost, is_uncommitted, is_behind)


def merged(logged: LoggedGame, tables: LoggedGame) -> tuple[LoggedGame, int]:
    """Return what is whole of a game, and how many entries are lost or stand behind one that is.

    What the log has counts, for it has checksums; what it lacks an older companion may have added to the tables.
    """
    entries = {**tables.entries, **logged.entries}
    whole = _up_to_a_gap(entries)
    known = {number: entries[number] for number in range(1, whole + 1)}
    if logged.is_whole and len(tables.entries) > len(logged.entries):
        # An older companion went on with it, which knows of no logs.
        return LoggedGame(tables.begun or logged.begun, known, {**logged.notes, **tables.notes}), 0
    game = LoggedGame(logged.begun or tables.begun, known, {**tables.notes, **logged.notes})
    return game, max(entries, default=0) - whole


def _changes(old: LoggedGame, new: LoggedGame) -> int:
    """Return how many entries, notes and beginnings differ."""
    entries = sum(old.entries.get(number) != row for number, row in new.entries.items())
    notes = sum(old.notes.get(key) != value for key, value in new.notes.items())
    return entries + notes + (old.begun != new.begun) + len(old.entries.keys() - new.entries.keys())


def _was(logged: LoggedGame, tables: LoggedGame) -> bool:
    """Return whether the tables have nothing that the log did not have at some time, and no gap."""
    begins: list[Begun | None] = [None]
    notes, rows = set[tuple[str, str]](), set[tuple[int, StoredEntry]]()
    for change in logged.history:
        match change:
            case Begun():
                begins.append(change)
            case Amended(setup):
                begins.append(begins[-1] and begins[-1]._replace(setup=setup))
            case Added(number, row):
                rows.add((number, row))
            case Noted(key, value):
                notes.add((key, value))
            case _:
                pass
    return (
        tables.begun in begins
        and notes.issuperset(tables.notes.items())
        and rows.issuperset(tables.entries.items())
        and _up_to_a_gap(tables.entries) == len(tables.entries)
    )


def _is_another(logged: LoggedGame, tables: LoggedGame) -> bool:
    """Return whether the log belongs to another journal's game of this number: nothing of both is the same."""
    if logged.begun is None or tables.begun is None:
        return False
    same = logged.begun.started_at == tables.begun.started_at or logged.begun.setup == tables.begun.setup
    first = logged.entries.get(1)
    return not same and (first is None or first != tables.entries.get(1))


def _up_to_a_gap(numbers: Iterable[int]) -> int:
    """Return the last number of those that follow one another from 1 on."""
    known, last = set(numbers), 0
    while last + 1 in known:
        last += 1
    return last
