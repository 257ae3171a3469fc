"""The interface of every journal, on disk or in memory."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Self, TypeAlias

from companion.games.history import DecisionOutcome
from companion.journal.entries import JournalError, decisions_in, game_in, setup_in
from companion.journal.summary import Status, StoredGame, Summary
from companion.languages import said
from companion.record import AnyCodec, Codec, Games
from companion.record.codec import DecisionT, SetupT, StateT

SHEET_NOTE: Final = "sheet"
"""The key of the note on a game whose score sheet was shown and closed, so that it no longer occupies a table."""

WallClock: TypeAlias = Callable[[], datetime]


def utc_now() -> datetime:
    """Return the current time in UTC, to the second."""
    return datetime.now(UTC).replace(microsecond=0)


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game in the list of games.

    Attributes:
        game_id: its number, from 1.
        table: the name of the table where it was played; may be empty.
        started_at: the time when it was begun.
        last_at: the time when it was last changed.
        changed: a number that increases with every change of any game.
        game: the game's name in its record; empty if that cannot be read.
        players: the players' names, by seat; None if they cannot be read.
        decisions: the number of decisions, without undone ones.
        finished: whether the game has ended by the rules.
        scores: of all seats, once it is finished.
        winners: the seats that won.
        error: the reason why it cannot be replayed; None for an undamaged game.
        whole: the number of decisions that can be replayed, if not all can.
    """

    game_id: int
    table: str
    started_at: datetime
    last_at: datetime
    changed: int
    game: str
    players: tuple[str, ...] | None
    decisions: int
    finished: bool
    scores: tuple[int, ...] | None = None
    winners: tuple[int, ...] = ()
    error: str | None = None
    whole: int = 0

    @property
    def status(self) -> Status:
        """The state of the game: unfinished, finished, or not readable."""
        if self.error is not None:
            return Status.BROKEN
        return Status.FINISHED if self.finished else Status.UNFINISHED


@dataclass(frozen=True, slots=True)
class GameFilter:
    """The conditions for the games of a list; None means no condition.

    Attributes:
        table: only games played at it.
        game: only games of this name in records.
        status: only games of this status.
        decided: only games with at least one decision, and number `also`.
        also: see `decided`.
        before: only games with lower numbers.
        limit: the greatest length of the list.
        by_change: whether the list begins with the game changed last, instead of the one begun last.
    """

    table: str | None = None
    game: str | None = None
    status: Status | None = None
    decided: bool = False
    also: int | None = None
    before: int | None = None
    limit: int | None = None
    by_change: bool = False

    def matches(self, found: GameSummary) -> bool:
        """Return whether a game belongs in the list."""
        return (
            self.table in (None, found.table)
            and self.game in (None, found.game)
            and self.status in (None, found.status)
            and (not self.decided or found.decisions > 0 or found.game_id == self.also)
            and (self.before is None or found.game_id < self.before)
        )

    def listed(self, found: Iterable[GameSummary]) -> list[GameSummary]:
        """Return the list of those games that belong in it, in its order."""
        taken = sorted(filter(self.matches, found), key=self._place, reverse=True)
        return taken if self.limit is None else taken[: self.limit]

    def _place(self, found: GameSummary) -> int:
        return found.changed if self.by_change else found.game_id


ALL: Final = GameFilter()


