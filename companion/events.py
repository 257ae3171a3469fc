"""What happened at the table: past-tense facts for the lights, the terminal, the page and the transcript."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from companion.games.patchwork import Decision, Fact, State
    from companion.verdict import Complaint, Question


@dataclass(frozen=True, slots=True)
class GameOpened:
    """A game is on the table, new or resumed. `decisions` were replayed to reach `state`."""

    game_id: int
    state: State
    decisions: int


@dataclass(frozen=True, slots=True)
class LookStarted:
    """A player asked for a look; the lights hold still until the verdict."""

    state: State


@dataclass(frozen=True, slots=True)
class LookCalledOff:
    """A look ended without a verdict: `undo` was pressed meanwhile, or there are no more frames."""

    state: State


@dataclass(frozen=True, slots=True)
class DecisionTaken:
    """A decision stands in the journal and was applied; `facts` are the rules' own account of it."""

    decision: Decision
    facts: tuple[Fact, ...]
    state: State


@dataclass(frozen=True, slots=True)
class DecisionUndone:
    """The last decision was taken back; its patch has still to be lifted off the board."""

    decision: Decision
    state: State


@dataclass(frozen=True, slots=True)
class NothingToUndo:
    """`undo` was pressed before any decision."""

    state: State


@dataclass(frozen=True, slots=True)
class Complained:
    """The look ended in a complaint; the game is as it was."""

    complaint: Complaint
    state: State


@dataclass(frozen=True, slots=True)
class Asked:
    """The look ended in a question.

    `choice` is the option on display: `advance` shows the next, `confirm` takes it, `undo` takes none.
    """

    question: Question
    choice: int
    state: State


@dataclass(frozen=True, slots=True)
class QuestionAnswered:
    """The question was answered, or went unanswered in a recording; `taken` is None where all options were refused."""

    question: Question
    taken: Decision | None
    state: State


@dataclass(frozen=True, slots=True)
class DecisionForeseen:
    """Hands-free: the quilt at rest shows this decision; it is taken at the end of the pause unless `undo` stops it.

    Next comes `DecisionTaken`, or `ForesightLapsed`, or the `LookStarted` of somebody who did press `confirm`.
    `takes_at_s` is a time on the frames' clock.
    """

    decision: Decision
    pause_s: float
    takes_at_s: float
    state: State


@dataclass(frozen=True, slots=True)
class ForesightLapsed:
    """A foreseen decision is not taken: `undo` has `stopped` it, or the quilt did not stay as it was."""

    decision: Decision
    stopped: bool
    state: State


@dataclass(frozen=True, slots=True)
class TableNoticed:
    """Something about the table that players should know, no fault of a move: a sentence."""

    says: str
    state: State


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
