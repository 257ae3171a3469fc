"""The interface of every journal, on disk or in memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Self, TypeAlias

from companion.journal.entries import JournalError, decisions_in, game_in, setup_in
from companion.journal.summary import Status

if TYPE_CHECKING:
    from pathlib import Path

    from companion.games.history import DecisionOutcome
    from companion.journal.summary import StoredGame, Summary
    from companion.record import AnyCodec, Codec, Games
    from companion.record.codec import DecisionT, SetupT, StateT

SHEET_NOTE: Final = "sheet"
"""The key of a note beside a game whose score sheet was shown and closed: it is on no table any more."""

WallClock: TypeAlias = Callable[[], datetime]


def utc_now() -> datetime:
    """Return the time of day, in UTC, to the second."""
    return datetime.now(UTC).replace(microsecond=0)


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game in the list of games.

    Attributes:
        game_id: its number, from 1.
        table: the name of the table it was played at; may be empty.
        started_at: when it was begun.
        last_at: when it was last changed.
        changed: grows with every change of any game.
        game: which game it is, as its record names it; empty if that cannot be read.
        players: their names, by seat; None if they cannot be read.
        decisions: how many stand.
        finished: whether the rules have it ended.
        scores: of all seats, once it is finished.
        winners: the seats that have won.
        error: why it cannot be replayed; None for a sound game.
        whole: of one that cannot be replayed, how many decisions can.
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
        """The state of the game: under way, finished, or not readable."""
        if self.error is not None:
            return Status.BROKEN
        return Status.FINISHED if self.finished else Status.UNFINISHED


@dataclass(frozen=True, slots=True)
class GameFilter:
    """The conditions that the games of a list meet.

    Attributes:
        table: only those played at it.
        game: only those of this game, as records name it.
        status: only those that have come so far.
        decided: only those in which something was decided, and number `also`.
        also: see `decided`.
        before: only those with lower numbers.
        limit: no more than so many.
        by_change: the one that was changed last comes first; otherwise the one that was begun last.
    """

    table: str | None = None
    game: str | None = None
    status: Status | None = None
    decided: bool = False
    also: int | None = None
    before: int | None = None
    limit: int | None = None
    by_change: bool = False

    def takes(self, found: GameSummary) -> bool:
        """Return whether a game belongs into the list."""
        return (
            self.table in (None, found.table)
            and self.game in (None, found.game)
            and self.status in (None, found.status)
            and (not self.decided or found.decisions > 0 or found.game_id == self.also)
            and (self.before is None or found.game_id < self.before)
        )

    def listed(self, found: Iterable[GameSummary]) -> list[GameSummary]:
        """Return the list."""
        taken = sorted(filter(self.takes, found), key=self._place, reverse=True)
        return taken if self.limit is None else taken[: self.limit]

    def _place(self, found: GameSummary) -> int:
        return found.changed if self.by_change else found.game_id


ALL: Final = GameFilter()


class Book(ABC):
    """Several games, each a setup and the decisions that stand. Everything else is computed from them.

    All methods raise JournalError for a game that is not there and for storage that fails.

    Args:
        codecs: the games that are known. A game of any other is kept and listed, but cannot be replayed.
    """

    def __init__(self, codecs: Games) -> None:
        self.codecs = codecs

    @abstractmethod
    def new_game(self, setup: object, table: str = "", notes: Mapping[str, str] | None = None) -> int:
        """Begin a game and return its number.

        Args:
            setup: how it begins.
            table: the name of the table.
            notes: the facts about the table without which it cannot be gone on with; kept with it, or neither is.
        """

    @abstractmethod
    def amend_setup(self, game_id: int, setup: object) -> None:
        """Store how the game began anew, once more of it is known.

        Raises:
            JournalError: if a decision that stands does not follow from it. Nothing is changed then.
        """

    @abstractmethod
    def append(self, game_id: int, sequence: int, decision: object, outcome: DecisionOutcome | None = None) -> None:
        """Store the game's decision number `sequence` (from 1); once this returns, a power cut does not lose it.

        Args:
            game_id: the game.
            sequence: the decision's number.
            decision: what was decided.
            outcome: what the rules have made of it; None to ask them, where that is needed.

        Raises:
            JournalError: if another number is due, or the decision could not be stored. Nothing is changed then.
        """

    @abstractmethod
    def undo(self, game_id: int, sequence: int) -> None:
        """Take back the last decision, which must be number `sequence`. What was taken back stays in the history."""

    @abstractmethod
    def keep_whole(self, game_id: int, whole: int) -> Path:
        """Let a game that cannot be replayed go on after its first decisions, which can; return where all are kept.

        Args:
            game_id: the game.
            whole: how many decisions can be replayed.
        """

    @abstractmethod
    def note(self, game_id: int, key: str, value: str) -> None:
        """Remember a fact about the table; a later value replaces an earlier one."""

    @abstractmethod
    def notes(self, game_id: int) -> Mapping[str, str]:
        """Return the facts about the table."""

    @abstractmethod
    def stored(self, game_id: int) -> StoredGame:
        """Return the game as it is stored."""

    @abstractmethod
    def close(self) -> None:
        """Release the journal; may be called more than once."""

    def game(self, game_id: int) -> AnyCodec:
        """Return the codec of the game that it is."""
        return game_in(self.stored(game_id).setup_text, self.codecs)

    def setup(self, game_id: int, codec: Codec[SetupT, DecisionT, StateT]) -> SetupT:
        """Return the setup of a game of this codec's kind."""
        return setup_in(self.stored(game_id).setup_text, codec, self.codecs)

    def decisions(self, game_id: int, codec: Codec[SetupT, DecisionT, StateT]) -> tuple[DecisionT, ...]:
        """Return the decisions that stand in a game of this codec's kind, in order."""
        return decisions_in(self.stored(game_id).texts, codec)

    @abstractmethod
    def find(self, wanted: GameFilter = ALL) -> Sequence[GameSummary]:
        """Return some games, the newest first. A game that cannot be replayed is among them, and hides no other."""

    @abstractmethod
    def listed(self, game_id: int) -> GameSummary:
        """Return a game as in the list."""

    @abstractmethod
    def replayed(self, game_id: int) -> GameSummary:
        """Return a game as in the list, by its decisions as they can be read now."""

    @abstractmethod
    def figures(self, codec: Codec[SetupT, DecisionT, StateT]) -> Sequence[Any]:
        """Return the figures of all finished games of this codec's kind, in the order in which they were begun."""

    @abstractmethod
    def players(self) -> Sequence[str]:
        """Return the names of all players, the one who played last first."""

    def games(self) -> Sequence[GameSummary]:
        """Return all games by number."""
        return self.find()[::-1]

    def unfinished(self, table: str | None = None, game: str | None = None) -> GameSummary | None:
        """Return the unfinished game that was changed last, or None if there is none.

        Args:
            table: the name of the table it is played at; None for any.
            game: which game it is, as records name it; None for any.
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
    """Return a game in the list of games; its times are when it was begun and when it was last changed."""
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
    """Return the error of a game that is not there."""
    return UnknownGameError(f"there is no game {game_id}; `companion games` lists them")
