"""The comparison of the tables with the logs when a journal is opened; each has a copy of what the other lost."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from companion.journal.logs import Added, Amended, Begun, GameLogs, LoggedGame, Noted, Replaced, StoredEntry
from companion.journal.summed import read_game
from companion.languages import Sentence, counted, said

# The number of games begun last, and of games changed last, that are compared if the journal is too large to compare
# all.
_NEWEST: Final = 20


@dataclass(frozen=True, slots=True)
class Repair:
    """A game on which the tables and its log disagree, or of which one of them lost a part.

    Attributes:
        game_id: its number.
        game: the undamaged part of it; `begun` is None if its beginning is lost in both.
        changes: the number of entries, notes and beginnings that the tables get from the log.
        log: whether its log must be rewritten.
        log_damaged: whether lines of its log are damaged or missing.
        lost: the number of entries that are damaged in both, or follow such an entry.
        is_uncommitted: whether the tables lack only the last change, which the program had no time to commit.
        is_behind: whether the tables are in an earlier state of the log, and nothing else is wrong. A power cut leaves
            that, because the tables are not synced with each change.
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
        """The sentence on what was restored for a game whose tables were behind."""
        return counted(
            "the machine was switched off before {count} change of game {game} was in the database: it was "
            "recovered from the game’s log, and nothing is lost",
            "the machine was switched off before the last {count} changes of game {game} were in the database: "
            "they were recovered from the game’s log, and nothing is lost",
            self.changes,
            game=self.game_id,
        )

    @property
    def is_loss(self) -> bool:
        """True if data is lost in both."""
        return self.lost > 0 or self.game.begun is None

    def says(self, kept: str) -> Sentence:
        """Return the sentence on what was found and where the damaged file is kept."""
        if self.game.begun is None:
            return said(
                "the beginning of game {game} is lost; what is left of it is kept in {kept}",
                game=self.game_id,
                kept=kept,
            )
        if self.lost:
            return said(
                "game {game} was damaged after entry {count}; the rest is kept in {kept}",
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
            "the log of game {game} was damaged, but nothing is lost; the damaged log is kept as {kept}",
            game=self.game_id,
            kept=kept,
        )


def suspects(connection: sqlite3.Connection, logs: GameLogs, *, all_of_them: bool) -> list[int]:
    """Return the numbers of the games to compare with their logs."""
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
    """Return the repairs that these games, which have logs, need."""
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
        stored: the game in the tables; None if it is not in them.
    """
    tables = stored or LoggedGame()
    if _is_another(logged, tables):
        # Treated like a damaged log: it is kept aside, and rewritten from the tables.
        logged = LoggedGame(damaged=1)
    game, lost = merged(logged, tables)
    changes = _changes(tables, game)
    log = not logged.is_whole or _changes(logged, game) > 0
    # An incomplete line without a counterpart in the tables was never announced.
    log_damaged = logged.damaged > 0 or (logged.is_torn and _changes(logged, game) > 0)
    if not changes and not log:
        return None
    pending = 2 if logged.history and isinstance(logged.history[-1], Replaced) else 1
    earlier = len(game.entries) - pending
    is_last = all(tables.entries.get(number) == game.entries[number] for number in range(1, earlier + 1))
    # The second case is a new game of which only the beginning was logged.
    is_uncommitted = (changes == pending and is_last) or (stored is None and not logged.entries and logged.is_whole)
    is_behind = not lost and not log_damaged and _is_earlier_state(logged, tables)
    return Repair(game_id, game, changes, log, log_damaged, lost, is_uncommitted, is_behind)


def merged(logged: LoggedGame, tables: LoggedGame) -> tuple[LoggedGame, int]:
    """Return the undamaged part of a game, and the number of entries that are lost or follow a lost one.

    The log takes precedence, because it has checksums; an older version may have added entries to the tables alone.
    """
    entries = {**tables.entries, **logged.entries}
    whole = _up_to_a_gap(entries)
    known = {number: entries[number] for number in range(1, whole + 1)}
    if logged.is_whole and len(tables.entries) > len(logged.entries):
        # An older version, which has no logs, continued the game.
        return LoggedGame(tables.begun or logged.begun, known, {**logged.notes, **tables.notes}), 0
    game = LoggedGame(logged.begun or tables.begun, known, {**tables.notes, **logged.notes})
    return game, max(entries, default=0) - whole


def _changes(old: LoggedGame, new: LoggedGame) -> int:
    """Return the number of entries, notes and beginnings that differ."""
    entries = sum(old.entries.get(number) != row for number, row in new.entries.items())
    notes = sum(old.notes.get(key) != value for key, value in new.notes.items())
    return entries + notes + (old.begun != new.begun) + len(old.entries.keys() - new.entries.keys())


def _is_earlier_state(logged: LoggedGame, tables: LoggedGame) -> bool:
    """Return whether the tables contain only data that the log contained at some time, without a gap."""
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
            case Replaced(number, undo, decision):
                rows |= {(number, undo), (number + 1, decision)}
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
    """Return whether the log belongs to a game of another journal with the same number: they have nothing in common."""
    if logged.begun is None or tables.begun is None:
        return False
    same = logged.begun.started_at == tables.begun.started_at or logged.begun.setup == tables.begun.setup
    first = logged.entries.get(1)
    return not same and (first is None or first != tables.entries.get(1))


def _up_to_a_gap(numbers: Iterable[int]) -> int:
    """Return the length of the run of consecutive numbers from 1."""
    known, last = set(numbers), 0
    while last + 1 in known:
        last += 1
    return last
