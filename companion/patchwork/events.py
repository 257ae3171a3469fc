"""The events of a Patchwork table: the events of all games with Patchwork's types."""

from collections.abc import Callable
from typing import TypeAlias

from companion.games.patchwork.decisions import Decision
from companion.games.patchwork.facts import Fact
from companion.games.patchwork.state import State
from companion.patchwork.reading.verdict import Complaint, Question
from companion.play import events

Asked: TypeAlias = events.Asked[Question, State]
Complained: TypeAlias = events.Complained[Complaint, State]
Foreseen: TypeAlias = events.DecisionForeseen[Decision, State]
Lapsed: TypeAlias = events.ForesightLapsed[Decision, State]
Undone: TypeAlias = events.DecisionUndone[Decision, State]
UndoForeseen: TypeAlias = events.UndoForeseen[Decision, State]
UndoLapsed: TypeAlias = events.UndoLapsed[Decision, State]

Event: TypeAlias = (
    events.GameOpened[State, Decision]
    | events.LookStarted[State]
    | events.LookCalledOff[State]
    | events.DecisionTaken[Decision, Fact, State]
    | Undone
    | events.NothingToUndo[State]
    | Complained
    | Asked
    | events.QuestionAnswered[Question, Decision, State]
    | Foreseen
    | Lapsed
    | UndoForeseen
    | UndoLapsed
    | events.DoubtLapsed[Question, Complaint, State]
    | events.TableNoticed[State]
)
Listener: TypeAlias = Callable[[Event], None]
