"""Events of a table: past-tense facts for the lights, the terminal, the page and the transcript.

The events of all games are of these kinds; each game defines what its own carry.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeAlias

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    StateT_co = TypeVar("StateT_co", default=Any, covariant=True)
    DecisionT_co = TypeVar("DecisionT_co", default=Any, covariant=True)
    FactT_co = TypeVar("FactT_co", default=Any, covariant=True)
    ComplaintT_co = TypeVar("ComplaintT_co", default=Any, covariant=True)
    QuestionT_co = TypeVar("QuestionT_co", default=Any, covariant=True)
else:
    from typing import TypeVar

    StateT_co, DecisionT_co = TypeVar("StateT_co", covariant=True), TypeVar("DecisionT_co", covariant=True)
    FactT_co, ComplaintT_co = TypeVar("FactT_co", covariant=True), TypeVar("ComplaintT_co", covariant=True)
    QuestionT_co = TypeVar("QuestionT_co", covariant=True)


@dataclass(frozen=True, slots=True)
class GameOpened(Generic[StateT_co]):
    """A game is on the table, new or resumed. `decisions` were replayed to reach `state`."""

    game_id: int
    state: StateT_co
    decisions: int


@dataclass(frozen=True, slots=True)
class LookStarted(Generic[StateT_co]):
    """A player asked for a look; the lights hold still until the verdict."""

    state: StateT_co


@dataclass(frozen=True, slots=True)
class LookCalledOff(Generic[StateT_co]):
    """A look ended without a verdict: `undo` was pressed meanwhile, or there are no more frames."""

    state: StateT_co


@dataclass(frozen=True, slots=True)
class DecisionTaken(Generic[DecisionT_co, FactT_co, StateT_co]):
    """A decision stands in the journal and was applied; `facts` are the rules' own account of it."""

    decision: DecisionT_co
    facts: tuple[FactT_co, ...]
    state: StateT_co


@dataclass(frozen=True, slots=True)
class DecisionUndone(Generic[DecisionT_co, StateT_co]):
    """The last decision was taken back; its patch has still to be lifted off the board."""

    decision: DecisionT_co
    state: StateT_co


@dataclass(frozen=True, slots=True)
class NothingToUndo(Generic[StateT_co]):
    """`undo` was pressed before any decision."""

    state: StateT_co


@dataclass(frozen=True, slots=True)
class Complained(Generic[ComplaintT_co, StateT_co]):
    """The look ended in a complaint; the game is as it was.

    `unasked`: no player asked for the look; hands-free, the table was at rest and not as it should be.
    """

    complaint: ComplaintT_co
    state: StateT_co
    unasked: bool = False


@dataclass(frozen=True, slots=True)
class Asked(Generic[QuestionT_co, StateT_co]):
    """The look ended in a question.

    `choice` is the option on display: `advance` shows the next, `confirm` takes it, `undo` takes none. `unasked` as for
    `Complained`; such a question lapses if the table is changed before anybody answers. `number` identifies the
    question as long as it is open; see `companion.play.asking`.
    """

    question: QuestionT_co
    choice: int
    state: StateT_co
    unasked: bool = False
    number: int = 0


@dataclass(frozen=True, slots=True)
class QuestionAnswered(Generic[QuestionT_co, DecisionT_co, StateT_co]):
    """The question was answered, or left open in a recording; `taken` is None if all options were refused."""

    question: QuestionT_co
    taken: DecisionT_co | None
    state: StateT_co


@dataclass(frozen=True, slots=True)
class DecisionForeseen(Generic[DecisionT_co, StateT_co]):
    """Hands-free: the quilt at rest shows this decision; it is taken at the end of the pause unless `undo` stops it.

    Next comes `DecisionTaken`, or `ForesightLapsed`, or `LookStarted` if a player pressed `confirm` after all.
    `takes_at_s` is a time on the frames' clock.
    """

    decision: DecisionT_co
    pause_s: float
    takes_at_s: float
    state: StateT_co


@dataclass(frozen=True, slots=True)
class ForesightLapsed(Generic[DecisionT_co, StateT_co]):
    """A foreseen decision is not taken: `undo` has `stopped` it, or the quilt did not stay as it was."""

    decision: DecisionT_co
    stopped: bool
    state: StateT_co


@dataclass(frozen=True, slots=True)
class UndoForeseen(Generic[DecisionT_co, StateT_co]):
    """Hands-free: the latest decision is off the table; it is taken back at the end of the pause.

    Next comes `DecisionUndone` or `UndoLapsed`. `takes_at_s` is a time on the frames' clock.
    """

    decision: DecisionT_co
    pause_s: float
    takes_at_s: float
    state: StateT_co


@dataclass(frozen=True, slots=True)
class UndoLapsed(Generic[DecisionT_co, StateT_co]):
    """The latest decision stands: the table did not stay as it was until the end of the pause."""

    decision: DecisionT_co
    state: StateT_co


@dataclass(frozen=True, slots=True)
class DoubtLapsed(Generic[QuestionT_co, ComplaintT_co, StateT_co]):
    """Hands-free: an unasked question or complaint no longer stands, as the table was changed."""

    doubt: QuestionT_co | ComplaintT_co
    state: StateT_co


@dataclass(frozen=True, slots=True)
class TableNoticed(Generic[StateT_co]):
    """A notice to the players about the table, no fault of a move: a sentence.

    Attributes:
        says: the sentence.
        state: the game's.
        about: its subject, of the game's own type, for what shows more than the sentence; None if there is no more.
    """

    says: str
    state: StateT_co
    about: object = None


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
    | UndoForeseen
    | UndoLapsed
    | DoubtLapsed
    | TableNoticed
)
"""An event of any game."""
Listener: TypeAlias = Callable[[Event], None]
"""A function called with every event. Its errors are logged, and the other listeners still get the event."""
