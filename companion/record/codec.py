"""The form of a game in records and journals."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from types import UnionType
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar

from companion.languages import reason

FORMAT: Final = 1

SetupT = TypeVar("SetupT")
DecisionT = TypeVar("DecisionT")
StateT = TypeVar("StateT")
_SetupT_co = TypeVar("_SetupT_co", covariant=True)
_StateT_co = TypeVar("_StateT_co", covariant=True)


class Play(Protocol[_SetupT_co, DecisionT, _StateT_co]):
    """A game in replay: each game's `History`."""

    @property
    def setup(self) -> _SetupT_co:
        """The setup that the game began with."""

    @property
    def state(self) -> _StateT_co:
        """The current state."""

    @property
    def decisions(self) -> tuple[DecisionT, ...]:
        """The decisions, from the start."""

    def apply(self, decision: DecisionT, /) -> object:
        """Apply one more decision; raise an error of the game's family if it is illegal."""

    def follow(self, decision: DecisionT, outcome: Any, /) -> None:
        """Append a decision and its outcome, which the rules have already computed for the current state."""


@dataclass(frozen=True, slots=True)
class Codec(Generic[SetupT, DecisionT, StateT]):
    """A game's setup, decisions and results as JSON, with the rules that replay them.

    A setup has `players`, the players' names by seat; a state has `finished`.

    Attributes:
        name: the game's name in headers.
        setup_type: the type of its setups.
        decision_type: the type of its decisions, usually a union.
        setup_from_json: returns the setup in a header; raises RecordError or an error of the game's family.
        setup_to_json: returns the header for a setup.
        setup_to_journal: the same in the form for journals; `setup_from_json` reads it once `format` and `game` are
            added.
        decision_from_json: returns the decision in a line; raises an error of the game's family.
        decision_to_json: returns the line for a decision.
        begin: returns a game at its start.
        summary: returns a state as the JSON of `companion replay --json`.
        errors: the base class of the game's errors.
        words: returns the sentence for one of them.
        scores: returns all seats' points in a state.
        winners: returns the seats that have won in a state; none before the end.
        figures: returns the figures of a finished game for statistics, given its number, its beginning and its replay.
        figures_type: the type of the figures, a dataclass with `game_id` and `started_at`.
    """

    name: str
    setup_type: type[SetupT]
    decision_type: type | UnionType
    setup_from_json: Callable[[object], SetupT]
    setup_to_json: Callable[[SetupT], dict[str, Any]]
    setup_to_journal: Callable[[SetupT], dict[str, Any]]
    decision_from_json: Callable[[object], DecisionT]
    decision_to_json: Callable[[DecisionT], dict[str, Any]]
    begin: Callable[[SetupT], Play[SetupT, DecisionT, StateT]]
    summary: Callable[[StateT], dict[str, Any]]
    errors: type[Exception]
    words: Callable[[Any], str]
    scores: Callable[[StateT], tuple[int, ...]]
    winners: Callable[[StateT], tuple[int, ...]]
    figures: Callable[[int, datetime, Play[SetupT, DecisionT, StateT]], object]
    figures_type: type

    def reason(self, error: Exception) -> str:
        """Return the sentence for an error of the game, or the message of any other."""
        return self.words(error) if isinstance(error, self.errors) else reason(error)


AnyCodec: TypeAlias = Codec[Any, Any, Any]
