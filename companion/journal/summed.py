"""The games in the journal's file with their stored summaries."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from companion.journal.book import no_game, summed_up
from companion.journal.entries import JournalEntry, JournalError, name_in, remaining_decisions
from companion.journal.faults import DamagedError
from companion.journal.listing import SELECT_OUTDATED, SELECT_STRANGE, SUM_UP, row_of, summary_in
from companion.journal.summary import SUMMARY_VERSION, Replays, Status, StoredGame, Summary
from companion.journal.tables import moment
from companion.languages import reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.history import DecisionOutcome
    from companion.journal.book import GameSummary
    from companion.journal.file import JournalFile
    from companion.record import Games

_SUMMED_UP_AT_ONCE: Final = 50
"""Games of an older journal per transaction: half a second, during which other companions wait."""
_NEWEST: Final = 20
"""The number of games begun last that are checked for a damaged summary."""


class SummedGames:
    """The games of one file, and their summaries.

    Args:
        file: the journal's file.
        codecs: the known games.
    """

    def __init__(self, file: JournalFile, codecs: Games) -> None:
        self._file, self._codecs = file, codecs
        self._replays = Replays(codecs)

    def stored(self, game_id: int) -> StoredGame:
        """Return a game in its stored form.

        Raises:
            JournalError: it does not exist.
        """
        table, setup, started_at, last_at, _ = self.game_row(game_id)
        times = moment(started_at), moment(last_at, started_at)
        return StoredGame(game_id, table, *times, setup, remaining_decisions(self._entries(game_id)))

    def follow(self, stored: StoredGame, decision: object, outcome: DecisionOutcome) -> None:
        """See `Replays.follow`."""
        self._replays.follow(stored, decision, outcome)

    def sum_up(self, game_id: int) -> None:
        """Store a game's summary, inside the transaction that changed the game."""
        self._store_summary(game_id, self.summary(game_id))

    def sum_up_changed(self, stored: StoredGame) -> None:
        """Store the summary of a game whose entries are already read, inside the transaction that changed the game."""
        self._store_summary(stored.game_id, self._replays.summary(stored))

    def _store_summary(self, game_id: int, summary: Summary) -> None:
        self._file.connection.execute(SUM_UP, (*row_of(summary), game_id))

    def sum_up_outdated(self) -> None:
        """Compute the missing summaries of an older version's games, in small transactions, so that progress is kept.

        This is needed once in a journal's life. Until then, or if the disk is full, lists compute the summaries
        themselves. The summary of a game of an unknown kind stays out of date, so that it is computed once the kind is
        known.
        """
        with suppress(JournalError):
            outdated = self.outdated()
            for first in range(0, len(outdated), _SUMMED_UP_AT_ONCE):
                with self._file.transaction():
                    for game_id in outdated[first : first + _SUMMED_UP_AT_ONCE]:
                        self.sum_up(game_id)

    def sum_up_strange(self) -> None:
        """Recompute summaries with an invalid status: a damaged summary must not hide a game that can be resumed."""
        with suppress(JournalError):
            for (game_id,) in self._file.rows(SELECT_STRANGE, _NEWEST):
                with self._file.transaction():
                    self.sum_up(game_id)

    def outdated(self) -> list[int]:
        """Return the numbers of the games whose summary is missing or of another version."""
        return [game_id for (game_id,) in self._file.rows(SELECT_OUTDATED, SUMMARY_VERSION, SUMMARY_VERSION)]

    def summary(self, game_id: int) -> Summary:
        """Return a game's summary, computed from its decisions as they can be read now.

        Raises:
            DamagedError: the file is damaged or not a database.
        """
        try:
            return self._replays.summary(self.stored(game_id))
        except DamagedError:
            raise
        except JournalError as fault:
            return self._unreadable(game_id, reason(fault))

    def _unreadable(self, game_id: int, fault: str) -> Summary:
        """Return the summary of a game whose entries are inconsistent."""
        count = self._file.rows("SELECT count(*) FROM entries WHERE game_id = ?", game_id)[0][0]
        name = name_in(self.game_row(game_id)[1], self._codecs)
        return Summary(name, None, count, Status.BROKEN, error=fault, whole=self._whole_of(game_id))

    def _entries(self, game_id: int) -> list[JournalEntry]:
        query = "SELECT kind, sequence, decision FROM entries WHERE game_id = ? ORDER BY number"
        return [JournalEntry(kind, sequence, text) for kind, sequence, text in self._file.rows(query, game_id)]

    def _whole_of(self, game_id: int) -> int:
        """Return the number of replayable decisions before the first inconsistent entry."""
        entries = self._entries(game_id)
        before = next(place for place in range(len(entries), -1, -1) if _is_consistent(entries[:place]))
        table, setup, started_at, last_at, _ = self.game_row(game_id)
        times = moment(started_at), moment(last_at, started_at)
        sound = StoredGame(game_id, table, *times, setup, remaining_decisions(entries[:before]))
        found = self._replays.summary(sound)
        return found.whole if found.error is not None else found.decisions

    def from_row(
        self, game_id: int, table: str, started_at: str, last_at: str, touched: int, *kept: Any
    ) -> GameSummary:
        """Return a game's entry in the list of games, from a row of `listing.SELECT_GAME` or a similar query."""
        times = moment(started_at), moment(last_at, started_at)
        try:
            summary = summary_in(*kept)
        except (ValueError, TypeError):
            summary = self.summary(game_id)
        # The fault of a broken game is a sentence in the reader's language, so it is determined again.
        summary = self.summary(game_id) if summary.status is Status.BROKEN else summary
        return summed_up(game_id, table, times, touched, summary)

    def game_row(self, game_id: int) -> tuple[str, str, str, str, int]:
        """Return a game's table, setup, beginning, last change, and the number of that change.

        Raises:
            UnknownGameError: it does not exist.
        """
        query = "SELECT table_name, setup, started_at, last_at, touched FROM games WHERE id = ?"
        rows = self._file.rows(query, game_id)
        if not rows:
            raise no_game(game_id)
        table, setup, started_at, last_at, touched = rows[0]
        return table, setup, started_at, last_at, touched


def _is_consistent(entries: Sequence[JournalEntry]) -> bool:
    """Return whether the numbers of these entries are consistent."""
    try:
        remaining_decisions(entries)
    except JournalError:
        return False
    return True
