"""What every journal offers, on disk or in memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Self, TypeAlias, overload

from companion.journal.entries import JournalError, decisions_in, game_in, is_finished, setup_in
from companion.languages import reason
from companion.record import PATCHWORK

if TYPE_CHECKING:
    from companion.games.patchwork import Decision, Setup
    from companion.journal.entries import AnyDecision, AnyGame, AnySetup
    from companion.record import RecordedGame
    from companion.record.game import DecisionT, SetupT, StateT

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
        setup: how it began; None where that cannot be read, and for other games than Patchwork.
        decisions: how many stand.
        finished: whether the rules have it ended.
        error: why it cannot be replayed; None for a sound game.
        game: which game it is, as its record names it.
        players: their names, by seat; None where they cannot be read.
    """

    game_id: int
    table: str
    started_at: datetime
    last_at: datetime
    setup: Setup | None
    decisions: int
    finished: bool
    error: str | None = None
    game: str = PATCHWORK.name
    players: tuple[str, ...] | None = None


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
    def ids(self) -> Sequence[int]:
        """All games, the one that was changed last comes last."""

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

    def games(self) -> list[GameSummary]:
        """All games by number. One that cannot be replayed is listed with the reason; it does not hide the others."""
        return [_summary(self.stored(game_id)) for game_id in sorted(self.ids())]

    def unfinished(self, table: str | None = None, game: str = PATCHWORK.name) -> GameSummary | None:
        """The unfinished game that was changed last, at the named table or at any; None where there is none.

        Args:
            table: the table's name; None for any.
            game: the game, as records name it.
        """
        for game_id in reversed(self.ids()):
            found = _summary(self.stored(game_id))
            sound = not found.finished and found.error is None
            if sound and found.game == game and table in (None, found.table):
                return found
        return None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _summary(stored: StoredGame) -> GameSummary:
    game, setup, finished, error = PATCHWORK.name, None, False, None
    try:
        played: AnyGame = game_in(stored.setup_text)
        game = played.name
        setup = setup_in(stored.setup_text, played)
        finished = is_finished(setup, decisions_in(stored.texts, played))
    except JournalError as fault:
        error = reason(fault)
    return GameSummary(
        game_id=stored.game_id,
        table=stored.table,
        started_at=stored.started_at,
        last_at=stored.last_at,
        setup=setup if game == PATCHWORK.name else None,
        decisions=len(stored.texts),
        finished=finished,
        error=error,
        game=game,
        players=None if setup is None else setup.players,
    )


def no_game(game_id: int) -> JournalError:
    """The error of a game that is not there."""
    return JournalError(f"there is no game {game_id}; `companion games` lists them")
