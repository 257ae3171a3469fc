"""Events of a table: past-tense facts for the lights, the terminal, the page and the transcript.

All games have these kinds of events; each game defines the types that its own carry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, Protocol, TypeAlias


class History(Protocol):
    """The current state and the decisions that led to it.

    A state of any game has `turn` (the seat to move, or None), `finished` and `setup.players`.
    """

    @property
    def decisions(self) -> tuple[Any, ...]:
        """The decisions, from the start."""

    @property
    def state(self) -> Any:
        """The current state of the rules."""


if TYPE_CHECKING:
    # Type parameters with defaults are in the standard library from Python 3.13 on; nothing needs them at run time.
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

NOTHING_ASKED: Final = 0
"""The number for no open question."""
NONE_SHOWN: Final = -1
"""The choice while "none of these" is on display."""
Phase: TypeAlias = Literal["question", "looking", "foreseen", "complaint", "finished", "playing"]


@dataclass(frozen=True, slots=True)
class Pending(Generic[QuestionT_co, ComplaintT_co]):
    """The pending look, question, complaint and announcement; the table alone decides them, and listeners show them.

    Attributes:
        looking: whether a look is under way.
        question: the open question, or None.
        choice: the index of its option on display, or `NONE_SHOWN`.
        number: the number by which an answer names the question; `NOTHING_ASKED` if none is open.
        complaint: the open complaint, or None; it stays open during a look and beneath a question about it.
        foreseen: the event that announced the decision, or the undo, to be carried out at the end of its pause.
        proposed: the decision of a partner that a person is to carry out, or None.
    """

    looking: bool = False
    question: QuestionT_co | None = None
    choice: int = 0
    number: int = NOTHING_ASKED
    complaint: ComplaintT_co | None = None
    foreseen: DecisionForeseen | UndoForeseen | None = None
    proposed: Any = None

    def phase(self, *, finished: bool = False) -> Phase:
        """Return what players should see first; `finished` tells whether the game has ended."""
        # About a game that has ended there may still be a question or a complaint.
        if self.question is not None:
            return "question"
        if self.looking:
            return "looking"
        if self.foreseen is not None:
            return "foreseen"
        if self.complaint is not None:
            return "complaint"
        return "finished" if finished else "playing"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableEvent:
    """The part that all events share.

    Attributes:
        pending: what is pending after the event; set by the turn loop when it announces the event.
    """

    # Not compared: it describes the table, not what happened.
    pending: Pending = field(default=Pending(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class GameOpened(TableEvent, Generic[StateT_co, DecisionT_co]):
    """A game is on the table, new or resumed.

    Attributes:
        game_id: its number in the journal.
        state: the state after `decisions`.
        decisions: the decisions of a resumed game.
        notes: the journal's notes about the table.
        is_again: whether it was on the table just now, and only the table is known better, as after a calibration.
    """

    game_id: int
    state: StateT_co
    decisions: tuple[DecisionT_co, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict, hash=False)
    is_again: bool = False


@dataclass(frozen=True, slots=True)
class LookStarted(TableEvent, Generic[StateT_co]):
    """A player asked for a look; the lights are frozen until its result."""

    state: StateT_co


@dataclass(frozen=True, slots=True)
class LookCalledOff(TableEvent, Generic[StateT_co]):
    """A look ended without a result: `undo` was pressed meanwhile, or there are no more frames."""

    state: StateT_co


@dataclass(frozen=True, slots=True)
class DecisionTaken(TableEvent, Generic[DecisionT_co, FactT_co, StateT_co]):
    """A decision was written to the journal and applied; `facts` are its consequences by the rules."""

    decision: DecisionT_co
    facts: tuple[FactT_co, ...]
    state: StateT_co


@dataclass(frozen=True, slots=True)
class DecisionUndone(TableEvent, Generic[DecisionT_co, StateT_co]):
    """The last decision was undone; its patch is still to be removed from the board.

    `count` decisions that were read together are undone together; `decision` is the first of them. `anew` is true if
    a later look has read something else in their place, which follows.
    """

    decision: DecisionT_co
    state: StateT_co
    count: int = 1
    anew: bool = False


@dataclass(frozen=True, slots=True)
class NothingToUndo(TableEvent, Generic[StateT_co]):
    """`undo` was pressed before any decision."""

    state: StateT_co


@dataclass(frozen=True, slots=True)
class Complained(TableEvent, Generic[ComplaintT_co, StateT_co]):
    """The look ended in a complaint; the game is unchanged.

    `unasked` is true if no player asked for the look: hands-free, the table was at rest but not as expected.
    """

    complaint: ComplaintT_co
    state: StateT_co
    unasked: bool = False


@dataclass(frozen=True, slots=True)
class Asked(TableEvent, Generic[QuestionT_co, StateT_co]):
    """The look ended in a question.

    `choice` is the option on display, or `NONE_SHOWN`: `advance` shows the next, `confirm` takes it, `undo` takes none.
    `unasked` as for `Complained`; such a question lapses if the table is changed before it is answered.
    """

    question: QuestionT_co
    choice: int
    state: StateT_co
    unasked: bool = False


@dataclass(frozen=True, slots=True)
class QuestionAnswered(TableEvent, Generic[QuestionT_co, DecisionT_co, StateT_co]):
    """The question was answered, or left open in a recording; `taken` is None if all options were refused."""

    question: QuestionT_co
    taken: DecisionT_co | None
    state: StateT_co


@dataclass(frozen=True, slots=True)
class DecisionForeseen(TableEvent, Generic[DecisionT_co, StateT_co]):
    """Hands-free: the quilt at rest shows this decision; it is taken at the end of the pause unless `undo` stops it.

    The next event is `DecisionTaken`, `ForesightLapsed`, or `LookStarted` if a player pressed `confirm` after all.
    `takes_at_s` is a time on the frames' clock.
    """

    decision: DecisionT_co
    pause_s: float
    takes_at_s: float
    state: StateT_co


@dataclass(frozen=True, slots=True)
class DecisionProposed(TableEvent, Generic[DecisionT_co, StateT_co]):
    """A partner has decided: a person is to carry it out."""

    decision: DecisionT_co
    state: StateT_co


@dataclass(frozen=True, slots=True)
class ForesightLapsed(TableEvent, Generic[DecisionT_co, StateT_co]):
    """A foreseen decision is not taken: `undo` stopped it (`stopped`), or the quilt was changed."""

    decision: DecisionT_co
    stopped: bool
    state: StateT_co


@dataclass(frozen=True, slots=True)
class UndoForeseen(TableEvent, Generic[DecisionT_co, StateT_co]):
    """Hands-free: the latest decision is no longer on the table; it is undone at the end of the pause.

    The next event is `DecisionUndone` or `UndoLapsed`. `takes_at_s` is a time on the frames' clock.
    """

    decision: DecisionT_co
    pause_s: float
    takes_at_s: float
    state: StateT_co


@dataclass(frozen=True, slots=True)
class UndoLapsed(TableEvent, Generic[DecisionT_co, StateT_co]):
    """The latest decision is not undone: the table was changed before the end of the pause."""

    decision: DecisionT_co
    state: StateT_co


@dataclass(frozen=True, slots=True)
class DoubtLapsed(TableEvent, Generic[QuestionT_co, ComplaintT_co, StateT_co]):
    """Hands-free: an unasked question or complaint is withdrawn, as the table was changed."""

    doubt: QuestionT_co | ComplaintT_co
    state: StateT_co


@dataclass(frozen=True, slots=True)
class TableNoticed(TableEvent, Generic[StateT_co]):
    """A notice to the players about the table, unrelated to a faulty move.

    Attributes:
        says: the sentence.
        state: the game's state.
        about: its subject, of the game's own type, for displays that show more than the sentence; None if there is
            none.
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
    | DecisionProposed
    | ForesightLapsed
    | UndoForeseen
    | UndoLapsed
    | DoubtLapsed
    | TableNoticed
)
"""An event of any game."""
Listener: TypeAlias = Callable[[Event], None]
"""A function called with every event. Its errors are logged, and the other listeners still get the event."""
