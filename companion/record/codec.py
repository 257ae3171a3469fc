"""The form of a game in records and journals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from types import UnionType

FORMAT: Final = 1

SetupT = TypeVar("SetupT")
DecisionT = TypeVar("DecisionT")
StateT = TypeVar("StateT")
_SetupT_co = TypeVar("_SetupT_co", covariant=True)
_StateT_co = TypeVar("_StateT_co", covariant=True)


class Play(Protocol[_SetupT_co, DecisionT, _StateT_co]):
    """A game being replayed: each game's `History`."""

    @property
    def setup(self) -> _SetupT_co:
        """The setup that the game began with."""

    @property
    def state(self) -> _StateT_co:
        """The present state."""

    @property
    def decisions(self) -> tuple[DecisionT, ...]:
        """The decisions, from the start."""

    def apply(self, decision: DecisionT, /) -> object:
        """Apply one more decision, or raise an error of the game's family."""

    def follow(self, decision: DecisionT, outcome: Any, /) -> None:
        """Go one decision on to its outcome, which the rules have worked out for the present state."""


@dataclass(frozen=True, slots=True)
class Codec(Generic[SetupT, DecisionT, StateT]):
    """A game's setup, decisions and results as JSON, with the rules that replay them.

    A setup has `players`, their names by seat; a state has `finished`.

    Attributes:
        name: what a header calls the game.
        setup_type: the type of its setups.
        decision_type: the type of its decisions, most often a union.
        setup_from_json: the setup in a header; raises RecordError or an error of the game's family.
        setup_to_json: the header of a setup.
        setup_to_journal: the same as journals keep it; `setup_from_json` reads it once `format` and `game` are there.
        decision_from_json: the decision in a line; raises an error of the game's family.
        decision_to_json: the line of a decision.
        begin: a game at its start.
        summary: a state as `companion replay --json` prints it.
        errors: the root of the game's errors.
        scores: all seats' points in a state.
        winners: the seats that have won in a state; none before the end.
        figures: what statistics keep of a finished game, of its number, its begin and how it was played.
        figures_type: the type of that, a dataclass with `game_id` and `started_at`.
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
    scores: Callable[[StateT], tuple[int, ...]]
    winners: Callable[[StateT], tuple[int, ...]]
    figures: Callable[[int, datetime, Play[SetupT, DecisionT, StateT]], object]
    figures_type: type


AnyCodec: TypeAlias = Codec[Any, Any, Any]
