"""What every journal offers, on disk or in memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Self, TypeAlias, overload

from companion.journal.entries import JournalError, decisions_in, game_in, setup_in
from companion.journal.summary import Status
from companion.record import PATCHWORK

if TYPE_CHECKING:
    from companion.games.patchwork import Decision, Setup
    from companion.journal.entries import AnyDecision, AnyGame, AnySetup
    from companion.journal.summary import StoredGame, Summary
    from companion.record import RecordedGame
    from companion.record.game import DecisionT, SetupT, StateT

WallClock: TypeAlias = Callable[[], datetime]


def utc_now() -> datetime:
    """The time of day, in UTC, to the second."""
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
        game: which game it is, as its record names it.
        players: their names, by seat; None if they cannot be read.
        decisions: how many stand.
        finished: whether the rules have it ended.
        scores: of all seats, once it is finished.
        winners: the seats that have won.
        error: why it cannot be replayed; None for a sound game.
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

    @property
    def status(self) -> Status:
        """How far it has come."""
        if self.error is not None:
            return Status.BROKEN
        return Status.FINISHED if self.finished else Status.UNFINISHED


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which games a list is to have.

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
        """Whether a game belongs into the list."""
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


ALL: Final = Wanted()


class Book(ABC):
    """Several games, each a setup and the decisions that stand. Everything else is computed from them.

    All methods raise JournalError for a game that is not there and for storage that fails.
    """

    @abstractmethod
    def new_game(self, setup: AnySetup, table: str = "") -> int:
        """Begin a game and return its number."""

    @abstractmethod
    def amend_setup(self, game_id: int, setup: AnySetup) -> None:
        """Store how the game began anew, once more of it is known.

        Raises:
            JournalError: if a decision that stands does not follow from it. Nothing is changed then.
        """

    @abstractmethod
    def append(self, game_id: int, sequence: int, decision: AnyDecision) -> None:
        """Store the game's decision number `sequence` (from 1); once this returns, a power cut does not lose it.

        Raises:
            JournalError: if another number is due, or the decision could not be stored. Nothing is changed then.
        """

    @abstractmethod
    def undo(self, game_id: int, sequence: int) -> None:
        """Take back the last decision, which must be number `sequence`. What was taken back stays in the history."""

    @abstractmethod
    def note(self, game_id: int, key: str, value: str) -> None:
        """Remember a fact about the table; a later value replaces an earlier one."""

    @abstractmethod
    def notes(self, game_id: int) -> Mapping[str, str]:
        """The facts about the table."""

    @abstractmethod
    def stored(self, game_id: int) -> StoredGame:
        """The game as it is stored."""

    @abstractmethod
    def close(self) -> None:
        """Release the journal; may be called more than once."""

    def game(self, game_id: int) -> AnyGame:
        """Which game it is."""
        return game_in(self.stored(game_id).setup_text)

    @overload
    def setup(self, game_id: int) -> Setup: ...
    @overload
    def setup(self, game_id: int, game: RecordedGame[SetupT, DecisionT, StateT]) -> SetupT: ...
    def setup(self, game_id: int, game: AnyGame = PATCHWORK) -> Any:
        """How the game began; it must be one of Patchwork where nothing else is said."""
        return setup_in(self.stored(game_id).setup_text, game)

    @overload
    def decisions(self, game_id: int) -> tuple[Decision, ...]: ...
    @overload
    def decisions(self, game_id: int, game: RecordedGame[SetupT, DecisionT, StateT]) -> tuple[DecisionT, ...]: ...
    def decisions(self, game_id: int, game: AnyGame = PATCHWORK) -> tuple[Any, ...]:
        """The decisions that stand, in order."""
        return decisions_in(self.stored(game_id).texts, game)

    @abstractmethod
    def find(self, wanted: Wanted = ALL) -> Sequence[GameSummary]:
        """Some games, the newest first. One that cannot be replayed is among them; it does not hide the others."""

    @abstractmethod
    def listed(self, game_id: int) -> GameSummary:
        """A game as in the list."""

    @abstractmethod
    def figures(self, game: RecordedGame[SetupT, DecisionT, StateT]) -> Sequence[Any]:
        """What statistics keep of all finished games of a kind, in the order in which they were begun."""

    @abstractmethod
    def players(self) -> Sequence[str]:
        """Who has played, the one who played last first."""

    def games(self) -> Sequence[GameSummary]:
        """All games by number."""
        return self.find()[::-1]

    def unfinished(self, table: str | None = None, game: str = PATCHWORK.name) -> GameSummary | None:
        """The unfinished game that was changed last, at the named table or at any; None where there is none.

        Args:
            table: the table's name; None for any.
            game: the game, as records name it.
        """
        found = self.find(Wanted(table, game, Status.UNFINISHED, limit=1, by_change=True))
        return found[0] if found else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def summed_up(
    game_id: int, table: str, times: tuple[datetime, datetime], changed: int, summary: Summary
) -> GameSummary:
    """A game in the list of games; its times are when it was begun and when it was last changed."""
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
    )


class UnknownGameError(JournalError):
    """The journal has no such game."""


def no_game(game_id: int) -> UnknownGameError:
    """The error of a game that is not there."""
    return UnknownGameError(f"there is no game {game_id}; `companion games` lists them")