class Book(ABC):
    """Several games, each a setup and its decisions without undone ones. Everything else is computed from them.

    All methods raise JournalError for a game that does not exist and for storage that fails.

    Args:
        codecs: the known games. A game of an unknown kind is kept and listed, but cannot be replayed.
    """

    def __init__(self, codecs: Games) -> None:
        self.codecs = codecs

    @abstractmethod
    def new_game(self, setup: object, table: str = "", notes: Mapping[str, str] | None = None) -> int:
        """Begin a game and return its number.

        Args:
            setup: the setup that it begins with.
            table: the name of the table.
            notes: the facts about the table that resuming it needs; stored together with it, or neither is stored.
        """

    @abstractmethod
    def amend_setup(self, game_id: int, setup: object) -> None:
        """Replace the setup of a game once more of it is known.

        Raises:
            JournalError: if a decision does not follow from it. Nothing is changed then.
        """

    @abstractmethod
    def append(self, game_id: int, sequence: int, decision: object, outcome: DecisionOutcome | None = None) -> None:
        """Store the game's decision number `sequence` (from 1); once this returns, a power cut does not lose it.

        Args:
            game_id: the game.
            sequence: the decision's number.
            decision: the decision.
            outcome: its outcome by the rules, if already known; None to compute it when it is needed.

        Raises:
            JournalError: if another number is expected, or the decision could not be stored. Nothing is changed then.
        """

    @abstractmethod
    def undo(self, game_id: int, sequence: int) -> None:
        """Undo the last decision, which must be number `sequence`. The undone decision remains in the history."""

    @abstractmethod
    def replace(self, game_id: int, sequence: int, decision: object) -> None:
        """Replace the last decision, which must be number `sequence`, by another; a power cut leaves one of them."""

    @abstractmethod
    def truncate_game(self, game_id: int, whole: int) -> Path:
        """Make a game resumable after its first `whole` decisions, which can be replayed; return where all are kept.

        Args:
            game_id: the game.
            whole: the number of decisions that can be replayed.
        """

    @abstractmethod
    def note(self, game_id: int, key: str, value: str) -> None:
        """Store a fact about the table; a later value replaces an earlier one."""

    @abstractmethod
    def notes(self, game_id: int) -> Mapping[str, str]:
        """Return the facts about the table."""

    @abstractmethod
    def stored(self, game_id: int) -> StoredGame:
        """Return the game in its stored form."""

    @abstractmethod
    def close(self) -> None:
        """Release the journal; may be called more than once."""

    def game(self, game_id: int) -> AnyCodec:
        """Return the codec of a game."""
        return game_in(self.stored(game_id).setup_text, self.codecs)

    def setup(self, game_id: int, codec: Codec[SetupT, DecisionT, StateT]) -> SetupT:
        """Return the setup of a game of this codec's kind."""
        return setup_in(self.stored(game_id).setup_text, codec, self.codecs)

    def decisions(self, game_id: int, codec: Codec[SetupT, DecisionT, StateT]) -> tuple[DecisionT, ...]:
        """Return the decisions of a game of this codec's kind, in order, without undone ones."""
        return decisions_in(self.stored(game_id).texts, codec)

    @abstractmethod
    def find(self, wanted: GameFilter = ALL) -> Sequence[GameSummary]:
        """Return the selected games, newest first. Games that cannot be replayed are included and hide no others."""

    @abstractmethod
    def listed(self, game_id: int) -> GameSummary:
        """Return a game's entry in the list of games."""

    @abstractmethod
    def replayed(self, game_id: int) -> GameSummary:
        """Return a game's entry in the list of games, recomputed from its decisions as they can be read now."""

    @abstractmethod
    def figures(self, codec: Codec[SetupT, DecisionT, StateT]) -> Sequence[Any]:
        """Return the figures of all finished games of this codec's kind, in the order in which they were begun."""

    @abstractmethod
    def players(self) -> Sequence[str]:
        """Return the names of all players, the most recent one first."""

    def games(self) -> Sequence[GameSummary]:
        """Return all games in the order of their numbers."""
        return self.find()[::-1]

    def unfinished(self, table: str | None = None, game: str | None = None) -> GameSummary | None:
        """Return the unfinished game that was changed last, or None if there is none.

        Args:
            table: the name of the table where it is played; None for any.
            game: its name in records; None for any.
        """
        found = self.find(GameFilter(table, game, Status.UNFINISHED, limit=1, by_change=True))
        return found[0] if found else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def summed_up(
    game_id: int, table: str, times: tuple[datetime, datetime], changed: int, summary: Summary
) -> GameSummary:
    """Return the entry in the list of games; `times` are those of its beginning and of its last change."""
    return GameSummary(
        game_id=game_id,
        table=table,
        started_at=times[0],
        last_at=times[1],
        changed=changed,
        game=summary.game,
        players=summary.players,
        decisions=summary.decisions,
        finished=summary.status is Status.FINISHED,
        scores=summary.scores,
        winners=summary.winners,
        error=summary.error,
        whole=summary.whole,
    )


class UnknownGameError(JournalError):
    """The journal has no such game."""


def no_game(game_id: int) -> UnknownGameError:
    """Return the error for a game that does not exist."""
    return UnknownGameError(
        said("there is no game {game}; {command} lists them", game=game_id, command="`companion games`")
    )
