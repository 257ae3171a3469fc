"""What a game must be able to do to stand in a record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

FORMAT: Final = 1

SetupT = TypeVar("SetupT")
DecisionT = TypeVar("DecisionT")
StateT = TypeVar("StateT")
_SetupT_co = TypeVar("_SetupT_co", covariant=True)
_StateT_co = TypeVar("_StateT_co", covariant=True)


class Play(Protocol[_SetupT_co, DecisionT, _StateT_co]):
    """A game as it is played again: each game's `History`."""

    @property
    def setup(self) -> _SetupT_co:
        """How it began."""

    @property
    def state(self) -> _StateT_co:
        """The state now."""

    @property
    def decisions(self) -> tuple[DecisionT, ...]:
        """What was decided, from the start."""

    def apply(self, decision: DecisionT, /) -> object:
        """Go one decision on, or raise an error of the game's family."""


@dataclass(frozen=True, slots=True)
class RecordedGame(Generic[SetupT, DecisionT, StateT]):
    """How a game stands in records.

    Attributes:
        name: what the header calls it.
        setup_from_json: the setup in a header; raises RecordError.
        setup_to_json: the header of a setup.
        decision_from_json: the decision in a line; raises an error of the game's family.
        decision_to_json: the line of a decision.
        begin: a game at its start.
        summary: a state as `companion replay --json` prints it.
        errors: the root of the game's errors.
        scores: all seats' points in a state.
        winners: the seats that have won in a state; none before the end.
        figures: what statistics keep of a finished game, of its number, its begin and how it was played.
        figures_type: the type of that, a dataclass.
    """

    name: str
    setup_from_json: Callable[[object], SetupT]
    setup_to_json: Callable[[SetupT], dict[str, Any]]
    decision_from_json: Callable[[object], DecisionT]
    decision_to_json: Callable[[DecisionT], dict[str, Any]]
    begin: Callable[[SetupT], Play[SetupT, DecisionT, StateT]]
    summary: Callable[[StateT], dict[str, Any]]
    errors: type[Exception]
    scores: Callable[[StateT], tuple[int, ...]]
    winners: Callable[[StateT], tuple[int, ...]]
    figures: Callable[[int, datetime, Play[SetupT, DecisionT, StateT]], object]
    figures_type: type
