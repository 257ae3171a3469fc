"""What happened at the table: past-tense facts for the lights, the terminal, the page and the transcript.

The events of all games are of these kinds; what they carry is Patchwork's where nothing else is said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeAlias

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    from companion.games.patchwork import Decision, Fact, State
    from companion.verdict import Complaint, Question

    StateT = TypeVar("StateT", default=State)
    DecisionT = TypeVar("DecisionT", default=Decision)
    FactT = TypeVar("FactT", default=Fact)
    ComplaintT = TypeVar("ComplaintT", default=Complaint)
    QuestionT = TypeVar("QuestionT", default=Question)
else:
    from typing import TypeVar

    StateT, DecisionT, FactT = TypeVar("StateT"), TypeVar("DecisionT"), TypeVar("FactT")
    ComplaintT, QuestionT = TypeVar("ComplaintT"), TypeVar("QuestionT")


@dataclass(frozen=True, slots=True)
class GameOpened(Generic[StateT]):
    """A game is on the table, new or resumed. `decisions` were replayed to reach `state`."""

    game_id: int
    state: StateT
    decisions: int


@dataclass(frozen=True, slots=True)
class LookStarted(Generic[StateT]):
    """A player asked for a look; the lights hold still until the verdict."""

    state: StateT


@dataclass(frozen=True, slots=True)
class LookCalledOff(Generic[StateT]):
    """A look ended without a verdict: `undo` was pressed meanwhile, or there are no more frames."""

    state: StateT


@dataclass(frozen=True, slots=True)
class DecisionTaken(Generic[DecisionT, FactT, StateT]):
    """A decision stands in the journal and was applied; `facts` are the rules' own account of it."""

    decision: DecisionT
    facts: tuple[FactT, ...]
    state: StateT


@dataclass(frozen=True, slots=True)
class DecisionUndone(Generic[DecisionT, StateT]):
    """The last decision was taken back; its patch has still to be lifted off the board."""

    decision: DecisionT
    state: StateT


@dataclass(frozen=True, slots=True)
class NothingToUndo(Generic[StateT]):
    """`undo` was pressed before any decision."""

    state: StateT


@dataclass(frozen=True, slots=True)
class Complained(Generic[ComplaintT, StateT]):
    """The look ended in a complaint; the game is as it was."""

    complaint: ComplaintT
    state: StateT


@dataclass(frozen=True, slots=True)
class Asked(Generic[QuestionT, StateT]):
    """The look ended in a question.

    `choice` is the option on display: `advance` shows the next, `confirm` takes it, `undo` takes none.
    """

    question: QuestionT
    choice: int
    state: StateT


@dataclass(frozen=True, slots=True)
class QuestionAnswered(Generic[QuestionT, DecisionT, StateT]):
    """The question was answered, or went unanswered in a recording; `taken` is None where all options were refused."""

    question: QuestionT
    taken: DecisionT | None
    state: StateT


@dataclass(frozen=True, slots=True)
class DecisionForeseen(Generic[DecisionT, StateT]):
    """Hands-free: the quilt at rest shows this decision; it is taken at the end of the pause unless `undo` stops it.

    Next comes `DecisionTaken`, or `ForesightLapsed`, or the `LookStarted` of somebody who did press `confirm`.
    `takes_at_s` is a time on the frames' clock.
    """

    decision: DecisionT
    pause_s: float
    takes_at_s: float
    state: StateT


@dataclass(frozen=True, slots=True)
class ForesightLapsed(Generic[DecisionT, StateT]):
    """A foreseen decision is not taken: `undo` has `stopped` it, or the quilt did not stay as it was."""

    decision: DecisionT
    stopped: bool
    state: StateT


@dataclass(frozen=True, slots=True)
class TableNoticed(Generic[StateT]):
    """Something about the table that players should know, no fault of a move: a sentence."""

    says: str
    state: StateT


Event: TypeAlias = (
    GameOpened
    | LookStarted
    | LookCalledOff
    | DecisionTaken
    | DecisionUndone
    | NothingToUndo
    | Complained
    | Asked
    | QuestionAnswered
    | DecisionForeseen
    | ForesightLapsed
    | TableNoticed
)
Listener: TypeAlias = Callable[[Event], None]
"""Is told of every event. What it raises is logged and keeps nobody else from hearing of it."""
