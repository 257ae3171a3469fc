"""What every journal offers, on disk or in memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self, TypeAlias

from companion.journal.entries import JournalError, decisions_in, is_finished, setup_in

if TYPE_CHECKING:
    from companion.games.patchwork import Decision, Setup

WallClock: TypeAlias = Callable[[], datetime]


def utc_now() -> datetime:
    """The time of day, in UTC, to the second."""
    return datetime.now(UTC).replace(microsecond=0)


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as it is stored.

    Attributes:
        game_id: its number, from 1.
        table: the name of the table it was played at; may be empty.
        started_at: when it was begun.
        last_at: when it was last changed.
        setup_text: the setup, as `entries.setup_text` writes it.
        texts: the decisions that stand, as lines of a game record.
    """

    game_id: int
    table: str
    started_at: datetime
    last_at: datetime
    setup_text: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game in the list of games.

    Attributes:
        game_id: its number, from 1.
        table: the name of the table it was played at; may be empty.
        started_at: when it was begun.
        last_at: when it was last changed.
        setup: how it began; None where that cannot be read.
        decisions: how many stand.
        finished: whether the rules have it ended.
        error: why it cannot be replayed; None for a sound game.
    """

    game_id: int
    table: str
    started_at: datetime
    last_at: datetime
    setup: Setup | None
    decisions: int
    finished: bool
    error: str | None = None


class Book(ABC):
    """Several games, each a setup and the decisions that stand. Everything else is computed from them.

    All methods raise JournalError for a game that is not there and for storage that fails.
    """

    @abstractmethod
    def new_game(self, setup: Setup, table: str = "") -> int:
        """Begin a game and return its number."""

    @abstractmethod
    def amend_setup(self, game_id: int, setup: Setup) -> None:
        """Store how the game begins anew, once more of it is known; before its first decision.

        Raises:
            JournalError: if a decision stands already. Nothing is changed then.
        """

    @abstractmethod
    def append(self, game_id: int, sequence: int, decision: Decision) -> None:
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
    def ids(self) -> Sequence[int]:
        """All games, the one that was changed last comes last."""

    @abstractmethod
    def close(self) -> None:
        """Release the journal; may be called more than once."""

    def setup(self, game_id: int) -> Setup:
        """How the game began."""
        return setup_in(self.stored(game_id).setup_text)

    def decisions(self, game_id: int) -> tuple[Decision, ...]:
        """The decisions that stand, in order."""
        return decisions_in(self.stored(game_id).texts)

    def games(self) -> list[GameSummary]:
        """All games by number. One that cannot be replayed is listed with the reason; it does not hide the others."""
        return [_summary(self.stored(game_id)) for game_id in sorted(self.ids())]

    def unfinished(self, table: str | None = None) -> GameSummary | None:
        """The unfinished game that was changed last, at the named table or at any; None where there is none."""
        for game_id in reversed(self.ids()):
            game = _summary(self.stored(game_id))
            if not game.finished and game.error is None and table in (None, game.table):
                return game
        return None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _summary(game: StoredGame) -> GameSummary:
    setup, finished, error = None, False, None
    try:
        setup = setup_in(game.setup_text)
        finished = is_finished(setup, decisions_in(game.texts))
    except JournalError as reason:
        error = str(reason)
    return GameSummary(
        game_id=game.game_id,
        table=game.table,
        started_at=game.started_at,
        last_at=game.last_at,
        setup=setup,
        decisions=len(game.texts),
        finished=finished,
        error=error,
    )


def no_game(game_id: int) -> JournalError:
    """The error of a game that is not there."""
    return JournalError(f"there is no game {game_id}; `companion games` lists them")
